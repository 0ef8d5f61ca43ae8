"""The ledger: what a reviewer has made of each unit of a text, so that reading goes on next week where it stopped."""

from collections.abc import Callable, Iterable
from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, select
from sqlalchemy.dialects.sqlite import insert
from sqlmodel import col

from store import texts
from store.identity import now, text_sha256
from store.reading_rows import LedgerMark
from store.tables import LedgerMarkTable
from store.workspace import Workspace
from uq_tui.words import LedgerState

_KEY = ("reviewer_id", "text_sha256", "start", "end")
_INSERT = insert(LedgerMarkTable)
_PUT = _INSERT.on_conflict_do_update(
    index_elements=list(_KEY), set_={name: _INSERT.excluded[name] for name in ("state", "note", "marked_at")}
)

_MARKS = (
    select(LedgerMarkTable)
    .where(
        col(LedgerMarkTable.reviewer_id) == bindparam("reviewer"), col(LedgerMarkTable.text_sha256) == bindparam("text")
    )
    .order_by(col(LedgerMarkTable.start), col(LedgerMarkTable.end))
)
"""Built once: building a statement takes longer than running it."""


def marks(ws: Workspace, reviewer_id: str, sha256: str) -> tuple[LedgerMark, ...]:
    """A reviewer's marks in the text with this hash, in the order of the text."""
    with ws.read() as conn:
        return read_marks(conn, reviewer_id, sha256)


def read_marks(conn: Connection, reviewer_id: str, sha256: str) -> tuple[LedgerMark, ...]:
    """`marks` within a transaction."""
    return tuple(_mark(row) for row in conn.execute(_MARKS, {"reviewer": reviewer_id, "text": sha256}))


def put(ws: Workspace, reviewer_id: str, raw: str, new: Iterable[LedgerMark]) -> None:
    """Keep marks in place of those on the same spans; one without state and note takes the earlier one away.

    The text is stored with them if it isn't yet, so that offsets never point into nothing: reasoning and replies are
    kept elsewhere.

    Raises:
        ValueError: a span is empty or outside the text.
        StoreError: it can't be written.
    """
    wanted = list(new)
    _check(raw, wanted)
    ws.write(lambda conn: _put(conn, reviewer_id, raw, wanted))


def change(
    ws: Workspace, reviewer_id: str, raw: str, start: int, end: int, how: Callable[[LedgerMark], LedgerMark]
) -> tuple[LedgerMark, LedgerMark]:
    """Change the mark on a span, whoever has written it meanwhile: `how` gets it as it is stored, or an empty one.

    Returns:
        the mark before and after.

    Raises as `put` does.
    """
    _check(raw, [LedgerMark(start, end, None, "")])

    def write(conn: Connection) -> tuple[LedgerMark, LedgerMark]:
        span = (col(LedgerMarkTable.start) == start, col(LedgerMarkTable.end) == end)
        row = conn.execute(select(LedgerMarkTable).where(*_this(reviewer_id, text_sha256(raw)), *span)).one_or_none()
        before = _mark(row) if row else LedgerMark(start, end, None, "")
        after = how(before)
        _put(conn, reviewer_id, raw, [after])
        return before, after

    return ws.write(write)


def _check(raw: str, marked: Iterable[LedgerMark]) -> None:
    if any(not 0 <= mark.start < mark.end <= len(raw) for mark in marked):
        raise ValueError("a mark is outside the text")


def _put(conn: Connection, reviewer_id: str, raw: str, new: Iterable[LedgerMark]) -> None:
    sha256 = text_sha256(raw)
    this = {"reviewer_id": reviewer_id, "text_sha256": sha256}
    rows = []
    for mark in new:
        if mark.state or mark.note:
            state = mark.state and mark.state.value
            rows.append({**this, **asdict(mark), "state": state, "marked_at": mark.marked_at or now()})
        else:
            span = (col(LedgerMarkTable.start) == mark.start, col(LedgerMarkTable.end) == mark.end)
            conn.execute(delete(LedgerMarkTable).where(*_this(reviewer_id, sha256), *span))
    if rows:
        texts.put(conn, [raw])
        conn.execute(_PUT, rows)


def _mark(row: Row[Any]) -> LedgerMark:
    return LedgerMark(row.start, row.end, LedgerState(row.state) if row.state else None, row.note, row.marked_at)


def _this(reviewer_id: str, sha256: str) -> tuple[Any, ...]:
    return col(LedgerMarkTable.reviewer_id) == reviewer_id, col(LedgerMarkTable.text_sha256) == sha256
