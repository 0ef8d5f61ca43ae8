"""The way of events out of the worker: never waiting for the app, never filling the memory."""

import asyncio
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass

from uq_tui.engine.protocol import (
    AttemptRead,
    EngineProblem,
    Event,
    EventsLost,
    Heartbeat,
    RunFinished,
    RunProgress,
    RunStarted,
    TextDelta,
    UtilityUpdated,
    WorkerReady,
    encode,
)

TEXT_BACKLOG_BYTES = 256 * 1024
"""With so much not yet read by the app, live text is dropped."""
BACKLOG_BYTES = 2 * 1024 * 1024
"""With more than this not yet read, only what can't be read from the store in full is kept."""
LARGEST_BACKLOG_BYTES = 2 * BACKLOG_BYTES
"""Beyond this even of that the oldest goes."""
_TRANSPORT_BYTES = 64 * 1024
"""With so much in the transport, the rest waits here, where it can still be dropped."""
_FLUSH_SECONDS = 2.0

_KEPT = (WorkerReady, RunStarted, RunFinished, EngineProblem)
"""Not in the store: which ticket became which run, and what went wrong. A run has few of these."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    line: bytes
    kept: bool


class _Backlog:
    """Events that the app has not read yet, oldest first, as lines."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[Hashable, _Waiting] = OrderedDict()
        self._number = 0
        self._losing = False
        self.size = 0
        """Bytes."""

    def __bool__(self) -> bool:
        return bool(self._waiting) or self._losing

    def add(self, event: Event) -> None:
        """Keep an event, unless there is too much already. One that supersedes another replaces it, at the end."""
        kept = isinstance(event, _KEPT)
        if self._losing and not kept:
            return
        key = _superseding(event)
        if key is None:
            self._number += 1
            key = self._number
        else:
            self._drop(key)
        line = encode(event)
        self._waiting[key] = _Waiting(line, kept)
        self.size += len(line)
        if self.size > BACKLOG_BYTES and not self._losing:
            self._losing = True
            for one in [one for one, waiting in self._waiting.items() if not waiting.kept]:
                self._drop(one)
        while self.size > LARGEST_BACKLOG_BYTES:
            self._drop(next(iter(self._waiting)))

    def take(self) -> bytes:
        """The oldest line; after the last one, the word that events were lost, if they were."""
        if self._waiting:
            _, waiting = self._waiting.popitem(last=False)
            self.size -= len(waiting.line)
            return waiting.line
        self._losing = False
        return encode(EventsLost())

    def _drop(self, key: Hashable) -> None:
        waiting = self._waiting.pop(key, None)
        if waiting is not None:
            self.size -= len(waiting.line)


def _superseding(event: Event) -> Hashable:
    """What later events of the same kind have in common with this one and make superfluous; `None` for all others."""
    match event:
        case RunProgress():
            return RunProgress, event.run_id
        case AttemptRead():
            return AttemptRead, event.run_id, event.number
        case UtilityUpdated():
            return UtilityUpdated, event.run_id, event.candidate_id
        case Heartbeat():
            return Heartbeat
    return None


class EventPipe(asyncio.Protocol):
    """Writes events to a pipe without waiting, and holds a bounded number of bytes while the app doesn't read.

    First live text is dropped, and what later events supersede. When that isn't enough, all is dropped that can be
    read from the store, and `EventsLost` says so once the app has caught up.

    The protocol of an asyncio write pipe; lives on one event loop.
    """

    def __init__(self) -> None:
        self._transport: asyncio.WriteTransport | None = None
        self._backlog = _Backlog()
        self.paused = False
        """The app has not read for a while; events wait here."""
        self.closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if isinstance(transport, asyncio.WriteTransport):
            transport.set_write_buffer_limits(high=_TRANSPORT_BYTES)
            self._transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        if not self.closed.done():
            self.closed.set_result(None)

    def pause_writing(self) -> None:
        self.paused = True

    def resume_writing(self) -> None:
        self.paused = False
        while self._backlog and not self.paused and self._transport is not None:
            self._transport.write(self._backlog.take())

    def send(self, event: Event) -> None:
        """Queue an event; nothing happens once the app is gone."""
        if self._transport is None:
            return
        if not self.paused:  # then nothing waits in the backlog
            self._transport.write(encode(event))
        elif not (isinstance(event, TextDelta) and self._is_too_much(event)):
            self._backlog.add(event)

    def _is_too_much(self, text: TextDelta) -> bool:
        return self._backlog.size + len(text.reasoning) + len(text.reply) > TEXT_BACKLOG_BYTES

    async def flush(self) -> None:
        """Close the pipe once all events are out, or the app has had its time to read them."""
        if self._transport is None:
            return
        while self._backlog:
            self._transport.write(self._backlog.take())
        self._transport.close()
        await asyncio.wait({self.closed}, timeout=_FLUSH_SECONDS)
