"""One call in flight: its turn, its attempts, and the saving of what came of it."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from store.identity import now
from store.rows import Call
from uq_tui.engine.grouped_writes import GroupedWrites
from uq_tui.engine.live_text import LiveText
from uq_tui.engine.protocol import CallFinished, CallStarted, Event
from uq_tui.engine.run_meter import RunMeter
from uq_tui.engine.spec import Ask, CallFailedError, Prepared, Provider, Reply
from uq_tui.errors import BudgetError
from uq_tui.words import CallErrorKind, CallState

MAX_ATTEMPTS = 4
RETRY_AFTER_CAP_S = 60.0
_BACKOFF_BASE_S = 1.0
_BACKOFF_CAP_S = 30.0


@dataclass(frozen=True, slots=True, eq=False)
class Unit:
    """One ask that waits for the call, and the meter of its run."""

    meter: RunMeter
    ask: Ask


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What all flights of a session share. `marks` takes (run id, call key)."""

    emit: Callable[[Event], None]
    live: LiveText
    marks: GroupedWrites[tuple[str, str]]
    saves: GroupedWrites[Call]
    sleep: Callable[[float], Awaitable[None]]
    uniform: Callable[[float, float], float]


class Flight:
    """A call that is being asked. Several units, also of several runs, may wait for it; one run pays for it."""

    def __init__(
        self, key: str, epoch: int, prepared: Prepared, provider: Provider, units: Sequence[Unit], around: Surroundings
    ) -> None:
        self.key = key
        self._epoch = epoch
        self._prepared = prepared
        self._provider = provider
        self._units = list(units)
        self._around = around
        self._payer = units[0].meter
        self._sent = False
        self._attempts = 0
        self._attempt_began = 0.0
        self.landed = False
        """The reply or failure is known and on its way into the store; cancelling can save nothing any more."""

    def join(self, units: Sequence[Unit]) -> None:
        """Let more units wait for this call."""
        self._units += units
        if self._sent:
            self._tell_started(units)

    def serves(self, meter: RunMeter) -> bool:
        """Whether a unit of this meter's run waits for the call."""
        return any(unit.meter is meter for unit in self._units)

    def leave(self, units: Sequence[Unit]) -> bool:
        """Stop waiting. True when nobody waits any more; the last to leave still get the call's end told."""
        staying = [unit for unit in self._units if unit not in units]
        if staying:
            self._units = staying
        return not staying

    async def fly(self, run_gate: asyncio.Semaphore, model_gate: asyncio.Semaphore) -> Call:
        """Wait for a turn, ask, save, tell. To be run as a task of its own.

        Cancelling it before its turn ends it so; later it ends with a failed call that keeps what had arrived.

        Raises:
            BudgetError: when its turn came, no run that waits for it might spend more.
            ModelError, StoreError: the model turned out unusable, or the call could not be saved.
        """
        async with run_gate, model_gate:
            try:
                call = await self._ask()
                self.landed = True
                await self._around.saves.add(call)
            finally:
                self._around.live.close(self.key)
            if self._sent:
                self._tell_finished(call)
        return call

    async def _ask(self) -> Call:
        self._payer = self._choose_payer()
        self._around.live.open(self.key)
        try:
            await self._around.marks.add((self._payer.run_id, self.key))
            self._sent = True
            self._tell_started(self._units)
            return await self._attempt_until_settled()
        except asyncio.CancelledError:  # the task goes on to save what had arrived
            return self._failed(CallErrorKind.CANCELLED, "The run was stopped before the reply was complete.", None)

    def _choose_payer(self) -> RunMeter:
        for unit in self._units:
            if unit.meter.may_spend:
                return unit.meter
        raise BudgetError(
            "The run's known costs have reached the budget.",
            hint="Raise budget_usd in config.toml and resume the run; what was answered is kept.",
        )

    async def _attempt_until_settled(self) -> Call:
        while True:
            self._attempts += 1
            self._attempt_began = time.monotonic()
            if self._attempts > 1:
                self._around.live.open(self.key)
            try:
                reply = await self._provider.complete(self._prepared, self._on_text)
            except CallFailedError as error:
                if not error.retryable or self._attempts == MAX_ATTEMPTS:
                    return self._failed(error.kind, str(error), error.partial)
                await self._around.sleep(retry_delay_s(self._attempts, error.retry_after_s, self._around.uniform))
            else:
                return self._call(CallState.DONE, reply, None, "")

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
            latency_s=time.monotonic() - self._attempt_began if self._attempts else None,
            attempts=self._attempts,
            constrained=prepared.constrained,
            run_id=self._payer.run_id,
            created_at=now(),
        )

    def _tell_started(self, units: Sequence[Unit]) -> None:
        for unit in units:
            ask = unit.ask
            self._around.emit(CallStarted(unit.meter.run_id, self.key, ask.candidate_id, ask.path, ask.model.id))

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


def retry_delay_s(attempts: int, retry_after_s: float | None, uniform: Callable[[float, float], float]) -> float:
    """Seconds to wait after so many failed attempts.

    Exponential backoff with full jitter. A server's Retry-After is waited for, up to a minute, plus a little
    jitter so that calls that failed together don't return together.
    """
    if retry_after_s is not None:
        return min(max(retry_after_s, 0.0), RETRY_AFTER_CAP_S) + uniform(0.0, _BACKOFF_BASE_S)
    return uniform(0.0, min(_BACKOFF_CAP_S, _BACKOFF_BASE_S * 2.0 ** (attempts - 1)))
