"""One call in flight: its turn, its attempts, and the saving of what came of it."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from store.identity import now
from store.marks import Mark
from store.rows import Call
from uq_tui.engine.attention import Attention
from uq_tui.engine.budget import NOTHING, Use, used_by, worst_case
from uq_tui.engine.grouped_writes import GroupedWrites
from uq_tui.engine.live_text import LiveText
from uq_tui.engine.protocol import CallFinished, CallRetrying, CallStarted, Event
from uq_tui.engine.retries import Health, Patience, delay_s
from uq_tui.engine.run_meter import RunMeter
from uq_tui.engine.spec import Ask, CallFailedError, Prepared, Provider, Reply
from uq_tui.engine.turns import Sent, Turns
from uq_tui.errors import BudgetError
from uq_tui.words import CallErrorKind, CallState

_COSTLESS = frozenset(
    {
        CallErrorKind.RATE_LIMITED,
        CallErrorKind.CONNECTION,
        CallErrorKind.SERVER,
        CallErrorKind.AUTH,
        CallErrorKind.BAD_REQUEST,
        CallErrorKind.CONTEXT_TOO_LONG,
        CallErrorKind.UNAVAILABLE,
    }
)
"""Failures for which nobody is paid unless some text had come."""
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
    marks: GroupedWrites[Mark]
    saves: GroupedWrites[Call]
    sleep: Callable[[float], Awaitable[None]]
    uniform: Callable[[float, float], float]
    clock: Callable[[], float]


class Flight:
    """A call that is being asked. Several units, also of several runs, may wait for it; one run pays for it."""

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
        """The newest request, as it counts for the model's limits."""
        self._reserved = False
        """The worst case of a request is set aside from the payer's budget."""
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
        if self._sent:
            self._tell_started(units)

    def leave(self, units: Sequence[Unit]) -> bool:
        """Stop waiting. True when nobody waits any more; the last to leave still get the call's end told."""
        staying = [unit for unit in self._units if unit not in units]
        if staying:
            self._units = staying
        return not staying

    async def fly(self) -> Call:
        """Wait for budget and a turn, ask, save, tell. To be run as a task of its own.

        Cancelling it before its turn ends it so; later it ends with a failed call that keeps what had arrived.

        Raises:
            BudgetError: no run that waits for it may spend what it could cost.
            ModelError, StoreError: the model turned out unusable, or the call could not be saved.
        """
        self._payer = self._choose_payer()
        await self._reserve()
        try:
            self._request = await self._lane.turns.take(self._payer.run_id, self._worst.tokens)
            try:
                call = await self._ask()
                self.landed = True
                await self._around.saves.add(call)
            finally:
                self._lane.turns.leave()
                self._around.live.close(self.key)
                self._around.attention.unwatch(self.key)
        finally:
            self._settle(NOTHING, held=NOTHING)
        if self._sent:
            self._tell_finished(call)
        return call

    def _choose_payer(self) -> RunMeter:
        """The first run that can pay now, else one that may be able to when its other calls have come in."""
        meters = [unit.meter for unit in self._units]
        for meter in meters:
            if meter.budget.has_room(self._worst):
                return meter
        return next((meter for meter in meters if meter.budget.could_have_room(self._worst)), meters[0])

    async def _reserve(self) -> None:
        await self._payer.budget.reserve(self._worst)
        self._reserved = True

    def _settle(self, used: Use, *, held: Use) -> None:
        """Replace what is reserved, if anything, by what the request has used.

        Args:
            used: what counts against the budget.
            held: the part of it that the call's row will not tell.
        """
        if not self._reserved:
            return
        self._reserved = False
        if self._request is not None:
            self._lane.turns.settle(self._request, used.tokens)
        self._payer.budget.settle(self._worst, used)
        self._payer.hold(held)

    async def _ask(self) -> Call:
        """Make attempts until one succeeds or nothing is left to try."""
        self._streamed = any(self._around.attention.streams(run_id) for run_id in self.run_ids)
        self._around.live.open(self.key, streamed=self._streamed)
        most = Mark(self._payer.run_id, self.key, self._worst.usd or 0.0, self._worst.tokens)
        try:
            await self._around.marks.add(most)
            self._sent = True
            self._tell_started(self._units)
            return await self._attempt_until_settled()
        except asyncio.CancelledError:  # the task goes on to save what had arrived
            if self._attempting:
                self._settle(self._worst, held=self._worst)
            return self._failed(CallErrorKind.CANCELLED, "The run was stopped before the reply was complete.", None)

    async def _attempt_until_settled(self) -> Call:
        patience = Patience(self._lane.health)
        while True:
            try:
                reply = await self._attempt()
            except CallFailedError as error:
                goes_on = patience.goes_on(error, began=self._attempt_began, now=self._around.clock())
                if not _is_costless(error):
                    self._settle_for(error.partial, kept=not goes_on)
                if not goes_on:
                    return self._failed(error.kind, str(error), error.partial)
                try:
                    await self._until_next_attempt(error)
                except BudgetError:
                    return self._failed(error.kind, str(error), error.partial)
            else:
                self._lane.health.answered(self._around.clock())
                self._settle_for(reply, kept=True)
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
            await self._reserve()
        await self._around.sleep(wait_s)
        self._request = await self._lane.turns.again(self._worst.tokens)

    def _settle_for(self, reply: Reply | None, *, kept: bool) -> None:
        """Settle for a request that has brought this much of a reply; `kept` when the call's row will tell its use."""
        used = self._worst if reply is None else used_by(self._prepared, reply, self._worst)
        if reply is None or not kept:
            self._settle(used, held=used)
            return
        told = reply.tokens_in is not None and reply.tokens_out is not None
        usd = used.usd if reply.cost_usd is None else 0.0
        self._settle(used, held=Use(usd, 0 if told else used.tokens))

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
            run_id=self._payer.run_id,
            created_at=now(),
            raw=reply.raw,
        )

    def _tell_started(self, units: Sequence[Unit]) -> None:
        for unit in units:
            ask = unit.ask
            self._around.emit(CallStarted(unit.meter.run_id, self.key, ask.candidate_id, ask.path, ask.model.id))

    def _tell_retrying(self, error: CallFailedError, wait_s: float) -> None:
        self._payer.retried(error.kind)
        for unit in self._units:
            ids = (unit.meter.run_id, self.key, unit.ask.candidate_id, unit.ask.path)
            self._around.emit(CallRetrying(*ids, error.kind, str(error), self._attempts, wait_s))

    def _tell_finished(self, call: Call) -> None:
        meters = {unit.meter.run_id: unit.meter for unit in self._units}
        paying = meters.get(self._payer.run_id, self._units[0].meter)
        for meter in meters.values():
            if meter is paying:
                meter.asked(call)
            else:
                meter.remembered(call)
        for unit in self._units:
            self._around.emit(finished(call, unit, remembered=False))


def finished(call: Call, unit: Unit, *, remembered: bool) -> CallFinished:
    """The event that tells a unit of its call's end."""
    return CallFinished(
        unit.meter.run_id,
        call.key,
        unit.ask.candidate_id,
        unit.ask.path,
        call.state,
        call.error_kind,
        call.error,
        remembered,
    )


def _is_costless(error: CallFailedError) -> bool:
    """Whether nobody is paid for a failed attempt."""
    partial = error.partial
    return error.kind in _COSTLESS and (partial is None or not (partial.reply or partial.reasoning))
