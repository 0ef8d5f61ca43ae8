r"""Plain text within formulas: what stands in a `\text{..}`, and references."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from uq_tui.document.maths.pieces import Piece, Role
from uq_tui.document.maths.spans import math_spans
from uq_tui.document.maths.tokens import tokenise

if TYPE_CHECKING:
    from uq_tui.document.maths.reader import Reader

_ESCAPED = re.compile(r"\\([%$#&_{} ])")
_FONT_SWITCH = re.compile(r"\\(?:rm|it|bf|tt|sf|sl|sc|em|bfseries|itshape|normalfont|small|large)(?![A-Za-z])\s*")
_TEXT_FONT = re.compile(r"\\(text(?:bf|it|rm|sf|tt|sc|sl|up|normal)?|emph|mbox)\{([^{}]*)\}")
_REFERENCE = re.compile(r"\\(eqref|ref)\s*\{([^{}]*)\}")
_SPACE = re.compile(r"\s+")


def plain_text(reader: Reader) -> list[Piece]:
    r"""The text of a `\text{..}`, with the formulas between dollars in it read."""
    raw = reader.raw_group()
    pieces: list[Piece] = []
    at = 0
    for span in math_spans(raw):
        pieces.append(_text(reader, raw[at : span.start]))
        inner = reader.within(tokenise(raw[span.inner_start : span.inner_end]))
        rows, _ = inner.formula()
        pieces.append(reader.setting.lines(rows, ""))
        at = span.end
    pieces.append(_text(reader, raw[at:]))
    return [piece for piece in pieces if piece.text or piece.tall]


def _text(reader: Reader, raw: str) -> Piece:
    if "ref" in raw:
        raw = _REFERENCE.sub(lambda found: referred(reader, found[1], found[2]), raw)
    while "\\" in raw and (plainer := _TEXT_FONT.sub(r"\2", raw)) != raw:
        raw = plainer
    text = _ESCAPED.sub(r"\1", _FONT_SWITCH.sub("", raw)).replace("~", " ")
    return Piece(_SPACE.sub(" ", text), Role.TEXT)


def referred(reader: Reader, name: str, label: str) -> str:
    """What is shown for a reference; as it is written where nobody has the label."""
    tag = reader.tags.get(label.strip())
    if tag is None:
        return f"\\{name}{{{label}}}"
    return f"({tag})" if name == "eqref" else tag
