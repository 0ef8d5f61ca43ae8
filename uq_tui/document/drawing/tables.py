"""Tables to lines: columns within their share of the width where that can be read, else as wide as they need."""

from collections.abc import Sequence
from typing import NamedTuple

from uq_tui.document.drawing.lines import Span, cells, wrap

Cell = Sequence[Span]

MAX_COLUMN = 60
"""Widest column of a table that is scrolled sideways, in cells: longer text is wrapped within it."""
_MIN_COLUMN = 12
"""Narrowest column that text is wrapped in, in cells."""
_BETWEEN = Span(" │ ", "table")


class Table(NamedTuple):
    """A table's lines; those of one that is `wide` are wider than was asked for, and belong side by side."""

    lines: list[tuple[Span, ...]]
    wide: bool


def table_lines(head: Sequence[Cell], body: Sequence[Sequence[Cell]], aligns: Sequence[str], width: int) -> Table:
    """A table within `width` cells where its columns can be read so, else one to scroll.

    Args:
        head: the cells of the first row.
        body: the other rows; each has as many cells as `head`.
        aligns: "left", "right" or "center" for each column.
        width: at least 8.
    """
    columns = len(head)
    room = width - len(_BETWEEN.text) * (columns - 1)
    natural = [max(1, *(cells(row[column]) for row in (head, *body))) for column in range(columns)]
    wide = room < sum(min(_MIN_COLUMN, most) for most in natural)
    widths = [min(MAX_COLUMN, most) for most in natural] if wide else _share(natural, room)
    lines = _row(head, aligns, widths)
    lines.append((Span("─┼─".join("─" * most for most in widths), "table"),))
    for row in body:
        lines += _row(row, aligns, widths)
    return Table(lines, wide)


def _share(natural: Sequence[int], room: int) -> list[int]:
    """Column widths: natural where that fits, else the widest columns are held to one common width."""
    widths = list(natural)
    left, open_columns = room, sorted(range(len(widths)), key=lambda column: widths[column])
    while open_columns:
        share = left // len(open_columns)
        if widths[open_columns[0]] > share:
            for column in open_columns:
                widths[column] = share
            break
        left -= widths[open_columns.pop(0)]
    return widths


def _row(row: Sequence[Cell], aligns: Sequence[str], widths: Sequence[int]) -> list[tuple[Span, ...]]:
    wrapped = [wrap(cell, max(2, most)) for cell, most in zip(row, widths, strict=True)]
    lines: list[tuple[Span, ...]] = []
    for number in range(max(len(cell) for cell in wrapped)):
        spans: list[Span] = []
        for column, cell in enumerate(wrapped):
            if column:
                spans.append(_BETWEEN)
            content = cell[number] if number < len(cell) else ()
            free = widths[column] - cells(content)
            before = {"right": free, "center": free // 2}.get(aligns[column], 0)
            spans += (Span(" " * before), *content, Span(" " * (free - before)))
        lines.append(tuple(spans))
    return lines
