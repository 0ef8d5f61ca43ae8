"""An engine client without a worker: it notes what was asked of it, and a test says which events come."""

from pathlib import Path

from uq_tui.engine.client import EngineClient
from uq_tui.engine.protocol import EngineProblem, Event, RunAsked, RunStarted
from uq_tui.engine.requests import Request


class ScriptedEngine(EngineClient):
    """Only what crosses the process boundary is replaced."""

    def __init__(self, workspace: Path) -> None:
        super().__init__(workspace, workspace.with_suffix(".log"))
        self.requests: list[Request] = []
        self.cancelled: list[str] = []
        self.resumed: list[str] = []
        self.budgets: list[tuple[float | None, int | None]] = []
        """Of the resumed runs."""
        self.given: list[tuple[float | None, int | None]] = []
        """Budgets of the runs that were asked for."""
        self.watched: list[str] = []
        self.restarts = 0
        self.restarts_by_hand = 0

    def start_run(self, request: Request, *, budget_usd: float | None = None, budget_tokens: int | None = None) -> str:
        self.requests.append(request)
        self.given.append((budget_usd, budget_tokens))
        ticket = f"ticket-{len(self.requests)}"
        self._tickets.add(ticket)
        self.tell(RunAsked(ticket))
        return ticket

    def cancel(self, run_id: str) -> None:
        self.cancelled.append(run_id)

    def resume(self, run_id: str, *, budget_usd: float | None = None, budget_tokens: int | None = None) -> None:
        self.resumed.append(run_id)
        self.budgets.append((budget_usd, budget_tokens))

    def resume_interrupted(self) -> None:
        pass

    def watch(self, call_key: str) -> None:
        self.watched.append(call_key)

    def unwatch(self, call_key: str) -> None:
        if call_key in self.watched:
            self.watched.remove(call_key)

    async def start(self) -> None:
        pass

    async def restart(self, *, by_hand: bool = False) -> None:
        self.restarts += 1
        self.restarts_by_hand += by_hand

    async def close(self) -> None:
        pass

    def tell(self, *events: Event) -> None:
        """Events arrive."""
        for event in events:
            if isinstance(event, RunStarted | EngineProblem):
                self._tickets.clear()
            for subscriber in tuple(self._subscribers):
                subscriber(event)
