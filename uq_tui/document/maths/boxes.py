"""Rectangles of text that stand beside or above each other."""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from rich.cells import cell_len

MAX_ROWS = 120
"""Tallest box."""
MAX_CELLS = 1_500
"""Widest box."""

Side = Literal["l", "c", "r"]
"""Where a narrow box stands below a wide one: left, centre, right."""


class TooLargeError(Exception):
    """The box would be taller or wider than is drawn."""


class Box(NamedTuple):
    """Rows of the same width. What stands beside the box has its own row `base` at the height of this one's."""

    rows: tuple[str, ...]
    base: int = 0

    @property
    def width(self) -> int:
        """In cells."""
        return cells(self.rows[0])

    @property
    def below(self) -> int:
        """How many rows there are under the base."""
        return len(self.rows) - 1 - self.base


def cells(text: str) -> int:
    """Width of one row."""
    return len(text) if text.isascii() else cell_len(text)


def even(rows: Iterable[str], base: int = 0, side: Side = "l") -> Box:
    """A box of rows that may differ in width.

    Raises:
        TooLargeError: see there.
    """
    rows = list(rows)
    widths = [cells(row) for row in rows]
    width = max(widths)
    if len(rows) > MAX_ROWS or width > MAX_CELLS:
        raise TooLargeError
    return Box(tuple(_at_side(row, width - own, side) for row, own in zip(rows, widths, strict=True)), base)


def beside(boxes: Sequence[Box]) -> Box:
    """The boxes from left to right, their bases in one row.

    Raises:
        TooLargeError: see `even`.
    """
    if len(boxes) == 1:
        return boxes[0]
    above = max(box.base for box in boxes)
    below = max(box.below for box in boxes)
    columns = [heightened(box, above, below).rows for box in boxes]
    rows = ["".join(parts) for parts in zip(*columns, strict=True)]
    if len(rows) > MAX_ROWS or len(rows[0]) > MAX_CELLS:
        raise TooLargeError
    return Box(tuple(rows), above)


def heightened(box: Box, above: int, below: int) -> Box:
    """The box with blank rows, so that there are `above` over the base and `below` under it."""
    if box.base >= above and box.below >= below:
        return box
    blank = " " * box.width
    over, under = max(0, above - box.base), max(0, below - box.below)
    return Box((blank,) * over + box.rows + (blank,) * under, box.base + over)


def widened(box: Box, width: int, side: Side = "l") -> Box:
    """The box with blanks, so that it is at least `width` cells wide."""
    missing = width - box.width
    return box if missing <= 0 else Box(tuple(_at_side(row, missing, side) for row in box.rows), box.base)


def stacked(boxes: Sequence[Box], base: int, side: Side = "c", *, gap: int = 0) -> Box:
    """The boxes from top to bottom, with `gap` blank rows between. Box number `base` gives the base.

    Raises:
        TooLargeError: see `even`.
    """
    rows: list[str] = []
    at = 0
    width = max(box.width for box in boxes)
    for number, box in enumerate(boxes):
        if number:
            rows += [""] * gap
        if number == base:
            at = len(rows) + box.base
        rows += widened(box, width, side).rows
    return even(rows, at)


def framed(box: Box) -> Box:
    """The box with a frame round it."""
    line = "─" * (box.width + 2)
    return Box((f"╭{line}╮", *(f"│ {row} │" for row in box.rows), f"╰{line}╯"), box.base + 1)


def _at_side(row: str, missing: int, side: Side) -> str:
    if missing <= 0:
        return row
    left = 0 if side == "l" else missing if side == "r" else missing // 2
    return f"{' ' * left}{row}{' ' * (missing - left)}"
