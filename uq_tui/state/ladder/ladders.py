"""Two runs that judged the same candidate, side by side."""

import asyncio
from enum import IntEnum

from store import exposures
from store.rows import Candidate
from store.run_rows import Run
from uq_tui.engine.protocol import (
    CallFinished,
    CallRetrying,
    CallStarted,
    Event,
    EventsLost,
    OutcomeDecided,
    RunFinished,
    RunStarted,
    StageStarted,
    WorkerLost,
)
from uq_tui.state.desk import Desk
from uq_tui.state.ladder.judged import Judged, runs_that_judged
from uq_tui.state.ladder.ladder import Ladder, LadderEvent, Rung
from uq_tui.state.reviewing import blind
from uq_tui.words import Exposure, Outcome, RunKind


class Side(IntEnum):
    """Where a ladder stands."""

    LEFT = 0
    RIGHT = 1


class LaddersState:
    """The runs that judged one candidate, and which two are shown. `apply` takes events, `load` reads the store."""

    def __init__(self, desk: Desk, candidate: Candidate) -> None:
        self.desk = desk
        self.candidate = candidate
        self._runs: dict[str, Run] = {}
        self._ladders: dict[str, Ladder] = {}
        """By run id, the oldest run first."""
        self._sides = ["", ""]
        """Run ids; empty where nothing stands."""
        self._ticket = ""
        """Of the run that was started here and has not begun."""
        self.stale = False
        """The store holds something that has not been read."""
        self._exposed = False

    async def load(self) -> None:
        """Read the runs. At first the two newest are shown; ladders of runs under way stay as they are.

        Raises:
            BlindError: the reviewer judges the problem blind.
            StoreError: they can't be read.
        """
        self.stale = False
        self._take(await asyncio.to_thread(self._read))

    def _read(self) -> tuple[Judged, ...]:
        ws = self.desk.workspace
        blind.require(ws, self.desk.reviewer.id, self.candidate.question_id)
        return runs_that_judged(ws, self.candidate.id)

    def _take(self, found: tuple[Judged, ...]) -> None:
        for judged in found:
            run_id, present = judged.run.id, self._ladders.get(judged.run.id)
            self._runs[run_id] = judged.run
            if present is None or not present.under_way:
                self._ladders[run_id] = judged.ladder
                judged.ladder.under_way = run_id in self.desk.active
            else:
                present.shape = judged.ladder.shape
        if not any(self._sides):
            newest = list(self._ladders)[-2:]
            self._sides = [*newest, ""] if len(newest) == 1 else newest or ["", ""]

    def ladder(self, side: Side) -> Ladder | None:
        """What stands on a side."""
        return self._ladders.get(self._sides[side])

    def run(self, side: Side) -> Run | None:
        """The run on a side, `None` where there is none or it has not been read yet."""
        return self._runs.get(self._sides[side])

    @property
    def choices(self) -> tuple[Judged, ...]:
        """The runs that can be shown, the newest first."""
        read = [Judged(self._runs[run_id], ladder) for run_id, ladder in self._ladders.items() if run_id in self._runs]
        return tuple(reversed(read))

    def put(self, side: Side, run_id: str) -> None:
        """Show this run on a side. One that stands on the other side changes places with what is here."""
        if self._sides[1 - side] == run_id:
            self._sides.reverse()
        else:
            self._sides[side] = run_id

    def start(self) -> None:
        """Judge the candidate by the strategy chosen; the run takes the right side. Raises EngineLostError."""
        request = self.desk.strategy.request(self.candidate.id, self.desk.model)
        self._ticket = self.desk.start(request)

    def apply(self, event: Event) -> bool:
        """Take one event; True when what is shown may have changed."""
        match event:
            case RunStarted(kind=RunKind.VALIDATE) if event.ticket and event.ticket == self._ticket:
                self._make_room(event.run_id)
                return True
            case StageStarted() | CallStarted() | CallRetrying() | CallFinished() | OutcomeDecided() if self._is_mine(
                event
            ):
                self._climb(event)
                return event.run_id in self._sides
            case RunFinished() | WorkerLost() | EventsLost():
                self._stop(event.run_id if isinstance(event, RunFinished) else "")
                self.stale = True
                return True
        return False

    def _is_mine(self, event: LadderEvent) -> bool:
        judges = self.desk.kinds.get(event.run_id) is RunKind.VALIDATE or event.run_id in self._ladders
        return judges and event.candidate_id == self.candidate.id

    def _climb(self, event: LadderEvent) -> None:
        ladder = self._ladders.get(event.run_id)
        if ladder is None:
            ladder = self._ladders[event.run_id] = Ladder(event.run_id)
        ladder.apply(event)
        if event.run_id not in self._runs and isinstance(event, OutcomeDecided):
            self.stale = True  # its strategy can be read now

    def _make_room(self, run_id: str) -> None:
        self._ticket = ""
        self._ladders.setdefault(run_id, Ladder(run_id)).under_way = True
        if self._sides[Side.RIGHT]:
            self._sides[Side.LEFT] = self._sides[Side.RIGHT]
        self._sides[Side.RIGHT] = run_id

    def _stop(self, run_id: str) -> None:
        for ladder in self._ladders.values():
            if run_id in ("", ladder.run_id):
                ladder.stop()

    def differing(self) -> frozenset[str]:
        """Paths of stages, and "" for the whole, that both strategies have and that came out differently."""
        left, right = (self._decided(side) for side in Side)
        return frozenset(path for path in left.keys() & right.keys() if left[path].outcome is not right[path].outcome)

    def _decided(self, side: Side) -> dict[str, Rung]:
        """The whole and the stages that were asked and have an outcome."""
        ladder = self.ladder(side)
        rungs = (ladder.whole, *ladder.parts("")) if ladder is not None else ()
        return {rung.path: rung for rung in rungs if rung.outcome not in (None, Outcome.SKIPPED)}

    async def note_exposures(self) -> None:
        """Record that outcomes or a judge's words of this candidate can be seen here. Raises StoreError."""
        shown = [ladder for side in Side if (ladder := self.ladder(side)) is not None]
        if self._exposed or not any(ladder.decided or ladder.asked for ladder in shown):
            return
        await asyncio.to_thread(
            exposures.record,
            self.desk.workspace,
            self.desk.reviewer.id,
            self.candidate.question_id,
            self.candidate.id,
            Exposure.OUTCOMES,
            "ladders",
        )
        self._exposed = True


def told(judged: Judged) -> str:
    """`3-Iter by openai/o3, 2026-01-02 12:03, done` in a list of runs."""
    shape, when = judged.ladder.shape, judged.run.created_at[:16].replace("T", " ")
    return f"{shape.title or judged.run.title} by {judged.ladder.model or 'no model'}, {when}, {judged.run.state}"
