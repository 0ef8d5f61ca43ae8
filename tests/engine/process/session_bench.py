"""A session with a job and models that do as a test says."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from store.run_rows import Run
from store.workspace import Workspace
from tests.engine.process.fakes import FakeProvider, ask, until
from uq_tui.engine.calls.turns import Limits
from uq_tui.engine.protocol import CallFinished, Event
from uq_tui.engine.requests import GenerateRequest, ModelChoice
from uq_tui.engine.session import EngineSession
from uq_tui.engine.spec import Provider, RunContext
from uq_tui.errors import UqError

E = TypeVar("E")

LOG = Path("/logs/engine.log")
REQUEST = GenerateRequest(("q",), ModelChoice("fake/one"))


async def ask_two(ctx: RunContext) -> None:
    await ctx.ask([ask("a"), ask("b")])
    await ctx.progress(2, 2)


@dataclass
class FakeJob:
    """A kind of run whose work is given by the test."""

    work: Callable[[RunContext], Awaitable[None]] = ask_two
    refusal: UqError | None = None
    spec: Mapping[str, Any] = field(default_factory=lambda: {"epoch": 0})

    def pin(self, ws: Workspace, request: Any) -> tuple[str, Mapping[str, Any], int]:
        if self.refusal is not None:
            raise self.refusal
        return "a title", self.spec, 2

    async def run(self, ctx: RunContext, ws: Workspace) -> None:
        await self.work(ctx)


@dataclass
class FakeModels:
    """Every model is the one fake provider."""

    provider: FakeProvider
    closed: bool = False

    def resolve(self, choice: ModelChoice) -> Provider:
        return self.provider

    def limits(self, choice: ModelChoice) -> Limits:
        return Limits(8)

    async def close(self) -> None:
        self.closed = True


@dataclass
class Engine:
    """A session on a real workspace, doing a fake job with a fake provider."""

    ws: Workspace
    provider: FakeProvider
    models: FakeModels
    job: FakeJob
    session: EngineSession
    events: list[Event] = field(default_factory=list)

    def seen(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    async def done(self) -> Run:
        return await self.session.wait(await self.session.start("t", REQUEST))


async def started_and_holding(engine: Engine) -> str:
    """A run that has one call done and one streaming."""
    engine.provider.hold("b")
    run_id = await engine.session.start("t", REQUEST)
    await engine.provider.until_sent("a", "b")
    await until(lambda: engine.seen(CallFinished))
    return run_id
