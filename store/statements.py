"""What people say beside verdicts: append-only revisions, each frozen as the row that is exported.

Of a second pass, a note and an acceptance a reviewer has one on each candidate or question, which later ones revise;
every comment and every resolution is one of its own.
"""

import json
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from typing import Any

from sqlalchemy import ColumnElement, Connection, CursorResult, bindparam, func, select
from sqlmodel import col

from store import candidates, questions, relations
from store.frozen_rows import Revision, retracted, sealed
from store.identity import now, uuid7
from store.review_rows import Said, Statement
from store.review_tables import StatementTable
from store.row_choice import conditions
from store.rows import Candidate, Question, Reviewer
from store.search import id_range
from store.statement_record import build, said_in
from store.statement_rows import append_line, statement_of
from store.statement_shape import ON_CANDIDATES
from store.workspace import Workspace
from uq_tui.errors import NotFoundError, UqError
from uq_tui.words import Relation, StatementKind, VerdictStatus

MANY = frozenset((StatementKind.COMMENT, StatementKind.RESOLUTION))
"""Kinds of which each is a statement of its own, however many a reviewer makes."""
_NOTHING_SAID = Said()

# Built once: building a statement takes longer than running it.
_REVISIONS = select(
    col(StatementTable.statement_id), col(StatementTable.created_at), col(StatementTable.record)
).order_by(col(StatementTable.revision))
_SECOND_PASSES = _REVISIONS.where(
    col(StatementTable.candidate_id) == bindparam("candidate"),
    col(StatementTable.kind) == StatementKind.SECOND_PASS.value,
    col(StatementTable.reviewer_id) == bindparam("reviewer"),
)


def add(
    ws: Workspace, reviewer: Reviewer, kind: StatementKind, question_id: str, said: Said, *, candidate_id: str = ""
) -> Statement:
    """Record what a reviewer says about a question, or about one of its candidates if named.

    What says the same as the revision it would supersede is not recorded again.

    Raises:
        NotFoundError: there is no such question, the question has no such candidate, or no such statement is answered.
        UqError: nothing is said, or a kind that is about candidates names none.
        StoreError: it can't be written.
    """
    if kind not in MANY:
        return change(ws, reviewer, kind, question_id, lambda _: said, candidate_id=candidate_id)
    _require_words(said)
    question, candidate = _subject(ws, kind, question_id, candidate_id)

    def append(conn: Connection) -> Statement:
        if said.in_reply_to and not _newest(conn, col(StatementTable.statement_id) == said.in_reply_to):
            raise NotFoundError(f"There is no statement {said.in_reply_to} to reply to.")
        return _say(conn, kind, reviewer, question, candidate, said, None)

    return ws.write(append)


def change(
    ws: Workspace,
    reviewer: Reviewer,
    kind: StatementKind,
    question_id: str,
    made: Callable[[Said], Said],
    *,
    candidate_id: str = "",
) -> Statement:
    """Revise the reviewer's one statement of a kind by what `made` turns its newest content into, in one transaction.

    So two windows that each decide something keep both. Where there is none yet, or it was taken back, `made` is given
    an empty one. Raises as `add` does.
    """
    question, candidate = _subject(ws, kind, question_id, candidate_id)
    return ws.write(lambda conn: change_within(conn, reviewer, kind, question, made, candidate=candidate))


def change_within(
    conn: Connection,
    reviewer: Reviewer,
    kind: StatementKind,
    question: Question,
    made: Callable[[Said], Said],
    *,
    candidate: Candidate | None = None,
) -> Statement:
    """`change` within a transaction. Raises UqError: nothing is said."""
    last = read_own(conn, reviewer.id, kind, question.row.id, candidate.id if candidate else "")
    before = said_in(last.record) if last is not None and last.stands else _NOTHING_SAID
    said = made(before)
    if last is not None and last.stands and said == before:
        return last
    if last is None and said == _NOTHING_SAID:
        raise UqError("Nothing was said, so nothing was recorded.")
    return _say(conn, kind, reviewer, question, candidate, said, last)


def revise(ws: Workspace, reviewer: Reviewer, statement_id: str, text: str) -> Statement:
    """Give the reviewer's own statement other words: a new revision. Raises as `retract` and `add` do."""
    _require_words(Said(text))
    found = get(ws, statement_id)
    question, candidate = _subject(ws, found.kind, found.question_id, found.candidate_id)

    def append(conn: Connection) -> Statement:
        last = _own(conn, reviewer, statement_id)
        before = said_in(last.record)
        if before.text == text:
            return last
        return _say(conn, last.kind, reviewer, question, candidate, replace(before, text=text), last)

    return ws.write(append)


def retract(ws: Workspace, reviewer: Reviewer, statement_id: str) -> Statement:
    """Take back a statement: a new revision that says what was retracted.

    Raises:
        NotFoundError: there is none of this reviewer's that stands.
        StoreError: it can't be written.
    """

    def append(conn: Connection) -> Statement:
        last = _own(conn, reviewer, statement_id)
        return append_line(conn, sealed(retracted(last.record, _next(last, VerdictStatus.RETRACTED))))

    return ws.write(append)


def get(ws: Workspace, statement_id: str) -> Statement:
    """The newest revision of a statement. Raises NotFoundError."""
    with ws.read() as conn:
        found = _newest(conn, col(StatementTable.statement_id) == statement_id)
    if not found:
        raise NotFoundError(f"There is no statement {statement_id} in this workspace.")
    return found[0]


def history(ws: Workspace, statement_id: str) -> tuple[Statement, ...]:
    """All revisions of a statement, oldest first."""
    query = select(col(StatementTable.record)).where(col(StatementTable.statement_id) == statement_id)
    with ws.read() as conn:
        found = conn.execute(query.order_by(col(StatementTable.revision))).scalars()
        return tuple(statement_of(json.loads(line)) for line in found)


def find_by_prefix(ws: Workspace, prefix: str) -> tuple[str, ...]:
    """Ids of statements that start with `prefix`, sorted; at most ten."""
    key, (first, last) = col(StatementTable.statement_id), id_range(prefix)
    query = select(key).where(key >= first, key < last).distinct().order_by(key).limit(10)
    with ws.read() as conn:
        return tuple(conn.execute(query).scalars())


def of_question(
    ws: Workspace, question_id: str, kinds: Collection[StatementKind] = tuple(StatementKind)
) -> tuple[Statement, ...]:
    """The newest revision of every statement on a question and its candidates, retractions included, the first first.

    Their order is that in which they were first said.
    """
    with ws.read() as conn:
        return _newest(
            conn, col(StatementTable.question_id) == question_id, col(StatementTable.kind).in_([*map(str, kinds)])
        )


def own(
    ws: Workspace, reviewer_id: str, kind: StatementKind, question_id: str, candidate_id: str = ""
) -> Statement | None:
    """The reviewer's newest statement of a kind on a question or a candidate of it, a retraction included."""
    with ws.read() as conn:
        return read_own(conn, reviewer_id, kind, question_id, candidate_id)


def read_own(
    conn: Connection, reviewer_id: str, kind: StatementKind, question_id: str, candidate_id: str = ""
) -> Statement | None:
    """`own` within a transaction."""
    about = col(StatementTable.candidate_id)
    theirs = _newest(
        conn,
        col(StatementTable.question_id) == question_id,
        col(StatementTable.kind) == kind.value,
        col(StatementTable.reviewer_id) == reviewer_id,
        about == candidate_id if candidate_id else about.is_(None),
    )
    return max(theirs, key=lambda one: (one.created_at, one.statement_id)) if theirs else None


def second_pass(ws: Workspace, reviewer_id: str, candidate_id: str) -> Statement | None:
    """The reviewer's second pass on a candidate as it stands; `None` where there is none or it was taken back."""
    with ws.read() as conn:
        return read_second_pass(conn, reviewer_id, candidate_id)


def read_second_pass(conn: Connection, reviewer_id: str, candidate_id: str) -> Statement | None:
    """`second_pass` within a transaction."""
    theirs = _newest_of(conn.execute(_SECOND_PASSES, {"candidate": candidate_id, "reviewer": reviewer_id}))
    standing = [one for one in theirs if one.stands]
    return max(standing, key=lambda one: (one.created_at, one.statement_id)) if standing else None


def records(
    ws: Workspace,
    *,
    reviewer_id: str = "",
    since: str = "",
    dataset_version: str = "",
    without: Collection[str] = (),
) -> Iterator[str]:
    """Every revision's row as it was frozen or imported, one line each without line feed.

    In order of (created_at, statement_id, revision), and all of one moment.

    Args:
        ws: where they are.
        reviewer_id: only this reviewer's; "" for everybody's.
        since: only revisions made then or later; a day, or a time without its zone.
        dataset_version: only rows that name this version.
        without: ids of questions whose rows are left out.
    """
    in_order = (col(StatementTable.created_at), col(StatementTable.statement_id), col(StatementTable.revision))
    query = select(col(StatementTable.record)).order_by(*in_order)
    query = query.where(*conditions(StatementTable, reviewer_id, since, dataset_version))
    if without:
        query = query.where(col(StatementTable.question_id).not_in(without))
    with ws.read() as conn:
        yield from conn.execute(query).scalars()


def count_of_questions(
    ws: Workspace,
    question_ids: Collection[str],
    *,
    reviewer_id: str = "",
    since: str = "",
    dataset_version: str = "",
) -> int:
    """How many of these rows are on these questions, all revisions counted."""
    query = select(func.count()).select_from(StatementTable).where(col(StatementTable.question_id).in_(question_ids))
    query = query.where(*conditions(StatementTable, reviewer_id, since, dataset_version))
    with ws.read() as conn:
        return int(conn.execute(query).scalar_one())


def _require_words(said: Said) -> None:
    if not said.text.strip():
        raise UqError("Nothing was said, so nothing was recorded.", hint="Write something first.")


def _subject(
    ws: Workspace, kind: StatementKind, question_id: str, candidate_id: str
) -> tuple[Question, Candidate | None]:
    question = questions.get(ws, question_id)
    if not candidate_id:
        if kind in ON_CANDIDATES:
            raise UqError(f"A {kind.value.replace('_', ' ')} is about an answer, and none is named.")
        return question, None
    candidate = candidates.get(ws, candidate_id)
    if candidate.question_id != question_id:
        raise NotFoundError(f"The candidate {candidate_id} is no answer to {question_id}.")
    return question, candidate


def _say(
    conn: Connection,
    kind: StatementKind,
    reviewer: Reviewer,
    question: Question,
    candidate: Candidate | None,
    said: Said,
    last: Statement | None,
) -> Statement:
    relation = relations.read(conn, reviewer.id, question.row.id) or Relation.OTHER
    revision = _next(last, VerdictStatus.SUBMITTED)
    return append_line(conn, sealed(build(kind, revision, question, candidate, reviewer, relation, said)))


def _own(conn: Connection, reviewer: Reviewer, statement_id: str) -> Statement:
    """The newest revision of a reviewer's own statement, which stands."""
    found = _newest(conn, col(StatementTable.statement_id) == statement_id)
    if not found or found[0].reviewer_id != reviewer.id or not found[0].stands:
        raise NotFoundError(f"{reviewer.handle} has no statement {statement_id} that stands.")
    return found[0]


def _newest(conn: Connection, *where: ColumnElement[bool]) -> tuple[Statement, ...]:
    """The newest revision of each, in the order in which the first ones were made."""
    return _newest_of(conn.execute(_REVISIONS.where(*where)))


def _newest_of(rows: CursorResult[Any]) -> tuple[Statement, ...]:
    """`_newest` of revisions that were read, in their order."""
    first: dict[str, tuple[str, str]] = {}
    newest: dict[str, str] = {}
    for row in rows:
        first.setdefault(row.statement_id, (row.created_at, row.statement_id))
        newest[row.statement_id] = row.record
    return tuple(statement_of(json.loads(newest[key])) for key in sorted(newest, key=lambda key: first[key]))


def _next(last: Statement | None, status: VerdictStatus) -> Revision:
    if last is None:
        return Revision(uuid7(), 1, "", status, now())
    return Revision(last.statement_id, last.revision + 1, f"{last.statement_id}#{last.revision}", status, now())
