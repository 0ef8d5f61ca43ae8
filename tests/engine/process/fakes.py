"""A provider that does as it is told, and what tests of the caller need around it."""

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from store import runs
from store.run_rows import Call, Message, Run
from store.workspace import Workspace
from tests.new_workspace import new_workspace
from uq_tui.config import Sampling
from uq_tui.engine.calls.attention import Attention
from uq_tui.engine.calls.budget import NOTHING, Budget
from uq_tui.engine.calls.caller import Caller, RunCalls
from uq_tui.engine.calls.live_text import LiveText
from uq_tui.engine.calls.run_meter import RunMeter
from uq_tui.engine.calls.turns import Limits
from uq_tui.engine.protocol import Event
from uq_tui.engine.requests import ModelChoice
from uq_tui.engine.spec import Ask, CallFailedError, OnText, Prepared, Price, Reply, TemplateRef
from uq_tui.errors import ModelError, StoreError
from uq_tui.words import CallErrorKind, RunKind

E = TypeVar("E")

TEMPLATE = TemplateRef("test", "1", "0" * 64)
UNUSABLE = "unusable"


def ask(text: str, *, model: str = "fake/one", candidate_id: str = "", path: str = "", sample: int = 0) -> Ask:
    return Ask(ModelChoice(model), (Message("user", text),), TEMPLATE, candidate_id, path, sample)


def reply(text: str, *, cost_usd: float | None = 0.25) -> Reply:
    return Reply(text, f"about {text}", "stop", tokens_in=3, tokens_out=5, cost_usd=cost_usd)


def failure(
    kind: CallErrorKind = CallErrorKind.SERVER,
    message: str = "down",
    *,
    retryable: bool = True,
    retry_after_s: float | None = None,
    partial: Reply | None = None,
) -> CallFailedError:
    return CallFailedError(kind, message, retryable=retryable, retry_after_s=retry_after_s, partial=partial)


class FakeProvider:
    """Answers each text with its upper case, or by `script`: from text and attempt to a reply or what is raised.

    A text in `held` streams its first half and waits until it is released.
    """

    def __init__(self) -> None:
        self.script: Callable[[str, int], Reply | Exception] = lambda text, attempt: reply(text.upper())
        self.held: dict[str, asyncio.Event] = {}
        self.sent: list[str] = []
        self.streamed: list[bool] = []
        """For each text sent, whether it was sent as a stream."""
        self.closed: list[str] = []
        self.in_flight = 0
        self.most_in_flight = 0
        self._attempts: Counter[str] = Counter()
        self._changed = asyncio.Event()

    def hold(self, *texts: str) -> None:
        self.held.update({text: asyncio.Event() for text in texts})

    def release(self, *texts: str) -> None:
        for text in texts or tuple(self.held):
            self.held[text].set()

    async def until_sent(self, *texts: str) -> None:
        """Wait until all these texts have been sent."""
        while not set(texts) <= set(self.sent):
            self._changed.clear()
            await self._changed.wait()

    price: Price | None = None
    parameters: Mapping[str, Any] = {"temperature": 0.5}

    async def prepare(self, ask: Ask, sampling: Sampling, seed: int) -> Prepared:
        if ask.model.id == UNUSABLE:
            raise ModelError("No key for this model.", hint="Set FAKE_KEY.")
        return Prepared(ask, ask.model.id, "", self.parameters, ("seed",), constrained=False, price=self.price)

    async def complete(self, prepared: Prepared, on_text: OnText | None) -> Reply:
        text = prepared.ask.messages[-1].content
        self.sent.append(text)
        self.streamed.append(on_text is not None)
        self._attempts[text] += 1
        self._changed.set()
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            return await self._answer(text, on_text or (lambda reasoning, reply: None))
        except asyncio.CancelledError:
            self.closed.append(text)
            raise
        finally:
            self.in_flight -= 1

    async def _answer(self, text: str, on_text: OnText) -> Reply:
        if text in self.held:
            on_text("thinking", text[: len(text) // 2])
            await self.held[text].wait()
        await asyncio.sleep(0)
        answer = self.script(text, self._attempts[text])
        if isinstance(answer, Exception):
            raise answer
        on_text(answer.reasoning, answer.reply)
        return answer


@dataclass
class Bench:
    """A caller on a real workspace with a fake provider, and what it has emitted."""

    ws: Workspace
    provider: FakeProvider
    caller: Caller
    live: LiveText
    attention: Attention
    events: list[Event]
    waits: list[float]
    """Seconds that each retry has waited."""
    slept: float = 0.0
    """By how much the waiting has moved the bench's clock."""
    before_attempt: Callable[[], Awaitable[object]] | None = None
    """Done before each further attempt."""
    meters: list[RunMeter] = field(default_factory=list)

    def run(self, *, budget: Budget | None = None, epoch: int = 0) -> RunCalls:
        run = RunCalls(RunMeter(self.ws, new_run(self.ws), self.events.append, budget=budget), epoch)
        self.meters.append(run.meter)
        self.attention.began(run.meter.run_id)
        return run

    def resumed(self, run: Run, *, interval_s: float = 0.0) -> RunCalls:
        meter = RunMeter(self.ws, run, self.events.append, interval_s=interval_s)
        self.meters.append(meter)
        return RunCalls(meter, epoch=0)

    async def close(self) -> None:
        """See that nothing is left over and nothing is written when the loop is gone."""
        for meter in self.meters:
            with contextlib.suppress(StoreError):  # of a test that has closed the workspace itself
                await meter.close()
        assert (self.caller._flights, self.caller._closing) == ({}, {})
        assert all(lane.turns._in_flight == 0 for lane in self.caller._lanes.values())
        assert not any(meter.budget.may_have_room(NOTHING) for meter in self.meters), "something is reserved"
        self.ws.close()

    def seen(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]


async def until(condition: Callable[[], object], *, seconds: float = 20.0, every_s: float = 0.002) -> None:
    """Wait until `condition` holds, looking every few milliseconds."""
    for _ in range(int(seconds / every_s)):
        if condition():
            return
        await asyncio.sleep(every_s)
    raise AssertionError("it never became so")


def begun(work: Coroutine[Any, Any, tuple[Call, ...]]) -> asyncio.Task[tuple[Call, ...]]:
    return asyncio.create_task(work)


def new_run(ws: Workspace, *, total: int = 1) -> Run:
    return runs.create(ws, RunKind.GENERATE, "a run", {"epoch": 0}, total)


def bench(
    path: Path, *, limits: Mapping[str, Limits] | None = None, on_event: Callable[[Bench, Event], None] | None = None
) -> Bench:
    """A bench on a new workspace. Retries wait no time; jitter is always at its upper end."""
    ws = new_workspace(path / "test.uq.sqlite")
    provider = FakeProvider()
    events: list[Event] = []
    waits: list[float] = []

    def emit(event: Event) -> None:
        events.append(event)
        if on_event is not None:
            on_event(made, event)

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        until = made.slept + seconds
        await asyncio.sleep(0)
        made.slept = max(made.slept, until)
        if made.before_attempt is not None:
            await made.before_attempt()

    def limits_of(choice: ModelChoice) -> Limits:
        return (limits or {}).get(choice.id, Limits(8))

    live = LiveText(emit, batch_seconds=0.0)
    attention = Attention(audience=True)
    caller = Caller(
        ws,
        emit,
        provider=lambda choice: provider,
        limits=limits_of,
        live=live,
        attention=attention,
        sleep=sleep,
        uniform=lambda low, high: high,
        clock=lambda: time.monotonic() + made.slept,
    )
    made = Bench(ws, provider, caller, live, attention, events, waits)
    return made
