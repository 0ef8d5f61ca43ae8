"""Whose turn it is at a model: so many calls at once, so many requests and tokens a minute, runs in rotation."""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

_WINDOW_S = 60.0
_RUNS_REMEMBERED = 1000
"""A run whose last turn is longer ago than those of so many others comes first again, like a new one."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a model takes. `None` is without limit."""

    concurrency: int
    """Calls in flight at once, at least 1."""
    requests_per_minute: int | None = None
    """In any 60 seconds; every attempt is a request."""
    tokens_per_minute: int | None = None
    """Tokens in and out in any 60 seconds, reckoned from when they were asked for."""


@dataclass(slots=True, eq=False)
class Sent:
    """One request within the last minute. `tokens` is the worst case until the true number is known."""

    at: float
    tokens: int


class _Waiting:
    """A call that waits for its turn."""

    def __init__(self, tokens: int) -> None:
        self.tokens = tokens
        self.turn: asyncio.Future[Sent] = asyncio.get_running_loop().create_future()


class Turns:
    """The turns at one model. Lives on one event loop.

    The run whose last turn is longest ago is next, whatever the number of calls each has waiting. A request of more
    tokens than a minute allows is sent when it has the minute for itself.

    Args:
        limits: what the model takes.
        clock: seconds, monotonic; the loop's own by default.
    """

    def __init__(self, limits: Limits, clock: Callable[[], float] | None = None) -> None:
        self._limits = limits
        self._clock = clock or asyncio.get_running_loop().time
        self._waiting: dict[str, deque[_Waiting]] = {}
        """By run."""
        self._served: dict[str, int] = {}
        """When each run had its last turn, in turns; the longest ago first."""
        self._given = 0
        self._held_back: _Waiting | None = None
        """The next in turn, while a limit holds it and all behind it back."""
        self._again: deque[_Waiting] = deque()
        """Calls that have a place already and want to send another request. They come before all others."""
        self._in_flight = 0
        self._sent: deque[Sent] = deque()
        self._paused_until = float("-inf")
        self._timer: asyncio.TimerHandle | None = None

    async def take(self, run_id: str, tokens: int) -> Sent:
        """Wait for a place among the calls in flight and for leave to send one request of at most `tokens`."""
        waiting = _Waiting(tokens)
        self._waiting.setdefault(run_id, deque()).append(waiting)
        self._give()
        try:
            return await waiting.turn
        except asyncio.CancelledError:
            if self._withdraw(waiting):
                self.leave()
            raise

    async def again(self, tokens: int) -> Sent:
        """Wait for leave to send one more request from the place one has."""
        waiting = _Waiting(tokens)
        self._again.append(waiting)
        self._give()
        try:
            return await waiting.turn
        except asyncio.CancelledError:
            self._withdraw(waiting)
            raise

    def leave(self) -> None:
        """Give back the place among the calls in flight."""
        self._in_flight -= 1
        self._give()

    def settle(self, sent: Sent, tokens: int) -> None:
        """Replace the worst case of a request by what it used."""
        sent.tokens = tokens
        self._give()

    def pause(self, seconds: float) -> None:
        """Give no more turns for so long: the model has said when to come back."""
        self._paused_until = max(self._paused_until, self._clock() + seconds)

    def _withdraw(self, waiting: _Waiting) -> bool:
        """Let a cancelled call wait no more, or send nothing after all. True when it had its turn already."""
        given = not waiting.turn.cancelled()
        if given and waiting.turn.result() in self._sent:
            self._sent.remove(waiting.turn.result())
        if given or waiting is self._held_back:
            self._give()
        return given

    def _give(self) -> None:
        """Give all turns that can be given now, and look again when the next may become possible."""
        now = self._clock()
        self._held_back = None
        while self._sent and self._sent[0].at <= now - _WINDOW_S:
            self._sent.popleft()
        while (waiting := self._next()) is not None:
            delay = self._delay(waiting.tokens, now)
            if delay > 0:
                self._held_back = waiting
                self._look_again_in(delay)
                return
            self._remove(waiting)
            sent = Sent(now, waiting.tokens)
            self._sent.append(sent)
            waiting.turn.set_result(sent)

    def _next(self) -> _Waiting | None:
        while self._again and self._again[0].turn.done():
            self._again.popleft()
        if self._again:
            return self._again[0]
        for run_id, queue in tuple(self._waiting.items()):
            while queue and queue[0].turn.done():
                queue.popleft()
            if not queue:
                del self._waiting[run_id]
        if not self._waiting or self._in_flight >= self._limits.concurrency:
            return None
        return self._waiting[self._next_run()][0]

    def _next_run(self) -> str:
        return min(self._waiting, key=lambda run_id: self._served.get(run_id, -1))

    def _remove(self, waiting: _Waiting) -> None:
        if self._again and self._again[0] is waiting:
            self._again.popleft()
            return
        run_id = self._next_run()
        self._waiting[run_id].popleft()
        self._served.pop(run_id, None)
        if len(self._served) >= _RUNS_REMEMBERED:
            del self._served[next(iter(self._served))]
        self._served[run_id] = self._given
        self._given += 1
        self._in_flight += 1

    def _delay(self, tokens: int, now: float) -> float:
        """Seconds until a request of so many tokens may be sent; 0 or less when it may be now."""
        delay = self._paused_until - now
        most = self._limits.requests_per_minute
        if most is not None and len(self._sent) >= most:
            delay = max(delay, self._sent[len(self._sent) - most].at + _WINDOW_S - now)
        room = self._limits.tokens_per_minute
        if room is not None:
            excess = sum(sent.tokens for sent in self._sent) + tokens - room
            for sent in self._sent:
                if excess <= 0:
                    break
                excess -= sent.tokens
                delay = max(delay, sent.at + _WINDOW_S - now)
        return delay

    def _look_again_in(self, delay: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(delay, self._look_again)

    def _look_again(self) -> None:
        self._timer = None
        self._give()
