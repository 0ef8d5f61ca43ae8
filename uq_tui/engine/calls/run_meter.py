"""What a run has done and used so far: written to the store and told to watchers at a bounded rate."""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

from store import runs
from store.run_rows import Call, Run
from store.workspace import Workspace
from uq_tui.engine.calls.budget import Budget
from uq_tui.engine.protocol import Event, RunProgress
from uq_tui.words import CallErrorKind, CallState

INTERVAL_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class _Counts:
    done: int
    total: int
    asked: int = 0
    remembered: int = 0
    failed: int = 0
    cost_usd: float | None = None
    unknown_costs: int = 0
    retried: int = 0
    tokens: int = 0


class RunMeter:
    """Counts of one run. Lives on one event loop.

    A run that is resumed meets its own stored calls again and counts them again, as asked, with their cost. So
    counting starts at zero and replaces what the store holds: nothing is lost with a killed process, and
    nothing is counted twice.
    """

    def __init__(
        self,
        ws: Workspace,
        run: Run,
        emit: Callable[[Event], None],
        *,
        budget: Budget | None = None,
        interval_s: float = INTERVAL_SECONDS,
    ) -> None:
        self.run_id = run.id
        self.failures: dict[str, Call] = {}
        """Calls that failed after all attempts, by key; cancelled ones are not among them."""
        self.budget = budget or Budget()
        self.retries: Counter[CallErrorKind] = Counter()
        """Failed attempts that were made again, in this process."""
        self._ws = ws
        self._emit = emit
        self._interval_s = interval_s
        self._stored = _Counts(
            run.done,
            run.total,
            run.asked,
            run.remembered,
            run.failed,
            run.cost_usd,
            run.unknown_costs,
            run.retried,
            run.tokens,
        )
        self._counts = self._at_first = _Counts(0, run.total, retried=run.retried)
        self._counted: set[str] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._writing: asyncio.Task[None] | None = None
        self._last_write = asyncio.get_running_loop().time()
        self._closing = False

    @property
    def done(self) -> int:
        """Units done."""
        return self._counts.done

    @property
    def total(self) -> int:
        """Units planned."""
        return self._counts.total

    def retried(self, kind: CallErrorKind) -> None:
        """Count an attempt that failed and is made again."""
        self.retries[kind] += 1
        self._counts = replace(self._counts, retried=self._counts.retried + 1)
        self._plan_write()

    def asked(self, call: Call) -> None:
        """Count a finished call that this run has sent."""
        known = call.cost_usd is not None
        self._counts = replace(
            self._counts,
            asked=self._counts.asked + 1,
            cost_usd=(self._counts.cost_usd or 0.0) + (call.cost_usd or 0.0) if known else self._counts.cost_usd,
            unknown_costs=self._counts.unknown_costs + (not known),
            tokens=self._counts.tokens + (call.tokens_in or 0) + (call.tokens_out or 0),
        )
        self._finished(call)

    def remembered(self, call: Call) -> None:
        """Count a call that was in the store, or that another run has sent; each call once."""
        if call.key in self._counted:
            return
        if call.run_id == self.run_id:
            self.asked(call)
        else:
            self._counts = replace(self._counts, remembered=self._counts.remembered + 1)
            self._finished(call)

    def _finished(self, call: Call) -> None:
        self._counted.add(call.key)
        if call.state is CallState.FAILED and call.error_kind is not CallErrorKind.CANCELLED:
            self.failures[call.key] = call
        else:
            self.failures.pop(call.key, None)
        self._counts = replace(self._counts, failed=len(self.failures))
        self._plan_write()

    async def progress(self, done: int, total: int) -> None:
        """Record units done and planned."""
        self._counts = replace(self._counts, done=done, total=total)
        self._plan_write()

    async def close(self) -> None:
        """Write what is not written yet. Raises StoreError, also for an earlier write.

        A run that stopped before it met any call leaves what is stored: it has taken nothing back.
        """
        self.abandon()
        if self._writing is not None:
            await self._writing
        if self._counts not in (self._stored, self._at_first):
            await self._write()

    def abandon(self) -> None:
        """Plan no more writes: the run is another process's now."""
        self._closing = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _plan_write(self) -> None:
        if self._timer is None and self._writing is None and not self._closing:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_at(max(loop.time(), self._last_write + self._interval_s), self._start_write)

    def _start_write(self) -> None:
        self._timer = None
        self._writing = asyncio.create_task(self._write_and_plan())

    async def _write_and_plan(self) -> None:
        await self._write()
        self._last_write = asyncio.get_running_loop().time()
        self._writing = None
        if self._counts != self._stored:
            self._plan_write()

    async def _write(self) -> None:
        new, old = self._counts, self._stored
        await asyncio.to_thread(
            runs.add_counts,
            self._ws,
            self.run_id,
            done=new.done,
            total=new.total,
            asked=new.asked - old.asked,
            remembered=new.remembered - old.remembered,
            failed=new.failed - old.failed,
            cost_usd=None if new.cost_usd == old.cost_usd else (new.cost_usd or 0.0) - (old.cost_usd or 0.0),
            unknown_costs=new.unknown_costs - old.unknown_costs,
            retried=new.retried - old.retried,
            tokens=new.tokens - old.tokens,
        )
        self._stored = new
        self._emit(
            RunProgress(
                self.run_id,
                done=new.done,
                total=new.total,
                asked=new.asked,
                remembered=new.remembered,
                failed=new.failed,
                cost_usd=new.cost_usd,
                unknown_costs=new.unknown_costs,
                retried=new.retried,
                tokens=new.tokens,
            )
        )
