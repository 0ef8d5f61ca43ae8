r"""LaTeX mathematics as readable lines of Unicode: `\frac{a}{b} \in \mathbb{R}^n` becomes `a/b ∈ ℝⁿ`.

A formula that can't be read stays LaTeX, as a whole: there is no error to show, and nothing is made up.
"""

import re
from functools import lru_cache

from uq_tui.document.maths.definitions import EMPTY, Definitions
from uq_tui.document.maths.flat import FLAT, Row
from uq_tui.document.maths.macros import NONE, Definition, Macros, expand
from uq_tui.document.maths.pieces import Piece, Role
from uq_tui.document.maths.reader import Reader
from uq_tui.document.maths.spacing import join
from uq_tui.document.maths.spans import math_spans
from uq_tui.document.maths.tokens import UnreadableError, tokenise
from uq_tui.text import clean, clean_line

MAX_LENGTH = 20_000
"""Longer formulas stay LaTeX, in characters."""

CUT = "…"
_CUT_FORMULA = re.compile(rf"(?<!\\)(?:\\[(\[]|\$\$?(?=[^\s\d$])).*{CUT}\Z", re.DOTALL)
r"""From `\(`, `\[` or a dollar that opens a formula to the end of a text that was cut in it."""
_MAX_MARGIN = 24
"""Furthest that rows are moved to the right to align them, in characters."""
MAX_NAMED = 3
"""Macros that are named where a formula only defines some."""


def one_line(latex: str, *, definitions: Definitions = EMPTY, at: int = 0) -> str:
    """`latex` as one line of readable Unicode, cleaned for the terminal; LaTeX on one line where it can't be read.

    Empty for a formula of nothing but space. Never raises.

    Args:
        latex: what stands between the delimiters.
        definitions: macros and labels of the text.
        at: where the formula stands in that text.
    """
    rows = read_rows(latex, definitions.at(at))
    return clean_line(latex) if rows is None else "; ".join(map(clean_line, rows))


def is_readable(latex: str, *, definitions: Definitions = EMPTY, at: int = 0) -> bool:
    """Whether the formula can be read, so that `one_line` is not the LaTeX itself."""
    return read_rows(latex, definitions.at(at)) is not None


def readable_line(text: str) -> str:
    r"""A title on one line: formulas in it made readable, `\$` a dollar, the rest as it is, all of it cleaned.

    A formula in which the title was cut is left out, unless there is nothing before it: half of one can't be read.
    """
    parts: list[str] = []
    at = 0
    for span in math_spans(text):
        parts += (_undollar(text[at : span.start]), one_line(text[span.inner_start : span.inner_end]))
        at = span.end
    rest = _CUT_FORMULA.sub(CUT, text[at:])
    parts.append(_undollar(rest if at or rest != CUT else text))
    return clean_line("".join(parts))


def _undollar(text: str) -> str:
    return text.replace(r"\$", "$")


@lru_cache(maxsize=4096)
def read_rows(latex: str, macros: Macros = NONE) -> tuple[str, ...] | None:
    """The rows that aren't empty, each on one line: an `align` of three gives three. None where it can't be read.

    Blanks at the start of a row align it with the others.
    """
    if len(latex) > MAX_LENGTH:
        return None
    try:
        expanded = expand(tokenise(latex.strip()), macros.commands)
        rows, _ = Reader(expanded.tokens, FLAT, macros.tags).formula()
    except UnreadableError:
        return None
    lines = [clean(row.rstrip()).replace("\n", " ").replace("\t", " ") for row in _aligned(rows)]
    return tuple(line for line in lines if line) or noted(expanded.definitions)


def _aligned(rows: list[Row]) -> list[str]:
    """Rows with their first column marks one below the other; every second mark parts two formulas."""
    lefts = [join(row.cells[0]) if len(row.cells) > 1 else "" for row in rows]
    margin = min(_MAX_MARGIN, max(map(len, lefts)))
    lines: list[str] = []
    for left, (cells, tag, _) in zip(lefts, rows, strict=True):
        pieces: list[Piece] = []
        for column, cell in enumerate(cells[1:] if len(cells) > 1 else cells):
            if column % 2:
                pieces.append(Piece("  ", Role.SPACE))
            pieces += cell
        right = join(pieces)
        line = f"{left.rjust(margin)} {right}".rstrip() if margin and len(cells) > 1 else right
        lines.append(f"{line}  {tag}" if tag else line)
    return lines


def noted(definitions: tuple[Definition, ...]) -> tuple[str, ...]:
    """The row that stands for a formula that only defines macros; none where it defines nothing."""
    if not definitions:
        return ()
    names = list(dict.fromkeys(definition.name for definition in definitions))
    shown = " ".join(names[:MAX_NAMED]) + (" …" if len(names) > MAX_NAMED else "")
    return (clean_line(f"‹defines {shown}›"),)
