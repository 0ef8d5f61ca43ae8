"""Remarks of reviewers on spans of stored texts. None is ever lost: one that is removed can be brought back."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update
from sqlmodel import col

from store import texts
from store.identity import now, text_sha256, uuid7
from store.reading_rows import Remark
from store.search import id_range
from store.tables import RemarkTable
from store.workspace import Workspace
from uq_tui.document.anchors import cut
from uq_tui.errors import NotFoundError


def add(ws: Workspace, reviewer_id: str, raw: str, start: int, end: int, note: str) -> Remark:
    """Keep a remark on code points `start` to `end` of a text. The text is stored with it if it isn't yet.

    Raises:
        ValueError: the span is empty or outside the text.
        StoreError: it can't be written.
    """
    if not 0 <= start < end <= len(raw):
        raise ValueError("a remark is outside the text")
    made = Remark(uuid7(), reviewer_id, text_sha256(raw), *_anchor(raw, start, end), note, now())

    def write(conn: Connection) -> None:
        texts.put(conn, [raw])
        values = {name: getattr(made, name) for name in RemarkTable.model_fields}
        conn.execute(insert(RemarkTable), values)

    ws.write(write)
    return made


def _anchor(raw: str, start: int, end: int) -> tuple[int, int, str, str, str]:
    anchor = cut(raw, start, end)
    return anchor.start, anchor.end, anchor.quote, anchor.prefix, anchor.suffix


def of_texts(ws: Workspace, reviewer_id: str, hashes: Collection[str], *, removed: bool = False) -> tuple[Remark, ...]:
    """A reviewer's remarks on these texts, in the order of their places; with those removed if wanted."""
    query = select(RemarkTable).where(
        col(RemarkTable.reviewer_id) == reviewer_id, col(RemarkTable.text_sha256).in_(list(hashes))
    )
    if not removed:
        query = query.where(col(RemarkTable.removed_at).is_(None))
    order = (col(RemarkTable.start), col(RemarkTable.end), col(RemarkTable.id))
    with ws.read() as conn:
        return tuple(_remark(row) for row in conn.execute(query.order_by(*order)))


def get(ws: Workspace, remark_id: str) -> Remark:
    """One remark, also a removed one. Raises NotFoundError."""
    with ws.read() as conn:
        row = conn.execute(select(RemarkTable).where(col(RemarkTable.id) == remark_id)).one_or_none()
    if row is None:
        raise NotFoundError(f"There is no remark {remark_id} in this workspace.")
    return _remark(row)


def find_by_prefix(ws: Workspace, reviewer_id: str, prefix: str) -> tuple[str, ...]:
    """Ids of a reviewer's remarks that start with `prefix`, sorted; at most ten."""
    key, (first, last) = col(RemarkTable.id), id_range(prefix)
    query = select(key).where(col(RemarkTable.reviewer_id) == reviewer_id, key >= first, key < last)
    with ws.read() as conn:
        return tuple(conn.execute(query.order_by(key).limit(10)).scalars())


def edit(ws: Workspace, remark_id: str, note: str) -> Remark:
    """Give a remark another note. Raises NotFoundError."""
    return _change(ws, remark_id, note=note)


def remove(ws: Workspace, remark_id: str) -> Remark:
    """Take a remark away; its row stays, with the time. Raises NotFoundError."""
    return _change(ws, remark_id, removed_at=now())


def restore(ws: Workspace, remark_id: str) -> Remark:
    """Bring a removed remark back. Raises NotFoundError."""
    return _change(ws, remark_id, removed_at=None)


def _change(ws: Workspace, remark_id: str, **values: str | None) -> Remark:
    this = col(RemarkTable.id) == remark_id
    ws.write(lambda conn: conn.execute(update(RemarkTable).where(this).values(values)))
    return get(ws, remark_id)


def _remark(row: Row[Any]) -> Remark:
    return Remark(**{name: getattr(row, name) for name in RemarkTable.model_fields})
