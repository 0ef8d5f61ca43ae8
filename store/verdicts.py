"""Verdicts: append-only revisions, each frozen as the row that is exported."""

from collections.abc import Iterator

from sqlalchemy import func, not_, select
from sqlmodel import col

from store.row_choice import conditions
from store.rows import Verdict
from store.tables import VerdictTable
from store.verdict_rows import read_latest
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
