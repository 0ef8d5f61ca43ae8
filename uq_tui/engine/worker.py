"""The engine as a process of its own: `python -P -m uq_tui.engine.worker --workspace PATH --commands FD --events FD`.

Commands come in and events go out as JSON lines on two pipes. Standard output and error go to a log before anything
that could write to them is imported. The worker ends when its command pipe closes, so it never outlives the app.
"""

import argparse
import asyncio
import logging
import os
import signal
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uq_tui import garbage, paths
from uq_tui.engine.event_pipe import EventPipe
from uq_tui.engine.line_buffer import LineBuffer
from uq_tui.engine.protocol import (
    VERSION,
    CancelRun,
    EngineProblem,
    Event,
    Heartbeat,
    ResumeInterrupted,
    ResumeRun,
    Shutdown,
    StartRun,
    UnwatchCall,
    WatchCall,
    WorkerReady,
    decode,
)
from uq_tui.errors import EXIT_NOTHING_DONE, EXIT_OK, EXIT_PROBLEM, ProtocolError, UqError
from uq_tui.log_lines import FORMAT, CleanFormatter
from uq_tui.words import RunState

if TYPE_CHECKING:
    from store.workspace import Workspace
    from uq_tui.engine.session import EngineSession

log = logging.getLogger(__name__)

NICENESS = 10
"""The app keeps its frame rate while workers are busy."""

HEARTBEAT_SECONDS = 1.0
_CLOSE_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class _Arguments:
    workspace: Path
    commands: int
    events: int
    log: Path
    owner: str


class _CommandPipe(asyncio.Protocol):
    """Hands over each line of the command pipe, and tells when it is closed."""

    def __init__(self, receive: Callable[[bytes], None], closed: Callable[[], None]) -> None:
        self._receive = receive
        self._closed = closed
        self._lines = LineBuffer()

    def data_received(self, data: bytes) -> None:
        for line in self._lines.feed(data):
            self._receive(line)

    def connection_lost(self, exc: Exception | None) -> None:
        self._closed()


class _Worker:
    """Obeys commands until it is told, or left, to stop."""

    def __init__(self, arguments: _Arguments, events: EventPipe) -> None:
        self._arguments = arguments
        self._events = events
        self._lines: asyncio.Queue[bytes] = asyncio.Queue()
        self._stop = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    async def serve(self) -> int:
        """Work until the end; the process's exit code."""
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, self._stop.set)
        commands = os.fdopen(self._arguments.commands, "rb", buffering=0)
        await loop.connect_read_pipe(lambda: _CommandPipe(self._lines.put_nowait, self._stop.set), commands)
        self._events.send(WorkerReady(VERSION, os.getpid()))
        self._do(self._beat())
        # The slow imports happen in a thread, so that the pipes stay served, and are not waited for in vain.
        importing = asyncio.create_task(asyncio.to_thread(garbage.imported, "uq_tui.engine.session"))
        stopping = asyncio.create_task(self._stop.wait())
        await asyncio.wait({importing, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if self._stop.is_set():
            return EXIT_OK
        try:
            await importing
            ws, session = await asyncio.to_thread(_open, self._arguments, self._events.send)
        except UqError as error:
            self._report(error, "")
            return EXIT_NOTHING_DONE
        except Exception as error:
            self._report_unexpected(error, "")
            return EXIT_NOTHING_DONE
        obeying = asyncio.create_task(self._obey_all(session))
        self._do(session.warm_up())
        await stopping
        obeying.cancel()
        try:
            await asyncio.wait_for(session.close(leave_as=RunState.QUEUED), _CLOSE_SECONDS)
        except TimeoutError:
            log.error("runs or model servers did not close within %.0f seconds", _CLOSE_SECONDS)
        finally:
            await asyncio.to_thread(ws.close)
        return EXIT_OK

    async def _obey_all(self, session: "EngineSession") -> None:
        while True:
            line = await self._lines.get()
            try:
                command = decode(line)
            except ProtocolError as error:
                self._report(error, "")
                continue
            self._obey(session, command)

    def _obey(self, session: "EngineSession", command: object) -> None:
        match command:
            case StartRun():
                self._do(
                    session.start(
                        command.ticket,
                        command.request,
                        budget_usd=command.budget_usd,
                        budget_tokens=command.budget_tokens,
                    ),
                    command.ticket,
                )
            case ResumeRun():
                self._do(
                    session.resume(command.run_id, budget_usd=command.budget_usd, budget_tokens=command.budget_tokens),
                    command.run_id,
                )
            case ResumeInterrupted():
                self._do(_resume_interrupted(session))
            case CancelRun():
                self._do(session.cancel(command.run_id))
            case WatchCall():
                session.watch(command.call_key)
            case UnwatchCall():
                session.unwatch(command.call_key)
            case Shutdown():
                self._stop.set()
            case _:
                self._report(ProtocolError(f"{type(command).__name__} is not a command."), "")

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            self._events.send(Heartbeat())

    def _do(self, work: Coroutine[Any, Any, object], ticket: str = "") -> None:
        task = asyncio.create_task(self._do_reporting(work, ticket))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _do_reporting(self, work: Coroutine[Any, Any, object], ticket: str) -> None:
        """Do what a command says: the one place where the errors of commands are reported."""
        try:
            await work
        except UqError as error:
            self._report(error, ticket)
        except Exception as error:
            self._report_unexpected(error, ticket)

    def _report(self, error: UqError, ticket: str) -> None:
        log.warning("%s: %s", error.title, error)
        self._events.send(EngineProblem(ticket, error.title, error.message, error.hint))

    def _report_unexpected(self, error: Exception, ticket: str) -> None:
        log.error("unexpected error", exc_info=error)
        message = f"An unexpected error happened ({type(error).__name__})."
        self._report(UqError(message, hint=f"Details are in {self._arguments.log}"), ticket)


def _open(arguments: _Arguments, emit: Callable[[Event], None]) -> "tuple[Workspace, EngineSession]":
    from store.workspace import Workspace
    from uq_tui import config
    from uq_tui.engine.session import EngineSession

    settings = config.load()
    ws = Workspace.open(arguments.workspace)
    return ws, EngineSession(ws, settings, emit, log=arguments.log, owner=arguments.owner, audience=True)


async def _resume_interrupted(session: "EngineSession") -> None:
    """Resume now, and again when the claims of processes that died a moment ago have run out."""
    from store.runs import LEASE_SECONDS

    await session.resume_interrupted()
    await asyncio.sleep(LEASE_SECONDS + 1.0)
    await session.resume_interrupted()


def _parse(argv: list[str] | None) -> _Arguments:
    parser = argparse.ArgumentParser(
        prog="uq_tui.engine.worker", description="The engine of uq-tui, started by the app."
    )
    parser.add_argument("--workspace", type=Path, required=True, help="the workspace's file")
    parser.add_argument("--commands", type=int, required=True, help="descriptor that commands come from")
    parser.add_argument("--events", type=int, required=True, help="descriptor that events go to")
    parser.add_argument("--log", type=Path, help="file for the log; worker.log in the log folder by default")
    parser.add_argument("--owner", default="", help="who holds the claims on runs; a new name by default")
    found = parser.parse_args(argv)
    return _Arguments(
        found.workspace, found.commands, found.events, found.log or paths.log_dir() / "worker.log", found.owner
    )


def _log_to(file: Path) -> None:
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)
    os.close(descriptor)
    handler = logging.StreamHandler()
    handler.setFormatter(CleanFormatter(FORMAT))
    logging.basicConfig(level=logging.INFO, handlers=[handler])


async def _serve(arguments: _Arguments) -> int:
    loop = asyncio.get_running_loop()
    out = os.fdopen(arguments.events, "wb", buffering=0)
    _, events = await loop.connect_write_pipe(EventPipe, out)
    try:
        return await _Worker(arguments, events).serve()
    finally:
        await events.flush()


def main(argv: list[str] | None = None) -> None:
    """Work until the app says so, goes away, or the process gets SIGTERM. Never returns."""
    arguments = _parse(argv)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the app, which then ends the worker
    os.nice(NICENESS)
    _log_to(arguments.log)
    for descriptor in (arguments.commands, arguments.events):
        os.set_inheritable(descriptor, False)  # a model server must not keep the pipes open
    try:
        code = asyncio.new_event_loop().run_until_complete(_serve(arguments))
    except Exception:
        log.exception("the worker ended by an unexpected error")
        code = EXIT_PROBLEM
    logging.shutdown()
    os._exit(code)  # all is saved; a thread may still be busy, and nobody waits for that


if __name__ == "__main__":
    main()
