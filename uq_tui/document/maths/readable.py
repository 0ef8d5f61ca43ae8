r"""LaTeX mathematics as readable lines of Unicode: `\frac{a}{b} \in \mathbb{R}^n` becomes `a/b ∈ ℝⁿ`.

A formula that can't be read stays LaTeX, as a whole: there is no error to show, and nothing is made up.
"""

import re
from functools import lru_cache

from uq_tui.document.maths.reader import Reader, UnreadableError
from uq_tui.document.maths.spans import math_spans
from uq_tui.text import clean, clean_line

MAX_LENGTH = 20_000
"""Longer formulas stay LaTeX, in characters."""

_COMMENT = re.compile(r"(?<!\\)%[^\n]*\n?")


def one_line(latex: str) -> str:
    """`latex` as one line of readable Unicode, cleaned for the terminal; LaTeX on one line where it can't be read.

    Empty for a formula of nothing but space. Never raises.
    """
    return "; ".join(map(clean_line, readable_rows(latex)))


@lru_cache(maxsize=4096)
def readable_rows(latex: str) -> tuple[str, ...]:
    r"""The rows of a displayed formula, each as by `one_line`: an `align` of three lines gives three.

    Blanks at the start of a row align it with the others.
    """
    rows = _read(latex)
    return (clean_line(latex),) if rows is None else rows


def is_readable(latex: str) -> bool:
    """Whether the formula can be read, so that `one_line` is not the LaTeX itself."""
    return _read(latex) is not None


def readable_line(text: str) -> str:
    r"""A title on one line: formulas in it made readable, `\$` a dollar, the rest as it is, all of it cleaned."""
    parts: list[str] = []
    at = 0
    for span in math_spans(text):
        parts += (_undollar(text[at : span.start]), one_line(text[span.inner_start : span.inner_end]))
        at = span.end
    parts.append(_undollar(text[at:]))
    return clean_line("".join(parts))


def _undollar(text: str) -> str:
    return text.replace(r"\$", "$")


def _read(latex: str) -> tuple[str, ...] | None:
    """The readable rows that aren't empty; None where the formula can't be read."""
    if len(latex) > MAX_LENGTH:
        return None
    try:
        rows = Reader(_COMMENT.sub(" ", latex)).rows()
    except UnreadableError:
        return None
    rows = [clean(row.rstrip()).replace("\n", " ").replace("\t", " ") for row in rows]
    return tuple(row for row in rows if row)
