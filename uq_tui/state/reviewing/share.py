"""One reviewer's share of a queue, as the store has it. Methods wait for the disk: call them in a thread."""

from dataclasses import dataclass, replace

from store import bundles, queues
from store.review_rows import Progress, Queue, QueueItem
from store.rows import Reviewer
from store.workspace import Workspace
from uq_tui.errors import NotFoundError, UqError
from uq_tui.state.reviewing import left_off, loading
from uq_tui.state.reviewing.loading import Loaded, Problem
from uq_tui.state.reviewing.pace import LOOKED_BACK, Pace, pace
from uq_tui.state.reviewing.problem import AnswerLine
from uq_tui.state.reviewing.queue_spec import QueueSpec
from uq_tui.words import UNDECIDED


@dataclass(frozen=True, slots=True)
class Counted:
    """How far the reviewer is, and what comes next."""

    progress: Progress
    pace: Pace | None
    seconds: float
    """Active seconds of all verdicts in the share; only counted at its end."""
    following: Loaded | None
    """The item that comes next, as it looks now; `None` at the end."""


@dataclass(frozen=True, slots=True)
class Share:
    """What a reviewer has to do in a queue."""

    ws: Workspace
    queue: Queue
    spec: QueueSpec
    reviewer_id: str
    from_bundle: bool
    """It came in a bundle, and what is said in it goes back in one."""

    @classmethod
    def enter(cls, ws: Workspace, queue_id: str, reviewer: Reviewer) -> "Share":
        """The share that Review opens with from now on.

        Raises:
            NotFoundError: there is no such queue, or it has nothing for this reviewer.
            UqError: it is closed, or a newer uq-tui has built it.
        """
        queue = queues.get(ws, queue_id)
        if queue.closed_at is not None:
            raise UqError(f"The queue “{queue.name}” is closed.", hint="Reopen it to go on: `uq-tui queue reopen`.")
        if not queues.progress(ws, queue_id, reviewer.id).total:
            raise NotFoundError(f"The queue “{queue.name}” has nothing for {reviewer.handle}.")
        spec = QueueSpec.of(queue.spec)
        left_off.enter(ws, reviewer.id, queue_id)
        return cls(ws, queue, spec, reviewer.id, bundles.was_opened(ws, queue_id))

    def first(self) -> QueueItem | None:
        """The item that the reviewer was at last, or else the next one behind it that is to be decided."""
        at = left_off.last_item(self.ws, self.reviewer_id, self.queue.id)
        last = queues.item(self.ws, at) if at else None
        if last is not None and last.state in UNDECIDED:
            return last
        return self.following(last.position if last is not None else -1)

    def following(self, after: int) -> QueueItem | None:
        """The next item to decide behind a position; `None` when there is none left."""
        return queues.next_item(self.ws, self.queue.id, self.reviewer_id, after=after)

    def load(
        self, item: QueueItem, *, ahead: Loaded | None = None, before: Problem | None = None
    ) -> tuple[Loaded, tuple[AnswerLine, ...]]:
        """An item to be shown now, and the answers of its problem; what that tells is logged.

        `ahead` and `before` are used where they are of this item and this problem, and still hold.
        """
        if ahead is not None and ahead.item.id == item.id and loading.holds(self.ws, ahead.problem, item):
            loaded = replace(ahead, item=item)
        else:
            loaded = loading.load(self.ws, item, before)
        loading.note_shown(self.ws, loaded)
        return loaded, loading.lines_of(self.ws, loaded)

    def look_ahead(self, shown: Loaded | None) -> Counted:
        """Keep the place, count, and read the item that comes next, while one is read; at the end, sum up."""
        progress = queues.progress(self.ws, self.queue.id, self.reviewer_id)
        if shown is None:
            durations = queues.durations(self.ws, self.queue.id, self.reviewer_id, progress.total)
            return Counted(progress, pace(durations, progress.left), sum(durations), None)
        left_off.keep(self.ws, self.reviewer_id, self.queue.id, shown.item.id)
        durations = queues.durations(self.ws, self.queue.id, self.reviewer_id, LOOKED_BACK)
        following = self.following(shown.item.position)
        another = following is not None and following.id != shown.item.id
        loaded = loading.load(self.ws, following, shown.problem) if following is not None and another else None
        return Counted(progress, pace(durations, progress.left), 0.0, loaded)
