r"""LaTeX as MathML Core, what browsers draw.

Only the tree that latex2mathml builds is used, never its text, in which `\text{<script>}` is an element. Of the tree,
elements and attributes that are known pass, every value is checked, and all text is cleaned and escaped.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from xml.etree.ElementTree import Element

from latex2mathml import exceptions
from latex2mathml.converter import convert_to_element

from uq_tui.document.maths.macros import NONE, Macros
from uq_tui.document.maths.symbols import BIG, BINARY, CLOSE, LETTERS, OPEN, RELATIONS
from uq_tui.document.maths.tokens import UnreadableError
from uq_tui.document.page.alphabets import ALPHABETS
from uq_tui.document.page.latex import COLUMNS, LINE, Prepared, names, prepare
from uq_tui.document.page.markup import shown

MAX_DEPTH = 80
"""Levels of elements; browsers give up on pages that are some hundreds of levels deep."""

_ELEMENTS = names(
    "mrow mi mn mo mtext mspace mfrac msqrt mroot msub msup msubsup munder mover munderover mtable mtr mtd mstyle"
    " mpadded mphantom menclose"
)
_LENGTH = re.compile(r"([+-]?\d*\.?\d+)(em|ex|px|pt|cm|mm|in|pc|mu|)")
_EMS = {"em": 1.0, "ex": 0.5, "px": 0.06, "pt": 0.08, "cm": 2.4, "mm": 0.24, "in": 6.0, "pc": 1.0, "mu": 0.056, "": 1.0}
_LONGEST = 4.0
"""In ems. What an author may move or widen things by: enough for spaces, too little to cover other lines."""
_LENGTHS = names("width height depth lspace rspace voffset minsize maxsize linethickness")
_WORDS = {
    "mathvariant": re.compile(r"normal|bold|italic|monospace|sans-serif"),
    "notation": re.compile(r"box|updiagonalstrike|downdiagonalstrike|horizontalstrike|[ud]\w+strike [ud]\w+strike"),
    "columnalign": re.compile(r"left|center|right"),
    "form": re.compile(r"prefix|infix|postfix"),
    "scriptlevel": re.compile(r"[0-2]"),
    **dict.fromkeys(
        names("stretchy fence separator largeop movablelimits accent accentunder displaystyle"),
        re.compile(r"true|false"),
    ),
}
_LINES = re.compile("(?:above|after|before|below)(?: (?:above|after|before|below))*")
_ENTITY = re.compile(r"&#x([0-9A-Fa-f]{1,6});")
_UNREAD = re.compile(r"\\|&(?!#x)|#(?!x)")
_OPERATORS = frozenset(sign for table in (BINARY, RELATIONS, BIG) for sign in table.values())
_FENCES = frozenset(
    "()[]{}|\u2225\u2016\u2223\u27e8\u27e9\u2308\u2309\u230a\u230b\u2191\u2193\u2195\u21d1\u21d3\u21d5/"
)
"""Signs that would grow with whatever stands beside them."""
_SPACED = _OPERATORS | _FENCES | {":"}
_NAME = re.compile(r"[A-Za-z\u00a0\u2006\u2009]{2,}")
_CHILDREN = {
    **dict.fromkeys(("mfrac", "mroot", "msub", "msup", "munder", "mover"), 2),
    **dict.fromkeys(("msubsup", "munderover"), 3),
}
_BAR = "\u2015"
_BARRED = {"mover": "over", "munder": "under"}
_SIGNS = {
    **{"\\" + name: sign for table in (LETTERS, BINARY, RELATIONS, BIG, OPEN, CLOSE) for name, sign in table.items()},
    **{"\\" + sign: sign for sign in "&#%$_{}"},
}
"""What it leaves as a command."""
_LETTERS = frozenset("\\" + name for name in LETTERS)

# What it raises on a formula that it can't read: exceptions of its own without a base, and whatever it runs into.
_UNREADABLE: tuple[type[Exception], ...] = (
    UnreadableError,
    *(kind for kind in vars(exceptions).values() if isinstance(kind, type) and issubclass(kind, Exception)),
    ArithmeticError,
    AttributeError,
    LookupError,
    RuntimeError,
    StopIteration,
    TypeError,
    ValueError,
)


@lru_cache(maxsize=4096)
def mathml(latex: str, *, display: bool, macros: Macros = NONE) -> str | None:
    """The formula as a well-formed `math` element; None where any part of it can't be read. Never raises.

    Args:
        latex: a formula without its delimiters.
        display: whether it stands on a line of its own.
        macros: what is defined where it stands.
    """
    try:
        prepared = prepare(latex, macros, display=display)
        tree = convert_to_element(prepared.latex, display="block" if display else "inline")
        inner = "".join(_written(child, prepared, 0) for child in tree)
    except _UNREADABLE:
        return None
    return f'<math xmlns="http://www.w3.org/1998/Math/MathML" display="{tree.get("display")}">{inner}</math>'


def _written(element: Element, prepared: Prepared, depth: int) -> str:
    if element.tag not in _ELEMENTS or depth > MAX_DEPTH:
        raise UnreadableError
    if element.tag == "mtable":
        _mark_lines(element, prepared)
    if element.tag in _BARRED and len(element) == 2 and _text(element[1], prepared) == _BAR:
        return f'<mrow class="{_BARRED[element.tag]}">{_written(element[0], prepared, depth + 1)}</mrow>'
    text = _text(element, prepared)
    if element.tag != "mtext" and text not in _SIGNS and _UNREAD.search(element.text or ""):
        raise UnreadableError
    tag, text, attributes = _as_drawn(element.tag, text, dict(element.attrib))
    parts = [_written(child, prepared, depth + 1) for child in element]
    if tag in _CHILDREN:
        parts = _with_one_base(parts, _CHILDREN[tag])
    return f"<{tag}{_attributes(tag, attributes)}>{shown(text)}{''.join(parts)}</{tag}>"


def _as_drawn(tag: str, text: str, attributes: dict[str, str]) -> tuple[str, str, dict[str, str]]:
    """An element as browsers need it: letters of their alphabet, signs as operators, fences that grow only if asked."""
    if text in _SIGNS:
        tag, text = ("mi" if text in _LETTERS else "mo"), _SIGNS[text]
    if tag in ("mi", "mn") and (letters := ALPHABETS.get(attributes.get("mathvariant", ""))):
        del attributes["mathvariant"]
        text = text.translate(letters)
    if tag == "mi" and text in _SPACED:
        tag = "mo"
    if tag in ("mi", "mo") and _NAME.fullmatch(text) and "mathvariant" not in attributes:
        return "mo", text, attributes | {"lspace": "0.167em", "rspace": "0.167em"}
    if tag == "mi" and "Α" <= text <= "Ω":
        attributes.setdefault("mathvariant", "normal")
    if text == "/":
        attributes |= {"lspace": "0em", "rspace": "0em"}
    if tag == "mo" and "minsize" in attributes:
        attributes["stretchy"] = "true"
    elif tag == "mo" and text in _FENCES:
        attributes.setdefault("stretchy", "false")
    return tag, text, attributes


def _with_one_base(parts: list[str], wanted: int) -> list[str]:
    """So many parts of a script or fraction: fences and what they enclose may have come as several.

    A fence alone gets a row of its own too, in which it is as high as it is asked to be.
    """
    if len(parts) < wanted:
        raise UnreadableError
    base, rest = parts[: len(parts) - wanted + 1], parts[len(parts) - wanted + 1 :]
    return [f"<mrow>{''.join(base)}</mrow>", *rest] if len(base) > 1 or "minsize" in base[0] else parts


def _text(element: Element, prepared: Prepared) -> str:
    written = prepared.text(element.text or "")
    if written is not element.text:
        return written
    return _ENTITY.sub(lambda found: chr(min(int(found[1], 16), 0x10FFFF)), written)


def _attributes(tag: str, attributes: dict[str, str]) -> str:
    """Those that are known, with values of a known form; browsers do without the others."""
    kept = {name: value for name, value in attributes.items() if _is_harmless(name, value)}
    if tag == "mpadded" and any(value[0] in "+-" for value in kept.values()):
        kept = {}  # lengths by which something grows are not in MathML Core, which would take them for the whole
    return "".join(f' {name}="{value}"' for name, value in kept.items())


def _is_harmless(name: str, value: str) -> bool:
    if name in _LENGTHS:
        length = _LENGTH.fullmatch(value)
        return length is not None and abs(float(length[1])) * _EMS[length[2]] <= _LONGEST
    if name == "class":
        return _LINES.fullmatch(value) is not None
    words = _WORDS.get(name)
    return words is not None and words.fullmatch(value) is not None


def _mark_lines(table: Element, prepared: Prepared) -> None:
    """Give cells with a line beside, above or under them a class: MathML Core has no lines in tables."""
    columns = ""
    cells_above: list[Element] = []
    for row in list(table):
        marks = _take_marks(row, prepared)
        columns = columns or next((mark[1:] for mark in marks if mark != LINE), "")
        cells = list(row)
        if LINE in marks and len(cells) == 1 and not len(cells[0]):  # only the line under the last row
            table.remove(row)
            _add_class(cells_above, "below")
            return
        _add_class(cells if LINE in marks else (), "above")
        _add_class(cells[:1] if columns[:1] == "|" else (), "before")
        bars = (part[:1] == "|" for part in re.split("[lcr]", columns)[1:])
        _add_class((cell for cell, bar in zip(cells, bars, strict=False) if bar), "after")
        cells_above = cells


def _take_marks(row: Element, prepared: Prepared) -> list[str]:
    r"""Remove the marks of `\hline` and of an array's columns from the first cell of a row, and return them."""
    first = row[0] if len(row) else row
    marks = {child: text for child in first if (text := _text(child, prepared))[:1] in (LINE, COLUMNS) and text}
    for mark in marks:
        first.remove(mark)
    return list(marks.values())


def _add_class(cells: Iterable[Element], name: str) -> None:
    for cell in cells:
        cell.set("class", f"{cell.get('class', '')} {name}".strip())
