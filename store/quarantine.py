"""Lines of files that are kept apart from what counts, with the reason why; each once, under its hash."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from sqlalchemy import Connection

from store.driver import bound_row, driver, loaded
from store.workspace import Workspace
from uq_tui.words import QuarantineReason

KEPT_OF_DAMAGED = 64 * 1024
"""Bytes that are kept of a line that is no row. Rows are kept whole, since they may come to count."""
_CUT = "cut:"


@dataclass(frozen=True, slots=True)
class Quarantined:
    """One line."""

    line_sha256: str
    """Of the whole line; behind a mark where not all of it is kept, since it is then no more than what a file says."""
    kind: str
    """Of what row it is; "" where that can't be read. So are the ids, and the revision is 0."""
    row_id: str
    revision: int
    candidate_id: str
    reason: QuarantineReason
    detail: str
    file: str
    """Where it came from first, as it was named; "" for a row that counted before."""
    line_number: int
    line: str
    """Of a damaged one the beginning; bytes that are no UTF-8 stand as `surrogateescape` has them."""


_NAMES = tuple(field.name for field in fields(Quarantined))
_COLUMNS = ", ".join(_NAMES)
_PUT = (
    f"INSERT INTO quarantine ({_COLUMNS}) VALUES ({', '.join('?' * len(_NAMES))})"
    " ON CONFLICT (line_sha256) DO UPDATE SET "
    + ", ".join(f"{name} = excluded.{name}" for name in _NAMES if name not in ("file", "line_number"))
    +
    # What is kept and said of a damaged line is not to depend on which file came last.
    " WHERE excluded.reason <> 'damaged' OR (excluded.line, excluded.detail) < (quarantine.line, quarantine.detail)"
)
_TAKE_OUT = "DELETE FROM quarantine WHERE line_sha256 = ?"
_ONE = f"SELECT {_COLUMNS} FROM quarantine WHERE line_sha256 = ?"
_OF_ROW = f"SELECT {_COLUMNS} FROM quarantine WHERE kind = ? AND row_id = ? AND reason = ?"
_ON_CANDIDATE = f"SELECT {_COLUMNS} FROM quarantine WHERE candidate_id = ? AND reason = ?"
_ALL = f"SELECT {_COLUMNS} FROM quarantine ORDER BY reason, kind, row_id, revision, line_sha256"


def damaged(line: bytes, detail: str, file: str, line_number: int) -> Quarantined:
    """A line that is no intact row."""
    sha256 = hashlib.sha256(line).hexdigest()
    if len(line) > KEPT_OF_DAMAGED:
        return cut(line[:KEPT_OF_DAMAGED], sha256, detail, file, line_number)
    return _damaged(sha256, line, detail, file, line_number)


def cut(beginning: bytes, line_sha256: str, detail: str, file: str, line_number: int) -> Quarantined:
    """A line that is no intact row, of which only the beginning is here; `line_sha256` is said to be that of all."""
    return _damaged(_CUT + line_sha256, beginning, detail, file, line_number)


def sha256_of(line: Quarantined) -> str:
    """The hash of the whole line, as far as it is known."""
    return line.line_sha256.removeprefix(_CUT)


def _damaged(line_sha256: str, line: bytes, detail: str, file: str, line_number: int) -> Quarantined:
    kept = line.decode("utf-8", "surrogateescape")
    return Quarantined(line_sha256, "", "", 0, "", QuarantineReason.DAMAGED, detail, file, line_number, kept)


def put(conn: Connection, lines: Iterable[Quarantined]) -> None:
    """Keep lines apart, within a transaction; of one that is there already the reason is brought up to date."""
    values = (bound_row(getattr(line, name) for name in _NAMES) for line in lines)
    driver(conn).executemany(_PUT, values)


def take_out(conn: Connection, line_sha256: str) -> None:
    """Keep a line apart no more, within a transaction."""
    driver(conn).execute(_TAKE_OUT, (line_sha256,))


def find(conn: Connection, line_sha256: str) -> Quarantined | None:
    """The line with this hash, if it is here."""
    return next(_read(conn, _ONE, line_sha256), None)


def of_row(conn: Connection, kind: str, row_id: str, reason: QuarantineReason) -> Iterator[Quarantined]:
    """Lines that are revisions of one verdict, statement or evidence."""
    return _read(conn, _OF_ROW, kind, row_id, reason)


def on_candidate(conn: Connection, candidate_id: str, reason: QuarantineReason) -> Iterator[Quarantined]:
    """Lines that are rows on one candidate."""
    return _read(conn, _ON_CANDIDATE, candidate_id, reason)


def lines(ws: Workspace) -> Iterator[Quarantined]:
    """All lines, by reason, kind and id, and all of one moment."""
    with ws.read() as conn:
        yield from all_lines(conn)


def all_lines(conn: Connection) -> Iterator[Quarantined]:
    """`lines` within a transaction."""
    return _read(conn, _ALL)


def count_by_reason(ws: Workspace) -> Mapping[QuarantineReason, int]:
    """How many lines there are for each reason."""
    with ws.read() as conn:
        rows = driver(conn).execute("SELECT reason, count(*) FROM quarantine GROUP BY reason").fetchall()
    return Counter({QuarantineReason(reason): n for reason, n in rows})


def _read(conn: Connection, statement: str, *parameters: Any) -> Iterator[Quarantined]:
    for row in driver(conn).execute(statement, parameters):
        values = dict(zip(_NAMES, map(loaded, row), strict=True))
        yield Quarantined(**{**values, "reason": QuarantineReason(values["reason"])})
