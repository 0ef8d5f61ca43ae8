"""The way of events out of the worker: never waiting for the app, never losing what matters."""

import asyncio

from uq_tui.engine.protocol import Event, TextDelta, encode

TEXT_BACKLOG_BYTES = 256 * 1024
"""With so much not yet read by the app, live text is dropped."""
_FLUSH_SECONDS = 2.0


class EventPipe(asyncio.BaseProtocol):
    """Writes events to a pipe without waiting. While the app doesn't read, live text is dropped and all else is kept.

    The protocol of an asyncio write pipe; lives on one event loop.
    """

    def __init__(self) -> None:
        self._transport: asyncio.WriteTransport | None = None
        self.closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if isinstance(transport, asyncio.WriteTransport):
            self._transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        if not self.closed.done():
            self.closed.set_result(None)

    def send(self, event: Event) -> None:
        """Queue an event; nothing happens once the app is gone."""
        if self._transport is None:
            return
        if isinstance(event, TextDelta) and self._transport.get_write_buffer_size() > TEXT_BACKLOG_BYTES:
            return
        self._transport.write(encode(event))

    async def flush(self) -> None:
        """Close the pipe once all events are out, or the app has had its time to read them."""
        if self._transport is not None:
            self._transport.close()
            await asyncio.wait({self.closed}, timeout=_FLUSH_SECONDS)
