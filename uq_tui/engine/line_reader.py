"""Lines from a pipe, handed over without ever holding up the event loop for long."""

import asyncio
import time
from collections import deque
from collections.abc import Callable

from uq_tui.engine.line_buffer import LineBuffer

_SLICE_SECONDS = 0.002
"""Lines are handled for so long at a stretch; then the loop gets its turn, and the app draws."""
_PAUSE_BYTES = 1024 * 1024
"""With so much not yet handled, nothing more is read; the process that writes then drops or holds back live text."""


class LineReader(asyncio.Protocol):
    """Hands over lines in short slices of time, so that a burst of them never stops the loop."""

    def __init__(self, receive: Callable[[bytes], None]) -> None:
        self._receive = receive
        self._buffer = LineBuffer()
        self._lines: deque[bytes] = deque()
        self._backlog = 0
        self._paused = False
        self._scheduled = False
        self._at_end = False
        self._transport: asyncio.ReadTransport | None = None
        self.drained = asyncio.Event()
        """Set when the pipe is closed and all its lines are handled."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if isinstance(transport, asyncio.ReadTransport):
            self._transport = transport

    def data_received(self, data: bytes) -> None:
        for line in self._buffer.feed(data):
            self._lines.append(line)
            self._backlog += len(line)
        if self._backlog > _PAUSE_BYTES and not self._paused and self._transport is not None:
            self._paused = True
            self._transport.pause_reading()
        self._schedule()

    def connection_lost(self, exc: Exception | None) -> None:
        self._at_end = True
        self._schedule()

    def close(self) -> None:
        """Read no more."""
        if self._transport is not None:
            self._transport.close()

    def _schedule(self) -> None:
        if not self._scheduled:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self._handle_slice)

    def _handle_slice(self) -> None:
        self._scheduled = False
        deadline = time.monotonic() + _SLICE_SECONDS
        try:
            while self._lines and time.monotonic() < deadline:
                line = self._lines.popleft()
                self._backlog -= len(line)
                self._receive(line)
        finally:
            if self._lines:
                self._schedule()
            elif self._at_end:
                self.drained.set()
            if self._paused and self._backlog <= _PAUSE_BYTES // 2 and self._transport is not None:
                self._paused = False
                self._transport.resume_reading()
