"""What a reviewer is to a question: said once, then the same in all their verdicts on its answers."""

from sqlalchemy import Connection, bindparam, select
from sqlalchemy.dialects.sqlite import insert
from sqlmodel import col

from store.identity import now
from store.review_tables import RelationTable
from store.workspace import Workspace
from uq_tui.words import Relation

_GET = select(col(RelationTable.relation)).where(
    col(RelationTable.reviewer_id) == bindparam("reviewer"), col(RelationTable.question_id) == bindparam("question")
)
"""Built once: building a statement takes longer than running it."""


def get(ws: Workspace, reviewer_id: str, question_id: str) -> Relation | None:
    """What the reviewer has said they are to the question; `None` when they haven't."""
    with ws.read() as conn:
        return read(conn, reviewer_id, question_id)


def read(conn: Connection, reviewer_id: str, question_id: str) -> Relation | None:
    """`get` within a transaction."""
    found = conn.execute(_GET, {"reviewer": reviewer_id, "question": question_id}).scalar_one_or_none()
    return None if found is None else Relation(found)


def put(ws: Workspace, reviewer_id: str, question_id: str, relation: Relation) -> None:
    """Keep what the reviewer is to the question, in place of what they said before."""
    said = {"relation": relation.value, "at": now()}
    statement = insert(RelationTable).values(reviewer_id=reviewer_id, question_id=question_id, **said)
    ws.write(
        lambda conn: conn.execute(
            statement.on_conflict_do_update(index_elements=["reviewer_id", "question_id"], set_=said)
        )
    )
