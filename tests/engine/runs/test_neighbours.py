"""Neighbours runs: what is asked, what becomes a neighbour, what is kept of the rest, and resuming."""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from prompts.loader import Output
from store import neighbours, proposals, runs
from store.rows import Neighbour
from store.run_rows import Proposal, Run
from store.workspace import Workspace
from tests.engine.runs.proposed import ANSWERS, STATEMENTS, boxed, reply
from tests.engine.runs.scripted import (
    FAILED,
    QUESTION,
    Said,
    Script,
    Scripted,
    add_candidates,
    add_neighbours,
    add_question,
    add_stub,
    conduct,
    start,
)
from uq_tui.engine.protocol import AttemptRead, Event, NeighbourProposed, ProposalDecided
from uq_tui.engine.requests import CbuRequest, ModelChoice, NeighboursRequest
from uq_tui.engine.runs.neighbours import FIRST_SAMPLE
from uq_tui.engine.spec import Ask
from uq_tui.errors import NotFoundError, UqError
from uq_tui.words import NeighbourUse, ProposalState, RunKind

AUTHOR, FIRST, SECOND = ModelChoice("m/author"), ModelChoice("m/first"), ModelChoice("m/second")
REQUEST = NeighboursRequest(QUESTION, AUTHOR, (FIRST, SECOND), samples=3)
PROPOSING = ("neighbours.propose", "retry.neighbours")

Solver = Callable[[Ask, int], Said]
"""What is said to a problem, by its index."""


@pytest.fixture(autouse=True)
def question(workspace: Workspace) -> None:
    add_question(workspace)


def right(_: Ask, problem: int) -> Said:
    """Every solver knows every answer."""
    return boxed(ANSWERS[problem])


def script(solver: Solver = right, *said: Said | str) -> Script:
    """The proposing model says these, one a time, else five problems; then solvers answer."""
    left = list(said)

    def answer(ask: Ask) -> Said:
        if ask.template.name in PROPOSING:
            one = left.pop(0) if left else reply()
            return one if isinstance(one, Said) else Said(one)
        text = ask.messages[0].content
        return solver(ask, next(n for n, statement in enumerate(STATEMENTS) if statement in text))

    return answer


def begin(ws: Workspace, **changes: Any) -> Run:
    return start(ws, RunKind.NEIGHBOURS, replace(REQUEST, **changes))


async def made(ws: Workspace, how: Script | None = None, **changes: Any) -> Scripted:
    model = Scripted(ws, how or script())
    await conduct(model, begin(ws, **changes))
    return model


def proposed(ws: Workspace) -> tuple[Proposal, ...]:
    return proposals.of_run(ws, runs.recent(ws, 1)[0].id)


async def test_what_all_solvers_agree_on_becomes_neighbours_of_the_question(workspace: Workspace) -> None:
    model = await made(workspace)

    run = runs.recent(workspace, 1)[0]
    found = neighbours.of_question(workspace, QUESTION)
    assert {one.statement: one.answer for one in found} == dict(zip(STATEMENTS, ANSWERS, strict=True))
    assert {one.source for one in found} == {run.id}
    assert {one.use for one in found} == {NeighbourUse.IN_USE}
    assert [(one.number, one.state, one.answer, one.reason) for one in proposed(workspace)] == [
        (number, ProposalState.AGREED, answer, "") for number, answer in enumerate(ANSWERS, start=1)
    ]
    assert {one.neighbour_id for one in proposed(workspace)} == {one.id for one in found}
    assert model.progress[-1] == (5, 5)


async def test_one_call_proposes_and_every_solver_is_asked_as_the_control_arm_asks(workspace: Workspace) -> None:
    model = await made(workspace)

    first, *asks = model.asks
    assert (first.model, first.template.name, first.form) == (AUTHOR, "neighbours.propose", Output.NEIGHBOURS)
    assert "How many are there?\n" in first.messages[0].content
    assert f'{{"code": "{first.tag}", "problems": [' in first.messages[0].content
    assert len(asks) == 5 * 2 * 3
    assert {(ask.template.name, ask.form, ask.tag) for ask in asks} == {("cbu.control", Output.BOXED, "")}
    assert {ask.messages[0].content.partition("\n\n")[2] for ask in asks} == set(STATEMENTS)
    assert {ask.path for ask in asks if STATEMENTS[3] in ask.messages[0].content} == {
        f"4/{solver}/{sample}" for solver in range(2) for sample in range(3)
    }


async def test_no_sample_of_a_solver_is_counted_in_a_later_control_arm(workspace: Workspace) -> None:
    solved = await made(workspace)
    add_candidates(workspace, "Count them.")
    measuring = Scripted(workspace, script())
    await conduct(measuring, start(workspace, RunKind.CBU, CbuRequest(QUESTION, FIRST, rollouts=2)))

    assert {ask.sample for ask in solved.asks[1:]} == {FIRST_SAMPLE, FIRST_SAMPLE + 1, FIRST_SAMPLE + 2}
    assert len([ask for ask in measuring.asks if ask.candidate_id == ""]) == 5 * 2


async def test_what_solvers_disagree_on_is_kept_with_the_reason_and_is_no_neighbour(workspace: Workspace) -> None:
    def solver(ask: Ask, problem: int) -> Said:
        if problem == 0:
            return boxed("1424" if ask.model == FIRST else "1425")
        if problem == 1:
            return FAILED if ask.model == SECOND else boxed("1")
        return right(ask, problem)

    await made(workspace, script(solver))

    assert [one.state for one in proposed(workspace)] == [
        ProposalState.DISAGREED,
        ProposalState.UNANSWERED,
        *[ProposalState.AGREED] * 3,
    ]
    first, second, *_ = proposed(workspace)
    assert first.reason == "m/first says 1424 (3 of 3); m/second says 1425 (3 of 3)"
    assert second.reason == "m/first says 1 (3 of 3); m/second has no majority: 3 failed"
    assert (first.answer, first.neighbour_id) == ("", "")
    assert len(neighbours.of_question(workspace, QUESTION)) == 3
    attempts = proposals.attempts(workspace, first.run_id)
    assert len(attempts) == 30
    assert {(one.solver, one.answer) for one in attempts if one.number == 1} == {
        ("m/first", "1424"),
        ("m/second", "1425"),
    }


async def test_a_neighbour_that_repeats_or_gives_its_answer_away_is_set_aside_at_once(workspace: Workspace) -> None:
    add_neighbours(workspace, {STATEMENTS[0].replace("12", "14"): "5798"})
    telling = STATEMENTS[1].replace("five", "five (hint: 292,864)")
    told = (STATEMENTS[0], telling, *STATEMENTS[2:])

    def answer(ask: Ask) -> Said:
        if ask.template.name in PROPOSING:
            return Said(reply(statements=told))
        return boxed(ANSWERS[next(n for n, statement in enumerate(told) if statement in ask.messages[0].content)])

    await made(workspace, answer)

    notes = {one.statement: (one.use, one.note) for one in neighbours.of_question(workspace, QUESTION)}
    assert notes[STATEMENTS[0]] == (NeighbourUse.SET_ASIDE, "It is N1 with other numbers.")
    assert notes[telling] == (NeighbourUse.SET_ASIDE, "Its answer stands in its text.")
    assert notes[STATEMENTS[2]] == (NeighbourUse.IN_USE, "")
    assert [one.reason for one in proposed(workspace)][:2] == [notes[STATEMENTS[0]][1], notes[telling][1]]
    assert len(neighbours.in_use(workspace, QUESTION)) == 4


async def test_a_problem_that_is_a_neighbour_already_changes_nothing_of_it(workspace: Workspace) -> None:
    (known,) = add_neighbours(workspace, {STATEMENTS[4]: ANSWERS[4]})
    await made(workspace)

    (kept, *_) = neighbours.of_question(workspace, QUESTION)
    assert (kept.id, kept.source, kept.use) == (known, "tests", NeighbourUse.IN_USE)
    last = proposed(workspace)[4]
    assert (last.state, last.neighbour_id) == (ProposalState.AGREED, known)
    assert last.reason == "It is N1 again, word for word."


async def test_what_cannot_be_read_is_asked_again_once_in_the_same_conversation(workspace: Workspace) -> None:
    model = await made(workspace, script(right, "Here they are."))

    first, second = model.asks[:2]
    assert second.messages[:1] == first.messages
    assert second.messages[1].content == "Here they are."
    assert second.tag in second.messages[2].content
    assert second.tag != first.tag
    assert len(neighbours.of_question(workspace, QUESTION)) == 5


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [
        ("Well.", "Well.", "no JSON object begins with the code, asked twice"),
        ("Well.", Said(reply()[:-9], finish_reason="length"), "the reply was cut at the length limit, asked twice"),
        (Said(reply(), finish_reason="length"), "", "the reply is empty, asked twice"),
        (FAILED, "", r"call failed \(timeout\)"),
        ("Well.", FAILED, r"call failed \(timeout\)"),
    ],
)
async def test_a_run_without_readable_proposals_ends_with_the_reason_and_keeps_nothing(
    workspace: Workspace, first: Said | str, second: Said | str, why: str
) -> None:
    with pytest.raises(UqError, match=why) as caught:
        await made(workspace, script(right, first, second))

    assert caught.value.hint
    assert proposed(workspace) == ()
    assert neighbours.of_question(workspace, QUESTION) == ()


async def test_a_proposal_that_failed_is_asked_for_again_on_resuming(workspace: Workspace) -> None:
    run = begin(workspace)
    with pytest.raises(UqError):
        await conduct(Scripted(workspace, script(right, FAILED)), run)
    model = Scripted(workspace, script())
    await conduct(model, run)

    assert len(model.asks) == 31
    assert len(neighbours.of_question(workspace, QUESTION)) == 5


@pytest.mark.parametrize("sent", [0, 1, 2, 7, 20, 30])
async def test_a_killed_run_goes_on_where_it_stopped(workspace: Workspace, sent: int) -> None:
    run = begin(workspace)
    killed = Scripted(workspace, script(), die_after=sent)
    with pytest.raises(asyncio.CancelledError):
        await conduct(killed, run)
    resumed = Scripted(workspace, script())
    await conduct(resumed, run)

    assert len(killed.asks) + len(resumed.asks) == 31
    assert [one.state for one in proposed(workspace)] == [ProposalState.AGREED] * 5
    assert len(neighbours.in_use(workspace, QUESTION)) == 5
    assert resumed.progress[-1] == (5, 5)


async def test_running_again_asks_what_failed_and_leaves_what_was_agreed_on(workspace: Workspace) -> None:
    def failing(ask: Ask, problem: int) -> Said:
        return FAILED if problem == 1 else right(ask, problem)

    run = begin(workspace)
    await conduct(Scripted(workspace, script(failing)), run)
    aside = proposals.of_run(workspace, run.id)[0].neighbour_id
    neighbours.set_use(workspace, QUESTION, aside, NeighbourUse.SET_ASIDE, "mine")
    again = Scripted(workspace, script())
    await conduct(again, run)

    assert [ask.path.split("/")[0] for ask in again.asks] == ["2"] * 6
    assert [one.state for one in proposals.of_run(workspace, run.id)] == [ProposalState.AGREED] * 5
    kept = {one.id: (one.use, one.note) for one in neighbours.of_question(workspace, QUESTION)}
    assert kept[aside] == (NeighbourUse.SET_ASIDE, "mine")


async def test_the_same_request_again_is_remembered_and_a_fresh_one_asks_anew(workspace: Workspace) -> None:
    await made(workspace)
    again = await made(workspace)
    fresh = await made(workspace, fresh=True)

    assert (len(again.asks), len(fresh.asks)) == (0, 31)
    assert len(neighbours.of_question(workspace, QUESTION)) == 5


async def test_events_tell_what_is_stored_already(workspace: Workspace) -> None:
    model = Scripted(workspace, script())
    seen: list[tuple[str, int, ProposalState]] = []

    def look(event: Event) -> None:
        if isinstance(event, NeighbourProposed | ProposalDecided):
            stored = {one.number: one.state for one in proposals.of_run(workspace, event.run_id)}
            seen.append((type(event).__name__, event.number, stored[event.number]))
            if isinstance(event, ProposalDecided):
                assert event.state is stored[event.number]

    model.on_event = look
    await conduct(model, begin(workspace))

    assert seen[:5] == [("NeighbourProposed", number, ProposalState.ASKED) for number in range(1, 6)]
    assert sorted(seen[5:]) == [("ProposalDecided", number, ProposalState.AGREED) for number in range(1, 6)]


async def test_answers_are_stored_as_they_come_and_told_of(workspace: Workspace) -> None:
    model = Scripted(workspace, script())
    seen: list[int] = []

    def look(event: Event) -> None:
        if isinstance(event, AttemptRead):
            seen.append(event.number)
            own = [one for one in proposals.attempts(workspace, event.run_id) if one.number == event.number]
            assert len(own) >= seen.count(event.number)

    model.on_event = look
    await conduct(model, begin(workspace))

    assert Counter(seen) == dict.fromkeys(range(1, 6), 6)


async def test_what_was_answered_before_a_kill_stands_and_is_completed(workspace: Workspace) -> None:
    run = begin(workspace)
    with pytest.raises(asyncio.CancelledError):
        await conduct(Scripted(workspace, script(), die_after=20), run)
    await conduct(Scripted(workspace, script()), run)

    found = proposals.attempts(workspace, run.id)
    assert len(found) == 5 * 2 * 3
    assert {ANSWERS[one.number - 1] for one in found} == {one.answer for one in found}


async def test_the_proposing_model_may_be_a_solver(workspace: Workspace) -> None:
    model = await made(workspace, solvers=(AUTHOR, SECOND))

    assert {ask.model for ask in model.asks[1:]} == {AUTHOR, SECOND}
    assert runs.recent(workspace, 1)[0].spec["models"] == [
        {"id": "m/author", "api_base": ""},
        {"id": "m/second", "api_base": ""},
    ]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"solvers": ()}, "0 solvers can't agree"),
        ({"solvers": (FIRST,)}, "1 solver can't agree"),
        ({"solvers": (FIRST, FIRST)}, "1 solver can't agree"),
        ({"solvers": (FIRST, SECOND, replace(FIRST, api_base="http://127.0.0.1:1"))}, "m/first is named twice"),
        ({"samples": 0}, "0 answers of each solver"),
        ({"samples": 65}, "65 answers of each solver"),
    ],
)
async def test_requests_that_are_refused(workspace: Workspace, changes: dict[str, Any], said: str) -> None:
    with pytest.raises(UqError, match=said) as caught:
        begin(workspace, **changes)
    assert caught.value.hint


def test_what_is_usual_for_a_family_is_not_asked_of_local_models(workspace: Workspace) -> None:
    hosted = ModelChoice("openai/gpt-oss-20b")
    spec = begin(workspace, solvers=(hosted, ModelChoice("local/gpt-oss-20b"))).spec

    assert list(spec["usual_sampling"]) == [hosted.id]


async def test_a_question_that_is_not_here_or_has_no_text_is_refused(workspace: Workspace) -> None:
    add_stub(workspace, "tests:stub", "c" * 64)
    with pytest.raises(UqError, match="text is not in this workspace"):
        begin(workspace, question_id="tests:stub")
    with pytest.raises(NotFoundError):
        begin(workspace, question_id="tests:404")


async def test_neighbours_of_other_runs_are_other_neighbours(workspace: Workspace) -> None:
    neighbours.add(workspace, QUESTION, [Neighbour("", "What is 2 + 2?", "4", "us")])
    await made(workspace)

    assert [one.number for one in neighbours.of_question(workspace, QUESTION)] == [1, 2, 3, 4, 5, 6]
