"""Related questions whose answers can be checked: what Consequence-Based Utility is measured on."""

from collections.abc import Sequence

from sqlalchemy import Connection, func, select
from sqlalchemy.dialects.sqlite import insert
from sqlmodel import col

from store import texts
from store.identity import neighbour_id, text_sha256
from store.intake import Taken, require_question
from store.rows import Neighbour
from store.tables import NeighbourLinkTable, NeighbourTable
from store.workspace import Workspace
from uq_tui.words import NeighbourUse


def of_question(ws: Workspace, question_id: str) -> tuple[Neighbour, ...]:
    """A question's neighbours in order of arrival; none when there is no such question."""
    query = (
        select(NeighbourTable, col(NeighbourLinkTable.use), col(NeighbourLinkTable.note))
        .join(NeighbourLinkTable, col(NeighbourLinkTable.neighbour_id) == col(NeighbourTable.id))
        .where(col(NeighbourLinkTable.question_id) == question_id)
        .order_by(col(NeighbourLinkTable.position))
    )
    with ws.read() as db:
        return tuple(
            Neighbour(
                row.id,
                texts.read_raw(db, row.statement_sha256),
                row.answer,
                row.source,
                NeighbourUse(row.use),
                row.note,
            )
            for row in db.execute(query).all()
        )


def add(ws: Workspace, question_id: str, new: Sequence[Neighbour]) -> None:
    """Give a question neighbours; those it has already stay as they are. Their ids are computed, not taken.

    Raises:
        NotFoundError: there is no such question.
    """
    ws.write(lambda db: put(db, question_id, new))


def put(db: Connection, question_id: str, new: Sequence[Neighbour]) -> list[Taken]:
    """Store a question's neighbours, within a transaction; one result a neighbour. Raises NotFoundError."""
    require_question(db, question_id)
    texts.put(db, (neighbour.statement for neighbour in new))
    return [_put(db, question_id, neighbour) for neighbour in new]


def _put(db: Connection, question_id: str, new: Neighbour) -> Taken:
    key = neighbour_id(new.statement, new.answer)
    row = {"id": key, "statement_sha256": text_sha256(new.statement), "answer": new.answer, "source": new.source}
    db.execute(insert(NeighbourTable).on_conflict_do_nothing(), row)
    positions = select(func.max(col(NeighbourLinkTable.position))).where(
        col(NeighbourLinkTable.question_id) == question_id
    )
    position = (db.execute(positions).scalar_one() or 0) + 1
    link = {"question_id": question_id, "neighbour_id": key, "position": position}
    linked = db.execute(insert(NeighbourLinkTable).values(link).on_conflict_do_nothing()).rowcount == 1
    return Taken.NEW if linked else Taken.SAME
