"""The log of what reviewers were shown. Whether a verdict was blind is computed from it."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, bindparam, select
from sqlalchemy.dialects.sqlite import insert
from sqlmodel import col

from store.identity import now
from store.rows import ExposureRow
from store.tables import ExposureTable
from store.workspace import Workspace
from uq_tui.words import Exposure

# Built once: building a statement takes longer than running it.
_KEEP = insert(ExposureTable).on_conflict_do_nothing()
_OF_CANDIDATE = (
    select(ExposureTable)
    .where(
        col(ExposureTable.reviewer_id) == bindparam("reviewer"),
        col(ExposureTable.candidate_id) == bindparam("candidate"),
    )
    .order_by(col(ExposureTable.at), col(ExposureTable.what))
)


def record(ws: Workspace, reviewer_id: str, question_id: str, candidate_id: str, what: Exposure, where: str) -> None:
    """Log that a reviewer was shown `what` of a candidate, `where`. Only the first time is kept."""
    record_all(ws, reviewer_id, [(question_id, candidate_id)], what, where)


def record_all(ws: Workspace, reviewer_id: str, shown: Sequence[tuple[str, str]], what: Exposure, where: str) -> None:
    """Log the same of several candidates, given as (question id, candidate id), in one write."""
    values = [
        {
            "reviewer_id": reviewer_id,
            "candidate_id": candidate_id,
            "what": what.value,
            "question_id": question_id,
            "place": where,
            "at": now(),
        }
        for question_id, candidate_id in shown
    ]
    if values:
        ws.write(lambda conn: conn.execute(_KEEP, values))


def of_candidate(ws: Workspace, reviewer_id: str, candidate_id: str) -> tuple[ExposureRow, ...]:
    """What this reviewer was shown about this candidate, in order of time."""
    with ws.read() as conn:
        return read_exposures(conn, reviewer_id, candidate_id)


def read_exposures(conn: Connection, reviewer_id: str, candidate_id: str) -> tuple[ExposureRow, ...]:
    """`of_candidate` within a transaction."""
    this = {"reviewer": reviewer_id, "candidate": candidate_id}
    return tuple(_exposure(row) for row in conn.execute(_OF_CANDIDATE, this))


def _exposure(row: Row[Any]) -> ExposureRow:
    return ExposureRow(
        reviewer_id=row.reviewer_id,
        question_id=row.question_id,
        candidate_id=row.candidate_id,
        what=Exposure(row.what),
        where=row.place,
        at=row.at,
    )
