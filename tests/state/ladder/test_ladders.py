"""Two runs on one candidate, against a real store."""

from store import candidates, exposures
from store.workspace import Workspace
from tests.engine.runs.scripted import QUESTION, add_candidates, add_question
from tests.fakes.scripted_engine import ScriptedEngine
from tests.judged_runs import THREE_ITER, begun_run, judged_run, three_iter
from uq_tui.engine.protocol import CallStarted, Event, EventsLost, OutcomeDecided, RunFinished, RunStarted, StageStarted
from uq_tui.engine.requests import ModelChoice
from uq_tui.state.desk import Desk
from uq_tui.state.ladder.ladders import LaddersState, Side, told
from uq_tui.words import Exposure, Outcome, RunKind, RunState


async def opened(workspace: Workspace, *stages: str) -> LaddersState:
    """One candidate, judged by 3-Iter as often as there are `stages`."""
    add_question(workspace)
    (chosen,) = add_candidates(workspace, "It is so.")
    for number, one in enumerate(stages):
        judged_run(workspace, chosen, THREE_ITER, three_iter(one), model=f"m/{number}")
    desk = await Desk.sit_down(workspace, ScriptedEngine(workspace.path), ModelChoice("replay/none"))
    state = LaddersState(desk, candidates.get(workspace, chosen))

    def receive(event: Event) -> None:
        state.apply(event)

    desk.subscribe(receive)
    await state.load()
    return state


def tell(state: LaddersState, *events: RunStarted | StageStarted | OutcomeDecided | RunFinished) -> None:
    engine = state.desk.engine
    assert isinstance(engine, ScriptedEngine)
    engine.tell(*events)


def models(state: LaddersState) -> list[str]:
    """Who judged on each side."""
    return [ladder.model if (ladder := state.ladder(side)) is not None else "" for side in Side]


def shown(state: LaddersState) -> set[Exposure]:
    rows = exposures.of_candidate(state.desk.workspace, state.desk.reviewer.id, state.candidate.id)
    return {row.what for row in rows}


async def test_the_two_newest_runs_are_shown_first_and_any_can_be_chosen(workspace: Workspace) -> None:
    state = await opened(workspace, "aaa", "ars", "aar")
    assert models(state) == ["m/1", "m/2"]
    assert [judged.ladder.model for judged in state.choices] == ["m/2", "m/1", "m/0"]
    state.put(Side.LEFT, state.choices[2].run.id)
    assert models(state) == ["m/0", "m/2"]


async def test_choosing_what_stands_on_the_other_side_changes_places(workspace: Workspace) -> None:
    state = await opened(workspace, "aaa", "ars")
    state.put(Side.LEFT, state.choices[0].run.id)
    assert models(state) == ["m/1", "m/0"]


async def test_one_run_stands_on_the_left_and_none_nowhere(workspace: Workspace) -> None:
    state = await opened(workspace, "aaa")
    assert models(state) == ["m/0", ""]
    assert state.differing() == frozenset()


async def test_stages_that_came_out_differently_are_told_but_not_those_never_asked(workspace: Workspace) -> None:
    state = await opened(workspace, "aaa", "ars")
    assert state.differing() == {"", "fact_logic"}


async def test_a_run_started_here_takes_the_right_side_and_grows_there(workspace: Workspace) -> None:
    state = await opened(workspace, "aaa")
    state.start()
    run = begun_run(workspace, "correctness", model="m/new")
    tell(state, RunStarted("ticket-1", run.id, RunKind.VALIDATE, "x"), StageStarted(run.id, state.candidate.id, ""))
    assert [ladder.run_id for side in Side if (ladder := state.ladder(side))][1] == run.id
    tell(state, OutcomeDecided(run.id, state.candidate.id, "correctness", Outcome.ACCEPT, "", ""))
    right = state.ladder(Side.RIGHT)
    assert right is not None
    assert right.running
    assert state.stale


async def test_runs_of_others_and_of_other_kinds_change_nothing_here(workspace: Workspace) -> None:
    state = await opened(workspace, "aaa")
    tell(state, RunStarted("t", "scores", RunKind.JUDGE, "x"), RunStarted("t", "other", RunKind.VALIDATE, "x"))
    assert not state.apply(CallStarted("scores", "k", state.candidate.id, "1", "m"))
    assert not state.apply(StageStarted("other", "another candidate", ""))
    assert len(state.choices) == 1


async def test_what_runs_stays_as_it_is_when_the_store_is_read_again(workspace: Workspace) -> None:
    state = await opened(workspace, "aaa")
    run = begun_run(workspace, THREE_ITER)
    tell(
        state,
        RunStarted("t", run.id, RunKind.VALIDATE, "x"),
        StageStarted(run.id, state.candidate.id, "fact_logic"),
    )
    state.put(Side.RIGHT, run.id)
    await state.load()
    right = state.ladder(Side.RIGHT)
    assert right is not None
    assert right.running
    tell(state, RunFinished(run.id, RunState.CANCELLED, ""))
    assert state.stale
    assert not right.running


async def test_what_was_lost_is_read_again(workspace: Workspace) -> None:
    state = await opened(workspace, "aaa")
    judged_run(workspace, state.candidate.id, THREE_ITER, three_iter("ars"), model="m/1")
    assert state.apply(EventsLost())
    assert state.stale
    await state.load()
    assert [judged.ladder.model for judged in state.choices] == ["m/1", "m/0"]


async def test_outcomes_that_can_be_seen_are_recorded_once(workspace: Workspace) -> None:
    state = await opened(workspace)
    await state.note_exposures()
    assert shown(state) == set()
    judged_run(workspace, state.candidate.id, THREE_ITER, three_iter("aaa"))
    await state.load()
    await state.note_exposures()
    await state.note_exposures()
    assert shown(state) == {Exposure.OUTCOMES}


async def test_a_run_is_told_by_strategy_model_and_time(workspace: Workspace) -> None:
    state = await opened(workspace, "aaa")
    (judged,) = state.choices
    assert told(judged) == f"3-Iter by m/0, {judged.run.created_at[:10]} {judged.run.created_at[11:16]}, done"
    assert state.candidate.question_id == QUESTION
