"""Runs, active and past, as the Runs screen shows them."""

import asyncio
from dataclasses import dataclass, replace

from store import runs
from store.run_rows import Run
from uq_tui.engine.protocol import Event, EventsLost, RunFinished, RunProgress, RunStarted, WorkerLost
from uq_tui.state.desk import ACTIVE, Desk
from uq_tui.state.reviewing.blind_runs import BlindRuns
from uq_tui.text import counted
from uq_tui.words import RunState

RESUMABLE = (RunState.INTERRUPTED, RunState.CANCELLED, RunState.FAILED)


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a run may use in all. `None` leaves it as it was."""

    usd: float | None = None
    tokens: int | None = None


class RunsState:
    """The newest runs first; progress of active ones comes from events between reads."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.runs: tuple[Run, ...] = ()
        self.hidden: frozenset[str] = frozenset()
        """Of runs on problems that the reviewer judges blind, which show no more than that they are there."""
        self.progress: dict[str, RunProgress] = {}

    async def load(self) -> None:
        """Read the newest runs."""
        self.runs, self.hidden = await asyncio.to_thread(self._read)

    def _read(self) -> tuple[tuple[Run, ...], frozenset[str]]:
        """A run whose process was killed never said so: it still calls itself running."""
        ws = self._desk.workspace
        hidden = BlindRuns(ws, self._desk.reviewer.id)
        cut_short = {run.id for run in runs.cut_short(ws)}
        found = tuple(
            replace(run, state=RunState.INTERRUPTED) if run.id in cut_short else run for run in runs.recent(ws)
        )
        return tuple(hidden.veiled(run) for run in found), frozenset(run.id for run in found if hidden.hides(run))

    def apply(self, event: Event) -> bool:
        """Take one event; True when the list must be read again, progress alone needs no reading."""
        if isinstance(event, RunProgress):
            self.progress[event.run_id] = event
            return False
        if isinstance(event, EventsLost):
            self.progress.clear()  # the store may hold later counts
        return isinstance(event, RunStarted | RunFinished | WorkerLost | EventsLost)

    def find(self, run_id: str) -> Run | None:
        return next((run for run in self.runs if run.id == run_id), None)

    def can_cancel(self, run: Run) -> bool:
        """Only runs of this program's own worker can be cancelled from here."""
        return run.state in ACTIVE and run.id in self._desk.active

    def can_resume(self, run: Run) -> bool:
        return run.state in RESUMABLE and run.id not in self.hidden

    def counts(self, run: Run) -> str:
        """`3 of 10 units, 17 calls asked, 4 remembered, 1 failed, 1,204 tokens, $0.0031 of $2.0000`."""
        live = self.progress.get(run.id)
        source = live or run
        if run.id in self.hidden:
            return counted(source.done, "unit", of=source.total)
        parts = [counted(source.done, "unit", of=source.total), f"{counted(source.asked, 'call')} asked"]
        if source.remembered:
            parts.append(f"{source.remembered:,} remembered")
        if source.retried:
            parts.append(f"{counted(source.retried, 'attempt')} made again")
        if source.failed:
            parts.append(f"{source.failed:,} failed")
        if run.repeated:
            parts.append(f"{run.repeated:,} repeated after a kill")
        return ", ".join([*parts, self.used(run)])

    def used(self, run: Run) -> str:
        """Tokens and money the run has used, as far as they are known, beside its own budget where it has one."""
        source = self.progress.get(run.id) or run
        if source.cost_usd is None and source.unknown_costs:
            cost = "cost unknown"
        elif source.cost_usd is None and run.budget_usd is None:
            cost = "no cost"
        else:
            cost = f"${source.cost_usd or 0.0:.4f}"
        if run.budget_usd is not None:
            cost += f" of ${run.budget_usd:.4f}"
        if source.cost_usd is not None and source.unknown_costs:
            cost += f" and {counted(source.unknown_costs, 'call')} of unknown cost"
        tokens = counted(source.tokens, "token", of=run.budget_tokens)
        return f"{tokens}, {cost}" if source.tokens or run.budget_tokens is not None else cost
