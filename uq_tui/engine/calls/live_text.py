"""The text of calls in flight, and its delivery to whoever watches, in few batches."""

import asyncio
from collections.abc import Callable

from uq_tui.engine.protocol import TextDelta

BATCH_SECONDS = 0.05
"""At most 20 batches a second, over all watched calls together."""


class _Growing:
    """A text that grows, and how much of it has been sent."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._sent_parts = 0
        self._sent_length = 0

    def add(self, text: str) -> None:
        if text:
            self._parts.append(text)
            self._length += len(text)

    @property
    def text(self) -> str:
        return "".join(self._parts)

    @property
    def has_news(self) -> bool:
        return self._sent_length < self._length

    def take_news(self) -> tuple[str, int]:
        """The text not sent yet and its offset; it counts as sent from now on."""
        news, offset = "".join(self._parts[self._sent_parts :]), self._sent_length
        self._sent_parts, self._sent_length = len(self._parts), self._length
        return news, offset

    def send_again(self) -> None:
        self._sent_parts = self._sent_length = 0


class _CallText:
    def __init__(self, *, streamed: bool) -> None:
        self.streamed = streamed
        self.reasoning = _Growing()
        self.reply = _Growing()
        self.wanted_whole = False
        """All of it is to be sent, be it empty: a new watcher may hold the text of an earlier attempt."""

    @property
    def has_news(self) -> bool:
        return self.wanted_whole or self.reasoning.has_news or self.reply.has_news


class LiveText:
    """Keeps the text of a call from `open` to `close`; sends it only while the call is watched.

    Lives on one event loop. `send` is called with the batches; what it drops is seen by the watcher as a gap.
    """

    def __init__(self, send: Callable[[TextDelta], None], *, batch_seconds: float = BATCH_SECONDS) -> None:
        self._send = send
        self._batch_seconds = batch_seconds
        self._calls: dict[str, _CallText] = {}
        self._watched: set[str] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._last_batch = float("-inf")

    def open(self, call_key: str, *, streamed: bool) -> None:
        """Start an attempt at a call. Text of an earlier attempt is dropped, also at the watcher's."""
        again = call_key in self._calls
        self._calls[call_key] = _CallText(streamed=streamed)
        if again and call_key in self._watched:
            self._send(TextDelta(call_key, "", 0, "", 0, whole=not streamed))

    def add(self, call_key: str, reasoning: str, reply: str) -> None:
        """Append text as it arrives."""
        call = self._calls[call_key]
        call.reasoning.add(reasoning)
        call.reply.add(reply)
        if call_key in self._watched:
            self._plan_batch()

    def text(self, call_key: str) -> tuple[str, str]:
        """Reasoning and reply so far."""
        call = self._calls[call_key]
        return call.reasoning.text, call.reply.text

    def close(self, call_key: str) -> None:
        """Forget the text and the watch: the call has ended."""
        self._calls.pop(call_key, None)
        self._watched.discard(call_key)

    def watch(self, call_key: str) -> None:
        """Send the text so far, then what comes. Also the way to get all of it again."""
        self._watched.add(call_key)
        call = self._calls.get(call_key)
        if call is not None:
            call.reasoning.send_again()
            call.reply.send_again()
            call.wanted_whole = True
            self._plan_batch()

    def unwatch(self, call_key: str) -> None:
        """Send no more of this call."""
        self._watched.discard(call_key)

    def _plan_batch(self) -> None:
        if self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_at(max(loop.time(), self._last_batch + self._batch_seconds), self._send_batch)

    def _send_batch(self) -> None:
        self._timer = None
        self._last_batch = asyncio.get_running_loop().time()
        for key in sorted(self._watched & self._calls.keys()):
            call = self._calls[key]
            if call.has_news:
                call.wanted_whole = False
                news = (*call.reasoning.take_news(), *call.reply.take_news())
                self._send(TextDelta(key, *news, whole=not call.streamed))
