"""The app's side of the engine: starts the worker, sends commands, hands out events, notices its death."""

import asyncio
import logging
import signal
import time
import uuid
from collections import deque
from collections.abc import Callable
from pathlib import Path

from uq_tui.engine.protocol import (
    CancelRun,
    Command,
    EngineProblem,
    Event,
    Heartbeat,
    ResumeInterrupted,
    ResumeRun,
    RunAsked,
    RunFinished,
    RunStarted,
    Shutdown,
    StartRun,
    UnwatchCall,
    WatchCall,
    WorkerHeard,
    WorkerLost,
    WorkerReady,
    WorkerSilent,
    decode,
    encode,
)
from uq_tui.engine.requests import Request
from uq_tui.engine.worker_process import WorkerProcess
from uq_tui.errors import EngineLostError, ProtocolError

log = logging.getLogger(__name__)

_READY_SECONDS = 30.0
_MOST_DEATHS = 3
"""A worker that has ended so often within `_DEATHS_SECONDS` isn't started again by itself: each time it may have sent
calls that cost money and whose replies are lost."""
_DEATHS_SECONDS = 120.0
SILENT_SECONDS = 10
"""A worker says something every second. On a machine under load it may come late, but not as late as this."""
_LISTEN_SECONDS = 1.0


class EngineClient:
    """One worker at a time. All methods are called on one event loop, and subscribers are called there.

    The verbs that send a command return at once; what comes of it is told by events. They raise EngineLostError
    when no worker is running; `watch` and `unwatch` do nothing then, since no text comes.

    A worker that ends is told as `WorkerLost`. One that hangs is told as `WorkerSilent` and waited for: it may be
    heard again (`WorkerHeard`), or be replaced by `restart(by_hand=True)`.

    Args:
        workspace: the workspace's file.
        log: file that the worker logs to.
    """

    def __init__(self, workspace: Path, log: Path) -> None:
        self._workspace = workspace
        self._log = log
        self._owner = uuid.uuid4().hex
        self._worker: WorkerProcess | None = None
        self._ready = asyncio.Event()
        self._starting = asyncio.Lock()
        self._restarting = asyncio.Lock()
        self._closed = False
        self._watching: asyncio.Task[None] | None = None
        self._listening: asyncio.Task[None] | None = None
        self._heard = False
        """A line has come since the last look."""
        self._subscribers: list[Callable[[Event], None]] = []
        self._tickets: set[str] = set()
        self._runs: dict[str, None] = {}
        """Runs under way, in the order they were started."""
        self._resuming: dict[str, ResumeRun] = {}
        """Runs that are to be resumed and of which nothing has been heard yet."""
        self._goes_on = False
        """What was cut short is to be resumed, also by the next worker."""
        self._deaths: deque[float] = deque(maxlen=_MOST_DEATHS)
        """When workers have ended unasked, by the monotonic clock."""

    @property
    def running(self) -> bool:
        """A worker is up and takes commands."""
        return self._worker is not None and self._ready.is_set()

    @property
    def owner(self) -> str:
        """The name under which this client's workers claim runs."""
        return self._owner

    @property
    def pid(self) -> int | None:
        """The worker's process id."""
        return self._worker.pid if self._worker is not None else None

    def subscribe(self, callback: Callable[[Event], None]) -> Callable[[], None]:
        """Call `callback` with every event from now on; returns the way to stop that."""
        self._subscribers.append(callback)

        def unsubscribe() -> None:
            if callback in self._subscribers:
                self._subscribers.remove(callback)

        return unsubscribe

    async def start(self) -> None:
        """Start a worker and wait until it takes commands; nothing happens when one is running.

        Raises:
            EngineLostError: it could not be started, or ended at once.
        """
        self._closed = False
        async with self._starting:
            if self._worker is None:
                await self._start()

    async def _start(self) -> None:
        self._ready.clear()
        try:
            worker = await WorkerProcess.spawn(self._workspace, self._log, self._owner, self._receive)
        except OSError as error:
            raise EngineLostError(f"The engine cannot be started: {error}") from error
        if not self._closed:
            self._worker = worker
            ready = asyncio.create_task(self._ready.wait())
            await asyncio.wait({ready, worker.ended}, timeout=_READY_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            ready.cancel()
        if self._closed or not self._ready.is_set():
            self._worker = None
            await worker.stop()
            raise EngineLostError("The engine ended while it was starting.", hint=f"Its log is {self._log}")
        self._listening = asyncio.create_task(self._listen())
        self._watching = asyncio.create_task(self._watch_for_death(worker))

    async def restart(self, *, by_hand: bool = False) -> None:
        """Start a new worker in the place of a dead one; the runs that were under way go on.

        Args:
            by_hand: the user asks for it: a worker that runs is killed first, as it may hang, and how often workers
                have ended before does not count.

        Raises:
            EngineLostError: as for `start`, or workers have ended too often in the last minutes.
        """
        async with self._restarting:
            if by_hand:
                await self._kill()
                self._deaths.clear()
            if self._closed or self.running:
                return
            if len(self._deaths) == _MOST_DEATHS and time.monotonic() - self._deaths[0] < _DEATHS_SECONDS:
                raise EngineLostError(
                    f"The engine has ended {_MOST_DEATHS} times within {_DEATHS_SECONDS:.0f} seconds and stays off.",
                    hint=f"What it has done is kept. Look into its log, {self._log}, then restart it.",
                )
            resuming = {**{run_id: ResumeRun(run_id) for run_id in self._runs}, **self._resuming}
            await self.start()
            for command in resuming.values():
                self._resume(command)
            if self._goes_on:
                self.resume_interrupted()

    async def _kill(self) -> None:
        """End a running worker at once and wait until that has been told."""
        if self._worker is not None and self._watching is not None:
            self._worker.kill()
            await asyncio.wait({self._watching})

    async def close(self) -> None:
        """End the worker; its runs are interrupted and can be resumed. Closing again does nothing."""
        self._closed = True
        self._tickets.clear()
        self._runs.clear()
        self._resuming.clear()
        self._goes_on = False
        worker, self._worker = self._worker, None
        for task in (self._watching, self._listening):
            if task is not None:
                task.cancel()
        self._watching = self._listening = None
        if worker is not None:
            worker.send(encode(Shutdown()))
            await worker.stop()

    def start_run(self, request: Request, *, budget_usd: float | None = None, budget_tokens: int | None = None) -> str:
        """Ask for a run; the ticket comes back in `RunStarted`, or in `EngineProblem` when it cannot start.

        A budget of `None` leaves it to the configuration.
        """
        ticket = uuid.uuid4().hex
        self._send(StartRun(ticket, request, budget_usd, budget_tokens))
        self._tickets.add(ticket)
        self._tell(RunAsked(ticket))
        return ticket

    @property
    def starting(self) -> bool:
        """Whether a run was asked for of which nothing has been heard yet."""
        return bool(self._tickets)

    def resume(self, run_id: str, *, budget_usd: float | None = None, budget_tokens: int | None = None) -> None:
        """Run a stopped run again; what it has done already is not done again. A given budget replaces its own."""
        self._resume(ResumeRun(run_id, budget_usd, budget_tokens))

    def _resume(self, command: ResumeRun) -> None:
        self._send(command)
        self._resuming[command.run_id] = command

    def resume_interrupted(self) -> None:
        """Resume every run that was cut short and that no live process holds."""
        self._send(ResumeInterrupted())
        self._goes_on = True

    def cancel(self, run_id: str) -> None:
        """End a run; `RunFinished` follows when its calls are closed."""
        self._send(CancelRun(run_id))

    def watch(self, call_key: str) -> None:
        """Get this call's text as `TextDelta`, the text so far first. Again after a gap: all of it from 0."""
        if self.running:
            self._send(WatchCall(call_key))

    def unwatch(self, call_key: str) -> None:
        """Get no more of this call's text."""
        if self.running:
            self._send(UnwatchCall(call_key))

    def _send(self, command: Command) -> None:
        if self._worker is None or not self._ready.is_set():
            raise EngineLostError(
                "The engine is not running.",
                hint="It starts again by itself. If it stays off, restart it under Runs.",
            )
        self._worker.send(encode(command))

    def _receive(self, line: bytes) -> None:
        self._heard = True
        try:
            event = decode(line)
            if not isinstance(event, Event):
                raise ProtocolError(f"{type(event).__name__} is not an event.")
        except ProtocolError as error:
            log.warning("a line from the worker was not understood: %s", error)
            event = EngineProblem("", error.title, error.message, error.hint)
        match event:
            case Heartbeat():
                return
            case WorkerReady():
                self._ready.set()
            case RunStarted():
                self._tickets.discard(event.ticket)
                self._runs[event.run_id] = None
                self._resuming.pop(event.run_id, None)
            case EngineProblem():
                self._tickets.discard(event.ticket)
                self._resuming.pop(event.ticket, None)
            case RunFinished():
                self._runs.pop(event.run_id, None)
                self._resuming.pop(event.run_id, None)
        self._tell(event)

    def _tell(self, event: Event) -> None:
        for callback in tuple(self._subscribers):
            callback(event)

    async def _listen(self) -> None:
        """Tell when nothing has come for long. Looks are counted, not seconds: this app may have been stopped too.

        The first silent look may follow a line at once, so the silence is one look shorter than their number.
        """
        silent = 0
        while True:
            self._heard = False
            await asyncio.sleep(_LISTEN_SECONDS)
            if not self._heard:
                silent += 1
                if silent == SILENT_SECONDS + 1:
                    self._tell(WorkerSilent(SILENT_SECONDS))
                continue
            if silent > SILENT_SECONDS:
                self._tell(WorkerHeard())
            silent = 0

    async def _watch_for_death(self, worker: WorkerProcess) -> None:
        code = await asyncio.shield(worker.ended)
        if self._listening is not None:
            self._listening.cancel()
            self._listening = None
        self._worker = None
        self._ready.clear()
        self._deaths.append(time.monotonic())
        lost, self._tickets = self._tickets, set()
        for ticket in sorted(lost):
            message = "The engine ended before it said that this run had started."
            self._tell(EngineProblem(ticket, "Engine", message, "Look under Runs; if it is not there, start it again."))
        self._tell(WorkerLost(f"The engine's process ended ({_how(code)}). Its log is {self._log}"))


def _how(code: int) -> str:
    """An exit code in words; negative ones are signals."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"killed by signal {-code}"
