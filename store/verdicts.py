"""Verdicts: append-only revisions, each frozen as the row that is exported."""

from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import Connection, func, not_, select
from sqlmodel import col

from store.decided_items import settle
from store.frozen_rows import BadRecordError, sealed
from store.intake import Taken
from store.record_shape import HASH_KEY
from store.row_choice import conditions
from store.rows import Verdict
from store.stubs import ensure
from store.tables import VerdictTable
from store.verdict_rows import append_line, is_repeat, read_latest, read_newest
from store.withheld import NOTHING, Withheld
from store.workspace import Workspace


def latest(ws: Workspace, reviewer_id: str, candidate_id: str) -> Verdict | None:
    """The reviewer's newest revision on this candidate, a retraction included; None when there is none.

    What they gave on it once more, as a repeat of a queue, doesn't count, nor does what settles a conflict.
    """
    with ws.read() as conn:
        return read_latest(conn, reviewer_id, candidate_id)


def records(
    ws: Workspace,
    *,
    reviewer_id: str = "",
    since: str = "",
    dataset_version: str = "",
    without: Withheld = NOTHING,
) -> Iterator[str]:
    """Every revision's row as it was frozen or imported, one line each without line feed.

    In order of (created_at, verdict_id, revision), and all of one moment: writing goes on meanwhile unseen.

    Args:
        ws: where they are.
        reviewer_id: only this reviewer's; "" for everybody's.
        since: only revisions made then or later; a day, or a time without its zone.
        dataset_version: only rows that name this version.
        without: rows that are left out.
    """
    in_order = (col(VerdictTable.created_at), col(VerdictTable.verdict_id), col(VerdictTable.revision))
    query = select(col(VerdictTable.record)).order_by(*in_order)
    query = query.where(*conditions(VerdictTable, reviewer_id, since, dataset_version))
    if without:
        query = query.where(not_(without.where()))
    with ws.read() as conn:
        yield from conn.execute(query).scalars()


def count(
    ws: Workspace, withheld: Withheld, *, reviewer_id: str = "", since: str = "", dataset_version: str = ""
) -> int:
    """How many of these rows are withheld, all revisions counted."""
    query = select(func.count()).select_from(VerdictTable).where(withheld.where())
    query = query.where(*conditions(VerdictTable, reviewer_id, since, dataset_version))
    with ws.read() as conn:
        return int(conn.execute(query).scalar_one())


def put_record(conn: Connection, record: Mapping[str, Any]) -> Taken:
    """Store a row that `verdict_record.verify` accepted, within a transaction: it is new or the same.

    An unknown question or candidate gets a stub, to be completed when its text arrives. Items that a verdict has
    decided open again when its newest revision is a retraction.

    Raises:
        BadRecordError: the same revision is stored with other content, or the stored candidate or another revision
            of the verdict contradicts the row. Nothing is changed then.
    """
    verdict_id, revision = record["verdict_id"], record["revision"]
    this = (col(VerdictTable.verdict_id) == verdict_id, col(VerdictTable.revision) == revision)
    stored = conn.execute(select(col(VerdictTable.row_sha256)).where(*this)).scalar_one_or_none()
    if stored == record[HASH_KEY]:
        return Taken.SAME
    if stored is not None:
        raise BadRecordError(f"conflict: {verdict_id}#{revision} is stored with other content, which was kept")
    _require_one_subject(conn, record)
    ensure(conn, record)
    append_line(conn, sealed(record))
    newest = read_newest(conn, verdict_id) if revision > 1 else None
    if newest is not None:
        settle(conn, [newest])
    return Taken.NEW


def _require_one_subject(conn: Connection, record: Mapping[str, Any]) -> None:
    """All revisions of a verdict are by one reviewer, on one candidate, and all or none of them given once more."""
    table = VerdictTable
    columns = (col(table.candidate_id), col(table.reviewer_id), col(table.repeat))
    stored = conn.execute(select(*columns).where(col(table.verdict_id) == record["verdict_id"]).limit(1)).one_or_none()
    if stored is not None and tuple(stored) != (record["candidate_id"], record["reviewer"]["id"], is_repeat(record)):
        raise BadRecordError(
            f"conflict: other revisions of {record['verdict_id']} are by another reviewer, on another candidate, or"
            " not of the same of two judgements; they were kept"
        )
