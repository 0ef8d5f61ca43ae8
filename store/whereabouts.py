"""Where a stored text belongs: the candidates whose answer it is, the questions whose body it is or was."""

from typing import NamedTuple

from sqlalchemy import select
from sqlmodel import col

from store.tables import CandidateTable, QuestionTextTable
from store.workspace import Workspace


class Answer(NamedTuple):
    """A candidate and its question, by their ids."""

    candidate_id: str
    question_id: str


def answers_with(ws: Workspace, sha256: str) -> tuple[Answer, ...]:
    """The candidates whose answer this text is: several when questions were answered alike. In order of their ids."""
    query = select(col(CandidateTable.id), col(CandidateTable.question_id)).where(
        col(CandidateTable.answer_sha256) == sha256
    )
    with ws.read() as conn:
        return tuple(Answer(*row) for row in conn.execute(query.order_by(col(CandidateTable.id))))


def questions_with(ws: Workspace, sha256: str) -> tuple[str, ...]:
    """The ids of the questions that this text is a body of, or was before a new version."""
    query = select(col(QuestionTextTable.question_id)).where(col(QuestionTextTable.body_sha256) == sha256)
    with ws.read() as conn:
        return tuple(conn.execute(query.distinct().order_by(col(QuestionTextTable.question_id))).scalars())
