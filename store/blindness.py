"""What is masked for whom: one rule, asked of the store each time.

A question is masked for a reviewer while they have an undecided item of it in a blind queue that is not closed, unless
it was revealed to them there.
"""

import hashlib
import hmac
from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, bindparam, exists, select
from sqlmodel import col

from store import reveals
from store.queues import read_queue
from store.review_rows import Queue
from store.review_tables import QueueItemTable, QueueTable, RevealTable
from store.tables import CandidateTable
from store.workspace import Workspace
from uq_tui.words import UNDECIDED, ItemRole, QueueMode, RevealReason

_UNDECIDED = [state.value for state in UNDECIDED]


def _masking(what: Any, *where: ColumnElement[bool]) -> Select[Any]:
    """Of undecided items in blind queues that are in use, and whose question isn't revealed there."""
    revealed = and_(
        col(RevealTable.queue_id) == col(QueueItemTable.queue_id),
        col(RevealTable.reviewer_id) == col(QueueItemTable.reviewer_id),
        col(RevealTable.question_id) == col(QueueItemTable.question_id),
    )
    return (
        select(what)
        .select_from(QueueItemTable)
        .join(QueueTable, col(QueueTable.id) == col(QueueItemTable.queue_id))
        .where(
            col(QueueItemTable.reviewer_id) == bindparam("reviewer"),
            col(QueueItemTable.state).in_(_UNDECIDED),
            col(QueueTable.mode) == QueueMode.BLIND.value,
            col(QueueTable.closed_at).is_(None),
            col(QueueTable.ready),
            ~exists().where(revealed),
            *where,
        )
    )


# Built once: building a statement takes longer than running it.
_THIS_QUESTION = col(QueueItemTable.question_id) == bindparam("question")
_QUESTION_OF = select(col(CandidateTable.question_id)).where(col(CandidateTable.id) == bindparam("candidate"))
_IS_MASKED = _masking(1, _THIS_QUESTION).limit(1)
_ALL_MASKED = _masking(col(QueueItemTable.question_id)).distinct()
_MASKING_QUEUES = _masking(col(QueueItemTable.queue_id), _THIS_QUESTION).distinct()
_REPEATED = (
    select(col(QueueItemTable.candidate_id))
    .join(QueueTable, col(QueueTable.id) == col(QueueItemTable.queue_id))
    .where(
        col(QueueItemTable.reviewer_id) == bindparam("reviewer"),
        col(QueueItemTable.state).in_(_UNDECIDED),
        col(QueueItemTable.role) == ItemRole.REPEAT.value,
        col(QueueTable.closed_at).is_(None),
        col(QueueTable.ready),
    )
    .distinct()
)
_IS_REPEATED = _REPEATED.where(
    col(QueueItemTable.question_id) == _QUESTION_OF.scalar_subquery(),
    col(QueueItemTable.candidate_id) == bindparam("candidate"),
)


def is_masked(ws: Workspace, reviewer_id: str, question_id: str) -> bool:
    """Whether this reviewer is not to see yet what machines and others made of the question's candidates."""
    with ws.read() as conn:
        return conn.execute(_IS_MASKED, {"reviewer": reviewer_id, "question": question_id}).first() is not None


def masked_questions(ws: Workspace, reviewer_id: str) -> frozenset[str]:
    """All questions that are masked for this reviewer."""
    with ws.read() as conn:
        return frozenset(conn.execute(_ALL_MASKED, {"reviewer": reviewer_id}).scalars())


def repeated(ws: Workspace, reviewer_id: str) -> frozenset[str]:
    """Candidates that the reviewer is to judge again without seeing what they said before, in whatever queue."""
    with ws.read() as conn:
        return frozenset(conn.execute(_REPEATED, {"reviewer": reviewer_id}).scalars())


def hides_own_verdict(ws: Workspace, reviewer_id: str, candidate_id: str) -> bool:
    """Whether the candidate is one of `repeated`, without looking at the others."""
    with ws.read() as conn:
        return conn.execute(_IS_REPEATED, {"reviewer": reviewer_id, "candidate": candidate_id}).first() is not None


def queues_of(ws: Workspace, reviewer_id: str, question_id: str) -> tuple[Queue, ...]:
    """The queues that mask the question for this reviewer, oldest first."""
    with ws.read() as conn:
        found = [read_queue(conn, key) for key in _masking_queues(conn, reviewer_id, question_id)]
    return tuple(sorted(found, key=lambda queue: (queue.created_at, queue.id)))


def reveal(ws: Workspace, reviewer_id: str, question_id: str, reason: RevealReason = RevealReason.REQUESTED) -> bool:
    """Mask the question no more, in all queues that do, and keep why; false when none did."""

    def reveal_each(conn: Connection) -> bool:
        revealed = False
        for queue_id in _masking_queues(conn, reviewer_id, question_id):
            revealed |= reveals.put(conn, queue_id, reviewer_id, question_id, reason)
        return revealed

    return ws.write(reveal_each)


def masked_order(ws: Workspace, question_id: str, candidate_ids: Sequence[str]) -> tuple[str, ...]:
    """Candidates of a question in an order that tells nothing: by a hash keyed with the workspace's secret.

    It is the same each time, in each queue, and whichever other candidates come along.
    """

    def rank(candidate_id: str) -> bytes:
        message = f"{question_id}\0{candidate_id}".encode("utf-8", "surrogatepass")
        return hmac.digest(ws.secret, message, hashlib.sha256)

    return tuple(sorted(candidate_ids, key=rank))


def _masking_queues(conn: Connection, reviewer_id: str, question_id: str) -> list[str]:
    return list(conn.execute(_MASKING_QUEUES, {"reviewer": reviewer_id, "question": question_id}).scalars())
