"""Keeping and telling what happens at the places of a strategy, for one candidate."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from store import judgements
from store.identity import now
from store.run_rows import Call, StageOutcome
from store.workspace import Workspace
from uq_tui.engine.protocol import OutcomeDecided, StageStarted
from uq_tui.engine.spec import RunContext
from uq_tui.words import Outcome


@dataclass(frozen=True, slots=True)
class Found:
    """What a node came to."""

    outcome: Outcome
    reason: str
    round: int
    """Rounds that were over when it was decided."""
    calls: tuple[Call, ...] = ()
    """All that were made for it and what is beneath it, in reading order."""


class OutcomeRecord:
    """What one candidate's run through a strategy leaves behind. An outcome is stored before it is told."""

    def __init__(self, ctx: RunContext, ws: Workspace, candidate_id: str) -> None:
        self._ctx = ctx
        self._ws = ws
        self._candidate_id = candidate_id

    def started(self, path: str) -> None:
        """Tell that a node begins."""
        self._ctx.emit(StageStarted(self._ctx.run_id, self._candidate_id, path))

    async def judged(self, path: str, found: Found) -> None:
        """A single judgement, with the calls that were made for it; the last one was read. Raises StoreError."""
        await self._keep([self._row(path, found, tuple(call.key for call in found.calls))])

    async def composed(self, path: str, found: Found) -> None:
        """The outcome of a node that was read from no reply. Raises StoreError."""
        await self._keep([self._row(path, found, ())])

    async def skipped(self, paths: Iterable[str], reason: str, at: int) -> None:
        """Places that are not asked, from the round `at` on. Raises StoreError."""
        await self._keep([self._row(path, Found(Outcome.SKIPPED, reason, at), ()) for path in paths])

    async def decided_before(self) -> dict[str, StageOutcome]:
        """Outcomes by path that an earlier attempt at this run has left, but for what failed or was skipped."""
        kept = await asyncio.to_thread(judgements.outcomes_of_run, self._ws, self._ctx.run_id, self._candidate_id)
        return {one.path: one for one in kept if one.outcome not in (Outcome.FAILED, Outcome.SKIPPED)}

    def _row(self, path: str, found: Found, keys: tuple[str, ...]) -> StageOutcome:
        return StageOutcome(
            run_id=self._ctx.run_id,
            candidate_id=self._candidate_id,
            path=path,
            outcome=found.outcome,
            reason=found.reason,
            call_key=keys[-1] if keys else "",
            round=found.round,
            created_at=now(),
            call_keys=keys,
        )

    async def _keep(self, rows: Sequence[StageOutcome]) -> None:
        await asyncio.to_thread(judgements.save_outcomes, self._ws, rows)
        for row in rows:
            event = OutcomeDecided(row.run_id, row.candidate_id, row.path, row.outcome, row.reason, row.call_key)
            self._ctx.emit(event)
