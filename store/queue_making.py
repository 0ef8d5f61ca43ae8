"""Writing a new queue: checked as a whole first, then in short writes, and visible only when all of it is there."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import islice
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update
from sqlmodel import col

from store.identity import now, uuid7
from store.review_rows import NewItem, Queue
from store.review_tables import QueueItemTable, QueueTable
from store.tables import CandidateTable, ReviewerTable
from store.workspace import Workspace
from uq_tui.errors import UqError
from uq_tui.text import counted
from uq_tui.words import ItemRole, ItemState, QueueMode

_AT_ONCE = 500
"""Items written in one transaction: about 25 ms, as others wait for the lock meanwhile."""

_LEFT_OVER = timedelta(days=1)
"""A queue that was never finished in this time is what a killed process left."""


def make(
    ws: Workspace,
    *,
    name: str,
    mode: QueueMode,
    spec: Mapping[str, Any],
    guideline: str,
    shares: Mapping[str, Sequence[NewItem]],
) -> Queue:
    """Lay out work: one share a reviewer, by their ids, each in the order in which its items are to come.

    Until all of it is on disk there is no such queue for anybody, be this process killed meanwhile.

    Raises:
        UqError: the name is empty or taken; there is no share, or one is empty or names an unknown reviewer; an item
            names no answer to its question that can be judged, stands twice in a share, or is linked to one it can't
            be linked to. No queue is made then.
    """
    queue = Queue(uuid7(), name.strip(), mode, json.loads(json.dumps(spec)), guideline, now(), None)
    _check_shares(shares)
    with ws.read() as conn:
        _check_name(conn, queue.name)
        _check_reviewers(conn, shares)
        _check_candidates(conn, shares)
    ws.write(lambda conn: begin(conn, queue))
    rows = _rows(queue.id, shares)
    while chunk := list(islice(rows, _AT_ONCE)):
        ws.write(partial(_put, chunk))
    ws.write(lambda conn: _finish(conn, queue))
    return queue


def _check_name(conn: Connection, name: str) -> None:
    if not name:
        raise UqError("A queue needs a name.")
    if conn.execute(select(1).where(col(QueueTable.name) == name)).first() is not None:
        raise UqError(f"There is a queue “{name}” already.", hint="Choose another name.")


def _check_shares(shares: Mapping[str, Sequence[NewItem]]) -> None:
    if not shares:
        raise UqError("Nobody is to work on this queue.", hint="Name at least one reviewer.")
    for reviewer_id, share in shares.items():
        if not share:
            raise UqError(f"Nothing is left for reviewer {reviewer_id}.", hint="Choose other questions or candidates.")
        seen = set()
        for place, new in enumerate(share):
            if (new.candidate_id, new.role is ItemRole.REPEAT) in seen and new.role is not ItemRole.PRACTICE:
                raise UqError(f"Candidate {new.candidate_id} stands twice in the share of reviewer {reviewer_id}.")
            if new.role is not ItemRole.PRACTICE:
                seen.add((new.candidate_id, new.role is ItemRole.REPEAT))
            if new.linked_to is not None and not _can_be_linked(share, place, new.linked_to):
                raise UqError(f"Item {place} is linked to item {new.linked_to}, which can't count for it.")


def _can_be_linked(share: Sequence[NewItem], place: int, other: int) -> bool:
    if not 0 <= other < len(share) or other == place:
        return False
    this, that = share[place], share[other]
    return (
        that.linked_to is None
        and this.question_id == that.question_id
        and {this.role, that.role} <= {ItemRole.PLAIN, ItemRole.GOLD}
    )


def _check_reviewers(conn: Connection, shares: Mapping[str, Sequence[NewItem]]) -> None:
    known = set(conn.execute(select(col(ReviewerTable.id)).where(col(ReviewerTable.id).in_(list(shares)))).scalars())
    for reviewer_id in shares:
        if reviewer_id not in known:
            raise UqError(f"There is no reviewer {reviewer_id} in this workspace.", hint="Make them known first.")


def _check_candidates(conn: Connection, shares: Mapping[str, Sequence[NewItem]]) -> None:
    wanted = {new.candidate_id: new.question_id for share in shares.values() for new in share}
    ids = select(func.json_each(json.dumps(list(wanted))).table_valued("value").c.value)
    query = select(col(CandidateTable.id), col(CandidateTable.question_id), col(CandidateTable.answer_sha256)).where(
        col(CandidateTable.id).in_(ids), col(CandidateTable.reference).is_(False)
    )
    can_be_judged = {row.id: row.question_id for row in conn.execute(query) if row.answer_sha256 is not None}
    bad = [key for key, question_id in wanted.items() if can_be_judged.get(key) != question_id]
    if bad:
        raise UqError(
            f"{counted(len(bad), 'candidate')} can't be judged in this queue, {bad[0]} for one: it is not here, is a "
            "reference solution, or answers another question."
        )


def begin(conn: Connection, queue: Queue) -> None:
    """Write a queue under a name that nobody asks for, so that its own stays free until all of it is written."""
    _sweep(conn)
    row = {
        "id": queue.id,
        "name": queue.id,
        "mode": queue.mode.value,
        "spec": json.dumps(queue.spec),
        "guideline": queue.guideline,
        "created_at": queue.created_at,
        "closed_at": None,
        "ready": False,
    }
    conn.execute(insert(QueueTable), row)


def _put(rows: list[dict[str, Any]], conn: Connection) -> None:
    conn.execute(insert(QueueItemTable), rows)


def _finish(conn: Connection, queue: Queue) -> None:
    _check_name(conn, queue.name)
    conn.execute(update(QueueTable).where(col(QueueTable.id) == queue.id).values(name=queue.name, ready=True))


def _sweep(conn: Connection) -> None:
    """Remove the oldest queue that was never finished: one a time, so that this takes no longer than a write may."""
    before = (datetime.now(UTC) - _LEFT_OVER).isoformat()
    query = select(col(QueueTable.id)).where(col(QueueTable.ready).is_(False), col(QueueTable.created_at) < before)
    left = conn.execute(query.order_by(col(QueueTable.created_at)).limit(1)).scalar_one_or_none()
    if left is not None:
        conn.execute(delete(QueueItemTable).where(col(QueueItemTable.queue_id) == left))
        conn.execute(delete(QueueTable).where(col(QueueTable.id) == left))


def _rows(queue_id: str, shares: Mapping[str, Sequence[NewItem]]) -> Iterator[dict[str, Any]]:
    for reviewer_id, share in shares.items():
        ids = [uuid7() for _ in share]
        for position, new in enumerate(share):
            linked_to = "" if new.linked_to is None else ids[new.linked_to]
            yield open_item(ids[position], queue_id, reviewer_id, position, new, linked_to)


def open_item(
    item_id: str, queue_id: str, reviewer_id: str, position: int, new: NewItem, linked_to: str
) -> dict[str, Any]:
    """The row of an item that nobody has decided; `linked_to` is the id of the item that counts for it, or ""."""
    return {
        "id": item_id,
        "queue_id": queue_id,
        "reviewer_id": reviewer_id,
        "position": position,
        "question_id": new.question_id,
        "candidate_id": new.candidate_id,
        "answer_group": new.answer_group,
        "role": new.role.value,
        "linked_to": linked_to,
        "state": ItemState.OPEN.value,
        "given": "",
        "verdict_id": "",
        "decided_at": None,
    }
