"""Queues: work laid out for reviewers, and how far each is with their share.

An item is addressed by its id, never by its place. `store.decisions` decides items; what a queue masks is said by
`store.blindness`; `store.queue_making` writes new queues.
"""

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, select, update
from sqlmodel import col

from store import reveals
from store.identity import now
from store.queue_making import make
from store.review_rows import Progress, Queue, QueueItem
from store.review_tables import QueueItemTable, QueueTable, StepTable
from store.tables import VerdictTable
from store.workspace import Workspace
from uq_tui.errors import NotFoundError, UqError
from uq_tui.words import UNDECIDED, ItemRole, ItemState, Label, QueueMode, StepState

__all__ = [
    "all_of",
    "answer_practice",
    "by_name",
    "close",
    "durations",
    "get",
    "item",
    "items",
    "make",
    "next_item",
    "of_problem",
    "progress",
    "put_off",
    "reopen",
    "set_guideline",
    "shares",
]

# Built once: building a statement takes longer than running it.
_ITEMS = select(QueueItemTable)
_THIS_ITEM = col(QueueItemTable.id) == bindparam("item")
_ONE_ITEM = _ITEMS.where(_THIS_ITEM)
_SET_ITEM = update(QueueItemTable).where(_THIS_ITEM)
_THIS_QUEUE = select(QueueTable).where(col(QueueTable.id) == bindparam("queue"), col(QueueTable.ready))
_THIS_SHARE = (
    col(QueueItemTable.queue_id) == bindparam("queue"),
    col(QueueItemTable.reviewer_id) == bindparam("reviewer"),
)
_NEXT = (
    _ITEMS.where(
        *_THIS_SHARE,
        col(QueueItemTable.linked_to) == "",
        col(QueueItemTable.state) == bindparam("state"),
        col(QueueItemTable.position) > bindparam("after"),
    )
    .order_by(col(QueueItemTable.position))
    .limit(1)
)
_COUNTS = (
    select(col(QueueItemTable.state), func.count().label("n"))
    .where(*_THIS_SHARE, col(QueueItemTable.linked_to) == "")
    .group_by(col(QueueItemTable.state))
)
_LINKED = select(func.count()).where(*_THIS_SHARE, col(QueueItemTable.linked_to) > "")
_PROBLEM = _ITEMS.where(*_THIS_SHARE, col(QueueItemTable.question_id) == bindparam("question")).order_by(
    col(QueueItemTable.position)
)
_SECONDS = (
    select(func.json_extract(col(VerdictTable.record), "$.seconds_active"))
    .select_from(StepTable)
    .join(
        VerdictTable,
        (col(VerdictTable.verdict_id) == col(StepTable.verdict_id))
        & (col(VerdictTable.revision) == col(StepTable.revision)),
    )
    .where(
        col(StepTable.reviewer_id) == bindparam("reviewer"),
        col(StepTable.queue_id) == bindparam("queue"),
        col(StepTable.state) == StepState.STANDING.value,
        col(StepTable.beside).is_(None),
    )
    .order_by(col(StepTable.seq).desc())
    .limit(bindparam("most"))
)


def all_of(ws: Workspace) -> tuple[Queue, ...]:
    """All queues, closed ones too, oldest first."""
    query = select(QueueTable).where(col(QueueTable.ready))
    with ws.read() as conn:
        rows = conn.execute(query.order_by(col(QueueTable.created_at), col(QueueTable.id)))
        return tuple(_queue(row) for row in rows)


def get(ws: Workspace, queue_id: str) -> Queue:
    """One queue by its id. Raises NotFoundError."""
    with ws.read() as conn:
        return read_queue(conn, queue_id)


def read_queue(conn: Connection, queue_id: str) -> Queue:
    """`get` within a transaction."""
    row = conn.execute(_THIS_QUEUE, {"queue": queue_id}).one_or_none()
    if row is None:
        raise NotFoundError(f"There is no queue {queue_id} in this workspace.")
    return _queue(row)


def by_name(ws: Workspace, name: str) -> Queue:
    """One queue by its name. Raises NotFoundError."""
    with ws.read() as conn:
        row = conn.execute(select(QueueTable).where(col(QueueTable.name) == name, col(QueueTable.ready))).one_or_none()
    if row is None:
        raise NotFoundError(f"There is no queue “{name}” in this workspace.", hint="`uq-tui queue list` names them.")
    return _queue(row)


def close(ws: Workspace, queue_id: str) -> None:
    """End the work on a queue: nothing of it is decided or masked any more. Closing again changes nothing.

    Raises:
        NotFoundError: there is no such queue.
    """
    _set_closed(ws, queue_id, now())


def reopen(ws: Workspace, queue_id: str) -> None:
    """Take up a closed queue again. Raises NotFoundError."""
    _set_closed(ws, queue_id, None)


def set_guideline(ws: Workspace, queue_id: str, guideline: str) -> None:
    """Give a queue another guideline, in Markdown. Raises NotFoundError."""

    def change(conn: Connection) -> None:
        read_queue(conn, queue_id)
        conn.execute(update(QueueTable).where(col(QueueTable.id) == queue_id).values(guideline=guideline))

    ws.write(change)


def _set_closed(ws: Workspace, queue_id: str, at: str | None) -> None:
    def change(conn: Connection) -> None:
        if (read_queue(conn, queue_id).closed_at is None) != (at is None):
            conn.execute(update(QueueTable).where(col(QueueTable.id) == queue_id).values(closed_at=at))

    ws.write(change)


def shares(ws: Workspace, queue_id: str) -> tuple[tuple[str, Progress], ...]:
    """How far each reviewer is, by their ids in order."""
    query = select(col(QueueItemTable.reviewer_id)).where(col(QueueItemTable.queue_id) == queue_id).distinct()
    with ws.read() as conn:
        reviewers = sorted(conn.execute(query).scalars())
        return tuple((reviewer, _progress(conn, queue_id, reviewer)) for reviewer in reviewers)


def progress(ws: Workspace, queue_id: str, reviewer_id: str) -> Progress:
    """How far a reviewer is; all zeros for one without a share."""
    with ws.read() as conn:
        return _progress(conn, queue_id, reviewer_id)


def _progress(conn: Connection, queue_id: str, reviewer_id: str) -> Progress:
    this = {"queue": queue_id, "reviewer": reviewer_id}
    counts = {row.state: row.n for row in conn.execute(_COUNTS, this)}
    return Progress(
        total=sum(counts.values()),
        decided=counts.get(ItemState.DECIDED, 0),
        skipped=counts.get(ItemState.SKIPPED, 0),
        put_off=counts.get(ItemState.PUT_OFF, 0),
        linked=conn.execute(_LINKED, this).scalar_one(),
    )


def next_item(ws: Workspace, queue_id: str, reviewer_id: str, *, after: int = -1) -> QueueItem | None:
    """The next item to judge behind position `after`; `None` when all are decided.

    The first open one behind it, else the first open one; when only put off ones are left, the same of these.
    """
    this = {"queue": queue_id, "reviewer": reviewer_id}
    with ws.read() as conn:
        for state in UNDECIDED:
            for start in (after, -1):
                row = conn.execute(_NEXT, {**this, "state": state.value, "after": start}).one_or_none()
                if row is not None:
                    return item_of(row)
    return None


def item(ws: Workspace, item_id: str) -> QueueItem:
    """One item. Raises NotFoundError."""
    with ws.read() as conn:
        return read_item(conn, item_id)


def read_item(conn: Connection, item_id: str) -> QueueItem:
    """`item` within a transaction."""
    row = conn.execute(_ONE_ITEM, {"item": item_id}).one_or_none()
    if row is None:
        raise NotFoundError(f"There is no item {item_id} in the queues of this workspace.")
    return item_of(row)


def of_problem(ws: Workspace, queue_id: str, reviewer_id: str, question_id: str) -> tuple[QueueItem, ...]:
    """A reviewer's items of one question, linked ones too, in order."""
    with ws.read() as conn:
        return read_problem(conn, queue_id, reviewer_id, question_id)


def read_problem(conn: Connection, queue_id: str, reviewer_id: str, question_id: str) -> tuple[QueueItem, ...]:
    """`of_problem` within a transaction."""
    this = {"queue": queue_id, "reviewer": reviewer_id, "question": question_id}
    return tuple(item_of(row) for row in conn.execute(_PROBLEM, this))


def items(
    ws: Workspace, queue_id: str, reviewer_id: str, *, after: int = -1, limit: int = 200
) -> tuple[QueueItem, ...]:
    """A reviewer's items behind position `after`, linked ones too, at most `limit`, in order."""
    query = _ITEMS.where(*_THIS_SHARE, col(QueueItemTable.position) > after)
    with ws.read() as conn:
        this = {"queue": queue_id, "reviewer": reviewer_id}
        rows = conn.execute(query.order_by(col(QueueItemTable.position)).limit(limit), this)
        return tuple(item_of(row) for row in rows)


def put_off(ws: Workspace, item_id: str) -> QueueItem:
    """Leave an item for later: it comes again after the open ones. The item as it stands then.

    Raises:
        NotFoundError: there is no such item.
        UqError: it is decided, or its queue is closed.
    """

    def change(conn: Connection) -> QueueItem:
        found = require_open(conn, item_id)
        if found.state not in UNDECIDED:
            raise UqError("The item is decided: it can't be put off.", hint="Undo its verdict first.")
        return set_item(conn, item_id, state=ItemState.PUT_OFF.value)

    return ws.write(change)


def answer_practice(ws: Workspace, item_id: str, label: Label) -> QueueItem:
    """Keep what a practice item was labelled, so that its feedback can be given. It has no verdict and no undo.

    Raises:
        NotFoundError: there is no such item.
        UqError: it is no practice item, or its queue is closed.
    """

    def change(conn: Connection) -> QueueItem:
        if require_open(conn, item_id).role is not ItemRole.PRACTICE:
            raise UqError("The item is no practice item: it gets a verdict.")
        given = set_item(conn, item_id, state=ItemState.DECIDED.value, given=label.value, decided_at=now())
        reveals.follow(conn, given.queue_id, given.reviewer_id, given.question_id)
        return given

    return ws.write(change)


def durations(ws: Workspace, queue_id: str, reviewer_id: str, limit: int) -> tuple[float, ...]:
    """Active seconds that the reviewer's last verdicts in the queue took, the newest first, at most `limit`.

    What was given along with them on identical answers took no time of its own, and isn't among them.
    """
    this = {"queue": queue_id, "reviewer": reviewer_id, "most": limit}
    with ws.read() as conn:
        return tuple(float(seconds) for seconds in conn.execute(_SECONDS, this).scalars())


def require_open(conn: Connection, item_id: str) -> QueueItem:
    """Within a transaction: an item that is judged itself, of a queue that isn't closed.

    Raises:
        NotFoundError: there is no such item.
        UqError: its queue is closed, or another item's verdict counts for it.
    """
    found = read_item(conn, item_id)
    queue = read_queue(conn, found.queue_id)
    if queue.closed_at is not None:
        raise UqError(f"Nothing was recorded: the queue “{queue.name}” is closed.", hint="Reopen it to go on.")
    if found.linked_to:
        raise UqError("Its answer is identical to another item's, and is judged with that one.")
    return found


def set_item(conn: Connection, item_id: str, **values: Any) -> QueueItem:
    """Within a transaction: change columns of an item; the item as it stands then."""
    conn.execute(_SET_ITEM.values(**values), {"item": item_id})
    return read_item(conn, item_id)


def _queue(row: Row[Any]) -> Queue:
    spec: Mapping[str, Any] = json.loads(row.spec)
    return Queue(row.id, row.name, QueueMode(row.mode), spec, row.guideline, row.created_at, row.closed_at)


def item_of(row: Row[Any]) -> QueueItem:
    """The item that a row of the table holds."""
    return QueueItem(
        id=row.id,
        queue_id=row.queue_id,
        reviewer_id=row.reviewer_id,
        position=row.position,
        question_id=row.question_id,
        candidate_id=row.candidate_id,
        answer_group=row.answer_group,
        role=ItemRole(row.role),
        linked_to=row.linked_to,
        state=ItemState(row.state),
        given=row.given,
        verdict_id=row.verdict_id,
        decided_at=row.decided_at,
    )
