"""Commands that arrange their arguments, each with the function that reads them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from uq_tui.document.maths import symbols as sym
from uq_tui.document.maths.environments import environment
from uq_tui.document.maths.pieces import COMMANDS, Piece, Role, have_rows
from uq_tui.document.maths.texts import plain_text, referred
from uq_tui.document.maths.tokens import UnreadableError

if TYPE_CHECKING:
    from collections.abc import Callable

    from uq_tui.document.maths.reader import Reader

_NO_WIDTH = re.compile(r"0(?:\.0*)?\s*[a-z]*")
_MAX_REPEATED = 200
"""Longest text that a command may write twice: nested ones would double it each time."""


def unknown(reader: Reader, name: str) -> list[Piece]:
    """A command that nobody knows, as it is written, with its arguments read."""
    pieces = [Piece("\\" + name, Role.ATOM)]
    while reader.peek() == "{":
        pieces += [Piece("{", Role.ATOM), *reader.argument(), Piece("}", Role.ATOM)]
    role = Role.ATOM if len(pieces) > 1 or len(name) == 1 else Role.NAME
    return [reader.setting.together(pieces, role)]


def _fraction(reader: Reader, name: str) -> list[Piece]:
    above = reader.argument()
    return [reader.setting.fraction(above, reader.argument())]


def _small_fraction(reader: Reader, name: str) -> list[Piece]:
    with reader.in_scripts():
        return _fraction(reader, name)


def _root(reader: Reader, name: str) -> list[Piece]:
    degree = reader.option()
    return [reader.setting.root(degree, reader.argument())]


def _binomial(reader: Reader, name: str) -> list[Piece]:
    above = reader.argument()
    return [reader.setting.pair(above, reader.argument(), "choose")]


def _general_fraction(reader: Reader, name: str) -> list[Piece]:
    """Delimiters, thickness of the line, style, then what stands above and below."""
    left, right = (delimiter(reader.within(group)) if group else "" for group in (reader.group(), reader.group()))
    has_line = not _NO_WIDTH.fullmatch(reader.raw_group().strip())
    reader.group()
    above, below = reader.argument(), reader.argument()
    if (left, has_line, right) == ("(", False, ")"):
        return [reader.setting.pair(above, below, "choose")]
    inner = reader.setting.fraction(above, below) if has_line else reader.setting.pair(above, below, "")
    return reader.setting.fenced(left, [[inner]], [], right)


def _left(reader: Reader, name: str) -> list[Piece]:
    start = reader.at - 1
    left = delimiter(reader)
    end = reader.fence(start)
    if end is None:
        return [Piece(left, Role.OPEN)] if left else []
    parts, middles = [reader.sequence(_FENCE_ENDS)], list[str]()
    while reader.peek() == "\\middle":
        reader.next()
        middles.append(delimiter(reader))
        parts.append(reader.sequence(_FENCE_ENDS))
    if reader.next() != "\\right":
        raise UnreadableError
    return reader.setting.fenced(left, parts, middles, delimiter(reader))


_FENCE_ENDS = frozenset({"\\middle", "\\right"})


def _right(reader: Reader, name: str) -> list[Piece]:
    sign = delimiter(reader)
    return [Piece(sign, Role.CLOSE if name == "right" else Role.ATOM)] if sign else []


def delimiter(reader: Reader) -> str:
    r"""The sign after a `\left` or its like; empty for the full stop that stands for none."""
    reader.skip_space()
    token = reader.next()
    if token == ".":
        return ""
    if token in "<>":
        return "⟨" if token == "<" else "⟩"
    if token[0] != "\\":
        return token
    known = COMMANDS.get(token[1:])
    return known.text if known else token


def _operator(reader: Reader, name: str) -> list[Piece]:
    limits = reader.skip("*")
    pieces = reader.argument()
    return [reader.setting.together(pieces, Role.NAME)._replace(limits=limits)]


def _made_operator(reader: Reader, name: str) -> list[Piece]:
    pieces = reader.argument()
    one = pieces[0] if len(pieces) == 1 else reader.setting.together(pieces, Role.BIG)
    return [one._replace(limits=True)]


def _bracketed(reader: Reader, name: str) -> list[Piece]:
    """Bras, kets, norms: one piece."""
    inner = reader.argument()
    setting = reader.setting
    match name:
        case "ket" | "Ket":
            pieces = setting.fenced("|", [inner], [], "⟩")
        case "bra" | "Bra":
            pieces = setting.fenced("⟨", [inner], [], "|")
        case "braket" | "Braket":
            reader.skip_space()
            other = [reader.argument()] if reader.peek() == "{" else []
            pieces = setting.fenced("⟨", [inner, *other], ["|"] * len(other), "⟩")
        case "ketbra" | "proj":
            reader.skip_space()
            second = reader.argument() if name == "ketbra" and reader.peek() == "{" else inner
            if second is inner and sum(len(piece.text) for piece in inner) > _MAX_REPEATED:
                raise UnreadableError
            pieces = [*setting.fenced("|", [inner], [], "⟩"), *setting.fenced("⟨", [second], [], "|")]
        case "norm":
            pieces = setting.fenced("‖", [inner], [], "‖")
        case _:
            pieces = setting.fenced("|", [inner], [], "|")
    return [setting.together(pieces, Role.ATOM)]


def _boxed(reader: Reader, name: str) -> list[Piece]:
    return [reader.setting.framed(reader.argument())]


def _tag(reader: Reader, name: str) -> list[Piece]:
    starred = reader.skip("*")
    text = reader.setting.script.together(plain_text(reader), Role.TEXT).text
    reader.add_tag(text if starred else f"({text})")
    return []


def _label(reader: Reader, name: str) -> list[Piece]:
    tag = reader.tags.get(reader.raw_group().strip())
    if tag is not None:
        reader.add_tag(f"({tag})")
    return []


def _reference(reader: Reader, name: str) -> list[Piece]:
    return [Piece(referred(reader, name, reader.raw_group()), Role.TEXT)]


def _modulus(reader: Reader, name: str) -> list[Piece]:
    between = "" if name == "pod" else "mod "
    inner = reader.argument()
    opened = f"({between}".rstrip() if have_rows(inner) else f"({between}"
    pieces = [Piece(opened, Role.TEXT), *inner, Piece(")", Role.TEXT)]
    return [Piece(" ", Role.SPACE), reader.setting.together(pieces, Role.ATOM)]


def _not(reader: Reader, name: str) -> list[Piece]:
    sign = next((sign for sign in ("<", ">") if reader.skip(sign)), None)
    pieces = [Piece(sign, Role.RELATION)] if sign else reader.argument()
    if not pieces or not pieces[0].text or pieces[0].tall:
        raise UnreadableError
    first = pieces[0]
    text = sym.NEGATED.get(first.text, f"{first.text[:1]}\u0338{first.text[1:]}")
    return [Piece(text, first.role), *pieces[1:]]


def _over(reader: Reader, name: str) -> list[Piece]:
    script = reader.script_argument()
    base = reader.argument()
    if name == "underset":
        return [reader.setting.labelled(base, script, [])]
    return [reader.setting.labelled(base, [], script)]


def _long_arrow(reader: Reader, name: str) -> list[Piece]:
    below = reader.option()
    arrow = Piece(sym.LONG_ARROWS[name], Role.RELATION)
    return [reader.setting.labelled([arrow], below, reader.script_argument(), stretch=True)]


def _braced(reader: Reader, name: str) -> list[Piece]:
    return [reader.setting.braced(name, reader.argument())]


def _substack(reader: Reader, name: str) -> list[Piece]:
    inner = reader.within(reader.group())
    rows, _ = inner.formula()
    return [reader.setting.lines(rows, name)]


def _crossed(reader: Reader, name: str) -> list[Piece]:
    pieces = reader.argument()
    return [
        piece if piece.tall else piece._replace(text="".join(f"{character}\u0338" for character in piece.text))
        for piece in pieces
    ]


def _second_argument(reader: Reader, name: str) -> list[Piece]:
    reader.group()
    return reader.whole(reader.argument())


def _third_argument(reader: Reader, name: str) -> list[Piece]:
    reader.group()
    return _second_argument(reader, name)


def _gap(reader: Reader, name: str) -> list[Piece]:
    """A gap of the length that follows."""
    reader.skip("*")
    return [] if reader.length().startswith("-") else [Piece(" ", Role.SPACE)]


def _raised(reader: Reader, name: str) -> list[Piece]:
    reader.length()
    return reader.whole(reader.argument())


def _smashed(reader: Reader, name: str) -> list[Piece]:
    reader.raw_option()
    return reader.whole(reader.argument())


def _new_row(reader: Reader, name: str) -> list[Piece]:
    """Within braces; between cells they are read as ends of rows."""
    reader.skip_row_gap()
    return [Piece(";", Role.COMMA)]


def _plain_font(reader: Reader, name: str) -> list[Piece]:
    pieces = reader.rest() if name in sym.SWITCHES else reader.argument()
    if len(pieces) > 1 and all(piece.text.isalpha() and not piece.tall for piece in pieces):
        return [Piece("".join(piece.text for piece in pieces), Role.NAME)]
    return reader.whole(pieces)


def _font(reader: Reader, name: str) -> list[Piece]:
    table = sym.FONTS[name]
    pieces = [
        piece if piece.tall else piece._replace(text="".join([table.get(c, c) for c in piece.text]))
        for piece in (reader.rest() if name in sym.SWITCHES else reader.argument())
    ]
    return reader.whole(pieces)


def _unreadable(reader: Reader, name: str) -> list[Piece]:
    raise UnreadableError


STRUCTURES: dict[str, Callable[[Reader, str], list[Piece]]] = {
    **dict.fromkeys(("frac", "dfrac", "tfrac", "cfrac"), _fraction),
    **dict.fromkeys(("nicefrac", "sfrac"), _small_fraction),
    "sqrt": _root,
    **dict.fromkeys(("binom", "dbinom", "tbinom"), _binomial),
    "genfrac": _general_fraction,
    "left": _left,
    **dict.fromkeys(("right", "middle"), _right),
    "begin": lambda reader, name: environment(reader),
    **dict.fromkeys(("operatorname", "operatornamewithlimits"), _operator),
    "mathop": _made_operator,
    **dict.fromkeys(("ket", "Ket", "bra", "Bra", "braket", "Braket", "ketbra", "proj", "norm", "abs"), _bracketed),
    "boxed": _boxed,
    "fbox": lambda reader, name: [reader.setting.framed(plain_text(reader))],
    "tag": _tag,
    "label": _label,
    **dict.fromkeys(("ref", "eqref"), _reference),
    **dict.fromkeys(("pmod", "pod"), _modulus),
    "not": _not,
    **dict.fromkeys(("overset", "stackrel", "underset"), _over),
    **dict.fromkeys(sym.LONG_ARROWS, _long_arrow),
    **dict.fromkeys(sym.BRACES, _braced),
    "substack": _substack,
    **dict.fromkeys(("cancel", "bcancel", "xcancel"), _crossed),
    **dict.fromkeys(("textcolor", "colorbox", "href"), _second_argument),
    "fcolorbox": _third_argument,
    **dict.fromkeys(("hspace", "hskip", "mspace", "mskip", "kern", "mkern"), _gap),
    **dict.fromkeys(("raisebox", "raise", "lower"), _raised),
    **dict.fromkeys(("smash", "bbox"), _smashed),
    **dict.fromkeys(("\\", "cr", "newline"), _new_row),
    "end": _unreadable,
    **dict.fromkeys(sym.DEFINING, _unreadable),
    **dict.fromkeys(sym.PLAIN_FONTS, _plain_font),
    **dict.fromkeys(sym.FONTS, _font),
    **dict.fromkeys(sym.TEXTS, lambda reader, name: plain_text(reader)),
}
