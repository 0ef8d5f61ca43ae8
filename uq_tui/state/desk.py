"""What is open right now: workspace, engine, reviewer, chosen model, and the runs under way."""

import asyncio
import copy
from collections.abc import Callable, Coroutine
from typing import Any

from store import queues, reviewers, runs, steps
from store.rows import QuestionFilter, Reviewer
from store.run_rows import Run
from store.workspace import Workspace
from uq_tui.engine.client import EngineClient
from uq_tui.engine.protocol import (
    EngineProblem,
    Event,
    EventsLost,
    RunFinished,
    RunProgress,
    RunStarted,
    WorkerHeard,
    WorkerLost,
    WorkerReady,
    WorkerSilent,
)
from uq_tui.engine.requests import ModelChoice, Request
from uq_tui.errors import EngineLostError, UqError
from uq_tui.state.reports.subset import Chosen
from uq_tui.state.spend import Spend
from uq_tui.state.strategy.choice import StrategyChoice
from uq_tui.state.utility.measuring import Settings
from uq_tui.words import RunKind, RunState

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
        self.kinds: dict[str, RunKind] = {}
        """What the runs seen so far do, by run id."""
        self.strategy = StrategyChoice()
        """What candidates are judged by from here."""
        self.own_strategies: tuple[str, ...] = ()
        """One-line forms entered in this sitting, the newest first."""
        self.solvers: tuple[str, ...] = ()
        """Who had to agree on neighbours that were proposed last, as it was entered."""
        self.measuring = Settings()
        """How utility was measured last."""
        self.listed = QuestionFilter()
        """What the question list was restricted to when it was left."""
        self.subset = Chosen()
        """Which verdicts Insights is on."""
        self.curation_id = ""
        """The curation that was looked at last; empty for the newest."""
        self.trouble = ""
        """What is wrong with the engine: it has ended, or does not answer. Empty while all is well."""
        self._moves = 0
        """Runs started or ended so far."""
        self._catching_up: asyncio.Task[None] | None = None
        self._subscribers: list[Callable[[Event], None]] = []
        self._unsubscribe = engine.subscribe(self._receive)

    @classmethod
    async def sit_down(cls, workspace: Workspace, engine: EngineClient, model: ModelChoice) -> "Desk":
        """A desk for the current reviewer of an opened workspace."""
        return cls(workspace, engine, await asyncio.to_thread(reviewers.current, workspace), model)

    def for_reviewer(self, reviewer: Reviewer) -> "Desk":
        """The same desk with somebody else at it; nobody is told of events at this one any more.

        It is another object, so that whatever still writes for the one who sat here before writes in their name.
        """
        self._unsubscribe()
        other = copy.copy(self)
        other.reviewer = reviewer
        other._subscribers = []
        other._unsubscribe = self.engine.subscribe(other._receive)
        if self._catching_up is not None and not self._catching_up.done():
            self._catching_up.cancel()
            other._catching_up = asyncio.create_task(other._catch_up(EventsLost()))
        return other

    def subscribe(self, receive: Callable[[Event], None]) -> Callable[[], None]:
        """Call `receive` with every engine event from now on; returns the way to stop that."""
        self._subscribers.append(receive)
        return lambda: self._subscribers.remove(receive)

    def _receive(self, event: Event) -> None:
        match event:
            case EventsLost():
                self._moves += 1
                if self._catching_up is None or self._catching_up.done():
                    self._catching_up = asyncio.create_task(self._catch_up(event))
                return
            case WorkerReady() | WorkerHeard():
                self.trouble = ""
            case WorkerSilent():
                self.trouble = f"The engine has not answered for {event.seconds} s."
            case RunStarted():
                self._moves += 1
                self.active[event.run_id] = event.title
                self.kinds[event.run_id] = event.kind
            case RunProgress():
                self.spend.note(event.run_id, event.cost_usd, event.unknown_costs)
            case RunFinished():
                self._moves += 1
                self.active.pop(event.run_id, None)
            case WorkerLost():
                self._moves += 1
                self.active.clear()  # those that go on are started anew
                self.trouble = event.message
        self._tell(event)

    async def _catch_up(self, event: EventsLost) -> None:
        """Read what lost events would have told, then pass on that they were lost: subscribers read what they show."""
        moves = -1
        held: tuple[Run, ...] = ()
        costing: tuple[Run, ...] = ()
        try:
            while moves != self._moves:  # else what was read may be older than an event
                moves = self._moves
                held, costing = await asyncio.to_thread(self._read_runs, {*self.spend.runs, *self.active})
        except UqError as error:
            self._tell(EngineProblem("", error.title, error.message, error.hint))
        else:
            self.active = {run.id: run.title for run in held}
            self.kinds |= {run.id: run.kind for run in held}
            for run in costing:
                self.spend.note(run.id, run.cost_usd, run.unknown_costs)
        self._tell(event)

    def _read_runs(self, known: set[str]) -> tuple[tuple[Run, ...], tuple[Run, ...]]:
        """The runs under way here, and all runs of this sitting."""
        held = runs.held_by(self.workspace, self.engine.owner)
        others = sorted(known - {run.id for run in held})
        return held, (*held, *(runs.get(self.workspace, run_id) for run_id in others))

    def _tell(self, event: Event) -> None:
        for receive in tuple(self._subscribers):
            receive(event)

    async def start_engine(self) -> None:
        """Start the engine and go on with the runs that were cut short. Raises EngineLostError."""
        await self._until_it_runs(self.engine.start())
        self.engine.resume_interrupted()

    async def restart_engine(self, *, by_hand: bool) -> None:
        """Replace an engine that has ended, or by hand also one that hangs; its runs go on. Raises EngineLostError."""
        await self._until_it_runs(self.engine.restart(by_hand=by_hand))
        if by_hand:
            self.engine.resume_interrupted()

    async def _until_it_runs(self, starting: Coroutine[Any, Any, None]) -> None:
        try:
            await starting
        except EngineLostError as error:
            self.trouble = error.message
            raise

    def running(self, kind: RunKind) -> tuple[str, ...]:
        """Ids of the runs of a kind that are under way."""
        return tuple(run_id for run_id in self.active if self.kinds.get(run_id) is kind)

    def start(self, request: Request, *, budget_usd: float | None = None, budget_tokens: int | None = None) -> str:
        """Ask the engine for a run; the ticket comes back in `RunStarted` or `EngineProblem`.

        A budget of `None` leaves it to the configuration.
        """
        return self.engine.start_run(request, budget_usd=budget_usd, budget_tokens=budget_tokens)

    async def is_new(self) -> bool:
        """Whether nothing has ever been run or laid out in this workspace, nor judged by the reviewer."""
        return await asyncio.to_thread(self._is_new)

    def _is_new(self) -> bool:
        ws = self.workspace
        if runs.recent(ws, 1) or queues.all_of(ws):
            return False
        with ws.read() as conn:
            return steps.last_standing(conn, self.reviewer.id, None) is None

    async def close(self) -> None:
        """Stop the engine, then close the workspace."""
        self._unsubscribe()
        if self._catching_up is not None:
            self._catching_up.cancel()
        try:
            await self.engine.close()
        finally:
            await asyncio.to_thread(self.workspace.close)
