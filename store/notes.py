"""A reviewer's scratch note on a question: kept while it is written, a statement once it is left.

Two windows may write the same one. The text that another window takes the place of becomes a revision of the statement
first, so that none is lost.
"""

from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, delete, select
from sqlalchemy.dialects.sqlite import insert
from sqlmodel import col

from store import questions, statements
from store.identity import now
from store.review_rows import Said
from store.review_tables import ScratchTable
from store.rows import Question, Reviewer
from store.workspace import Workspace
from uq_tui.words import StatementKind


@dataclass(frozen=True, slots=True)
class Note:
    """A note as it stands. `version` names what is kept of it while it is written; "" when nothing is."""

    body: str
    version: str = ""


def get(ws: Workspace, reviewer: Reviewer, question_id: str) -> Note:
    """The note as it was written last, left or not; an empty one where there is none."""
    with ws.read() as conn:
        kept = _kept(conn, reviewer, question_id)
    if kept is not None:
        return kept
    standing = statements.own(ws, reviewer.id, StatementKind.NOTE, question_id)
    return Note(standing.text if standing is not None and standing.stands else "")


def keep(ws: Workspace, reviewer: Reviewer, question_id: str, body: str, based_on: str) -> Note:
    """Keep a note that is being written.

    Args:
        ws: where.
        reviewer: whose.
        question_id: on which question.
        body: all of it.
        based_on: the version that it was written over.

    Raises:
        NotFoundError: there is no such question.
        StoreError: it can't be written; what was kept is as it was.
    """
    question = questions.get(ws, question_id)

    def put(conn: Connection) -> Note:
        _save_others(conn, reviewer, question, body, based_on)
        made = Note(body, now())
        said = {"body": body, "updated_at": made.version}
        row = insert(ScratchTable).values(reviewer_id=reviewer.id, question_id=question_id, **said)
        conn.execute(row.on_conflict_do_update(index_elements=["reviewer_id", "question_id"], set_=said))
        return made

    return ws.write(put)


def leave(ws: Workspace, reviewer: Reviewer, question_id: str, body: str, based_on: str) -> None:
    """Make a note that was written a revision of its statement, unless it says what that does. Raises as `keep`."""
    question = questions.get(ws, question_id)

    def put(conn: Connection) -> None:
        _save_others(conn, reviewer, question, body, based_on)
        _record(conn, reviewer, question, body)
        conn.execute(delete(ScratchTable).where(*_this(reviewer, question_id)))

    ws.write(put)


def _save_others(conn: Connection, reviewer: Reviewer, question: Question, body: str, based_on: str) -> None:
    """Record what another window has kept since."""
    kept = _kept(conn, reviewer, question.row.id)
    if kept is not None and kept.version != based_on and kept.body != body:
        _record(conn, reviewer, question, kept.body)


def _record(conn: Connection, reviewer: Reviewer, question: Question, body: str) -> None:
    known = statements.read_own(conn, reviewer.id, StatementKind.NOTE, question.row.id)
    if body.strip() or known is not None:
        statements.change_within(conn, reviewer, StatementKind.NOTE, question, lambda _: Said(body))


def _kept(conn: Connection, reviewer: Reviewer, question_id: str) -> Note | None:
    query = select(col(ScratchTable.body), col(ScratchTable.updated_at)).where(*_this(reviewer, question_id))
    row = conn.execute(query).one_or_none()
    return Note(row.body, row.updated_at) if row is not None else None


def _this(reviewer: Reviewer, question_id: str) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return col(ScratchTable.reviewer_id) == reviewer.id, col(ScratchTable.question_id) == question_id
