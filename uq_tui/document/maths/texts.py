r"""Plain text within formulas: what stands in a `\text{..}`, and references."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from uq_tui.document.maths import symbols as sym
from uq_tui.document.maths.pieces import Piece, Role
from uq_tui.document.maths.spans import math_spans
from uq_tui.document.maths.tokens import tokenise

if TYPE_CHECKING:
    from uq_tui.document.maths.reader import Reader

_ESCAPED = re.compile(r"\\([%$#&_{} ])")
_FONT_SWITCH = re.compile(r"\\(?:rm|it|bf|tt|sf|sl|sc|em|bfseries|itshape|normalfont|small|large)(?![A-Za-z])\s*")
_TEXT_FONT = re.compile(r"\\(text(?:bf|it|rm|sf|tt|sc|sl|up|normal)?|emph|mbox)\{([^{}]*)\}")
_REFERENCE = re.compile(r"\\(eqref|ref)\s*\{([^{}]*)\}")
_ACCENTED = re.compile(
    r"\\(['`^\"~=.]|[Hvucrkdb](?![A-Za-z]))\s*(?:\{\s*(\\[ij]|[^\W\d_])\s*\}|(\\[ij](?![A-Za-z])|[^\W\d_]))"
)
_LETTER = re.compile(r"\\(ss|[aoAO][eE]|aa|AA|[oOlLij])(?![A-Za-z])(?:\{\}|\s+)?")
_ACCENTS = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307",
    "H": "\u030b", "v": "\u030c", "u": "\u0306", "c": "\u0327", "r": "\u030a", "k": "\u0328", "d": "\u0323",
    "b": "\u0331",
}  # fmt: skip
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
    text = _ESCAPED.sub(r"\1", _FONT_SWITCH.sub("", with_letters(raw))).replace("~", " ")
    return Piece(_SPACE.sub(" ", text), Role.TEXT)


def with_letters(raw: str) -> str:
    r"""Text with its accented and foreign letters, `\'e` and `\o`, as they are read."""
    return _LETTER.sub(lambda found: sym.LETTERS.get(found[1], found[0]), _ACCENTED.sub(_accented, raw))


def _accented(found: re.Match[str]) -> str:
    letter = found[2] or found[3]
    # The dotless letters are there to be accented: with an accent they have no dot either way.
    return unicodedata.normalize("NFC", letter.removeprefix("\\") + _ACCENTS[found[1]])


def referred(reader: Reader, name: str, label: str) -> str:
    """What is shown for a reference; as it is written where nobody has the label."""
    tag = reader.tags.get(label.strip())
    if tag is None:
        return f"\\{name}{{{label}}}"
    return f"({tag})" if name == "eqref" else tag
