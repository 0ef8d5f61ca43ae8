"""Single facts about a workspace, by key."""

from sqlalchemy import Connection, select
from sqlalchemy.dialects.sqlite import insert
from sqlmodel import col

from store.tables import WorkspaceTable
from store.workspace import Workspace


def get(ws: Workspace, key: str) -> str:
    """The value of a fact; "" where it was never put."""
    with ws.read() as conn:
        found = conn.execute(select(col(WorkspaceTable.value)).where(col(WorkspaceTable.key) == key))
        return found.scalar_one_or_none() or ""


def put(ws: Workspace, key: str, value: str) -> None:
    """Keep a fact, in place of an earlier value."""
    ws.write(lambda conn: put_in(conn, key, value))


def put_in(conn: Connection, key: str, value: str) -> None:
    """`put` within a transaction."""
    statement = insert(WorkspaceTable).values(key=key, value=value)
    conn.execute(statement.on_conflict_do_update(index_elements=["key"], set_={"value": value}))
