"""An app that doesn't read for a million events, then does: what it shows is what the store holds."""

import asyncio
import os
from pathlib import Path

import pytest

from store import judgements, runs
from store.run_rows import StageOutcome
from store.workspace import Workspace
from tests.engine.process.fakes import until
from tests.engine.process.lab import QUESTION, stock
from tests.fakes.scripted_engine import ScriptedEngine
from uq_tui.engine.event_pipe import EventPipe
from uq_tui.engine.line_reader import LineReader
from uq_tui.engine.protocol import Event, EventsLost, OutcomeDecided, RunFinished, RunProgress, RunStarted, StageStarted
from uq_tui.engine.requests import ModelChoice
from uq_tui.state.desk import Desk
from uq_tui.state.ladder.ladder import Ladder
from uq_tui.state.ladder.shape import LadderShape
from uq_tui.state.runs import RunsState
from uq_tui.state.workbench import WorkbenchState
from uq_tui.words import Outcome, RunKind, RunState

STAGES = ("cycle_consistency", "fact_logic", "correctness")


class Shown:
    """The states behind the screens, kept up to date as the screens do it."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.workbench = WorkbenchState(desk)
        self.runs = RunsState(desk)
        self.lost = 0
        self.settled = asyncio.Event()
        desk.subscribe(self._receive)

    async def open(self) -> None:
        await self.workbench.load(QUESTION)
        await self.runs.load()

    def _receive(self, event: Event) -> None:
        self.workbench.apply(event)
        self.runs.apply(event)
        if isinstance(event, EventsLost):
            self.lost += 1
            self._reading = asyncio.create_task(self._read_again(event))

    async def _read_again(self, event: Event) -> None:
        assert self.workbench.needs_reload(event)
        await self.workbench.reload()
        await self.runs.load()
        self.settled.set()


@pytest.fixture
async def shown(workspace: Workspace) -> Shown:
    stock(workspace)
    made = Shown(await Desk.sit_down(workspace, ScriptedEngine(workspace.path), ModelChoice("replay/none")))
    await made.open()
    return made


async def test_after_a_million_unread_events_the_app_shows_what_the_store_holds(shown: Shown, tmp_path: Path) -> None:
    desk, ws = shown.desk, shown.desk.workspace
    ids = [candidate.id for candidate in shown.workbench.candidates]
    spec = {"model": {"id": "m"}, "stages": list(STAGES)}
    ended, going_on = (runs.create(ws, RunKind.VALIDATE, title, spec, 300) for title in ("ended", "going on"))
    loop = asyncio.get_running_loop()
    reading, writing = os.pipe()
    _, pipe = await loop.connect_write_pipe(EventPipe, os.fdopen(writing, "wb", buffering=0))

    def both_start() -> None:
        for run in (ended, going_on):
            assert runs.claim(ws, run.id, desk.engine.owner)
            runs.set_state(ws, run.id, RunState.RUNNING)
            pipe.send(RunStarted("t", run.id, run.kind, run.title))

    both_start()
    for n in range(1_000_000 // 2):
        pipe.send(StageStarted(ended.id, ids[n % len(ids)], STAGES[n % 3]))
        pipe.send(RunProgress(ended.id, n // 2000, 300, n, 0, 0, 0.5, 0))
    outcomes = [
        StageOutcome(ended.id, candidate_id, path, Outcome.ACCEPT, "", "", 1, "")
        for candidate_id in ids
        for path in (*STAGES, "")
    ]
    judgements.save_outcomes(ws, outcomes)
    for one in outcomes:
        pipe.send(OutcomeDecided(ended.id, one.candidate_id, one.path, one.outcome, one.reason, one.call_key))
    runs.add_counts(ws, ended.id, done=300, asked=900, cost_usd=4.0)
    runs.add_counts(ws, going_on.id, done=3, asked=9, cost_usd=1.0)
    runs.set_state(ws, ended.id, RunState.DONE, "300 candidates validated.")
    runs.release(ws, ended.id, desk.engine.owner)
    pipe.send(RunFinished(ended.id, RunState.DONE, "300 candidates validated."))

    reader = LineReader(desk.engine._receive)
    await loop.connect_read_pipe(lambda: reader, os.fdopen(reading, "rb", buffering=0))
    await asyncio.wait_for(shown.settled.wait(), 60)

    assert shown.lost == 1
    assert desk.active == {going_on.id: "going on"}
    assert desk.spend.text() == "$5.00"
    assert shown.runs.runs == runs.recent(ws)
    assert shown.runs.counts(runs.get(ws, ended.id)).startswith("300 of 300 units, 900 calls asked")
    for candidate_id in ids:
        kept = judgements.outcomes_of_run(ws, ended.id, candidate_id)
        stored = Ladder.from_store(ended.id, LadderShape(stages=STAGES), kept)
        ladder = shown.workbench.ladders[candidate_id]
        assert (ladder.rungs(), ladder.whole, ladder.running) == (stored.rungs(), stored.whole, False)

    later = OutcomeDecided(going_on.id, ids[0], STAGES[0], Outcome.REJECT, "", "")
    pipe.send(later)
    await until(lambda: shown.workbench.ladders[ids[0]].run_id == going_on.id)
    await pipe.flush()
    reader.close()
