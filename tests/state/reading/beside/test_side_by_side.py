"""Which texts stand side by side, what is recorded as seen, how scrolling is tied."""

from collections.abc import Sequence

import pytest

from store import candidates, exposures, questions
from store.rows import NewCandidate, Origin
from store.workspace import Workspace
from tests.engine.runs.scripted import QUESTION, add_question, add_stub
from tests.fakes.scripted_engine import ScriptedEngine
from tests.found_runs import audited_by, judged_by
from tests.judged_runs import THREE_ITER, judged_run, three_iter
from tests.measured_runs import add_neighbours, measured_by
from uq_tui.engine.requests import ModelChoice
from uq_tui.errors import StoreError
from uq_tui.state.desk import Desk
from uq_tui.state.reading.beside.choices import Kind, matching
from uq_tui.state.reading.beside.side_by_side import WHERE, Compared, SideBySideState
from uq_tui.words import AuthorKind, Exposure, TextFormat

FIRST = "It is even.\n\nSo it holds."
SECOND = "It is odd.\n\nA remark.\n\nSo it holds."


def add(ws: Workspace, *answers: str, reasoning: str = "", reference: bool = False) -> list[str]:
    """Candidates with these answers; their ids."""
    by = Origin(AuthorKind.MODEL, model="a-model")
    new = [
        NewCandidate(QUESTION, text, TextFormat.MARKDOWN, by, reasoning=reasoning, reference=reference)
        for text in answers
    ]
    return list(candidates.add(ws, new))


async def opened(ws: Workspace, chosen: str = "") -> SideBySideState:
    """The state on the question, read."""
    desk = await Desk.sit_down(ws, ScriptedEngine(ws.path), ModelChoice("m"))
    state = SideBySideState(desk, questions.get(ws, QUESTION), chosen)
    await state.load()
    return state


def titles(state: SideBySideState) -> list[str]:
    found = [state.choice(at) for at in range(len(state.panes))]
    return [one.title if one is not None else "gone" for one in found]


def key(state: SideBySideState, kind: Kind, at: int = 0) -> str:
    """The key of a text of this kind."""
    return [one.key for one in state.choices if one.kind is kind][at]


def seen(state: SideBySideState, candidate_id: str) -> set[Exposure]:
    rows = exposures.of_candidate(state.desk.workspace, state.desk.reviewer.id, candidate_id)
    assert {row.where for row in rows} <= {WHERE}
    return {row.what for row in rows}


def marked(state: SideBySideState) -> Compared | None:
    """What could be marked now."""
    return state.compared


async def read(state: SideBySideState) -> Sequence[str]:
    """The texts of all panes."""
    return [(await state.open(at)).source for at in range(len(state.panes))]


async def test_the_chosen_answer_stands_beside_the_next_one(workspace: Workspace) -> None:
    add_question(workspace)
    first, second = add(workspace, FIRST, SECOND)
    assert titles(await opened(workspace, first)) == ["Answer  c1", "Answer  c2"]
    assert titles(await opened(workspace, second)) == ["Answer  c2", "Answer  c1"]
    assert titles(await opened(workspace)) == ["Answer  c1", "Answer  c2"]


async def test_an_answer_by_itself_stands_beside_the_question(workspace: Workspace) -> None:
    add_question(workspace)
    add(workspace, FIRST)
    state = await opened(workspace)
    assert titles(state) == ["Answer  c1", "Question"]
    texts = await read(state)
    assert texts[0] == FIRST
    assert "How many are there?" in texts[1]


async def test_without_an_answer_there_is_the_question(workspace: Workspace) -> None:
    add_question(workspace)
    assert titles(await opened(workspace)) == ["Question"]


async def test_reasoning_stands_there_unasked_only_if_it_was_seen_before(workspace: Workspace) -> None:
    add_question(workspace)
    (chosen,) = add(workspace, FIRST, reasoning="I think.")
    state = await opened(workspace, chosen)
    assert titles(state) == ["Answer  c1", "Question"]
    await read(state)
    assert seen(state, chosen) == set()
    state.put(1, key(state, Kind.REASONING))
    assert await read(state) == [FIRST, "I think."]
    assert seen(state, chosen) == {Exposure.REASONING}
    assert titles(await opened(workspace, chosen)) == ["Answer  c1", "Reasoning  c1"]


async def test_all_that_models_wrote_can_be_read_and_is_recorded(workspace: Workspace) -> None:
    add_question(workspace)
    (chosen,) = add(workspace, FIRST)
    add_neighbours(workspace, QUESTION, 2)
    judged_run(workspace, chosen, THREE_ITER, three_iter("aaa"))
    judged_by(workspace, chosen, [7, 8])
    audited_by(workspace, chosen, FIRST)
    measured_by(workspace, {chosen: ["10", "1!"]})
    state = await opened(workspace, chosen)
    for kind, at, label, text, what in (
        (
            Kind.CHECK,
            0,
            "Reply 1 of 2  turn 1, cycle consistency",
            "Inferred at cycle_consistency/1.",
            Exposure.OUTCOMES,
        ),
        (Kind.CHECK, 1, "Reply 2 of 2  turn 1, cycle consistency", "Reply at cycle_consistency/1.", Exposure.OUTCOMES),
        (Kind.SCORE, 1, "Judge scale_10 by openai/o3, sample 2", "Reply of sample 1.", Exposure.SCORES),
        (Kind.AUDIT, 0, "Audit of 2026-01-02 12:03", "Reply of the audit.", Exposure.CLAIMS),
        (Kind.ROLLOUT, 1, "Rollout 2 on N1", f"Reply 2 of {chosen} on N1.", Exposure.UTILITY),
    ):
        state.put(1, key(state, kind, at))
        assert titles(state)[1] == f"{label}  c1"
        before = seen(state, chosen)
        assert what not in before or kind is Kind.CHECK
        assert text in (await read(state))[1]
        assert seen(state, chosen) == before | {what}


async def test_looking_through_the_list_shows_nothing_of_what_came_of_it(workspace: Workspace) -> None:
    add_question(workspace)
    (chosen,) = add(workspace, FIRST)
    judged_run(workspace, chosen, THREE_ITER, three_iter("aar"))
    judged_by(workspace, chosen, [7])
    state = await opened(workspace, chosen)
    listed = " ".join(one.label for one in state.choices)
    assert not any(word in listed for word in ("accept", "reject", "7", "a-model"))
    assert seen(state, chosen) == set()


async def test_the_list_gets_shorter_by_words(workspace: Workspace) -> None:
    add_question(workspace)
    first, _ = add(workspace, FIRST, SECOND)
    judged_by(workspace, first, [7, 8])
    choices = (await opened(workspace)).choices
    assert [one.title for one in matching(choices, "answer")] == ["Answer  c1", "Answer  c2"]
    assert [one.title for one in matching(choices, " C1  sample 2")] == ["Judge scale_10 by openai/o3, sample 2  c1"]
    assert matching(choices, "") == choices


async def test_the_reference_goes_by_that_name(workspace: Workspace) -> None:
    add_question(workspace)
    first, _ = add(workspace, FIRST)[0], add(workspace, SECOND, reference=True)
    assert titles(await opened(workspace, first)) == ["Answer  c1", "Reference  c2"]


async def test_an_answer_whose_text_is_not_here_says_so(workspace: Workspace) -> None:
    add_question(workspace)
    add_stub(workspace, QUESTION, "f" * 64)
    texts = await read(await opened(workspace))
    assert "not here" in texts[0]


async def test_panes_are_added_up_to_three_and_removed_down_to_two(workspace: Workspace) -> None:
    add_question(workspace)
    add(workspace, FIRST, SECOND)
    state = await opened(workspace)
    assert state.remove(0) is False
    assert state.add() is True
    assert titles(state) == ["Answer  c1", "Answer  c2", "Question"]
    assert state.add() is False
    assert state.remove(1) is True
    assert titles(state) == ["Answer  c1", "Question"]


async def test_a_text_that_is_read_elsewhere_changes_places(workspace: Workspace) -> None:
    add_question(workspace)
    add(workspace, FIRST, SECOND)
    state = await opened(workspace)
    state.put(0, state.panes[1])
    assert titles(state) == ["Answer  c2", "Answer  c1"]


async def test_two_answers_are_compared_and_tied_by_paragraphs(workspace: Workspace) -> None:
    add_question(workspace)
    add(workspace, FIRST, SECOND)
    state = await opened(workspace)
    await read(state)
    assert state.comparable
    assert marked(state) is None
    await state.compare()
    compared = marked(state)
    assert compared is not None
    assert (compared.left, compared.right) == (0, 1)
    assert [FIRST[one.start : one.end] for one in compared.found.removed] == ["even"]
    left, right = FIRST.index("So it"), SECOND.index("So it")
    assert state.tie(0, 1).across(left) == right
    assert state.tie(1, 0).across(right) == left


async def test_other_texts_are_tied_by_their_share(workspace: Workspace) -> None:
    add_question(workspace)
    add(workspace, FIRST)
    state = await opened(workspace)
    texts = await read(state)
    await state.compare()
    assert state.compared is None
    assert not state.comparable
    assert state.tie(0, 1).across(len(FIRST)) == len(texts[1])


async def test_of_three_panes_the_first_two_answers_are_marked(workspace: Workspace) -> None:
    add_question(workspace)
    add(workspace, FIRST, SECOND)
    state = await opened(workspace)
    state.add()
    state.put(0, state.panes[2])
    await read(state)
    await state.compare()
    assert titles(state) == ["Question", "Answer  c2", "Answer  c1"]
    assert state.compared is not None
    assert (state.compared.left, state.compared.right) == (1, 2)


async def test_one_steps_from_change_to_change_and_round(workspace: Workspace) -> None:
    add_question(workspace)
    add(workspace, FIRST, SECOND)
    state = await opened(workspace)
    await read(state)
    assert state.step(1, 0, 0) is None
    await state.compare()
    state.marking = True

    def stepped(by: int, pane: int = 0, offset: int = 0) -> str:
        change = state.step(by, pane, offset)
        assert change is not None
        return SECOND[change.right.start : change.right.end]

    assert stepped(1) == "odd"
    assert "1 of 2 places" in state.told
    assert [stepped(1), stepped(1), stepped(-1)] == ["A remark.", "odd", "A remark."]
    state.put(0, state.panes[1])
    await state.compare()
    assert "of 2 places" not in state.told


async def test_the_first_step_is_seen_from_where_one_is(workspace: Workspace) -> None:
    add_question(workspace)
    add(workspace, FIRST, SECOND)
    for by, offset, expected in (
        (1, 0, "odd"),
        (1, 8, "A remark."),
        (1, 30, "odd"),
        (-1, 8, "odd"),
        (-1, 0, "A remark."),
    ):
        state = await opened(workspace)
        await read(state)
        await state.compare()
        change = state.step(by, 1, offset)
        assert change is not None
        assert SECOND[change.right.start : change.right.end] == expected


async def test_one_line_tells_how_panes_scroll_and_what_differs(workspace: Workspace) -> None:
    add_question(workspace)
    add(workspace, FIRST, SECOND)
    state = await opened(workspace)
    await read(state)
    assert "d marks what differs" in state.told
    state.marking = True
    assert "Comparing the answers …" in state.told
    await state.compare()
    assert "5 words differ in 2 paragraphs: 1 only on the left, 4 only on the right" in state.told
    state.tied = False
    assert "scrolling is free" in state.told


async def test_a_text_is_not_given_if_it_cant_be_recorded(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_question(workspace)
    add(workspace, FIRST, reasoning="I think.")
    state = await opened(workspace)
    state.put(1, key(state, Kind.REASONING))

    def fail(*_: object) -> None:
        raise StoreError("disk full")

    with monkeypatch.context() as patch:
        patch.setattr(exposures, "record", fail)
        with pytest.raises(StoreError):
            await state.open(1)
    assert (await state.open(1)).source == "I think."
