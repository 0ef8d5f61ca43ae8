"""Displayed formulas as rows of text."""

from enum import Enum, auto
from functools import lru_cache
from typing import NamedTuple

from uq_tui.document.maths.definitions import EMPTY, Definitions
from uq_tui.document.maths.macros import Macros
from uq_tui.document.maths.readable import read_rows
from uq_tui.text import clean_line


class Drawn(Enum):
    """How a formula came out."""

    STACKED = auto()
    """In two dimensions, or on one row because nothing in it is tall."""
    LINE = auto()
    """A line for each of its rows: it would be too large in two dimensions."""
    SOURCE = auto()
    """As it is written: it can't be read."""


class Drawing(NamedTuple):
    """A displayed formula, row by row, clean for the terminal. A row may be wider than the view."""

    rows: tuple[str, ...]
    how: Drawn


def draw(latex: str, width: int, *, definitions: Definitions = EMPTY, at: int = 0) -> Drawing:
    """The formula as it is displayed. Never raises.

    Args:
        latex: what stands between the delimiters.
        width: cells that it should fit into, where it can be broken.
        definitions: macros and labels of the text.
        at: where the formula stands in that text.
    """
    return _drawn(latex, width, definitions.at(at))


@lru_cache(maxsize=2048)
def _drawn(latex: str, width: int, macros: Macros) -> Drawing:
    rows = read_rows(latex, macros)
    if rows is None:
        return Drawing((clean_line(latex),), Drawn.SOURCE)
    return Drawing(rows, Drawn.LINE)
