"""Candidates of other questions, as examples that can't help: a second control arm of utility runs."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlmodel import col

from store.tables import CandidateTable, QuestionTable, TextTable
from store.workspace import Workspace

_LOOKED_AT = 200
"""Newest candidates of other questions among which one is chosen."""


@dataclass(frozen=True, slots=True)
class Placebo:
    """A candidate of another question."""

    candidate_id: str
    number: int
    title: str
    """Of its question."""


def find(ws: Workspace, question_id: str, *, without: Collection[str] = ()) -> Placebo | None:
    """The candidate of another question whose length is nearest to the mean of this question's; `None` without any.

    `without` are questions whose candidates are not taken.
    """
    length, text_of = col(TextTable.chars), col(TextTable.sha256) == col(CandidateTable.answer_sha256)
    own = select(func.avg(length)).join(CandidateTable, text_of).where(col(CandidateTable.question_id) == question_id)
    others = (
        select(col(CandidateTable.id), length.label("chars"))
        .join(TextTable, text_of)
        .where(col(CandidateTable.question_id).not_in([question_id, *without]))
        .order_by(col(CandidateTable.created_at).desc(), col(CandidateTable.id))
        .limit(_LOOKED_AT)
        .subquery()
    )
    found = (
        select(col(CandidateTable.id), col(CandidateTable.number), col(QuestionTable.title))
        .join(others, others.c.id == col(CandidateTable.id))
        .join(QuestionTable, col(QuestionTable.id) == col(CandidateTable.question_id))
        .order_by(func.abs(others.c.chars - func.coalesce(own.scalar_subquery(), 0)), col(CandidateTable.id))
        .limit(1)
    )
    with ws.read() as conn:
        row = conn.execute(found).one_or_none()
    return None if row is None else Placebo(row.id, row.number, row.title)
