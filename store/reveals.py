"""Reveals of problems: written when the last item of a blind queue falls, taken back when one opens again."""

from sqlalchemy import Connection, bindparam, delete, select
from sqlalchemy.dialects.sqlite import insert
from sqlmodel import col

from store.identity import now
from store.review_tables import QueueItemTable, QueueTable, RevealTable
from uq_tui.words import UNDECIDED, QueueMode, RevealReason

# Built once: building a statement takes longer than running it.
_REVEAL = insert(RevealTable).on_conflict_do_nothing()
_IS_BLIND = select(1).where(col(QueueTable.id) == bindparam("queue"), col(QueueTable.mode) == QueueMode.BLIND.value)
_UNDECIDED = (
    select(1)
    .where(
        col(QueueItemTable.reviewer_id) == bindparam("reviewer"),
        col(QueueItemTable.question_id) == bindparam("question"),
        col(QueueItemTable.state).in_([state.value for state in UNDECIDED]),
        col(QueueItemTable.queue_id) == bindparam("queue"),
    )
    .limit(1)
)
_TAKE_BACK = delete(RevealTable).where(
    col(RevealTable.queue_id) == bindparam("queue"),
    col(RevealTable.reviewer_id) == bindparam("reviewer"),
    col(RevealTable.question_id) == bindparam("question"),
    col(RevealTable.reason) == RevealReason.DECIDED.value,
)


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
    this = {"queue": queue_id, "reviewer": reviewer_id, "question": question_id}
    if conn.execute(_IS_BLIND, {"queue": queue_id}).first() is None:
        return False
    if conn.execute(_UNDECIDED, this).first() is None:
        return put(conn, queue_id, reviewer_id, question_id, RevealReason.DECIDED)
    conn.execute(_TAKE_BACK, this)
    return False
