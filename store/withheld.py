"""Verdict rows that are kept from a reviewer while they judge blind."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, and_, or_
from sqlmodel import col

from store import blindness
from store.tables import VerdictTable
from store.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Withheld:
    """All rows on some questions, and the reviewer's own on candidates that they are to judge once more."""

    questions: frozenset[str] = frozenset()
    reviewer_id: str = ""
    candidates: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.questions or self.candidates)

    def holds(self, record: Mapping[str, Any]) -> bool:
        """Whether a row is among them."""
        own = record["reviewer"]["id"] == self.reviewer_id and record["candidate_id"] in self.candidates
        return own or record["question_id"] in self.questions

    def where(self) -> ColumnElement[bool]:
        """The same as a condition on rows of the table."""
        own = col(VerdictTable.reviewer_id) == self.reviewer_id
        again = and_(own, col(VerdictTable.candidate_id).in_(self.candidates))
        return or_(again, col(VerdictTable.question_id).in_(self.questions))


NOTHING = Withheld()


def withheld(ws: Workspace, reviewer_id: str) -> Withheld:
    """What this reviewer is not to see now."""
    masked, again = blindness.masked_questions(ws, reviewer_id), blindness.repeated(ws, reviewer_id)
    return Withheld(masked, reviewer_id, again)
