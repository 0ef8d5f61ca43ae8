"""Pieces of a formula, and how they stand beside each other on one line.

Each piece has a part it plays; the parts decide where spaces and brackets go, so that `2 \\sin x`, `-1`, `a - 1` and
`(1/2)x` come out as one would write them by hand.
"""

import re
import unicodedata
from collections.abc import Sequence
from enum import Enum, auto
from typing import NamedTuple

from uq_tui.document.maths import symbols as sym

_MAX_ACCENTED = 12
"""Longest run of characters that gets a line over each."""


class Role(Enum):
    """The part a piece plays."""

    ATOM = auto()
    BARE = auto()
    """An atom ending in a script without brackets, as ρ_A: a letter right after it would join the script."""
    TEXT = auto()
    NAME = auto()
    BIG = auto()
    FRACTION = auto()
    GRID = auto()
    BINARY = auto()
    RELATION = auto()
    COMMA = auto()
    OPEN = auto()
    CLOSE = auto()
    SPACE = auto()


class Piece(NamedTuple):
    """A part of a formula that is already text."""

    text: str
    role: Role


_PRIMES = {2: "″", 3: "‴"}
_ENDS_OPERAND = frozenset({Role.ATOM, Role.BARE, Role.TEXT, Role.CLOSE, Role.FRACTION, Role.GRID})
_FACTORS = frozenset({Role.ATOM, Role.BARE, Role.FRACTION, Role.NAME, Role.BIG, Role.GRID})
SIGNS = frozenset({Role.BINARY, Role.RELATION, Role.OPEN, Role.COMMA, Role.BIG, Role.NAME})
"""Roles after which a plus or minus is a sign, not an operator."""
_LOOSE = frozenset({Role.BINARY, Role.RELATION, Role.COMMA, Role.SPACE, Role.FRACTION, Role.GRID})

CHARACTERS = {
    **dict.fromkeys("+-*", Role.BINARY),
    **dict.fromkeys("=", Role.RELATION),
    **dict.fromkeys(",;:", Role.COMMA),
    **dict.fromkeys("([", Role.OPEN),
    **dict.fromkeys(")]", Role.CLOSE),
}
"""Characters that are more than atoms."""
COMMANDS = {
    **{name: Piece(text, Role.ATOM) for name, text in sym.LETTERS.items()},
    **{name: Piece(text, Role.BINARY) for name, text in sym.BINARY.items()},
    **{name: Piece(text, Role.RELATION) for name, text in sym.RELATIONS.items()},
    **{name: Piece(text, Role.BIG) for name, text in sym.BIG.items()},
    **{name: Piece(text, Role.OPEN) for name, text in sym.OPEN.items()},
    **{name: Piece(text, Role.CLOSE) for name, text in sym.CLOSE.items()},
    **{name: Piece(name, Role.NAME) for name in sym.FUNCTIONS},
    **{name: Piece(text, Role.SPACE) for name, text in sym.SPACES.items()},
    **{name: Piece(name, Role.ATOM) for name in "%$#&_"},
    "cdot": Piece("·", Role.ATOM),
    "colon": Piece(":", Role.COMMA),
    "{": Piece("{", Role.OPEN),
    "}": Piece("}", Role.CLOSE),
    "|": Piece("‖", Role.ATOM),
    "bmod": Piece("mod", Role.RELATION),
    "mod": Piece("mod", Role.RELATION),
}
"""Commands that stand for one piece."""
INFIX = {"\\over": "/", "\\atop": " ", "\\choose": " choose "}
"""Commands between the two things they join, with what is written between those."""


def join(pieces: Sequence[Piece], *, tight: bool = False) -> str:
    """The pieces as text. `tight` leaves out the spaces around operators, as scripts want it."""
    out: list[str] = []
    before: Piece | None = None
    for index, piece in enumerate(pieces):
        text, role = piece
        if role is Role.SPACE:
            out.append("" if tight else text)
            before = None if len(text) > 1 else before
            continue
        after = next((p for p in pieces[index + 1 : index + 4] if p.role is not Role.SPACE), None)
        if role is Role.FRACTION:
            text = f"({text})" if _is_factor(before, after) else text
        elif role is Role.GRID:
            framed = before and after and before.role is Role.OPEN and after.role is Role.CLOSE
            text = text if framed else f"[{text}]"
        elif not tight and (role is Role.RELATION or (role is Role.BINARY and _is_operator(before, after))):
            text = f" {text} "
        elif not tight and role is Role.COMMA:
            text += " "
        if before and _needs_gap(before, piece):
            out.append(" ")
        out.append(text)
        before = piece
    return re.sub(r" {3,}", "  ", "".join(out)).strip()


def _is_factor(before: Piece | None, after: Piece | None) -> bool:
    if before and before.role in _ENDS_OPERAND:
        return True
    return after is not None and (after.role in _FACTORS or after.role is Role.OPEN)


def _is_operator(before: Piece | None, after: Piece | None) -> bool:
    """Whether a plus or its like stands between two operands. It doesn't in `-1`, nor in the ket `|+⟩`."""
    return before is not None and before.role not in SIGNS and not (after and after.role is Role.CLOSE)


def _needs_gap(before: Piece, piece: Piece) -> bool:
    if before.role is Role.BARE:
        return piece.role in _FACTORS and piece.text[:1].isalnum()
    if before.role is Role.BIG:
        return piece.role in _FACTORS or piece.role is Role.OPEN
    if before.role is Role.NAME:
        return piece.role in _FACTORS and piece.text[:1] not in "|/!"
    return before.role in _ENDS_OPERAND and piece.role in (Role.NAME, Role.BIG) and before.text[-1:] not in "|‖/"


def is_sum(pieces: Sequence[Piece]) -> bool:
    """Whether the pieces need brackets above a fraction line. A leading sign doesn't count."""
    if _in_brackets(pieces):
        return False
    return any(piece.role in _LOOSE for piece in pieces[1:]) or any(
        piece.role is Role.FRACTION or "/" in piece.text for piece in pieces
    )


def is_atom(pieces: Sequence[Piece]) -> bool:
    """Whether the pieces hold together without brackets of their own."""
    if len(pieces) == 1:
        return pieces[0].role not in _LOOSE
    return all(piece.text.isdigit() or piece.text == "." for piece in pieces) or _in_brackets(pieces)


def _in_brackets(pieces: Sequence[Piece]) -> bool:
    """Whether the first piece opens a bracket that the last one closes."""
    depth = 0
    for piece in pieces[:-1]:
        depth += (piece.role is Role.OPEN) - (piece.role is Role.CLOSE)
        if depth <= 0:
            return False
    return depth == 1 and pieces[-1].role is Role.CLOSE


def bracket(pieces: Sequence[Piece], *, needed: bool) -> str:
    """The pieces as text, in brackets where `needed`."""
    return f"({join(pieces)})" if needed else join(pieces)


def fraction(above: Sequence[Piece], below: Sequence[Piece]) -> Piece:
    """A fraction with a slash, bracketed so that it reads only one way."""
    return Piece(f"{bracket(above, needed=is_sum(above))}/{bracket(below, needed=not is_atom(below))}", Role.FRACTION)


def infix(command: str, left: Sequence[Piece], right: Sequence[Piece]) -> Piece:
    """What one of `INFIX` makes of its two sides."""
    if command == "\\over":
        return fraction(left, right)
    return Piece(f"({join(left)}{INFIX[command]}{join(right)})", Role.ATOM)


def negated(piece: Piece) -> Piece:
    """The piece with a stroke through its first character."""
    text = sym.NEGATED.get(piece.text, f"{piece.text[:1]}\u0338{piece.text[1:]}")
    return Piece(text, piece.role)


def scripted(base: Piece, *, below: str = "", above: str = "", primes: int = 0) -> Piece:
    """`base` with its scripts: Unicode ones where every character has one, else `_x` or `_(..)`."""
    text, role = base
    if role is Role.FRACTION:
        text, role = f"({text})", Role.ATOM
    elif role is Role.GRID:
        text, role = f"[{text}]", Role.ATOM
    sub, sub_is_bare = _script(below, sym.SUBSCRIPTS, "_")
    sup, sup_is_bare = _script(above, sym.SUPERSCRIPTS, "^")
    if role in (Role.ATOM, Role.BARE):
        role = Role.BARE if sup_is_bare or (sub_is_bare and not sup) else Role.ATOM
    return Piece(text + _PRIMES.get(primes, "′" * primes) + sub + sup, role)


def _script(text: str, table: dict[str, str], mark: str) -> tuple[str, bool]:
    """A script as it follows its base, and whether it ends without a bracket."""
    if all(character in table for character in text):
        return "".join(table[character] for character in text), False
    if mark == "^" and text in sym.RAISED_ALREADY:
        return text, False
    if len(text) == 1:
        return mark + text, True
    bracketed = text[0] == "(" and text.find(")") == len(text) - 1
    return (mark + text if bracketed else f"{mark}({text})"), False


def accented(name: str, pieces: Sequence[Piece]) -> Piece:
    """The pieces with an accent: on the one character there is, over each where it is a line, else in words."""
    text, accent = join(pieces, tight=True), sym.ACCENTS[name]
    if len(pieces) == 1 and text:
        return Piece(unicodedata.normalize("NFC", text[0] + accent) + text[1:], pieces[0].role)
    if name in sym.LINES and len(text) <= _MAX_ACCENTED:
        return Piece("".join(character + accent for character in text), Role.ATOM)
    return Piece(f"{name}({text})" if text else "", Role.ATOM)
