"""Displayed formulas as rows of text."""

from collections.abc import Iterator
from enum import Enum, auto
from functools import lru_cache
from textwrap import dedent
from typing import NamedTuple

from uq_tui.document.maths.boxes import TooLargeError
from uq_tui.document.maths.definitions import EMPTY, Definitions
from uq_tui.document.maths.macros import Macros, expand
from uq_tui.document.maths.readable import MAX_LENGTH, noted, read_rows
from uq_tui.document.maths.reader import Reader
from uq_tui.document.maths.stacked import Stacked
from uq_tui.document.maths.tables import lines
from uq_tui.document.maths.tokens import UnreadableError, tokenise
from uq_tui.text import clean

MAX_ROWS = 60
"""Formulas of more rows are not drawn in two dimensions."""
MAX_TOKENS = 6_000
"""Nor are longer ones."""


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
    if len(latex) <= MAX_LENGTH:
        try:
            return Drawing(_stacked(latex, width, macros), Drawn.STACKED)
        except TooLargeError:
            if (flat := read_rows(latex, macros)) is not None:
                return Drawing(flat, Drawn.LINE)
        except UnreadableError:
            pass
    return Drawing(tuple(_source(latex)), Drawn.SOURCE)


def _stacked(latex: str, width: int, macros: Macros) -> tuple[str, ...]:
    """The rows in two dimensions.

    Raises:
        TooLargeError: there would be too many of them, or they would be too wide.
        UnreadableError: see there.
    """
    # Cleaned first: a mark is as wide as it is drawn.
    expanded = expand(tokenise(clean(latex).strip()), macros.commands)
    if len(expanded.tokens) > MAX_TOKENS:
        raise TooLargeError
    rows, name = Reader(expanded.tokens, Stacked(width), macros.tags).formula()
    drawn = tuple(clean(row.rstrip()) for row in lines(rows, name, width).rows)
    if len(drawn) > MAX_ROWS:
        raise TooLargeError
    return drawn if any(drawn) else noted(expanded.definitions)


def _source(latex: str) -> Iterator[str]:
    """The lines as they are written, without the blanks that all begin with."""
    text = dedent(clean(latex).expandtabs(4))
    yield from (row.rstrip() for row in text.split("\n") if row.strip())
