"""Reviewers, and which of them sits at this workspace."""

import getpass
import json
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Row, func, select
from sqlalchemy.dialects.sqlite import insert
from sqlmodel import col

from store.facts import put_in
from store.identity import now, uuid7
from store.record_shape import ID, is_text
from store.rows import Reviewer
from store.search import id_range
from store.tables import ReviewerTable, WorkspaceTable
from store.workspace import Workspace
from uq_tui.errors import NotFoundError, UqError

_CURRENT = "reviewer"
"""Key in the `workspace` table."""
_LIST = "`uq-tui reviewer list` shows all."


def current(ws: Workspace) -> Reviewer:
    """The reviewer at this workspace; on first use one with a new id and the name of the system's user."""
    with ws.read() as conn:
        found = _current(conn)
    return found or ws.write(_make_current)


def all_of(ws: Workspace) -> tuple[Reviewer, ...]:
    """All reviewers of this workspace, the first made first."""
    query = select(ReviewerTable).order_by(col(ReviewerTable.created_at), col(ReviewerTable.id))
    with ws.read() as conn:
        return tuple(_reviewer(row) for row in conn.execute(query))


def get(ws: Workspace, reviewer_id: str) -> Reviewer:
    """The reviewer with this id. Raises NotFoundError."""
    with ws.read() as conn:
        return _get(conn, reviewer_id)


def by_handle(ws: Workspace, handle: str) -> Reviewer:
    """The reviewer with this public name. Raises NotFoundError: nobody has it, or several do."""
    query = select(ReviewerTable).where(col(ReviewerTable.handle) == handle)
    with ws.read() as conn:
        found = [_reviewer(row) for row in conn.execute(query)]
    if not found:
        raise NotFoundError(f"No reviewer here is called {handle!a}.", hint=_LIST)
    if len(found) > 1:
        ids = ", ".join(one.id for one in found)
        raise NotFoundError(f"Several reviewers are called {handle!a}: {ids}.", hint="Give the id.")
    return found[0]


def find_by_prefix(ws: Workspace, prefix: str) -> tuple[str, ...]:
    """Ids of reviewers that start with `prefix`, sorted; at most ten."""
    key, (first, last) = col(ReviewerTable.id), id_range(prefix)
    with ws.read() as conn:
        return tuple(conn.execute(select(key).where(key >= first, key < last).order_by(key).limit(10)).scalars())


def make(ws: Workspace, reviewer: Reviewer) -> Reviewer:
    """Add a reviewer, who gets an id if `reviewer` has none; who sits here stays who it was.

    Raises:
        UqError: another one has that public name.
    """
    made = replace(reviewer, id=reviewer.id or uuid7())

    def add(conn: Connection) -> None:
        _require_free(conn, made)
        _put(conn, made)

    ws.write(add)
    return made


def save(ws: Workspace, reviewer: Reviewer) -> None:
    """Store a reviewer's particulars, in place of earlier ones, and make them the current reviewer."""

    def put_and_use(conn: Connection) -> None:
        _put(conn, reviewer)
        sit_down(conn, reviewer.id)

    ws.write(put_and_use)


def edit(ws: Workspace, reviewer: Reviewer) -> Reviewer:
    """Store a known reviewer's particulars, in place of earlier ones. Rows they have written stay as they are.

    Raises:
        NotFoundError: there is no such reviewer.
        UqError: another one has that public name.
    """

    def put(conn: Connection) -> None:
        _get(conn, reviewer.id)
        _require_free(conn, reviewer)
        _put(conn, reviewer)

    ws.write(put)
    return reviewer


def use(ws: Workspace, reviewer_id: str) -> Reviewer:
    """Make a known reviewer the one who sits here. Raises NotFoundError."""

    def put(conn: Connection) -> Reviewer:
        found = _get(conn, reviewer_id)
        sit_down(conn, reviewer_id)
        return found

    return ws.write(put)


def sit_down(conn: Connection, reviewer_id: str) -> None:
    """As `use`, within a transaction, of one who is known."""
    put_in(conn, _CURRENT, reviewer_id)


def put_known(conn: Connection, reviewer: Reviewer) -> None:
    """Within a transaction: make somebody known who has an id from elsewhere; one who is known stays as they are.

    Another one may have the same public name: ids keep them apart.
    """
    if conn.execute(select(1).where(col(ReviewerTable.id) == reviewer.id)).first() is None:
        _put(conn, reviewer)


def namesakes(conn: Connection, reviewer: Reviewer) -> int:
    """How many others have the same public name, those apart that the reviewer is linked to."""
    others = col(ReviewerTable.id).not_in((reviewer.id, *reviewer.linked))
    query = select(func.count()).where(col(ReviewerTable.handle) == reviewer.handle, others)
    return int(conn.execute(query).scalar_one())


def link(ws: Workspace, reviewer_id: str, other_id: str) -> Reviewer:
    """Record that a reviewer is the same person as the one with `other_id`, here or elsewhere; both ways where here.

    Raises:
        NotFoundError: there is no such reviewer.
        UqError: the ids are the same, or the other is none.
    """
    if reviewer_id == other_id:
        raise UqError("A reviewer can't be linked to themselves.", hint="Give the id they have on the other machine.")
    if not is_text(other_id, ID):
        raise UqError(f"{other_id!a} is no id.", hint="`uq-tui reviewer list` shows it on the other machine.")

    def put(conn: Connection) -> Reviewer:
        linked = _linked(_get(conn, reviewer_id), other_id)
        _put(conn, linked)
        query = select(ReviewerTable).where(col(ReviewerTable.id) == other_id)
        other = conn.execute(query).one_or_none()
        if other is not None:
            _put(conn, _linked(_reviewer(other), reviewer_id))
        return linked

    return ws.write(put)


def _linked(reviewer: Reviewer, other_id: str) -> Reviewer:
    return replace(reviewer, linked=tuple(dict.fromkeys((*reviewer.linked, other_id))))


def _get(conn: Connection, reviewer_id: str) -> Reviewer:
    row = conn.execute(select(ReviewerTable).where(col(ReviewerTable.id) == reviewer_id)).one_or_none()
    if row is None:
        raise NotFoundError(f"There is no reviewer {reviewer_id!a} in this workspace.", hint=_LIST)
    return _reviewer(row)


def _require_free(conn: Connection, reviewer: Reviewer) -> None:
    query = select(1).where(col(ReviewerTable.handle) == reviewer.handle, col(ReviewerTable.id) != reviewer.id)
    if conn.execute(query).first() is not None:
        raise UqError(f"Another reviewer here is called {reviewer.handle!a}.", hint="Choose another public name.")


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
        _put(conn, found)
        sit_down(conn, found.id)
    return found


def _user_name() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a user id without an entry: OSError from Python 3.13, KeyError before
        return "reviewer"


def _put(conn: Connection, reviewer: Reviewer) -> None:
    particulars = {
        "handle": reviewer.handle,
        "orcid": reviewer.orcid,
        "expertise": json.dumps(list(reviewer.expertise)),
        "name": reviewer.name,
        "affiliation": reviewer.affiliation,
        "linked": json.dumps(list(reviewer.linked)),
    }
    conn.execute(
        insert(ReviewerTable)
        .values(id=reviewer.id, created_at=now(), **particulars)
        .on_conflict_do_update(index_elements=["id"], set_=particulars)
    )


def _reviewer(row: Row[Any]) -> Reviewer:
    return Reviewer(
        id=row.id,
        handle=row.handle,
        orcid=row.orcid,
        expertise=tuple(json.loads(row.expertise)),
        name=row.name,
        affiliation=row.affiliation,
        linked=tuple(json.loads(row.linked)),
    )
