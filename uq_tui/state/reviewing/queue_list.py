"""The queues of a workspace as one reviewer sees them."""

import asyncio
from dataclasses import dataclass

from store import bundles, queues
from store.review_rows import Progress, Queue
from uq_tui.state.desk import Desk
from uq_tui.state.reviewing import left_off
from uq_tui.state.reviewing.pace import LOOKED_BACK, Pace, pace


@dataclass(frozen=True, slots=True)
class QueueLine:
    """A queue, and how far the reviewer is with their share of it."""

    queue: Queue
    progress: Progress
    """Of zeros where they have none."""
    pace: Pace | None
    from_bundle: bool
    """It came in a bundle, and what is said in it goes back in one."""

    @property
    def closed(self) -> bool:
        """Nothing of it is decided any more."""
        return self.queue.closed_at is not None


class QueueListState:
    """All queues: those with something to do first, then the others, then closed ones; the newest of each first."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.lines: tuple[QueueLine, ...] = ()
        self.last = ""
        """The queue that the reviewer was in last; it may be gone."""

    async def load(self) -> None:
        """Read them."""
        self.lines, self.last = await asyncio.to_thread(self._read)

    def _read(self) -> tuple[tuple[QueueLine, ...], str]:
        ws, reviewer_id = self._desk.workspace, self._desk.reviewer.id
        lines = [self._line(queue) for queue in reversed(queues.all_of(ws))]
        lines.sort(key=lambda line: (line.closed, not line.progress.left))
        return tuple(lines), left_off.last_queue(ws, reviewer_id)

    def _line(self, queue: Queue) -> QueueLine:
        ws, reviewer_id = self._desk.workspace, self._desk.reviewer.id
        progress = queues.progress(ws, queue.id, reviewer_id)
        durations = queues.durations(ws, queue.id, reviewer_id, LOOKED_BACK)
        return QueueLine(queue, progress, pace(durations, progress.left), bundles.was_opened(ws, queue.id))


def to_go_on_with(desk: Desk) -> str:
    """The queue that Review opens with: the one the reviewer was in last, while it has something to do for them.

    "" where there is none. Waits for the disk.
    """
    ws, reviewer_id = desk.workspace, desk.reviewer.id
    last = left_off.last_queue(ws, reviewer_id)
    open_ones = {queue.id for queue in queues.all_of(ws) if queue.closed_at is None} if last else set()
    return last if last in open_ones and queues.progress(ws, last, reviewer_id).left else ""
