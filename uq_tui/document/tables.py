"""Tables to lines: columns wrapped within their share of the width; records where there are too many columns."""

from collections.abc import Sequence

from rich.cells import cell_len

from uq_tui.document.lines import Span, wrap

Cell = Sequence[Span]
Rendered = list[tuple[Span, ...]]

_MIN_COLUMN = 5
"""Narrowest column worth reading, in cells."""
_BETWEEN = " │ "


def table_lines(head: Sequence[Cell], body: Sequence[Sequence[Cell]], aligns: Sequence[str], width: int) -> Rendered:
    """A table at most `width` cells wide.

    Args:
        head: the cells of the first row.
        body: the other rows; each has as many cells as `head`.
        aligns: "left", "right" or "center" for each column.
        width: at least 8.
    """
    columns = len(head)
    room = width - len(_BETWEEN) * (columns - 1)
    natural = [max(_cells(row[column]) for row in (head, *body)) for column in range(columns)]
    if room < sum(min(_MIN_COLUMN, max(1, cells)) for cells in natural):
        return _records(head, body, width)
    widths = _share(natural, room)
    lines = _row(head, aligns, widths)
    lines.append((Span("─┼─".join("─" * cells for cells in widths), "table"),))
    for row in body:
        lines += _row(row, aligns, widths)
    return lines


def _cells(cell: Cell) -> int:
    return sum(cell_len(span.text) for span in cell)


def _share(natural: Sequence[int], room: int) -> list[int]:
    """Column widths: natural where that fits, else the widest columns are held to one common width."""
    widths = [max(1, cells) for cells in natural]
    left, open_columns = room, sorted(range(len(widths)), key=lambda column: widths[column])
    while open_columns:
        share = left // len(open_columns)
        if widths[open_columns[0]] > share:
            for column in open_columns:
                widths[column] = max(share, min(_MIN_COLUMN, widths[column]))
            break
        left -= widths[open_columns.pop(0)]
    return widths


def _row(row: Sequence[Cell], aligns: Sequence[str], widths: Sequence[int]) -> Rendered:
    wrapped = [wrap(cell, max(2, cells)) for cell, cells in zip(row, widths, strict=True)]
    lines: Rendered = []
    for number in range(max(len(cell) for cell in wrapped)):
        spans: list[Span] = []
        for column, cell in enumerate(wrapped):
            if column:
                spans.append(Span(_BETWEEN, "table"))
            content = cell[number] if number < len(cell) else ()
            free = widths[column] - _cells(content)
            before = {"right": free, "center": free // 2}.get(aligns[column], 0)
            spans += (Span(" " * before), *content, Span(" " * (free - before)))
        lines.append(tuple(spans))
    return lines


def _records(head: Sequence[Cell], body: Sequence[Sequence[Cell]], width: int) -> Rendered:
    """Each row as a list of its cells, one a line, each named by its column."""
    lines: Rendered = []
    for number, row in enumerate(body or [head]):
        if number:
            lines.append(())
        for name, cell in zip(head, row, strict=True):
            named = [*name, Span(": "), *cell] if body else list(cell)
            lines += wrap(named, width)
    return lines
