"""Verdict forms that are not submitted yet, saved at each pause in typing.

A draft has a version. Who saves says which one they had before them: when another window has written since, their
text is kept beside it, as a copy, and they are told.
"""

import json
import secrets
from dataclasses import asdict, replace
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, select
from sqlalchemy.dialects.sqlite import insert
from sqlmodel import col

from store.identity import now, uuid7
from store.review_rows import Draft, DraftCopy
from store.review_tables import DraftCopyTable
from store.rows import VerdictForm
from store.tables import DraftTable
from store.verdict_form import form_from_plain
from store.workspace import Workspace
from uq_tui.errors import DraftMovedError
from uq_tui.words import VerdictRole

ORDINARY = VerdictRole.ORDINARY
_FIRST_VERSIONS = 2**52
"""The first version of a draft is a random number from 1 to this: a draft that was forgotten and begun anew is never
taken for the old one."""

# Built once: building a statement takes longer than running it.
_THIS = (
    col(DraftTable.reviewer_id) == bindparam("reviewer"),
    col(DraftTable.candidate_id) == bindparam("candidate"),
    col(DraftTable.role) == bindparam("part"),
)
_READ = select(col(DraftTable.form), col(DraftTable.version), col(DraftTable.updated_at)).where(*_THIS)
_FORGET = delete(DraftTable).where(*_THIS)
_INSERT = insert(DraftTable)
_PUT = _INSERT.on_conflict_do_update(
    index_elements=["reviewer_id", "candidate_id", "role"],
    set_={
        "form": _INSERT.excluded["form"],
        "updated_at": _INSERT.excluded["updated_at"],
        "version": col(DraftTable.version) + 1,
    },
).returning(col(DraftTable.version))


def get(ws: Workspace, reviewer_id: str, candidate_id: str, *, role: VerdictRole = ORDINARY) -> Draft | None:
    """The draft of this reviewer on this candidate, or None."""
    with ws.read() as conn:
        return read(conn, reviewer_id, candidate_id, role=role)


def read(conn: Connection, reviewer_id: str, candidate_id: str, *, role: VerdictRole) -> Draft | None:
    """`get` within a transaction."""
    row = conn.execute(_READ, _this(reviewer_id, candidate_id, role=role)).one_or_none()
    return None if row is None else _draft(row.form, row.version, row.updated_at)


def save(
    ws: Workspace,
    reviewer_id: str,
    candidate_id: str,
    form: VerdictForm,
    *,
    based_on: int,
    role: VerdictRole = ORDINARY,
) -> int:
    """Keep the form as it is, complete or not, in place of the draft it is based on; its version from now on.

    `based_on` is the version that the form started from or was saved as last, 0 when there was no draft. A draft
    that is gone, because its verdict was recorded, is begun anew.

    Raises:
        DraftMovedError: the stored draft has another version and says something else. Both are on disk by then.
    """

    def keep(conn: Connection) -> int | DraftMovedError:
        stored = read(conn, reviewer_id, candidate_id, role=role)
        if stored is not None and stored.version != based_on and words(stored.form) != words(form):
            return DraftMovedError(stored, _keep_copy(conn, reviewer_id, candidate_id, role, form))
        return put(conn, reviewer_id, candidate_id, form, role=role)

    kept = ws.write(keep)
    if isinstance(kept, DraftMovedError):
        raise kept
    return kept


def put(conn: Connection, reviewer_id: str, candidate_id: str, form: VerdictForm, *, role: VerdictRole) -> int:
    """Within a transaction: keep the form in place of whatever draft there is; its version."""
    row = {
        "reviewer_id": reviewer_id,
        "candidate_id": candidate_id,
        "role": role.value,
        "version": secrets.randbelow(_FIRST_VERSIONS) + 1,
        "form": _dumped(form),
        "updated_at": now(),
    }
    return conn.execute(_PUT, row).scalar_one()


def forget(conn: Connection, reviewer_id: str, candidate_id: str, *, role: VerdictRole = ORDINARY) -> None:
    """Within a transaction: forget the draft, if there is one."""
    conn.execute(_FORGET, _this(reviewer_id, candidate_id, role=role))


def recorded(
    conn: Connection, reviewer_id: str, candidate_id: str, form: VerdictForm, *, role: VerdictRole = ORDINARY
) -> None:
    """Within a transaction: `form` is a verdict now, and there is no draft any more.

    What another window, or the app beside a command, has written in a draft meanwhile is kept as a copy.
    """
    stored = read(conn, reviewer_id, candidate_id, role=role)
    if stored is None:
        return
    written = bool(stored.form.rationale.strip() or stored.form.errors)
    if written and words(stored.form) != words(form):
        _keep_copy(conn, reviewer_id, candidate_id, role, stored.form)
    forget(conn, reviewer_id, candidate_id, role=role)


def trade(conn: Connection, reviewer_id: str, candidate_id: str) -> None:
    """Within a transaction: the draft of the first verdict is that of the repeat now, and the other way round."""
    first, again = (read(conn, reviewer_id, candidate_id, role=role) for role in (ORDINARY, VerdictRole.REPEAT))
    for role, draft in ((ORDINARY, again), (VerdictRole.REPEAT, first)):
        forget(conn, reviewer_id, candidate_id, role=role)
        if draft is not None:
            put(conn, reviewer_id, candidate_id, draft.form, role=role)


def of_reviewer(ws: Workspace, reviewer_id: str) -> tuple[tuple[str, VerdictRole, Draft], ...]:
    """All drafts of a reviewer, the oldest first, each with its candidate and role."""
    query = select(DraftTable).where(col(DraftTable.reviewer_id) == reviewer_id)
    with ws.read() as conn:
        rows = conn.execute(query.order_by(col(DraftTable.updated_at), col(DraftTable.candidate_id)))
        return tuple(
            (row.candidate_id, VerdictRole(row.role), _draft(row.form, row.version, row.updated_at)) for row in rows
        )


def copies(ws: Workspace, reviewer_id: str, candidate_id: str = "") -> tuple[DraftCopy, ...]:
    """What was kept beside drafts, oldest first: of one candidate, or of all."""
    query = select(DraftCopyTable).where(col(DraftCopyTable.reviewer_id) == reviewer_id)
    if candidate_id:
        query = query.where(col(DraftCopyTable.candidate_id) == candidate_id)
    with ws.read() as conn:
        rows = conn.execute(query.order_by(col(DraftCopyTable.kept_at), col(DraftCopyTable.id)))
        return tuple(_copy(row) for row in rows)


def keep_copy(
    ws: Workspace, reviewer_id: str, candidate_id: str, form: VerdictForm, *, role: VerdictRole = ORDINARY
) -> str:
    """Keep a form beside the draft: one that another is about to take the place of. Returns the copy's id."""
    return ws.write(lambda conn: _keep_copy(conn, reviewer_id, candidate_id, role, form))


def drop_copy(ws: Workspace, copy_id: str) -> None:
    """Give up a copy; nothing happens when it is gone already."""
    ws.write(lambda conn: conn.execute(delete(DraftCopyTable).where(col(DraftCopyTable.id) == copy_id)))


def _keep_copy(conn: Connection, reviewer_id: str, candidate_id: str, role: VerdictRole, form: VerdictForm) -> str:
    """A copy of the form; the one that there is when it says the same."""
    table = DraftCopyTable
    same = (
        col(table.reviewer_id) == reviewer_id,
        col(table.candidate_id) == candidate_id,
        col(table.role) == role.value,
    )
    for row in conn.execute(select(table).where(*same)):
        if words(_copy(row).form) == words(form):
            return str(row.id)
    values = {"reviewer_id": reviewer_id, "candidate_id": candidate_id, "role": role.value, "form": _dumped(form)}
    copy_id = uuid7()
    conn.execute(insert(table).values(id=copy_id, kept_at=now(), **values))
    return copy_id


def _draft(form: str, version: int, updated_at: str) -> Draft:
    return Draft(form_from_plain(json.loads(form)), version, updated_at)


def _copy(row: Row[Any]) -> DraftCopy:
    return DraftCopy(
        row.id, row.candidate_id, VerdictRole(row.role), form_from_plain(json.loads(row.form)), row.kept_at
    )


def words(form: VerdictForm) -> VerdictForm:
    """What the form says, without the time it took."""
    return replace(form, seconds_active=0.0, seconds_total=0.0)


def _dumped(form: VerdictForm) -> str:
    return json.dumps(asdict(form))


def _this(reviewer_id: str, candidate_id: str, *, role: VerdictRole) -> dict[str, Any]:
    return {"reviewer": reviewer_id, "candidate": candidate_id, "part": role.value}
