"""What reviewers of questions have written and not recorded yet: a paraphrase, a reason."""

from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, delete, select
from sqlalchemy.dialects.sqlite import insert
from sqlmodel import col

from store.curation_tables import ParaphraseDraftTable
from store.identity import now
from store.workspace import Workspace


@dataclass(frozen=True, slots=True)
class ParaphraseDraft:
    """Words on a question. Title and body are empty while it was not put in other words."""

    title: str = ""
    body: str = ""
    reason: str = ""

    def __bool__(self) -> bool:
        return bool(self.title or self.body or self.reason)


def get(ws: Workspace, reviewer_id: str, curation_id: str, question_id: str) -> ParaphraseDraft:
    """The draft of a reviewer; an empty one where there is none."""
    wanted = select(
        col(ParaphraseDraftTable.title), col(ParaphraseDraftTable.body), col(ParaphraseDraftTable.reason)
    ).where(*_this(reviewer_id, curation_id, question_id))
    with ws.read() as conn:
        row = conn.execute(wanted).one_or_none()
    return ParaphraseDraft() if row is None else ParaphraseDraft(*row)


def keep(ws: Workspace, reviewer_id: str, curation_id: str, question_id: str, draft: ParaphraseDraft) -> None:
    """Put a draft in the place of what was there; an empty one is forgotten.

    Raises:
        StoreError: it can't be written; what was kept is as it was.
    """
    said = {"title": draft.title, "body": draft.body, "reason": draft.reason, "updated_at": now()}
    key = {"reviewer_id": reviewer_id, "curation_id": curation_id, "question_id": question_id}

    def put(conn: Connection) -> None:
        if draft:
            row = insert(ParaphraseDraftTable).values(**key, **said)
            conn.execute(row.on_conflict_do_update(index_elements=list(key), set_=said))
        else:
            conn.execute(delete(ParaphraseDraftTable).where(*_this(reviewer_id, curation_id, question_id)))

    ws.write(put)


def _this(reviewer_id: str, curation_id: str, question_id: str) -> tuple[ColumnElement[bool], ...]:
    return (
        col(ParaphraseDraftTable.reviewer_id) == reviewer_id,
        col(ParaphraseDraftTable.curation_id) == curation_id,
        col(ParaphraseDraftTable.question_id) == question_id,
    )
