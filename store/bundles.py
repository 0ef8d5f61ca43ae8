"""Bundles that went out and came back: what was written for whom and when, and the rows that go back."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, insert, select
from sqlmodel import col

from store.identity import now, uuid7
from store.review_tables import QueueItemTable, QueueTable, StatementTable
from store.sharing_tables import BundleTable
from store.tables import ReviewerTable, VerdictTable
from store.withheld import Withheld
from store.workspace import Workspace
from uq_tui.words import BundleDirection, ItemRole, StatementKind


@dataclass(frozen=True, slots=True)
class BundleNote:
    """A bundle that was written, opened or taken in here."""

    id: str
    direction: BundleDirection
    queue_id: str
    reviewer_id: str
    file: str
    sha256: str
    items: int
    """Items of a share; of one that came back, rows of verdicts."""
    at: str


def note(
    ws: Workspace, direction: BundleDirection, queue_id: str, reviewer_id: str, file: str, sha256: str, items: int
) -> None:
    """Record that a bundle was written, opened or taken in."""
    ws.write(lambda conn: put_note(conn, direction, queue_id, reviewer_id, file, sha256, items))


def put_note(
    conn: Connection,
    direction: BundleDirection,
    queue_id: str,
    reviewer_id: str,
    file: str,
    sha256: str,
    items: int,
) -> None:
    """As `note`, within a transaction. Of a queue or a reviewer that isn't here nothing is recorded."""
    for table, key in ((QueueTable, queue_id), (ReviewerTable, reviewer_id)):
        if conn.execute(select(1).where(col(table.id) == key)).first() is None:
            return
    row = BundleNote(uuid7(), direction, queue_id, reviewer_id, file, sha256, items, now())
    values = {name: getattr(row, name) for name in BundleNote.__slots__}
    conn.execute(insert(BundleTable), {**values, "direction": direction.value})


def of_queue(ws: Workspace, queue_id: str) -> tuple[BundleNote, ...]:
    """The bundles of a queue, the oldest first."""
    query = select(BundleTable).where(col(BundleTable.queue_id) == queue_id)
    with ws.read() as conn:
        rows = conn.execute(query.order_by(col(BundleTable.at), col(BundleTable.id))).mappings()
        return tuple(BundleNote(**{**row, "direction": BundleDirection(row["direction"])}) for row in rows)


def was_sent(conn: Connection, queue_id: str) -> bool:
    """Whether bundles of this queue were written in this workspace."""
    return _went(conn, queue_id, BundleDirection.SENT)


def was_opened(ws: Workspace, queue_id: str) -> bool:
    """Whether this queue came in a bundle, so that what is said in it goes back in one."""
    with ws.read() as conn:
        return _went(conn, queue_id, BundleDirection.OPENED)


def _went(conn: Connection, queue_id: str, direction: BundleDirection) -> bool:
    of_this = (col(BundleTable.queue_id) == queue_id, col(BundleTable.direction) == direction.value)
    return conn.execute(select(1).where(*of_this)).first() is not None


def verdict_lines(ws: Workspace, queue_id: str, reviewer_id: str, without: Withheld) -> Iterator[str]:
    """The rows of a reviewer's verdicts on the candidates of their share, all revisions, verbatim and in order.

    Of what is `without`, rows that tell nothing but what the reviewer has said go along: those of a machine on which
    nothing is known of the candidates.
    """
    return (line for line, is_held in _verdicts(ws, queue_id, reviewer_id, without) if not is_held)


def verdicts_withheld(ws: Workspace, queue_id: str, reviewer_id: str, without: Withheld) -> int:
    """How many rows `verdict_lines` keeps back."""
    return sum(is_held for _, is_held in _verdicts(ws, queue_id, reviewer_id, without))


def _verdicts(ws: Workspace, queue_id: str, reviewer_id: str, without: Withheld) -> Iterator[tuple[str, bool]]:
    table = VerdictTable
    candidates = _of_share(col(QueueItemTable.candidate_id), queue_id, reviewer_id)
    query = select(col(table.record)).where(
        col(table.reviewer_id) == reviewer_id, col(table.candidate_id).in_(candidates)
    )
    in_order = (col(table.created_at), col(table.verdict_id), col(table.revision))
    with ws.read() as conn:
        for line in conn.execute(query.order_by(*in_order)).scalars():
            yield line, bool(without) and _is_held(json.loads(line), without)


def _is_held(record: Mapping[str, Any], without: Withheld) -> bool:
    if record["candidate_id"] in without.candidates:  # to be judged once more, without seeing this
        return True
    found = [record["evidence"].get(key) for key in ("outcomes", "judges", "utilities")]
    told = (*record["candidate_origin"].values(), *found, record["claims"], record["trace_soundness"])
    return without.holds(record) and any(told)


def statement_lines(ws: Workspace, queue_id: str, reviewer_id: str, without: Withheld) -> Iterator[str]:
    """What a reviewer has said beside verdicts on the questions of their share, scratch notes apart; verbatim."""
    table = StatementTable
    query = select(col(table.record)).where(
        col(table.reviewer_id) == reviewer_id,
        col(table.question_id).in_(_of_share(col(QueueItemTable.question_id), queue_id, reviewer_id)),
        col(table.question_id).not_in(without.questions),
        col(table.kind) != StatementKind.NOTE.value,
    )
    in_order = (col(table.created_at), col(table.statement_id), col(table.revision))
    with ws.read() as conn:
        yield from conn.execute(query.order_by(*in_order)).scalars()


def _of_share(column: Any, queue_id: str, reviewer_id: str) -> Select[Any]:
    return select(column).where(
        col(QueueItemTable.queue_id) == queue_id,
        col(QueueItemTable.reviewer_id) == reviewer_id,
        col(QueueItemTable.role) != ItemRole.PRACTICE.value,
    )
