"""Reveals of problems: written when the last item of a blind queue falls, taken back when one opens again."""

from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects.sqlite import insert
from sqlmodel import col

from store.identity import now
from store.review_tables import QueueItemTable, QueueTable, RevealTable
from uq_tui.words import UNDECIDED, QueueMode, RevealReason

_REVEAL = insert(RevealTable).on_conflict_do_nothing()


def put(conn: Connection, queue_id: str, reviewer_id: str, question_id: str, reason: RevealReason) -> bool:
    """Within a transaction: note that a queue's problem is revealed; false when it was before."""
    row = {
        "queue_id": queue_id,
        "reviewer_id": reviewer_id,
        "question_id": question_id,
        "reason": reason.value,
        "at": now(),
    }
    return conn.execute(_REVEAL, row).rowcount == 1


def follow(conn: Connection, queue_id: str, reviewer_id: str, question_id: str) -> bool:
    """Within a transaction: have the reveal of a problem follow its items, after some of them have changed.

    True when all are decided and the problem of a blind queue is so revealed. One that was revealed on request stays.
    """
    blind = select(1).where(col(QueueTable.id) == queue_id, col(QueueTable.mode) == QueueMode.BLIND.value)
    if conn.execute(blind).first() is None:
        return False
    undecided = select(1).where(
        col(QueueItemTable.reviewer_id) == reviewer_id,
        col(QueueItemTable.question_id) == question_id,
        col(QueueItemTable.state).in_([state.value for state in UNDECIDED]),
        col(QueueItemTable.queue_id) == queue_id,
    )
    if conn.execute(undecided.limit(1)).first() is None:
        return put(conn, queue_id, reviewer_id, question_id, RevealReason.DECIDED)
    conn.execute(
        delete(RevealTable).where(
            col(RevealTable.queue_id) == queue_id,
            col(RevealTable.reviewer_id) == reviewer_id,
            col(RevealTable.question_id) == question_id,
            col(RevealTable.reason) == RevealReason.DECIDED.value,
        )
    )
    return False
