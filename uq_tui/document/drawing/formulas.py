"""Displayed formulas to rows of spans."""

import re
from typing import NamedTuple

from uq_tui.document.drawing.lines import Span, as_one, cells, wrap
from uq_tui.document.drawing.placed import Setting
from uq_tui.document.maths.drawing import Drawn, draw

_INSET = 4
_END = re.compile(r"\\end\{[A-Za-z]+\*?\}\s*$")
_OPEN_ENDED = re.compile(r"\\$|(?<!\\)%[^\n]*$")
"""What would swallow a sign behind it: a backslash, a comment."""


class Display(NamedTuple):
    """A displayed formula, and where it stands with the punctuation behind it, which it is drawn with."""

    latex: str
    start: int
    end: int
    punctuation: str = ""


class Rows(NamedTuple):
    """A drawn formula. One that is `wide` is wider than there is room for, and belongs one row under the other."""

    rows: list[tuple[Span, ...]]
    wide: bool


def formula_rows(formula: Display, room: int, setting: Setting) -> Rows:
    """The formula, set in. What is drawn in two dimensions stays whole; a line that doesn't fit goes on further in."""
    inset = min(_INSET, room // 8)
    definitions, at = setting.context.definitions, setting.start + formula.start
    drawing = draw(_punctuated(formula), room - inset, definitions=definitions, at=at)
    rows: list[tuple[Span, ...]] = []
    wide = False
    style = "math drawn" if drawing.how is Drawn.STACKED else "math"
    for row in drawing.rows or ("",):
        text = row.lstrip(" ")
        before = Span(" " * (inset + len(row) - len(text)))
        spans = as_one(text, style, formula.start, formula.end)
        if cells([before, *spans]) <= room:
            rows.append((before, *spans))
        elif drawing.how is Drawn.STACKED:
            rows.append((before, *spans))
            wide = True
        else:
            rows += _continued(spans, min(len(before.text), room // 2), 2 * inset, room)
    return Rows(rows, wide)


def _continued(spans: list[Span], before: int, further: int, room: int) -> list[tuple[Span, ...]]:
    first, *others = wrap(spans, room - further, room=room - before)
    return [(Span(" " * before), *first), *((Span(" " * further), *line) for line in others)]


def _punctuated(formula: Display) -> str:
    """The formula with the punctuation at its end, so that it is drawn in its last line."""
    latex, punctuation = formula.latex, formula.punctuation
    if not punctuation or _OPEN_ENDED.search(latex.rstrip()):
        return latex
    found = _END.search(latex)
    if found is None:
        return latex.rstrip() + punctuation
    inside = latex[: found.start()].rstrip()
    return inside.removesuffix("\\\\") + punctuation + found[0]
