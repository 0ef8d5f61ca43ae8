"""What the workbench keeps of engine events and of the store, without a screen."""

import asyncio
import threading

import pytest

from store import candidates, exposures
from store.workspace import Workspace
from tests.engine.runs.scripted import QUESTION, add_candidates, add_question
from tests.fakes.scripted_engine import ScriptedEngine
from uq_tui.engine.protocol import CallStarted, ModelChoice, OutcomeDecided, RunFinished, StageStarted
from uq_tui.errors import StoreError
from uq_tui.state.desk import Desk
from uq_tui.state.workbench import WorkbenchState
from uq_tui.words import Exposure, Outcome, RunState


async def opened(workspace: Workspace) -> tuple[WorkbenchState, str]:
    """The state of a question with one candidate, and that candidate's id."""
    add_question(workspace)
    (chosen,) = add_candidates(workspace, "It is so.")
    desk = await Desk.sit_down(workspace, ScriptedEngine(workspace.path), ModelChoice("replay/none"))
    state = WorkbenchState(desk)
    await state.load(QUESTION)
    return state, chosen


def shown(state: WorkbenchState, candidate_id: str) -> set[Exposure]:
    rows = exposures.of_candidate(state.desk.workspace, state.desk.reviewer.id, candidate_id)
    return {row.what for row in rows} - {Exposure.MODEL}


async def test_the_end_of_one_run_leaves_what_another_is_writing(workspace: Workspace) -> None:
    state, _ = await opened(workspace)
    state.apply(CallStarted("writes", "k", "", f"{QUESTION}/0", "m"))
    state.apply(RunFinished("judges", RunState.DONE, ""))
    assert list(state.pending.values()) == ["k"]
    state.apply(RunFinished("writes", RunState.CANCELLED, ""))
    assert not state.pending


async def test_rungs_that_come_while_the_store_is_read_stay(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    state, chosen = await opened(workspace)
    reading, go_on, of_question = threading.Event(), threading.Event(), candidates.of_question

    def slow(ws: Workspace, question_id: str) -> object:
        reading.set()
        go_on.wait(5)
        return of_question(ws, question_id)

    monkeypatch.setattr(candidates, "of_question", slow)
    reload = asyncio.create_task(state.reload())
    await asyncio.to_thread(reading.wait)
    state.apply(StageStarted("r", chosen, "correctness"))
    go_on.set()
    await reload
    assert state.ladder is not None
    assert [rung.path for rung in state.ladder.rungs()] == ["correctness"]


async def test_a_judges_words_are_an_exposure_before_its_outcome_is(workspace: Workspace) -> None:
    state, chosen = await opened(workspace)
    await state.note_exposures(reasoning=False)
    assert shown(state, chosen) == set()
    state.apply(CallStarted("r", "k", chosen, "correctness/1", "m"))
    await state.note_exposures(reasoning=False)
    assert shown(state, chosen) == {Exposure.OUTCOMES}


async def test_an_exposure_that_could_not_be_recorded_is_recorded_later(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    state, chosen = await opened(workspace)
    state.apply(OutcomeDecided("r", chosen, "", Outcome.ACCEPT, "", ""))

    def full(*_: object) -> None:
        raise StoreError("The disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr(exposures, "record", full)
        with pytest.raises(StoreError):
            await state.note_exposures(reasoning=False)
    await state.note_exposures(reasoning=False)
    assert shown(state, chosen) == {Exposure.OUTCOMES}
