"""What stands before the lines of a text: numbers of units, marks beside them, and the cursor."""

from collections.abc import Mapping

from uq_tui.state.reading.lines.view import Row
from uq_tui.widgets.reading.strips import NO_MARGIN, Margin

CURSOR = "▸"
_DIGITS = 2
"""Room for numbers in a short text, so that it doesn't move when it grows past its ninth unit."""
_NARROW = 3
"""Cells of a margin without numbers: cursor, mark, blank."""


def margin_width(units: int, *, numbered: bool, marked: bool) -> int:
    """Cells before the lines of a text with so many units."""
    if numbered:
        return _NARROW + max(_DIGITS, len(str(units))) + 1
    return _NARROW if marked else 0


def margin_of(row: Row, width: int, marks: Mapping[int, str], cursor: int | None) -> Margin:
    """What stands before a row, in a margin that is so many cells wide."""
    if not width:
        return NO_MARGIN
    if not row.begins:
        return Margin(((" " * width, ""),))
    here = CURSOR if row.unit == cursor else " "
    digits = width - _NARROW - 1
    number = f"{row.unit + 1:>{digits}} " if digits > 0 else ""
    mark = marks.get(row.unit, " ")
    return Margin(((here, "margin-cursor"), (number, "margin-number"), (mark, "margin-glyph"), (" ", "")))
