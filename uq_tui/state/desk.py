"""What is open right now: workspace, engine, reviewer, chosen model, and the runs under way."""

import asyncio
from collections.abc import Callable

from store import reviewers, runs
from store.rows import Reviewer
from store.workspace import Workspace
from uq_tui.engine.client import EngineClient
from uq_tui.engine.protocol import Event, ModelChoice, Request, RunFinished, RunProgress, RunStarted, WorkerLost
from uq_tui.state.spend import Spend
from uq_tui.words import RunState

ACTIVE = (RunState.QUEUED, RunState.RUNNING)


class Desk:
    """Shared by all screens. Screens subscribe to engine events here; methods that wait are coroutines."""

    def __init__(self, workspace: Workspace, engine: EngineClient, reviewer: Reviewer, model: ModelChoice) -> None:
        self.workspace = workspace
        self.engine = engine
        self.reviewer = reviewer
        self.model = model
        self.spend = Spend()
        self.active: dict[str, str] = {}
        """Titles of the runs under way, by run id."""
        self._subscribers: list[Callable[[Event], None]] = []
        self._unsubscribe = engine.subscribe(self._receive)

    @classmethod
    async def sit_down(cls, workspace: Workspace, engine: EngineClient, model: ModelChoice) -> "Desk":
        """A desk for the current reviewer of an opened workspace."""
        return cls(workspace, engine, await asyncio.to_thread(reviewers.current, workspace), model)

    def subscribe(self, receive: Callable[[Event], None]) -> Callable[[], None]:
        """Call `receive` with every engine event from now on; returns the way to stop that."""
        self._subscribers.append(receive)
        return lambda: self._subscribers.remove(receive)

    def _receive(self, event: Event) -> None:
        match event:
            case RunStarted():
                self.active[event.run_id] = event.title
            case RunProgress():
                self.spend.note(event.run_id, event.cost_usd, event.unknown_costs)
            case RunFinished():
                self.active.pop(event.run_id, None)
            case WorkerLost():
                self.active.clear()  # those that go on are started anew
        for receive in tuple(self._subscribers):
            receive(event)

    def start(self, request: Request) -> str:
        """Ask the engine for a run; the ticket comes back in `RunStarted` or `EngineProblem`."""
        return self.engine.start_run(request)

    async def is_new(self) -> bool:
        """Whether nothing has ever been run in this workspace."""
        return not await asyncio.to_thread(runs.recent, self.workspace, 1)

    async def close(self) -> None:
        """Stop the engine, then close the workspace."""
        self._unsubscribe()
        try:
            await self.engine.close()
        finally:
            await asyncio.to_thread(self.workspace.close)
