"""How far shares of a queue are that are worked on elsewhere, and handing items on to somebody else."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, func, insert, select
from sqlalchemy.orm import aliased
from sqlmodel import col

from store import bundles, reveals
from store.decided_items import linked_to
from store.identity import uuid7
from store.persons import read_persons
from store.queue_making import open_item
from store.queues import item_of, read_item, read_queue
from store.review_rows import NewItem, QueueItem
from store.review_tables import QueueItemTable
from store.tables import ReviewerTable, VerdictTable
from store.workspace import Workspace
from uq_tui.errors import NotFoundError, UqError
from uq_tui.words import UNDECIDED, BundleDirection, ItemRole, ItemState, NotJudged

_later = aliased(VerdictTable)
_COLUMNS: tuple[Any, ...] = (
    QueueItemTable,
    col(VerdictTable.not_judged),
    col(VerdictTable.created_at).label("given_at"),
)
_ITEMS = (
    select(*_COLUMNS)
    .outerjoin(
        VerdictTable,
        (col(VerdictTable.verdict_id) == col(QueueItemTable.verdict_id))
        & (
            col(VerdictTable.revision)
            == select(func.max(col(_later.revision)))
            .where(col(_later.verdict_id) == col(QueueItemTable.verdict_id))
            .scalar_subquery()
        ),
    )
    .where(col(QueueItemTable.linked_to) == "", col(QueueItemTable.role) != ItemRole.PRACTICE.value)
    .order_by(col(QueueItemTable.reviewer_id), col(QueueItemTable.position))
)
"""Items that are judged themselves, each with what the newest revision of its verdict says."""


@dataclass(frozen=True, slots=True)
class Unjudged:
    """An item that its reviewer gave back without a label."""

    item: QueueItem
    reason: NotJudged
    waiting: bool
    """Nobody else of the queue has the candidate to judge, or has judged it."""


@dataclass(frozen=True, slots=True)
class ShareStatus:
    """How far one reviewer's share is, in items that are judged themselves, practice apart."""

    reviewer_id: str
    items: int
    returned: int
    """Decided, or given back without a label."""
    unjudged: tuple[Unjudged, ...]
    """Of those the ones without a label, as far as they may be told."""
    hidden: int
    """Returned items of which it isn't told whether they have a label."""
    sent_at: str | None
    """When a bundle was last written for them; `None` where none was."""
    opened_at: str | None
    """When a bundle of theirs was last opened here; `None` where their share didn't come in one."""
    newest_verdict_at: str | None
    returned_at: str | None
    """When a returned bundle of theirs was last taken in; verdicts may have come otherwise."""

    @property
    def missing(self) -> int:
        """Items that nothing is known of yet."""
        return self.items - self.returned

    def count(self, reason: NotJudged) -> int:
        """Items that were given back for this reason, as far as they may be told."""
        return sum(one.reason is reason for one in self.unjudged)

    @property
    def waiting(self) -> tuple[QueueItem, ...]:
        """Items out of the reviewer's depth that wait for somebody else."""
        return tuple(one.item for one in self.unjudged if one.waiting and one.reason is NotJudged.OUT_OF_DEPTH)


def status(ws: Workspace, queue_id: str, *, masked: Collection[str] = ()) -> tuple[ShareStatus, ...]:
    """How far each share of a queue is, by reviewer ids in order.

    Of the questions `masked` it isn't told which items were left without a label: that is a verdict too.
    """
    notes = bundles.of_queue(ws, queue_id)
    with ws.read() as conn:
        rows = conn.execute(_ITEMS.where(col(QueueItemTable.queue_id) == queue_id)).all()
    of_candidate = defaultdict[str, list[str]](list)
    shares = defaultdict[str, list[Row[Any]]](list)
    for row in rows:
        of_candidate[row.candidate_id].append(row.state)
        shares[row.reviewer_id].append(row)
    handled = {key for key, states in of_candidate.items() if any(one != ItemState.SKIPPED for one in states)}

    def last(direction: BundleDirection, reviewer_id: str) -> str | None:
        of_this = [one.at for one in notes if (one.direction, one.reviewer_id) == (direction, reviewer_id)]
        return max(of_this, default=None)

    found = []
    for reviewer_id, share in shares.items():
        returned = [row for row in share if row.state not in UNDECIDED]
        told = [row for row in returned if row.question_id not in masked]
        found.append(
            ShareStatus(
                reviewer_id=reviewer_id,
                items=len(share),
                returned=len(returned),
                unjudged=tuple(_unjudged(told, handled)),
                hidden=len(returned) - len(told),
                sent_at=last(BundleDirection.SENT, reviewer_id),
                opened_at=last(BundleDirection.OPENED, reviewer_id),
                newest_verdict_at=max((row.given_at for row in returned if row.given_at), default=None),
                returned_at=last(BundleDirection.RETURNED, reviewer_id),
            )
        )
    return tuple(found)


def _unjudged(rows: Iterable[Row[Any]], handled: Collection[str]) -> Iterator[Unjudged]:
    for row in rows:
        if row.state == ItemState.SKIPPED and row.not_judged:
            waiting = row.candidate_id not in handled and row.role != ItemRole.REPEAT
            yield Unjudged(item_of(row), NotJudged(row.not_judged), waiting)


@dataclass(frozen=True, slots=True)
class HandedOn:
    """What became of items that were to go to somebody else."""

    new: int
    """Items that are in their share now, those with identical answers apart."""
    had: int
    """Items whose candidates were in it already."""


def hand_on(
    ws: Workspace, queue_id: str, item_ids: Iterable[str], reviewer_id: str, *, barred: Collection[str] = ()
) -> HandedOn:
    """Put what others gave back without a label into a reviewer's share of the same queue, at its end.

    What is identical to such an answer goes along. The items of those who gave them back stay as they are.

    Args:
        ws: where.
        queue_id: the queue.
        item_ids: items that stand there without a label.
        reviewer_id: who gets them.
        barred: candidates that can't measure this reviewer as gold items.

    Raises:
        NotFoundError: there is no such queue, item or reviewer.
        UqError: the queue is closed; an item is of another queue, has a label or none yet, comes for the second time,
            or was the reviewer's own. Nothing is handed on then.
    """

    def write(conn: Connection) -> HandedOn:
        queue = read_queue(conn, queue_id)
        if queue.closed_at is not None:
            raise UqError(f"The queue “{queue.name}” is closed.", hint="Reopen it to hand something on.")
        _require_reviewer(conn, reviewer_id)
        person = read_persons(conn)
        given = [_require_given_back(conn, queue_id, item_id) for item_id in item_ids]
        for item in given:
            if person[item.reviewer_id] == person[reviewer_id]:
                raise UqError("An item can't be handed on to the one who gave it back.", hint="Name somebody else.")
        theirs = {item.candidate_id for item in _share(conn, queue_id, reviewer_id)}
        new = []
        for item in given:
            if item.candidate_id not in theirs:
                along = [each for each in linked_to(conn, item.id) if each.candidate_id not in theirs]
                theirs.update((item.candidate_id, *(each.candidate_id for each in along)))
                new.append((item, along))
        _append(conn, queue_id, reviewer_id, new, barred)
        for question_id in dict.fromkeys(item.question_id for item, _ in new):
            reveals.follow(conn, queue_id, reviewer_id, question_id)
        return HandedOn(len(new), len(given) - len(new))

    return ws.write(write)


def _require_reviewer(conn: Connection, reviewer_id: str) -> None:
    if conn.execute(select(1).where(col(ReviewerTable.id) == reviewer_id)).first() is None:
        raise NotFoundError(f"There is no reviewer {reviewer_id} in this workspace.", hint="`uq-tui reviewer list`.")


def _require_given_back(conn: Connection, queue_id: str, item_id: str) -> QueueItem:
    item = read_item(conn, item_id)
    if item.queue_id != queue_id:
        raise UqError(f"The item {item_id} is in another queue.")
    if item.state is not ItemState.SKIPPED or item.linked_to or item.role is ItemRole.REPEAT:
        raise UqError(
            f"The item {item_id} can't be handed on: it was not given back without a label, or comes for the second"
            " time.",
            hint="`uq-tui status --queue QUEUE` lists those that can.",
        )
    return item


def _share(conn: Connection, queue_id: str, reviewer_id: str) -> tuple[QueueItem, ...]:
    of_this = (col(QueueItemTable.queue_id) == queue_id, col(QueueItemTable.reviewer_id) == reviewer_id)
    return tuple(item_of(row) for row in conn.execute(select(QueueItemTable).where(*of_this)))


def _append(
    conn: Connection,
    queue_id: str,
    reviewer_id: str,
    new: Iterable[tuple[QueueItem, Iterable[QueueItem]]],
    barred: Collection[str],
) -> None:
    table = QueueItemTable
    highest = select(func.max(col(table.position))).where(
        col(table.queue_id) == queue_id, col(table.reviewer_id) == reviewer_id
    )
    last = conn.execute(highest).scalar()
    position = 0 if last is None else last + 1
    for item, along in new:
        root = ""
        for each in (item, *along):
            key = uuid7()
            gold = each.role is ItemRole.GOLD and each.candidate_id not in barred
            role = ItemRole.GOLD if gold else ItemRole.PLAIN
            same = NewItem(each.question_id, each.candidate_id, role, each.answer_group)
            row = open_item(key, queue_id, reviewer_id, position, same, root)
            conn.execute(insert(table), row)
            root, position = root or key, position + 1
