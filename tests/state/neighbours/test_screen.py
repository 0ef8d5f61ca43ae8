"""The neighbours of a question, those that were proposed, and the runs that propose more, against a real store."""

import asyncio

import pytest

from store import neighbours, questions, runs
from store.rows import Neighbour
from store.workspace import Workspace
from tests.engine.runs.scripted import QUESTION, add_neighbours, add_question
from tests.fakes.scripted_engine import ScriptedEngine
from tests.proposed_runs import begun_proposing, put_proposal
from uq_tui.engine.protocol import (
    AttemptRead,
    CallFinished,
    CallStarted,
    Event,
    EventsLost,
    NeighbourProposed,
    ProposalDecided,
    RunFinished,
    RunProgress,
    RunStarted,
    WorkerLost,
)
from uq_tui.engine.requests import ModelChoice, NeighboursRequest
from uq_tui.errors import UqError
from uq_tui.state.desk import Desk
from uq_tui.state.neighbours.screen import BY_HAND, Going, NeighboursState
from uq_tui.words import CallState, NeighbourUse, ProposalState, RunKind, RunState

MODEL = ModelChoice("openai/o3")
PATHS = "How many lattice paths from the origin to (6, 6) never rise above the diagonal?"
CUTS = "In how many ways can an octagon be cut into triangles by its diagonals?"
REQUEST = NeighboursRequest(QUESTION, MODEL, (MODEL, ModelChoice("qwen")))


async def opened(workspace: Workspace) -> NeighboursState:
    """A question with two neighbours, both in use."""
    add_question(workspace)
    add_neighbours(workspace, {PATHS: "132", CUTS: "132"})
    desk = await Desk.sit_down(workspace, ScriptedEngine(workspace.path), MODEL)
    state = NeighboursState(desk, questions.get(workspace, QUESTION))

    def receive(event: Event) -> None:
        state.apply(event)

    desk.subscribe(receive)
    await state.load()
    return state


def engine(state: NeighboursState) -> ScriptedEngine:
    assert isinstance(state.desk.engine, ScriptedEngine)
    return state.desk.engine


def shown(state: NeighboursState) -> tuple[list[str], list[str]]:
    """Numbers and answers of those in use, and of those set aside."""
    in_use = [f"N{one.neighbour.number} {one.neighbour.answer}" for one in state.in_use]
    return in_use, [f"N{one.neighbour.number} {one.neighbour.answer}" for one in state.set_aside]


def key(state: NeighboursState, number: int) -> str:
    return neighbours.of_question(state.desk.workspace, QUESTION)[number - 1].id


async def begun(state: NeighboursState) -> str:
    """A run of this sitting that proposes; its id."""
    run = begun_proposing(state.desk.workspace, QUESTION)
    state.start(REQUEST)
    engine(state).tell(RunStarted(f"ticket-{len(engine(state).requests)}", run.id, RunKind.NEIGHBOURS, "x"))
    return run.id


async def test_neighbours_are_read_those_in_use_before_those_set_aside(workspace: Workspace) -> None:
    state = await opened(workspace)
    assert state.loaded
    assert not state.empty
    neighbours.set_use(workspace, QUESTION, key(state, 1), NeighbourUse.SET_ASIDE, "too easy")
    await state.load()
    assert shown(state) == (["N2 132"], ["N1 132"])


async def test_one_is_set_aside_and_taken_back_by_the_same_verb(workspace: Workspace) -> None:
    state = await opened(workspace)
    changed = await state.toggle(key(state, 1))
    assert changed is not None
    assert (changed.use, changed.note, changed.number) == (NeighbourUse.SET_ASIDE, BY_HAND, 1)
    assert shown(state) == (["N2 132"], ["N1 132"])
    back = await state.toggle(key(state, 1))
    assert back is not None
    assert (back.use, back.note) == (NeighbourUse.IN_USE, "")
    assert shown(state) == (["N1 132", "N2 132"], [])
    assert neighbours.of_question(workspace, QUESTION)[0].use is NeighbourUse.IN_USE


async def test_a_reason_for_setting_aside_comes_back_with_it(workspace: Workspace) -> None:
    state = await opened(workspace)
    neighbours.set_use(workspace, QUESTION, key(state, 1), NeighbourUse.SET_ASIDE, "too easy")
    await state.load()
    await state.toggle(key(state, 1))
    again = await state.toggle(key(state, 1))
    assert again is not None
    assert (again.use, again.note) == (NeighbourUse.SET_ASIDE, "too easy")


async def test_the_verb_given_twice_at_once_leaves_a_neighbour_as_it_was(workspace: Workspace) -> None:
    state = await opened(workspace)
    first, second = await asyncio.gather(state.toggle(key(state, 1)), state.toggle(key(state, 1)))
    assert first is not None
    assert second is not None
    assert (first.use, second.use) == (NeighbourUse.SET_ASIDE, NeighbourUse.IN_USE)
    assert shown(state) == (["N1 132", "N2 132"], [])


async def test_what_is_no_neighbour_is_not_set_aside(workspace: Workspace) -> None:
    state = await opened(workspace)
    assert await state.toggle("") is None
    assert await state.toggle("run r") is None


async def test_one_written_by_hand_is_kept_under_its_writer(workspace: Workspace) -> None:
    state = await opened(workspace)
    draft = state.draft()
    draft.statement, draft.answer = "How many orders of 7 books?", "5040"
    added = await state.keep(draft)
    found = state.neighbour(added)
    assert found is not None
    assert (found.neighbour.number, found.neighbour.source) == (3, state.desk.reviewer.handle)
    assert shown(state) == (["N1 132", "N2 132", "N3 5040"], [])


async def test_an_edited_one_is_a_new_one_and_the_old_one_is_set_aside(workspace: Workspace) -> None:
    state = await opened(workspace)
    old = key(state, 1)
    found = state.neighbour(old)
    assert found is not None
    draft = state.draft(found.neighbour)
    draft.answer = "133"
    new = await state.keep(draft)
    assert new != old
    assert shown(state) == (["N2 132", "N3 133"], ["N1 132"])
    replaced = state.neighbour(old)
    assert replaced is not None
    assert replaced.neighbour.note == "edited, now N3"


async def test_what_is_too_long_for_a_text_area_is_not_edited(workspace: Workspace) -> None:
    state = await opened(workspace)
    (long,) = neighbours.add(workspace, QUESTION, [Neighbour("", "x" * 20_001, "7", "tests")])
    await state.load()
    found = state.neighbour(long)
    assert found is not None
    with pytest.raises(UqError, match="N3 has 20,001 characters"):
        state.draft(found.neighbour)


async def test_proposals_are_those_of_which_no_neighbour_was_made(workspace: Workspace) -> None:
    state = await opened(workspace)
    run = begun_proposing(workspace, QUESTION)
    made = key(state, 2)
    answers = {"a": ["132"], "b": ["132"]}
    put_proposal(workspace, run, 1, CUTS, answers, state=ProposalState.AGREED, answer="132", neighbour_id=made)
    put_proposal(workspace, run, 2, "What?", {"a": ["1"], "b": ["2"]}, state=ProposalState.DISAGREED)
    await state.load()
    assert [one.proposal.number for one in state.proposals] == [2]
    proposed = state.proposal(f"{run.id} 2")
    assert proposed is not None
    assert [solver.solver for solver in proposed.solvers] == ["a", "b"]
    origin = state.origin(made)
    assert origin is not None
    assert origin.proposal.number == 1
    assert state.origin(key(state, 1)) is None


async def test_a_proposal_is_taken_over_by_hand(workspace: Workspace) -> None:
    state = await opened(workspace)
    run = begun_proposing(workspace, QUESTION)
    put_proposal(workspace, run, 1, "What?", {"a": ["7", "7"], "b": ["8"]}, state=ProposalState.DISAGREED)
    await state.load()
    (proposed,) = state.proposals
    assert state.taken_over(proposed) is None
    draft = state.draft(proposed=proposed)
    assert (draft.statement, draft.answer) == ("What?", "7")
    await state.keep(draft)
    taken = state.taken_over(state.proposals[0])
    assert taken is not None
    assert (taken.number, taken.answer) == (3, "7")


async def test_a_question_without_anything_is_empty(workspace: Workspace) -> None:
    add_question(workspace)
    desk = await Desk.sit_down(workspace, ScriptedEngine(workspace.path), MODEL)
    state = NeighboursState(desk, questions.get(workspace, QUESTION))
    assert not state.loaded
    await state.load()
    assert state.empty


async def test_a_run_is_known_from_its_start_to_its_end(workspace: Workspace) -> None:
    state = await opened(workspace)
    run_id = await begun(state)
    assert engine(state).requests == [REQUEST]
    assert state.running == {run_id: Going(run_id, followed=True)}
    engine(state).tell(
        RunProgress(run_id, 0, 5, 1, 0, 0, None, 0),
        CallStarted(run_id, "writing", "", "propose", "openai/o3"),
    )
    assert state.running == {run_id: Going(run_id, 0, 5, "writing", followed=True)}
    engine(state).tell(
        NeighbourProposed(run_id, QUESTION, 1),
        CallStarted(run_id, "solving", "", "1/0/0", "qwen"),
        RunProgress(run_id, 2, 5, 9, 0, 0, None, 0),
    )
    assert state.running == {run_id: Going(run_id, 2, 5, "writing", solving=True, followed=True)}
    state.cancel()
    assert engine(state).cancelled == [run_id]
    engine(state).tell(RunFinished(run_id, RunState.CANCELLED, "stopped"))
    assert (state.running, state.stale, state.came_to_nothing) == ({}, True, "")


async def test_a_run_that_failed_says_why_until_the_next_one(workspace: Workspace) -> None:
    state = await opened(workspace)
    run_id = await begun(state)
    engine(state).tell(RunFinished(run_id, RunState.FAILED, "The reply holds 4 problems."))
    assert state.came_to_nothing == "The reply holds 4 problems."
    await begun(state)
    assert state.came_to_nothing == ""


async def test_proposals_are_read_as_they_come(workspace: Workspace) -> None:
    state = await opened(workspace)
    run = begun_proposing(workspace, QUESTION)
    put_proposal(workspace, run, 1, "What?")
    state.apply(NeighbourProposed(run.id, QUESTION, 1))
    assert state.stale
    await state.load()
    assert [one.proposal.state for one in state.proposals] == [ProposalState.ASKED]
    put_proposal(workspace, run, 1, "What?", {"a": ["1"]}, state=ProposalState.UNANSWERED)
    state.apply(ProposalDecided(run.id, QUESTION, 1, ProposalState.UNANSWERED))
    assert state.stale


async def test_runs_under_way_are_found_when_the_place_is_opened(workspace: Workspace) -> None:
    state = await opened(workspace)
    add_question(workspace, "tests:2")
    here, elsewhere = begun_proposing(workspace, QUESTION), begun_proposing(workspace, "tests:2")
    engine(state).tell(
        RunStarted("t", here.id, RunKind.NEIGHBOURS, "x"),
        RunStarted("t", elsewhere.id, RunKind.NEIGHBOURS, "x"),
        RunStarted("t", "another", RunKind.VALIDATE, "x"),
    )
    assert state.stale
    put_proposal(workspace, here, 1, "What?")
    runs.add_counts(workspace, here.id, done=2)
    await state.load()
    assert state.running == {here.id: Going(here.id, 2, 5, solving=True)}


async def test_events_about_other_questions_change_nothing(workspace: Workspace) -> None:
    state = await opened(workspace)
    assert not state.apply(NeighbourProposed("r", "tests:2", 1))
    assert not state.apply(ProposalDecided("r", "tests:2", 1, ProposalState.AGREED))
    assert not state.apply(CallStarted("r", "k", "", "1/0/0", "m"))
    assert not state.apply(RunProgress("r", 1, 5, 1, 0, 0, None, 0))
    assert (state.running, state.stale) == ({}, False)


@pytest.mark.parametrize("lost", [WorkerLost("gone"), EventsLost()])
async def test_what_was_lost_is_read_again_and_nothing_runs_that_is_not_known(
    workspace: Workspace, lost: WorkerLost | EventsLost
) -> None:
    state = await opened(workspace)
    state.running = {"r1": Going("r1"), "r2": Going("r2")}
    state.desk.active = {"r2": "x"}
    assert state.apply(lost)
    assert state.stale
    assert set(state.running) == ({"r2"} if isinstance(lost, EventsLost) else set())


async def test_what_solvers_answer_is_read_as_it_comes(workspace: Workspace) -> None:
    state = await opened(workspace)
    run = begun_proposing(workspace, QUESTION)
    put_proposal(workspace, run, 1, "What?")
    await state.load()
    put_proposal(workspace, run, 1, "What?", {"qwen": ["12", "12"]})
    assert (state.apply(AttemptRead(run.id, "tests:2", 1)), state.stale) == (False, False)
    state.apply(AttemptRead(run.id, QUESTION, 1))
    assert state.stale
    await state.load()
    (found,) = state.proposals
    assert [(one.solver, one.attempts) for one in found.solvers] == [("qwen", 2)]


async def test_a_call_of_a_solver_says_that_proposals_are_written(workspace: Workspace) -> None:
    state = await opened(workspace)
    run_id = await begun(state)
    engine(state).tell(CallFinished(run_id, "w", "", "", CallState.DONE, None, "", remembered=False))
    assert state.running[run_id].solving is False
    engine(state).tell(CallFinished(run_id, "a", "", "1/0/0", CallState.DONE, None, "", remembered=False))
    assert state.running[run_id] == Going(run_id, call_key="w", solving=True, followed=True)


async def test_what_a_run_has_brought_is_known(workspace: Workspace) -> None:
    state = await opened(workspace)
    run = begun_proposing(workspace, QUESTION)
    (made,) = neighbours.add(workspace, QUESTION, [Neighbour("", "What else?", "9", run.id)])
    put_proposal(workspace, run, 1, "What?", state=ProposalState.DISAGREED)
    put_proposal(workspace, run, 2, "What else?", state=ProposalState.AGREED, answer="9", neighbour_id=made)
    await state.load()
    assert state.made_by(run.id) == (made, f"{run.id} 1")
    assert state.made_by("another") == ()
