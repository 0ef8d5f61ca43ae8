"""What a pass of the funnel holds of one question, read within a transaction."""

from typing import Any

from sqlalchemy import Connection, Row, bindparam, select
from sqlmodel import col

from store import texts
from store.curation_rows import CurationAnswer, Place, QuestionReview, Rating
from store.curation_tables import CurationAnswerTable, CurationPathTable, QuestionReviewTable, RatingTable
from store.tables import QuestionTable
from uq_tui.words import CurationStage, QuestionDecision, Reading

_PLACE = (
    select(CurationPathTable)
    .join(QuestionTable, col(QuestionTable.seq) == col(CurationPathTable.seq))
    .where(
        col(CurationPathTable.curation_id) == bindparam("this_curation"),
        col(QuestionTable.id) == bindparam("this_question"),
    )
)


def read_place(db: Connection, curation_id: str, question_id: str) -> Place | None:
    """Where a question stands or fell; `None` where the pass has not come to it."""
    row = db.execute(_PLACE, {"this_curation": curation_id, "this_question": question_id}).one_or_none()
    return None if row is None else place_of(row)


def read_answer(db: Connection, curation_id: str, question_id: str) -> CurationAnswer | None:
    """The answer that the model filter has of a question."""
    table = CurationAnswerTable
    query = select(table).where(col(table.curation_id) == curation_id, col(table.question_id) == question_id)
    row = db.execute(query).mappings().one_or_none()
    return None if row is None else CurationAnswer(**{**row, "state": Reading(row["state"])})


def read_ratings(db: Connection, curation_id: str, question_id: str) -> tuple[Rating, ...]:
    """The ratings of a question, by sample."""
    table = RatingTable
    of_this = (col(table.curation_id) == curation_id, col(table.question_id) == question_id)
    rows = db.execute(select(table).where(*of_this).order_by(col(table.sample))).mappings()
    return tuple(Rating(**{**row, "state": Reading(row["state"])}) for row in rows)


def read_reviews(db: Connection, curation_id: str, question_id: str) -> tuple[QuestionReview, ...]:
    """What people have decided on a question, the newest last."""
    table = QuestionReviewTable
    query = (
        select(table)
        .where(col(table.curation_id) == curation_id, col(table.question_id) == question_id)
        .order_by(col(table.created_at), col(table.id))
    )
    return tuple(
        QuestionReview(
            id=row.id,
            curation_id=row.curation_id,
            question_id=row.question_id,
            reviewer_id=row.reviewer_id,
            decision=QuestionDecision(row.decision) if row.decision else None,
            reason=row.reason,
            title=row.title,
            body="" if row.body_sha256 is None else texts.read_raw(db, row.body_sha256),
            created_at=row.created_at,
        )
        for row in db.execute(query).all()
    )


def place_of(row: Row[Any]) -> Place:
    """The place that a row of the table of paths, or a join with it, tells."""
    return Place(row.seq, CurationStage(row.stage), row.fell, row.detail, bool(row.unknown))
