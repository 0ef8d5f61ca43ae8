"""Writing rows in turns: transactions short enough for others to get theirs, while the next rows are being read."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from sqlalchemy import Connection

from store.workspace import Workspace

T = TypeVar("T")
R = TypeVar("R")

TURN_SECONDS = 0.04
"""How long a turn is to write, before its commit: whoever saves a verdict meanwhile waits for that."""

_GAP_SECONDS = 0.0015
"""Between two turns, in which other processes may write: they look for it every millisecond."""
_FIRST_WEIGHT = 60_000
_LEAST_WEIGHT = 10_000
_MOST_WEIGHT = 2_000_000
_ROW_WEIGHT = 500
"""What a row takes besides its text, in characters that take as long."""


@dataclass(slots=True)
class _Pace:
    """How much is written in a turn, after how long the turns before it took."""

    least: int
    weight: float = _FIRST_WEIGHT

    def learn(self, weight: float, seconds: float) -> None:
        """A turn of this weight took so long. One slow turn may be the disk's fault, so pace changes by halves."""
        if weight >= self.weight / 2 or seconds > TURN_SECONDS:
            due = weight * TURN_SECONDS / max(seconds, 1e-6)
            self.weight = min(max((self.weight + due) / 2, self.least), _MOST_WEIGHT)


@dataclass(slots=True)
class _Turn(Generic[T]):
    """Rows that go into one transaction."""

    rows: list[T] = field(default_factory=list)
    weight: float = 0
    seconds: float = 0


def write_in_turns(
    ws: Workspace,
    rows: Iterable[T],
    put: Callable[[Connection, Sequence[T]], R],
    done: Callable[[Sequence[T], R], None],
    characters: Callable[[T], int],
    least: int = _LEAST_WEIGHT,
) -> None:
    """Write rows as they come.

    Args:
        put: writes some rows, within a transaction.
        done: told what became of them, once that is on disk; called by the thread that calls this.
        characters: how much text a row has.
        least: so many characters go into a turn however long that takes: more where few rows may take as long as many.

    What `put` and reading the rows raise is raised here; what was written before stays, and `done` was told of it.
    """
    pace = _Pace(least)
    waiting: tuple[_Turn[T], Future[R]] | None = None

    def settle(turn: _Turn[T], written: "Future[R]") -> None:
        done(turn.rows, written.result())
        pace.learn(turn.weight, turn.seconds)

    try:
        for turn in _turns(rows, pace, characters):
            if waiting is not None:
                before, waiting = waiting, None
                settle(*before)
                time.sleep(_GAP_SECONDS)
            waiting = turn, ws.submit(_timed(put, turn))
    finally:
        if waiting is not None:
            settle(*waiting)


def _turns(rows: Iterable[T], pace: _Pace, characters: Callable[[T], int]) -> Iterator[_Turn[T]]:
    turn: _Turn[T] = _Turn()
    for row in rows:
        turn.rows.append(row)
        turn.weight += _ROW_WEIGHT + characters(row)
        if turn.weight >= pace.weight:
            yield turn
            turn = _Turn()
    if turn.rows:
        yield turn


def _timed(put: Callable[[Connection, Sequence[T]], R], turn: _Turn[T]) -> Callable[[Connection], R]:
    def job(db: Connection) -> R:
        begun = time.monotonic()
        try:
            return put(db, turn.rows)
        finally:
            turn.seconds = time.monotonic() - begun

    return job
