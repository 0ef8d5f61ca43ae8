"""One call in flight: its turn, its attempts, and the saving of what came of it."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from store.identity import now
from store.marks import End, Mark, Used
from store.run_rows import Call
from uq_tui.engine.calls.attention import Attention
from uq_tui.engine.calls.budget import NOTHING, Use, used_by, worst_case
from uq_tui.engine.calls.grouped_writes import GroupedWrites
from uq_tui.engine.calls.live_text import LiveText
from uq_tui.engine.calls.retries import Health, Patience, delay_s, is_costless
from uq_tui.engine.calls.run_meter import RunMeter
from uq_tui.engine.calls.turns import Sent, Turns
from uq_tui.engine.protocol import CallFinished, CallRetrying, CallStarted, Event
from uq_tui.engine.spec import Ask, CallFailedError, Prepared, Provider, Reply
from uq_tui.errors import BudgetError
from uq_tui.words import CallErrorKind, CallState

_BETTER_STREAMED = frozenset(
    {CallErrorKind.TIMEOUT, CallErrorKind.CONNECTION, CallErrorKind.CUT_OFF, CallErrorKind.MALFORMED}
)
"""Failures of a reply that was to come whole after which a stream is tried: it shows sooner that all is well."""


@dataclass(frozen=True, slots=True, eq=False)
class Unit:
    """One ask that waits for the call, and the meter of its run."""

    meter: RunMeter
    ask: Ask


@dataclass(frozen=True, slots=True)
class Lane:
    """What all calls to one model share."""

    turns: Turns
    health: Health


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What all flights of a session share."""

    emit: Callable[[Event], None]
    live: LiveText
    attention: Attention
    notes: GroupedWrites[Mark | End]
    sleep: Callable[[float], Awaitable[None]]
    uniform: Callable[[float, float], float]
    clock: Callable[[], float]


class Flight:
    """A call that is being asked. Several units, also of several runs, may wait for it; one run pays for a request.

    A request stays on the account of the run that pays for it, also when that run waits no more.
    """

    def __init__(
        self,
        key: str,
        epoch: int,
        prepared: Prepared,
        provider: Provider,
        units: Sequence[Unit],
        lane: Lane,
        around: Surroundings,
    ) -> None:
        self.key = key
        self._epoch = epoch
        self._prepared = prepared
        self._provider = provider
        self._units = list(units)
        self._lane = lane
        self._around = around
        self._worst = worst_case(prepared)
        self._payer = units[0].meter
        self._request: Sent | None = None
        """The newest request, as it counts for the model's limits, until its use is known."""
        self._reserved = False
        """The worst case of a request is set aside from the payer's budget."""
        self._used = Used(0.0, 0)
        """What the payer's requests have used and the store doesn't know yet."""
        self._marked_for: str | None = None
        """The run whose mark is in the store."""
        self._placed = False
        """It has a place among the model's calls in flight."""
        self._room: asyncio.Future[None] | None = None
        """While it waits for budget: done when another look is worth while."""
        self._sent = False
        self._attempts = 0
        self._attempting = False
        self._attempt_began = 0.0
        self._streamed = False
        self.landed = False
        """The reply or failure is known and on its way into the store; cancelling can save nothing any more."""

    @property
    def run_ids(self) -> tuple[str, ...]:
        """The runs that wait for the call."""
        return tuple(dict.fromkeys(unit.meter.run_id for unit in self._units))

    def join(self, units: Sequence[Unit]) -> None:
        """Let more units wait for this call."""
        self._units += units
        self._look_for_room()
        if self._sent:
            self._tell_started(units)

    def leave(self, units: Sequence[Unit]) -> bool:
        """Stop waiting. True when nobody waits any more; the last to leave still get the call's end told."""
        staying = [unit for unit in self._units if unit not in units]
        if staying:
            self._units = staying
            self._look_for_room()
        return not staying

    async def fly(self) -> Call:
        """Wait for budget and a turn, ask, save, tell. To be run as a task of its own.

        Cancelling it before its turn ends it so; later it ends with a failed call that keeps what had arrived.

        Raises:
            BudgetError: no run that waits for it may spend what it could cost.
            ModelError, StoreError: the model turned out unusable, or the call could not be saved.
        """
        try:
            await self._reserve()
            await self._take_place()
            call = await self._ask()
            self.landed = True
            kept = call if self._sent else None
            await self._around.notes.add(End(self._payer.run_id, self.key, self._take_used(), kept))
        finally:
            self._settle(NOTHING)
            self._leave_place()
            self._around.live.close(self.key)
            self._around.attention.unwatch(self.key)
        if self._sent:
            self._tell_finished(call)
        return call

    async def _reserve(self) -> None:
        """Set aside what a request can use; wait while calls in flight may turn out to leave room for it.

        A place at the model is not to be held meanwhile: those calls may be waiting for it.

        Raises:
            BudgetError: none of the runs has room for it.
        """
        while not self._reserve_now():
            budgets = list({unit.meter.run_id: unit.meter.budget for unit in self._units}.values())
            hopeful = [budget for budget in budgets if budget.may_have_room(self._worst)]
            if not hopeful:
                for budget in budgets:
                    budget.refuse(self._worst)
                raise budgets[0].exhausted()
            self._room = asyncio.get_running_loop().create_future()
            for budget in hopeful:
                budget.tell(self._room)
            await self._room

    def _reserve_now(self) -> bool:
        for unit in self._units:
            if unit.meter.budget.has_room(self._worst):
                self._payer = unit.meter
                self._payer.budget.reserve(self._worst)
                self._reserved = True
                return True
        return False

    def _look_for_room(self) -> None:
        if self._room is not None and not self._room.done():
            self._room.set_result(None)

    async def _take_place(self) -> None:
        self._request = await self._lane.turns.take(self._payer.run_id, self._worst.tokens)
        self._placed = True

    def _leave_place(self) -> None:
        if self._placed:
            self._placed = False
            self._lane.turns.leave()

    def _settle(self, used: Use) -> None:
        """Replace what is reserved, if anything, by what the request has used."""
        if not self._reserved:
            return
        self._reserved = False
        if self._request is not None:
            self._lane.turns.settle(self._request, used.tokens)
            self._request = None
        self._payer.budget.settle(self._worst, used)
        self._used += Used(used.usd or 0.0, used.tokens)

    def _take_used(self) -> Used:
        used, self._used = self._used, Used(0.0, 0)
        return used

    async def _mark(self) -> None:
        """Have it stored, before a request is sent, who pays for it and what it can use."""
        used, before = self._take_used(), self._marked_for
        self._marked_for = self._payer.run_id
        if before is not None and before != self._marked_for:
            await self._around.notes.add(End(before, self.key, used))
            used = Used(0.0, 0)
        most = Used(self._worst.usd or 0.0, self._worst.tokens)
        await self._around.notes.add(Mark(self._marked_for, self.key, most, used))

    async def _ask(self) -> Call:
        """Make attempts until one succeeds or nothing is left to try."""
        self._streamed = any(self._around.attention.streams(run_id) for run_id in self.run_ids)
        self._around.live.open(self.key, streamed=self._streamed)
        try:
            await self._mark()
            self._sent = True
            self._tell_started(self._units)
            return await self._attempt_until_settled()
        except asyncio.CancelledError:  # the task goes on to save what had arrived
            if self._attempting:
                self._settle(self._worst)
            return self._failed(CallErrorKind.CANCELLED, "The run was stopped before the reply was complete.", None)

    async def _attempt_until_settled(self) -> Call:
        patience = Patience(self._lane.health)
        while True:
            try:
                reply = await self._attempt()
            except CallFailedError as error:
                goes_on = patience.goes_on(error, began=self._attempt_began, now=self._around.clock())
                if not is_costless(error):
                    self._settle_for(error.partial)
                if not goes_on:
                    return self._failed(error.kind, str(error), error.partial)
                try:
                    await self._until_next_attempt(error)
                except BudgetError:
                    return self._failed(error.kind, str(error), error.partial)
            else:
                self._lane.health.answered(self._around.clock())
                self._settle_for(reply)
                return self._call(CallState.DONE, reply, None, "")

    async def _attempt(self) -> Reply:
        self._attempts += 1
        self._attempt_began = self._around.clock()
        if self._attempts > 1:
            self._around.live.open(self.key, streamed=self._streamed)
        self._attempting = True
        reply = await self._provider.complete(self._prepared, self._on_text if self._streamed else None)
        self._attempting = False
        return reply

    async def _until_next_attempt(self, error: CallFailedError) -> None:
        """Wait until it is time for another attempt, and see that it can be paid for. Raises BudgetError."""
        self._attempting = False
        wait_s = delay_s(self._attempts, error.retry_after_s, self._around.uniform)
        if error.retry_after_s is not None:
            self._lane.turns.pause(wait_s)
        self._streamed = self._streamed or error.kind in _BETTER_STREAMED
        self._tell_retrying(error, wait_s)
        if not self._reserved:
            if not self._reserve_now():
                self._leave_place()
                await self._reserve()
            await self._mark()
        await self._around.sleep(wait_s)
        if self._placed:
            self._request = await self._lane.turns.again(self._worst.tokens)
        else:
            await self._take_place()

    def _settle_for(self, reply: Reply | None) -> None:
        """Settle for a request that has brought this much of a reply."""
        self._settle(self._worst if reply is None else used_by(self._prepared, reply, self._worst))

    def _on_text(self, reasoning: str, reply: str) -> None:
        self._around.live.add(self.key, reasoning, reply)

    def _failed(self, kind: CallErrorKind, message: str, partial: Reply | None) -> Call:
        if partial is None:
            reasoning, reply = self._around.live.text(self.key)
            partial = Reply(reply, reasoning, finish_reason="", tokens_in=None, tokens_out=None, cost_usd=None)
        return self._call(CallState.FAILED, partial, kind, message)

    def _call(self, state: CallState, reply: Reply, error_kind: CallErrorKind | None, error: str) -> Call:
        ask, prepared = self._prepared.ask, self._prepared
        return Call(
            key=self.key,
            model=prepared.provider_model,
            endpoint=prepared.endpoint,
            messages=ask.messages,
            parameters=prepared.parameters,
            dropped=prepared.dropped,
            epoch=self._epoch,
            sample=ask.sample,
            template=ask.template.name,
            template_version=ask.template.version,
            template_sha256=ask.template.sha256,
            state=state,
            reasoning=reply.reasoning,
            reply=reply.reply,
            finish_reason=reply.finish_reason,
            error_kind=error_kind,
            error=error,
            tokens_in=reply.tokens_in,
            tokens_out=reply.tokens_out,
            cost_usd=reply.cost_usd,
            latency_s=self._around.clock() - self._attempt_began if self._attempts else None,
            attempts=self._attempts,
            constrained=prepared.constrained,
            run_id=self._asking().run_id,
            created_at=now(),
            raw=reply.raw,
        )

    def _tell_started(self, units: Sequence[Unit]) -> None:
        for unit in units:
            ask = unit.ask
            self._around.emit(CallStarted(unit.meter.run_id, self.key, ask.candidate_id, ask.path, ask.model.id))

    def _tell_retrying(self, error: CallFailedError, wait_s: float) -> None:
        self._asking().retried(error.kind)
        for unit in self._units:
            ids = (unit.meter.run_id, self.key, unit.ask.candidate_id, unit.ask.path)
            self._around.emit(CallRetrying(*ids, error.kind, str(error), self._attempts, wait_s))

    def _asking(self) -> RunMeter:
        """The run that counts the call as asked: the one that pays, as long as it waits for it."""
        waiting = [unit.meter for unit in self._units]
        return self._payer if self._payer in waiting else waiting[0]

    def _tell_finished(self, call: Call) -> None:
        asking = self._asking()
        for meter in {unit.meter.run_id: unit.meter for unit in self._units}.values():
            if meter is asking:
                meter.asked(call)
            else:
                meter.remembered(call)
        for unit in self._units:
            self._around.emit(finished(call, unit))


def finished(call: Call, unit: Unit) -> CallFinished:
    """The event that tells a unit of its call's end; a call that another run asked is remembered."""
    return CallFinished(
        unit.meter.run_id,
        call.key,
        unit.ask.candidate_id,
        unit.ask.path,
        call.state,
        call.error_kind,
        call.error,
        call.run_id != unit.meter.run_id,
        call.tokens_in,
        call.tokens_out,
        call.cost_usd,
    )
