r"""Environments: rows and columns between `\begin` and `\end`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uq_tui.document.maths import symbols as sym
from uq_tui.document.maths.flat import Grid, Row
from uq_tui.document.maths.tokens import CELL_ENDS, ROW_ENDS, UnreadableError

if TYPE_CHECKING:
    from uq_tui.document.maths.pieces import Piece
    from uq_tui.document.maths.reader import Reader

_RULES = frozenset({"\\hline", "\\toprule", "\\midrule", "\\bottomrule"})


def environment(reader: Reader) -> list[Piece]:
    r"""What stands from after a `\begin` up to its `\end`.

    Raises:
        UnreadableError: it has no end, or nobody knows it.
    """
    written = reader.raw_group().strip()
    name = written.rstrip("*")
    outer, reader.tag = reader.tag, ""
    if name in sym.STACKS:
        piece = reader.setting.lines(read_rows(reader, name), name)
    else:
        columns = columns_of(reader, written)
        left, right = sym.BRACKETS.get(name, ("", ""))
        rows = read_rows(reader, name)
        piece = reader.setting.grid(Grid(rows, left, right, columns))
        # There is no place for tags between brackets.
        outer = " ".join(filter(None, [outer, *(row.tag for row in rows)]))
    reader.tag = outer
    return [piece]


def columns_of(reader: Reader, name: str) -> str:
    """How the columns of the environment that begins here are set; `name` with its star."""
    if name.endswith("matrix*"):
        return "".join(reader.raw_option() or ["c"])
    name = name.rstrip("*")
    if name not in sym.WITH_COLUMNS:
        return sym.COLUMNS.get(name, "c")
    reader.raw_option()
    written: list[str] = []
    depth = 0
    for token in reader.group():
        depth += (token == "{") - (token == "}")
        if not depth and token in ("l", "c", "r", "|"):
            written.append(token)
        elif not depth and token in ("p", "m", "b", "X"):
            written.append("l")
    return "".join(written)


def read_rows(reader: Reader, name: str) -> list[Row]:
    r"""The rows of environment `name`, its `\end` too; without a name, those up to the end of the formula.

    Raises:
        UnreadableError: it has no end, or nobody knows it.
    """
    if name and name not in sym.BRACKETS and name not in sym.GRIDS and name not in sym.STACKS:
        raise UnreadableError
    if name in sym.STACKS:
        if name in sym.WITH_OPTION:
            reader.raw_option()
        if name in sym.WITH_COLUMNS:
            reader.group()
    rows: list[Row] = []
    while _row(reader, rows):
        pass
    if name and (reader.next() != "\\end" or reader.name() != name):
        raise UnreadableError
    return rows


def _row(reader: Reader, rows: list[Row]) -> bool:
    """Read one row. Whether others follow."""
    ruled = False
    reader.skip_space()
    while reader.peek() in _RULES:
        reader.next()
        ruled = True
        reader.skip_space()
    cells: list[list[Piece]] = []
    while True:
        cells.append(reader.sequence(CELL_ENDS))
        token = reader.peek()
        if token == "&":
            reader.next()
            continue
        rows.append(Row(cells, reader.tag, ruled))
        reader.tag = ""
        if token not in ROW_ENDS:
            return False
        reader.next()
        reader.skip_row_gap()
        return True
