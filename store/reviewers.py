"""Reviewers, and which of them sits at this workspace."""

import getpass
import json
from typing import Any

from sqlalchemy import Connection, Row, select
from sqlalchemy.dialects.sqlite import insert
from sqlmodel import col

from store.facts import put_in
from store.identity import now, uuid7
from store.rows import Reviewer
from store.tables import ReviewerTable, WorkspaceTable
from store.workspace import Workspace

_CURRENT = "reviewer"
"""Key in the `workspace` table."""


def current(ws: Workspace) -> Reviewer:
    """The reviewer at this workspace; on first use one with a new id and the name of the system's user."""
    with ws.read() as conn:
        found = _current(conn)
    return found or ws.write(_make_current)


def save(ws: Workspace, reviewer: Reviewer) -> None:
    """Store a reviewer's particulars, in place of earlier ones, and make them the current reviewer."""
    ws.write(lambda conn: _save(conn, reviewer))


def _current(conn: Connection) -> Reviewer | None:
    query = (
        select(ReviewerTable)
        .join(WorkspaceTable, col(WorkspaceTable.value) == col(ReviewerTable.id))
        .where(col(WorkspaceTable.key) == _CURRENT)
    )
    row = conn.execute(query).one_or_none()
    return _reviewer(row) if row else None


def _make_current(conn: Connection) -> Reviewer:
    # Another process may have made one since we looked.
    found = _current(conn)
    if found is None:
        found = Reviewer(id=uuid7(), handle=_user_name(), orcid="", expertise=())
        _save(conn, found)
    return found


def _user_name() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a user id without an entry: OSError from Python 3.13, KeyError before
        return "reviewer"


def _save(conn: Connection, reviewer: Reviewer) -> None:
    particulars = {
        "handle": reviewer.handle,
        "orcid": reviewer.orcid,
        "expertise": json.dumps(list(reviewer.expertise)),
    }
    conn.execute(
        insert(ReviewerTable)
        .values(id=reviewer.id, created_at=now(), **particulars)
        .on_conflict_do_update(index_elements=["id"], set_=particulars)
    )
    put_in(conn, _CURRENT, reviewer.id)


def _reviewer(row: Row[Any]) -> Reviewer:
    return Reviewer(id=row.id, handle=row.handle, orcid=row.orcid, expertise=tuple(json.loads(row.expertise)))
