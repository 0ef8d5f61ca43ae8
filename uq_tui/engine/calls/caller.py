"""Answers batches of asks: from the store what is there, from the models what is not, each call only once."""

import asyncio
import contextlib
import random
import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from store import calls, marks
from store.run_rows import Call
from store.workspace import Workspace
from uq_tui.config import Sampling
from uq_tui.engine.calls.attention import Attention
from uq_tui.engine.calls.flight import Flight, Lane, Surroundings, Unit, finished
from uq_tui.engine.calls.grouped_writes import GroupedWrites
from uq_tui.engine.calls.live_text import LiveText
from uq_tui.engine.calls.retries import Health
from uq_tui.engine.calls.run_meter import RunMeter
from uq_tui.engine.calls.turns import Limits, Turns
from uq_tui.engine.protocol import Event
from uq_tui.engine.requests import ModelChoice
from uq_tui.engine.runs.together import first_trouble
from uq_tui.engine.spec import Ask, Prepared, Provider, TemplateRef
from uq_tui.errors import BudgetError
from uq_tui.words import CallState

_FEW = 16
"""Calls whose keys are reckoned on the loop."""
_SEEDS_AN_EPOCH = 1_000_003
_SEEDS = 2**31
"""Some providers take seeds of 31 bits only."""
_NO_TEMPLATE = TemplateRef("", "", "")


@dataclass(frozen=True, slots=True)
class RunCalls:
    """The side of one run: its meter, its epoch, and how its replies are drawn."""

    meter: RunMeter
    epoch: int
    sampling: Callable[[ModelChoice], Sampling] = lambda model: Sampling()
    """How the run has pinned a model's replies to be drawn."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    prepared: Prepared
    provider: Provider
    units: list[Unit]


class Caller:
    """Shared by the runs of a session. Lives on one event loop.

    Args:
        ws: the workspace whose calls are remembered.
        emit: takes the events of calls, after what they report is committed.
        provider: the provider of a model; raises ModelError.
        limits: what a model takes.
        live, attention: the text of calls in flight, and who watches it.
        sleep, uniform, clock: the waiting and the jitter of retries, and seconds of a monotonic clock.
    """

    def __init__(
        self,
        ws: Workspace,
        emit: Callable[[Event], None],
        *,
        provider: Callable[[ModelChoice], Provider],
        limits: Callable[[ModelChoice], Limits],
        live: LiveText,
        attention: Attention,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        uniform: Callable[[float, float], float] = random.uniform,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._ws = ws
        self._emit = emit
        self._provider = provider
        self._limits = limits
        self._around = Surroundings(
            emit=emit,
            live=live,
            attention=attention,
            notes=GroupedWrites(partial(marks.put_soon, ws)),
            sleep=sleep,
            uniform=uniform,
            clock=clock,
        )
        self._flights: dict[str, tuple[Flight, asyncio.Task[Call]]] = {}
        self._closing: dict[str, asyncio.Task[Call]] = {}
        """Calls nobody waits for any more, while they are closed and kept as failed."""
        self._lanes: dict[str, Lane] = {}
        self._lookup = asyncio.Lock()
        """Held from looking a call up until it is in flight: what is not in flight then is committed or not asked."""

    async def ask(self, run: RunCalls, asks: Sequence[Ask]) -> tuple[Call, ...]:
        """The calls that answer `asks`, in their order. A failed call is returned, not raised.

        Stored calls are done at once; of the others, each is saved before its `CallFinished` is sent. When the
        waiting task is cancelled, calls nobody else waits for are closed and kept as failed before this returns.

        Raises:
            ModelError: a model cannot be used at all.
            BudgetError: the rest could exceed the run's budget; what fits has been asked.
            StoreError: the workspace cannot be read or written.
        """
        keys, wanted = await self._prepare(run, asks)
        waiting: dict[str, tuple[Flight, asyncio.Task[Call]]] = {}
        try:
            async with self._lookup:
                for key in wanted.keys() & self._flights.keys():
                    waiting[key] = self._flights[key]
                    waiting[key][0].join(wanted[key].units)
                stored = await asyncio.to_thread(self._find_done, [key for key in wanted if key not in waiting])
                for key, want in wanted.items():
                    if key not in waiting and key not in stored:
                        waiting[key] = self._launch(run, key, want)
            self._tell_remembered(run, wanted, stored)
            await first_trouble([task for _, task in waiting.values()])
        except BudgetError as error:  # of any of the runs that wait
            raise run.meter.budget.exhausted() from error
        finally:
            await self._leave(waiting, wanted)
        return tuple(stored[key] if key in stored else waiting[key][1].result() for key in keys)

    async def require_known(self, run: RunCalls, models: Iterable[ModelChoice]) -> None:
        """See that a run's budget can be kept with each of the models it may ask, before any is asked.

        Raises:
            ModelError: a model cannot be used at all.
            BudgetError: a model's price is not known, or its replies have no length limit.
        """
        if run.meter.budget.limited:
            await self._prepare(run, [Ask(model, (), _NO_TEMPLATE) for model in models])

    async def _prepare(self, run: RunCalls, asks: Sequence[Ask]) -> tuple[list[str], dict[str, _Wanted]]:
        providers = [self._provider(ask.model) for ask in asks]
        prepared = [
            await provider.prepare(ask, drawn(ask, run.sampling(ask.model)), seed_of(ask.sample, run.epoch))
            for provider, ask in zip(providers, asks, strict=True)
        ]
        for one in prepared:
            run.meter.budget.require_known(one)
        keys = await _keys(prepared, run.epoch)
        wanted: dict[str, _Wanted] = {}
        for key, ask, one, provider in zip(keys, asks, prepared, providers, strict=True):
            wanted.setdefault(key, _Wanted(one, provider, [])).units.append(Unit(run.meter, ask))
        return keys, wanted

    def _find_done(self, keys: Sequence[str]) -> dict[str, Call]:
        found = calls.find(self._ws, keys)
        return {key: call for key, call in found.items() if call.state is CallState.DONE}

    def _tell_remembered(self, run: RunCalls, wanted: dict[str, _Wanted], stored: dict[str, Call]) -> None:
        for key, want in wanted.items():
            if key in stored:
                run.meter.remembered(stored[key])
                for unit in want.units:
                    self._emit(finished(stored[key], unit))

    def watch(self, call_key: str) -> None:
        """Somebody looks at a call: its text is told as it comes, and its runs are streamed."""
        self._around.live.watch(call_key)
        if call_key in self._flights:
            self._around.attention.watch(call_key, self._flights[call_key][0].run_ids)

    def unwatch(self, call_key: str) -> None:
        """Nobody looks at a call any more."""
        self._around.live.unwatch(call_key)
        self._around.attention.unwatch(call_key)

    def _launch(self, run: RunCalls, key: str, want: _Wanted) -> tuple[Flight, asyncio.Task[Call]]:
        lane = self.lane(want.prepared)
        flight = Flight(key, run.epoch, want.prepared, want.provider, want.units, lane, self._around)
        task = asyncio.create_task(self._fly(flight, self._closing.get(key)))
        self._flights[key] = (flight, task)
        return self._flights[key]

    def lane(self, prepared: Prepared) -> Lane:
        """What all calls to one model share."""
        model = f"{prepared.endpoint} {prepared.provider_model}"
        if model not in self._lanes:
            self._lanes[model] = Lane(Turns(self._limits(prepared.ask.model), self._around.clock), Health())
        return self._lanes[model]

    async def _fly(self, flight: Flight, before: asyncio.Task[Call] | None) -> Call:
        try:
            if before is not None:
                await asyncio.wait({before})
            return await flight.fly()
        finally:
            self._forget(flight)

    def _forget(self, flight: Flight) -> None:
        current = self._flights.get(flight.key)
        if current is not None and current[0] is flight:
            del self._flights[flight.key]

    async def _leave(self, waiting: dict[str, tuple[Flight, asyncio.Task[Call]]], wanted: dict[str, _Wanted]) -> None:
        ending = []
        for key, (flight, task) in waiting.items():
            if flight.leave(wanted[key].units) and not task.done():
                if not flight.landed:  # one that has can still be joined: its reply is about to be stored
                    self._close(flight, task)
                ending.append(task)
        await _end_of(ending)
        for _, task in waiting.values():
            if task.done() and not task.cancelled():
                task.exception()  # only the first trouble is raised; the others count as seen

    def _close(self, flight: Flight, task: asyncio.Task[Call]) -> None:
        self._forget(flight)
        self._closing[flight.key] = task
        task.add_done_callback(partial(self._closed, flight.key))
        task.cancel()

    def _closed(self, key: str, task: asyncio.Task[Call]) -> None:
        if self._closing.get(key) is task:
            del self._closing[key]


async def _keys(prepared: Sequence[Prepared], epoch: int) -> list[str]:
    if len(prepared) <= _FEW:  # changing threads takes longer
        return [one.key(epoch) for one in prepared]
    return await asyncio.to_thread(lambda: [one.key(epoch) for one in prepared])


def drawn(ask: Ask, pinned: Sampling) -> Sampling:
    """How to draw a reply to one ask: as pinned, except for what the ask itself wants."""
    return replace(
        pinned,
        temperature=pinned.temperature if ask.temperature is None else ask.temperature,
        max_tokens=pinned.max_tokens if ask.max_tokens is None else ask.max_tokens,
    )


def seed_of(sample: int, epoch: int) -> int:
    """The sample index; a fresh epoch gets seeds of its own, so that a deterministic model answers anew."""
    return (sample + epoch * _SEEDS_AN_EPOCH) % _SEEDS


async def _end_of(tasks: Collection[asyncio.Task[Call]]) -> None:
    """Wait until tasks that were told to end have ended, even when the waiting task is cancelled once more."""
    pending = set(tasks)
    while pending:
        with contextlib.suppress(asyncio.CancelledError):
            _, pending = await asyncio.wait(pending)
