"""Verdicts: append-only revisions, each frozen as the row that is exported."""

from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import Connection, func, not_, select
from sqlmodel import col

from store.decided_items import settle
from store.drafts import recorded
from store.frozen_rows import BadRecordError, sealed
from store.intake import Taken
from store.record_shape import HASH_KEY
from store.rows import Reviewer, Verdict, VerdictForm
from store.stubs import ensure
from store.tables import VerdictTable
from store.verdict_record import Assignment
from store.verdict_rows import append_line, newest_revisions, read_latest, read_newest, restate
from store.verdict_saving import append, prepare
from store.withheld import NOTHING, Withheld
from store.workspace import Workspace
from uq_tui.errors import NotFoundError
from uq_tui.words import VerdictStatus


def save(ws: Workspace, reviewer: Reviewer, candidate_id: str, form: VerdictForm, *, queue: str = "") -> Verdict:
    """Record what a reviewer decided about a candidate, and forget their draft.

    A second verdict of the same reviewer on the same candidate is the next revision of the first. The row freezes
    the evidence that the workspace holds at this moment, what this reviewer had been shown, and how much of the answer
    they had marked in their ledger.

    Raises:
        VerdictFormError: something is missing or out of range.
        NotFoundError: there is no such candidate, or it is a stub whose text has not been imported yet.
        UqError: it is the reference solution.
    """
    prepared = prepare(ws, candidate_id, form)

    def record(conn: Connection) -> Verdict:
        before = read_latest(conn, reviewer.id, candidate_id)
        recorded(conn, reviewer.id, candidate_id, form)
        return append(conn, reviewer, prepared, before, Assignment(queue))

    return ws.write(record)


def retract(ws: Workspace, reviewer: Reviewer, candidate_id: str) -> Verdict:
    """Take back the reviewer's verdict on a candidate: a new revision that says what was retracted.

    Raises:
        NotFoundError: they have no verdict on it that stands.
    """

    def append(conn: Connection) -> Verdict:
        last = read_latest(conn, reviewer.id, candidate_id)
        if last is None or last.status is VerdictStatus.RETRACTED:
            raise NotFoundError(f"{reviewer.handle} has no verdict on candidate {candidate_id} to retract.")
        return restate(conn, last, last, VerdictStatus.RETRACTED)

    return ws.write(append)


def latest(ws: Workspace, reviewer_id: str, candidate_id: str, *, repeat: bool = False) -> Verdict | None:
    """The reviewer's newest revision on this candidate, a retraction included; None when there is none.

    Verdicts that they gave on it once more, as repeats of a queue, count only with `repeat`.
    """
    with ws.read() as conn:
        return read_latest(conn, reviewer_id, candidate_id, repeat=repeat)


def of_candidate(ws: Workspace, candidate_id: str) -> tuple[Verdict, ...]:
    """The newest revision of every verdict on this candidate, retractions included, oldest first."""
    with ws.read() as conn:
        return newest_revisions(conn, col(VerdictTable.candidate_id) == candidate_id)


def records(ws: Workspace, *, reviewer_id: str = "", without: Withheld = NOTHING) -> Iterator[str]:
    """Every revision's row as it was frozen or imported, one line each without line feed.

    In order of (created_at, verdict_id, revision), and all of one moment: writing goes on meanwhile unseen.

    Args:
        ws: where they are.
        reviewer_id: only this reviewer's; "" for everybody's.
        without: rows that are left out.
    """
    in_order = (col(VerdictTable.created_at), col(VerdictTable.verdict_id), col(VerdictTable.revision))
    query = select(col(VerdictTable.record)).order_by(*in_order)
    if reviewer_id:
        query = query.where(col(VerdictTable.reviewer_id) == reviewer_id)
    if without:
        query = query.where(not_(without.where()))
    with ws.read() as conn:
        yield from conn.execute(query).scalars()


def count(ws: Workspace, withheld: Withheld, *, reviewer_id: str = "") -> int:
    """How many rows are withheld, all revisions counted; of one reviewer if named."""
    query = select(func.count()).select_from(VerdictTable).where(withheld.where())
    if reviewer_id:
        query = query.where(col(VerdictTable.reviewer_id) == reviewer_id)
    with ws.read() as conn:
        return int(conn.execute(query).scalar_one())


def put_record(conn: Connection, record: Mapping[str, Any]) -> Taken:
    """Store a row that `verdict_record.verify` accepted, within a transaction: it is new or the same.

    An unknown question or candidate gets a stub, to be completed when its text arrives. Items that a verdict has
    decided open again when its newest revision is a retraction.

    Raises:
        BadRecordError: the same revision is stored with other content, or the stored candidate contradicts the row.
            Nothing is changed then.
    """
    verdict_id, revision = record["verdict_id"], record["revision"]
    this = (col(VerdictTable.verdict_id) == verdict_id, col(VerdictTable.revision) == revision)
    stored = conn.execute(select(col(VerdictTable.row_sha256)).where(*this)).scalar_one_or_none()
    if stored == record[HASH_KEY]:
        return Taken.SAME
    if stored is not None:
        raise BadRecordError(f"conflict: {verdict_id}#{revision} is stored with other content, which was kept")
    ensure(conn, record)
    append_line(conn, sealed(record))
    newest = read_newest(conn, verdict_id) if revision > 1 else None
    if newest is not None:
        settle(conn, [newest])
    return Taken.NEW
