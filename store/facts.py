"""Single facts about a workspace, by key."""

from sqlalchemy import Connection, bindparam, select
from sqlalchemy.dialects.sqlite import insert
from sqlmodel import col

from store.tables import WorkspaceTable
from store.workspace import Workspace

# Built once: building a statement takes longer than running it.
_GET = select(col(WorkspaceTable.value)).where(col(WorkspaceTable.key) == bindparam("this_key"))
_INSERT = insert(WorkspaceTable)
_PUT = _INSERT.on_conflict_do_update(index_elements=["key"], set_={"value": _INSERT.excluded["value"]})


def get(ws: Workspace, key: str) -> str:
    """The value of a fact; "" where it was never put."""
    with ws.read() as conn:
        return conn.execute(_GET, {"this_key": key}).scalar_one_or_none() or ""


def put(ws: Workspace, key: str, value: str) -> None:
    """Keep a fact, in place of an earlier value."""
    ws.write(lambda conn: put_in(conn, key, value))


def put_in(conn: Connection, key: str, value: str) -> None:
    """`put` within a transaction."""
    conn.execute(_PUT, {"key": key, "value": value})
