"""Whether a question is solved, worked out of all that people said of it, in whichever order it came.

Each reviewer's word is the newest of their resolutions that they have not taken back. The newest word of those whose
word resolves a question decides. Where none of them has spoken, the newest of the others' does, and can at most say
that an answer is accepted.
"""

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, select, update
from sqlmodel import col

from store.driver import among, listed
from store.review_rows import Resolved
from store.review_tables import StatementTable
from store.statement_record import resolved_in
from store.tables import QuestionTable
from uq_tui.words import RESOLVED, Relation, Resolution, StatementKind, VerdictStatus

VERIFIERS = (Relation.ORIGINAL_POSTER, Relation.DOMAIN_EXPERT)
"""Whose word resolves a question where no version of a dataset says otherwise (UQ section 4: experts and posters)."""

# Built once: building a statement takes longer than running it.
_REVISIONS = (
    select(
        col(StatementTable.question_id),
        col(StatementTable.statement_id),
        col(StatementTable.reviewer_id),
        col(StatementTable.status),
        col(StatementTable.created_at),
        col(StatementTable.record),
    )
    .where(
        among(col(StatementTable.question_id), "questions"),
        col(StatementTable.kind) == StatementKind.RESOLUTION.value,
    )
    .order_by(col(StatementTable.revision))
)
_SET = (
    update(QuestionTable)
    .where(
        col(QuestionTable.id) == bindparam("this_question"),
        col(QuestionTable.resolution) != bindparam("new_resolution"),
    )
    .values(resolution=bindparam("new_resolution"))
)


@dataclass(frozen=True, slots=True)
class Word:
    """One resolution that its author has not taken back."""

    question_id: str
    statement_id: str
    reviewer_id: str
    candidate_id: str
    said: Resolved
    created_at: str
    """Of its newest revision."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a question stands, and by which word; `None` where nobody has said anything."""

    state: Resolution
    word: Word | None


OPEN = Standing(Resolution.OPEN, None)


def standing(words: Iterable[Word], verifiers: Collection[Relation] = VERIFIERS) -> Standing:
    """Where one question stands, by everything that stands of what was said of it, in any order."""
    own: dict[str, Word] = {}
    for word in sorted(words, key=_age):
        own[word.reviewer_id] = word
    if not own:
        return OPEN
    heard = [word for word in own.values() if word.said.verifier in verifiers]
    if heard:
        newest = max(heard, key=_age)
        return Standing(newest.said.state, newest)
    newest = max(own.values(), key=_age)
    return Standing(_of_others(newest.said.state), newest)


def _of_others(state: Resolution) -> Resolution:
    """What a state comes to when said by somebody whose word resolves nothing."""
    accepts = state is Resolution.CANDIDATE_ACCEPTED or state in RESOLVED
    return Resolution.CANDIDATE_ACCEPTED if accepts else Resolution.OPEN


def _age(word: Word) -> tuple[str, str]:
    return word.created_at, word.statement_id


def read_words(conn: Connection, question_ids: Iterable[str]) -> dict[str, list[Word]]:
    """All words that stand, by question; those of which nothing is said are missing."""
    newest: dict[str, Word | None] = {}
    for row in conn.execute(_REVISIONS, {"questions": listed(question_ids)}):
        newest[row.statement_id] = _word(row.record) if row.status == VerdictStatus.SUBMITTED else None
    found: dict[str, list[Word]] = {}
    for word in newest.values():
        if word is not None:
            found.setdefault(word.question_id, []).append(word)
    return found


def _word(line: str) -> Word | None:
    record = json.loads(line)
    said = resolved_in(record)
    if said is None:
        return None
    return Word(
        record["question_id"],
        record["statement_id"],
        record["reviewer"]["id"],
        record["candidate_id"],
        said,
        record["created_at"],
    )


def refresh(conn: Connection, question_id: str) -> None:
    """Bring a question's `resolution` up to date, within the transaction that has changed what is said of it."""
    refresh_each(conn, [question_id])


def refresh_each(conn: Connection, question_ids: Collection[str]) -> None:
    """`refresh` for several questions."""
    words = read_words(conn, question_ids) if question_ids else {}
    for question_id in question_ids:
        stands = standing(words.get(question_id, ()))
        conn.execute(_SET, {"this_question": question_id, "new_resolution": stands.state.value})
