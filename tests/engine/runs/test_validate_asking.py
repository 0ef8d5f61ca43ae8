"""What a validation asks: which calls, in which conversations, with which prompts."""

import pytest

from prompts.loader import Output
from store.workspace import Workspace
from tests.engine.runs.judged import asked, following, judged, outcomes
from tests.engine.runs.scripted import (
    ACCEPT,
    REJECT,
    UNREADABLE,
    Said,
)
from uq_tui.words import Outcome

A, R, S = Outcome.ACCEPT, Outcome.REJECT, Outcome.SKIPPED
STAGES = ("cycle_consistency", "fact_logic", "correctness")


async def test_three_iter_asks_ten_calls_when_all_accept(workspace: Workspace, candidate: str) -> None:
    model = await judged(workspace, following({}), [candidate])

    assert asked(model) == [
        ("cycle_consistency/1", "check.cycle_infer"),
        ("cycle_consistency/1", "check.cycle_compare"),
        ("cycle_consistency/2", "reflect"),
        ("cycle_consistency/3", "reflect"),
        ("fact_logic/1", "check.fact_logic"),
        ("fact_logic/2", "reflect"),
        ("fact_logic/3", "reflect"),
        ("correctness/1", "check.correctness"),
        ("correctness/2", "reflect"),
        ("correctness/3", "reflect"),
    ]
    assert set(outcomes(workspace).values()) == {A}
    assert len(outcomes(workspace)) == 1 + 3 + 9
    assert model.progress == [(1, 1)]


async def test_sampling_asks_twelve_calls_each_in_its_own_conversation(workspace: Workspace, candidate: str) -> None:
    model = await judged(workspace, following({}), [candidate], "3-iter-sampling")

    assert len(model.asks) == 12
    assert {len(ask.messages) for ask in model.asks} == {1}
    assert [ask.sample for ask in model.asks if ask.template.name == "check.fact_logic"] == [0, 1, 2]
    assert [ask.path for ask in model.asks if ask.template.name == "check.cycle_infer"] == [
        f"cycle_consistency/{n}" for n in (1, 2, 3)
    ]
    assert outcomes(workspace)[""] is A


async def test_one_iter_asks_each_check_once(workspace: Workspace, candidate: str) -> None:
    model = await judged(workspace, following({}), [candidate], "1-iter")

    assert [path for path, _ in asked(model)] == ["cycle_consistency", "cycle_consistency", "fact_logic", "correctness"]
    assert outcomes(workspace) == {"": A, **dict.fromkeys(STAGES, A)}


@pytest.mark.parametrize("strategy", ["3-iter", "3-iter-sampling"])
async def test_exact_asks_everything_and_decides_the_same(workspace: Workspace, candidate: str, strategy: str) -> None:
    model = await judged(workspace, following({"fact_logic/1": REJECT}), [candidate], strategy, exact=True)

    assert len(model.asks) == (10 if strategy == "3-iter" else 12)
    assert S not in outcomes(workspace).values()
    assert outcomes(workspace)[""] is R


async def test_an_unreadable_reply_is_asked_again_once(workspace: Workspace, candidate: str) -> None:
    verdicts = {"fact_logic/1": UNREADABLE, "fact_logic/1!": ACCEPT}
    model = await judged(workspace, following(verdicts), [candidate])

    retries = [ask for ask in model.asks if ask.template.name == "retry.decision"]
    assert [ask.path for ask in retries] == ["fact_logic/1"]
    assert [message.role for message in retries[0].messages] == ["user", "assistant", "user"]
    assert retries[0].messages[1].content == UNREADABLE.reply
    assert outcomes(workspace)["fact_logic/1"] is A
    assert outcomes(workspace)[""] is A


async def test_conversations_grow_by_replies_and_never_hold_reasoning(workspace: Workspace, candidate: str) -> None:
    model = await judged(workspace, following({}), [candidate])

    turns = [ask for ask in model.asks if ask.path.startswith("correctness/")]
    assert [len(ask.messages) for ask in turns] == [1, 3, 5]
    assert turns[2].messages[:3] == turns[1].messages
    assert turns[1].messages[1].content == f"Checked.\n{turns[0].tag}: accept"
    assert not any("SECRET THOUGHTS" in message.content for ask in model.asks for message in ask.messages)


async def test_an_empty_reply_can_be_gone_on_from(workspace: Workspace, candidate: str) -> None:
    verdicts = {"fact_logic/1": Said(""), "fact_logic/1!": ACCEPT}
    model = await judged(workspace, following(verdicts), [candidate])

    assert all(message.content.strip() for ask in model.asks for message in ask.messages)
    assert outcomes(workspace)[""] is A


async def test_every_decision_has_a_tag_of_its_own(workspace: Workspace, candidate: str) -> None:
    model = await judged(workspace, following({}), [candidate])

    deciding = [ask for ask in model.asks if ask.form is Output.DECISION]
    assert len({ask.tag for ask in deciding}) == len(deciding) == 9
    assert all(f"{ask.tag}: accept" in ask.messages[-1].content for ask in deciding)
    assert [(ask.form, ask.tag) for ask in model.asks if ask not in deciding] == [(Output.FREE, "")]


async def test_prompts_show_question_and_candidate_fenced_and_the_inference_sees_no_question(
    workspace: Workspace, candidate: str
) -> None:
    model = await judged(workspace, following({}), [candidate], "1-iter")
    infer, compare, fact, correct = (ask.messages[0].content for ask in model.asks)

    for text in (compare, fact, correct):
        assert "# A count\n\nHow many are there?\n\n(Asked on math.stackexchange.com)" in text
        assert "There are 12, by counting.\n-----END CANDIDATE" in text
    assert "There are 12" in infer
    assert "How many are there?" not in infer
    assert "How many are there, then?" in compare
