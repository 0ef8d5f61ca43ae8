"""Every fault of the table through the whole caller: how often it is asked, what the call ends as, what is kept."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from store import calls
from store.run_rows import Call
from store.workspace import Workspace
from tests.engine.gateway.asking import an_ask
from tests.engine.gateway.faults import FAULTS, NOBODY, Expected, Fault
from tests.engine.gateway.together import warm_up
from tests.engine.process.fakes import new_run
from tests.fakes.openai_server import FakeServer
from uq_tui.config import Sampling
from uq_tui.engine.calls.attention import Attention
from uq_tui.engine.calls.caller import Caller, RunCalls
from uq_tui.engine.calls.live_text import LiveText
from uq_tui.engine.calls.retries import MAX_FAILURES, PATIENCE_S
from uq_tui.engine.calls.run_meter import RunMeter
from uq_tui.engine.calls.turns import Limits
from uq_tui.engine.gateways.llm import ensure_litellm_ready
from uq_tui.engine.gateways.sending import Target, send
from uq_tui.engine.requests import ModelChoice
from uq_tui.engine.spec import Ask, OnText, Prepared, Provider, Reply
from uq_tui.words import CallErrorKind, CallState

Case = tuple[Fault, bool]
CASES: list[Case] = [
    (fault, streamed)
    for fault in FAULTS
    for streamed, expected in ((True, fault.stream), (False, fault.plain))
    if expected is not None
]
_STREAMED_NEXT = frozenset(
    {CallErrorKind.TIMEOUT, CallErrorKind.CONNECTION, CallErrorKind.CUT_OFF, CallErrorKind.MALFORMED}
)


class Clock:
    """Moves only by waiting for another attempt, and so fast that patience is at an end after the fewest of them."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waits: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds + PATIENCE_S / (MAX_FAILURES - 1) + 1.0


class Faulty:
    """Sends to a server with a fault. Each time the model has answered somebody else before."""

    def __init__(
        self, litellm: Any, fault: Fault, address: str, answered: "asyncio.Future[Caller]", clock: Clock
    ) -> None:
        self._litellm = litellm
        self._fault = fault
        self._target = Target("openai", "m", address, address, "none")
        self._answered = answered
        self._clock = clock
        self.sent = 0

    async def prepare(self, ask: Ask, sampling: Sampling, seed: int) -> Prepared:
        return Prepared(ask, "openai/m", self._target.api_base, {}, (), constrained=False)

    async def complete(self, prepared: Prepared, on_text: OnText | None) -> Reply:
        self.sent += 1
        caller = await self._answered
        caller.lane(prepared).health.answered(self._clock())
        messages, timeouts = prepared.ask.messages, self._fault.timeouts
        return await send(self._litellm, self._target, messages, {}, timeouts, on_text=on_text)


@dataclass(frozen=True, slots=True)
class Came:
    """What a call came to."""

    call: Call
    stored: Call | None
    sent: int
    requests: int
    waits: list[float]


async def call_to(litellm: Any, ws: Workspace, case: Case, address: str, server: FakeServer | None) -> Came:
    fault, streamed = case
    clock, made = Clock(), asyncio.get_running_loop().create_future()
    provider = Faulty(litellm, fault, address, made, clock)

    def provide(choice: ModelChoice) -> Provider:
        return provider

    attention = Attention(audience=streamed)
    caller = Caller(
        ws,
        lambda event: None,
        provider=provide,
        limits=lambda choice: Limits(1),
        live=LiveText(lambda delta: None),
        attention=attention,
        sleep=clock.sleep,
        uniform=lambda low, high: low,
        clock=clock,
    )
    made.set_result(caller)
    meter = RunMeter(ws, new_run(ws), lambda event: None)
    attention.began(meter.run_id)
    (call,) = await caller.ask(RunCalls(meter, epoch=0), [an_ask(f"{fault.name}, {streamed}?")])
    await meter.close()
    requests = len(server.requests) if server is not None else provider.sent
    return Came(call, calls.get(ws, call.key), provider.sent, requests, clock.waits)


@pytest.fixture(scope="module")
def came(tmp_path_factory: pytest.TempPathFactory) -> Mapping[Case, Came]:
    litellm = ensure_litellm_ready()
    ws = Workspace.open(tmp_path_factory.mktemp("faults") / "w.uq.sqlite")

    async def everything() -> Mapping[Case, Came]:
        await warm_up(litellm)
        turns = asyncio.Semaphore(8)

        async def one(case: Case) -> tuple[Case, Came]:
            async with turns:
                if case[0].rule is None:
                    return case, await call_to(litellm, ws, case, NOBODY, None)
                with FakeServer([case[0].rule]) as server:
                    return case, await call_to(litellm, ws, case, server.base_url, server)

        try:
            return dict(await asyncio.gather(*map(one, CASES)))
        finally:
            await litellm.close_litellm_async_clients()

    try:
        return asyncio.run(everything())
    finally:
        ws.close()


@pytest.mark.parametrize(
    "case", CASES, ids=[f"{fault} ({'stream' if streamed else 'plain'})" for fault, streamed in CASES]
)
def test_a_fault_ends_as_the_table_says(case: Case, came: Mapping[Case, Came]) -> None:
    fault, streamed = case
    first = fault.stream if streamed else fault.plain
    assert first is not None
    found = came[case]
    # A reply that did not come whole is asked for as a stream from then on.
    goes_over = not streamed and first.retryable and first.kind in _STREAMED_NEXT
    last = fault.stream if goes_over and fault.stream else first

    assert found.sent == found.requests == found.call.attempts == _attempts(first, last)
    assert found.stored == found.call, "what is told is what is kept"
    if goes_over and fault.stream is None:  # the table doesn't say what a stream comes to there
        assert found.call.state is CallState.FAILED
        return
    assert (found.call.state, found.call.error_kind) == (
        (CallState.DONE, None) if last.kind is None else (CallState.FAILED, last.kind)
    )
    assert (found.call.reply, found.call.reasoning, found.call.finish_reason) == (
        last.reply,
        last.reasoning,
        last.finish,
    )
    assert (found.call.tokens_in is not None) == last.counted
    if first.retry_after_s is not None:
        assert found.waits == [min(first.retry_after_s, 3600.0)] * (first.requests - 1)


def _attempts(first: Expected, last: Expected) -> int:
    if first is last or not first.retryable:
        return first.requests
    return 2 if not last.retryable else last.requests
