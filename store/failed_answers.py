"""Answers that a file reports as failed, until a model's success takes their place.

A failure is known by question and model. It stands while no answer of that model to the question is here, under its
name in the file or as a LiteLLM id that ends in it: an `o3` of a file is `openai/o3` where it is asked again.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Select, func, or_, select
from sqlmodel import col

from store.identity import now
from store.intake import Taken, require_question
from store.source_tables import FailedAnswerTable
from store.tables import CandidateOriginTable, CandidateTable, QuestionTable
from store.upsert import saving
from store.workspace import Workspace

_SAVE = saving(FailedAnswerTable, ("question_id", "model"), kept="created_at")
_COLUMNS = tuple(getattr(FailedAnswerTable, name) for name in FailedAnswerTable.model_fields)


@dataclass(frozen=True, slots=True)
class FailedAnswer:
    """A model was asked and brought no answer."""

    question_id: str
    model: str
    """As the file names it; "" where it doesn't."""
    error: str
    """What went wrong, in the file's words."""
    source: str
    """The file it came in."""
    created_at: str = ""


def put(db: Connection, failed: Sequence[FailedAnswer]) -> list[Taken]:
    """Store failures, within a transaction; one result each, in their order. The last message of a model stands.

    Raises:
        NotFoundError: one names a question that is not in the workspace.
    """
    return [_put(db, one) for one in failed]


def _put(db: Connection, one: FailedAnswer) -> Taken:
    require_question(db, one.question_id)
    row = {"question_id": one.question_id, "model": one.model, "error": one.error, "source": one.source}
    place = (col(FailedAnswerTable.question_id) == one.question_id, col(FailedAnswerTable.model) == one.model)
    known = db.execute(select(col(FailedAnswerTable.error)).where(*place)).scalar_one_or_none()
    if known == one.error:
        return Taken.SAME
    db.execute(_SAVE, {**row, "created_at": now()})
    return Taken.NEW if known is None else Taken.CHANGED


def of_question(ws: Workspace, question_id: str) -> tuple[FailedAnswer, ...]:
    """The failures of a question that stand, by model."""
    return _read(ws, _standing().where(col(FailedAnswerTable.question_id) == question_id))


def every(ws: Workspace) -> tuple[FailedAnswer, ...]:
    """All failures that stand, in the questions' order of arrival, then by model."""
    return _read(ws, _standing())


def _standing() -> Select[tuple[str, ...]]:
    model, answered_by = col(FailedAnswerTable.model), col(CandidateOriginTable.model)
    ending = "/" + model
    answered = (
        select(1)
        .select_from(CandidateTable)
        .join(CandidateOriginTable, col(CandidateOriginTable.candidate_id) == col(CandidateTable.id))
        .where(
            col(CandidateTable.question_id) == col(FailedAnswerTable.question_id),
            model != "",
            or_(answered_by == model, func.substr(answered_by, -func.length(ending)) == ending),
        )
    )
    return (
        select(*_COLUMNS)
        .join(QuestionTable, col(QuestionTable.id) == col(FailedAnswerTable.question_id))
        .where(~answered.exists())
        .order_by(col(QuestionTable.seq), model)
    )


def _read(ws: Workspace, query: Select[tuple[str, ...]]) -> tuple[FailedAnswer, ...]:
    with ws.read() as db:
        return tuple(FailedAnswer(**row._mapping) for row in db.execute(query))
