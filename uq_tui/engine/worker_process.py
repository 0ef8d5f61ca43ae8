"""The worker as the app holds it: a child process, its two pipes, and the notice of its end."""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from uq_tui.engine.line_reader import LineReader

_PATIENCE_SECONDS = 3.0
_LOG_BYTES = 4 * 1024 * 1024


class WorkerProcess:
    """A running worker. Made by `spawn`; lives on one event loop."""

    def __init__(
        self, process: asyncio.subprocess.Process, commands: asyncio.WriteTransport, events: LineReader
    ) -> None:
        self._process = process
        self._commands = commands
        self._events = events
        self.ended: asyncio.Task[int] = asyncio.create_task(self._wait_for_end())
        """Done when the process has ended and all its events are handled; its exit code."""

    @classmethod
    async def spawn(cls, workspace: Path, log: Path, owner: str, receive: Callable[[bytes], None]) -> "WorkerProcess":
        """Start a worker.

        Args:
            workspace: the workspace's file.
            log: file that the worker logs to; one that has grown large is set aside first.
            owner: who holds the claims on runs.
            receive: called on the loop with each line the worker sends.

        Raises:
            OSError: the log cannot be written, or the process cannot be started.
        """
        loop = asyncio.get_running_loop()
        if log.exists() and log.stat().st_size > _LOG_BYTES:
            log.replace(log.with_name(log.name + ".1"))
        command_end, commands = os.pipe()
        events, event_end = os.pipe()
        try:
            with log.open("ab") as errors:
                process = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-P", "-m", "uq_tui.engine.worker"),
                    *("--workspace", str(workspace), "--log", str(log), "--owner", owner),
                    *("--commands", str(command_end), "--events", str(event_end)),
                    stdin=asyncio.subprocess.DEVNULL,
                    stdout=errors,
                    stderr=errors,
                    pass_fds=(command_end, event_end),
                    start_new_session=True,
                )
        except BaseException:
            os.close(commands)
            os.close(events)
            raise
        finally:
            os.close(command_end)
            os.close(event_end)
        reader = LineReader(receive)
        await loop.connect_read_pipe(lambda: reader, os.fdopen(events, "rb", buffering=0))
        writer, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, os.fdopen(commands, "wb", buffering=0))
        return cls(process, writer, reader)

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    def send(self, line: bytes) -> None:
        """Queue a line for the worker; one that has gone away gets nothing."""
        if not self._commands.is_closing():
            self._commands.write(line)

    def kill(self) -> None:
        """End it at once, whatever it is doing."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()

    async def stop(self) -> None:
        """Make it end: closed pipe, then SIGTERM, then SIGKILL, with some patience after each."""
        self._commands.close()
        await asyncio.wait({self.ended}, timeout=_PATIENCE_SECONDS)
        for number in (signal.SIGTERM, signal.SIGKILL):
            if not self.ended.done():
                self._process.send_signal(number)
                await asyncio.wait({self.ended}, timeout=_PATIENCE_SECONDS)

    async def _wait_for_end(self) -> int:
        exited = asyncio.create_task(self._process.wait())
        drained = asyncio.create_task(self._events.drained.wait())
        await asyncio.wait({exited, drained}, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait({exited}, timeout=_PATIENCE_SECONDS)
        if not exited.done():
            self._process.kill()  # it closed its pipe but lives on, of no use to anyone
        code = await exited
        self._commands.close()
        await asyncio.wait({drained}, timeout=_PATIENCE_SECONDS)
        self._events.close()
        drained.cancel()
        return code
