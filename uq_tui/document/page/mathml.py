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
from uq_tui.document.maths.symbols import BIG, BINARY, CLOSE, FONTS, LETTERS, OPEN, RELATIONS
from uq_tui.document.maths.tokens import UnreadableError
from uq_tui.document.page.latex import LINE, Prepared, names, prepare
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
_LINES = re.compile("(?:above|after|below)(?: (?:above|after|below))*")
_ENTITY = re.compile(r"&#x([0-9A-Fa-f]{1,6});")
_UNREAD = re.compile(r"\\|&(?!#x)|#(?!x)")
_ALPHABETS = {
    "double-struck": FONTS["mathbb"],
    "script": FONTS["mathcal"],
    "fraktur": FONTS["mathfrak"],
    "bold": FONTS["mathbf"],
    "bold-italic": FONTS["mathbf"],
}
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
    tag, attributes = element.tag, dict(element.attrib)
    text = _text(element, prepared)
    if text in _SIGNS:
        tag, text = ("mi" if text in _LETTERS else "mo"), _SIGNS[text]
    elif tag != "mtext" and _UNREAD.search(element.text or ""):
        raise UnreadableError
    alphabet = _ALPHABETS.get(attributes.get("mathvariant", ""), {})
    if alphabet and tag in ("mi", "mn"):
        del attributes["mathvariant"]
        text = "".join(alphabet.get(sign, sign) for sign in text)
    if tag == "mtable":
        _mark_lines(element)
    inner = shown(text) + "".join(_written(child, prepared, depth + 1) for child in element)
    return f"<{tag}{_attributes(attributes)}>{inner}</{tag}>"


def _text(element: Element, prepared: Prepared) -> str:
    written = prepared.text(element.text or "")
    if written is not element.text:
        return written
    return _ENTITY.sub(lambda found: chr(min(int(found[1], 16), 0x10FFFF)), written)


def _attributes(attributes: dict[str, str]) -> str:
    """Those that are known, with values of a known form; browsers do without the others."""
    return "".join(f' {name}="{value}"' for name, value in attributes.items() if _is_harmless(name, value))


def _is_harmless(name: str, value: str) -> bool:
    if name in _LENGTHS:
        length = _LENGTH.fullmatch(value)
        return length is not None and abs(float(length[1])) * _EMS[length[2]] <= _LONGEST
    if name == "class":
        return _LINES.fullmatch(value) is not None
    words = _WORDS.get(name)
    return words is not None and words.fullmatch(value) is not None


def _mark_lines(table: Element) -> None:
    """Give cells with a line beside, above or under them a class: MathML Core has no lines in tables."""
    columns = (table.get("columnlines") or "").split()
    cells_above: list[Element] = []
    for row in list(table):
        ruled = _take_rules(row)
        cells = list(row)
        if ruled and len(cells) == 1 and not len(cells[0]):  # only the line under the last row
            table.remove(row)
            _add_class(cells_above, "below")
            return
        _add_class(cells if ruled else (), "above")
        _add_class((cell for cell, line in zip(cells, columns, strict=False) if line != "none"), "after")
        cells_above = cells


def _take_rules(row: Element) -> bool:
    """Remove the marks of `\\hline` from the first cell of a row; whether there was one."""
    first = row[0] if len(row) else row
    rules = [child for child in first if child.tag == "mtext" and child.text == LINE]
    for rule in rules:
        first.remove(rule)
    return bool(rules)


def _add_class(cells: Iterable[Element], name: str) -> None:
    for cell in cells:
        cell.set("class", f"{cell.get('class', '')} {name}".strip())
