"""Pieces of a formula, and how they stand beside each other.

Each piece has a part it plays; the parts decide where spaces go, so that `2 \\sin x`, `-1`, `a - 1` and `(1/2)x` come
out as one would write them by hand.
"""

import re
from collections.abc import Iterator, Sequence
from enum import Enum, auto
from typing import NamedTuple

from uq_tui.document.maths import symbols as sym
from uq_tui.document.maths.boxes import Box, beside
from uq_tui.document.maths.delimiters import fenced


class Role(Enum):
    """The part a piece plays."""

    ATOM = auto()
    BARE = auto()
    """An atom ending in a script without brackets, as ρ_A: a letter right after it would join the script."""
    ROOT = auto()
    """A root without a line, as √2: a letter right after it, and a script, would join the radicand."""
    TEXT = auto()
    NAME = auto()
    BIG = auto()
    FRACTION = auto()
    STACK = auto()
    """A fraction, or its like, in two dimensions."""
    GRID = auto()
    BINARY = auto()
    RELATION = auto()
    COMMA = auto()
    OPEN = auto()
    CLOSE = auto()
    SPACE = auto()


class Piece(NamedTuple):
    """A part of a formula that is already set."""

    text: str
    """All of it, or where it has several rows the one at the height of what stands beside it."""
    role: Role
    tall: Box | None = None
    """All of it, where it has several rows."""
    limits: bool = False
    """Whether its scripts stand above and below it where there is room."""
    slight: bool = False
    """Whether only its scripts make it tall: brackets round it need not grow."""


def boxed(box: Box, role: Role, *, limits: bool = False, slight: bool = False) -> Piece:
    """The box as a piece."""
    text = box.rows[box.base]
    return Piece(text, role, box if len(box.rows) > 1 else None, limits, slight)


def have_rows(pieces: Sequence[Piece]) -> bool:
    """Whether any of the pieces has more than one row."""
    return any(piece.tall for piece in pieces)


def are_tall(pieces: Sequence[Piece]) -> bool:
    """Whether brackets round the pieces grow."""
    return any(piece.tall and not piece.slight for piece in pieces)


_ENDS_OPERAND = frozenset(
    {Role.ATOM, Role.BARE, Role.ROOT, Role.TEXT, Role.CLOSE, Role.FRACTION, Role.STACK, Role.GRID}
)
_FACTORS = frozenset({Role.ATOM, Role.BARE, Role.ROOT, Role.FRACTION, Role.STACK, Role.NAME, Role.BIG, Role.GRID})
SIGNS = frozenset({Role.BINARY, Role.RELATION, Role.OPEN, Role.COMMA, Role.BIG, Role.NAME})
"""Roles after which a plus or minus is a sign, not an operator."""
_LOOSE = frozenset({Role.BINARY, Role.RELATION, Role.COMMA, Role.SPACE, Role.FRACTION, Role.GRID})
_NO_GAP_AFTER_NAME = "|/!([{⟨⌊⌈⎛⎜⎝⎡⎢⎣⎧⎪⎨⎩⎰⎱╱│‖"
GROWING = frozenset("()[]{}⌊⌋⌈⌉")
"""Brackets that grow without being told. The angles of bras and kets, and strokes, have no partners for certain."""
_FURTHEST = 120
"""How many pieces are searched for the partner of a bracket."""
_MANY_SPACES = re.compile(r" {3,}")

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
    **{name: Piece(text, Role.BIG, limits=text not in sym.INTEGRALS) for name, text in sym.BIG.items()},
    **{name: Piece(text, Role.OPEN) for name, text in sym.OPEN.items()},
    **{name: Piece(text, Role.CLOSE) for name, text in sym.CLOSE.items()},
    **{name: Piece(sym.SPOKEN.get(name, name), Role.NAME, limits=name in sym.LIMITED) for name in sym.FUNCTIONS},
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


class Part(NamedTuple):
    """A piece with the blanks round it; `text` may have got brackets."""

    before: str
    text: str
    piece: Piece
    after: str


def spaced(pieces: Sequence[Piece], *, tight: bool = False) -> Iterator[Part]:
    """The pieces with the blanks between them. `tight` leaves out those around operators, as scripts want it."""
    before: Piece | None = None
    for index, piece in enumerate(pieces):
        text, role = piece.text, piece.role
        if role is Role.SPACE:
            yield Part("", "" if tight else text, piece, "")
            before = None if len(text) > 1 else before
            continue
        after = next((p for p in pieces[index + 1 : index + 4] if p.role is not Role.SPACE), None)
        gap = " " if before and _needs_gap(before, piece) else ""
        behind = ""
        if role is Role.FRACTION:
            text = f"({text})" if _is_factor(before, after) else text
        elif role is Role.GRID:
            framed = before and after and before.role is Role.OPEN and after.role is Role.CLOSE
            text = text if framed else f"[{text}]"
        elif not tight and role is Role.RELATION:
            # Nothing between a bracket and what it holds.
            gap += "" if before and before.role is Role.OPEN else " "
            behind = "" if after and after.role is Role.CLOSE else " "
        elif not tight and role is Role.BINARY and _is_operator(before, after):
            gap += " "
            behind = " "
        elif role is Role.COMMA:
            behind = "" if tight else " "
        elif role is Role.BINARY and after and after.role is Role.STACK:
            behind = " "
        yield Part(gap, text, piece, behind)
        before = piece


def join(pieces: Sequence[Piece], *, tight: bool = False) -> str:
    """Pieces of one row each as text."""
    text = "".join([before + text + after for before, text, _, after in spaced(pieces, tight=tight)])
    return _MANY_SPACES.sub("  ", text).strip()


def lay(pieces: Sequence[Piece], *, tight: bool = False) -> Box:
    """The pieces as a box.

    Raises:
        TooLargeError: it is too large.
    """
    if not have_rows(pieces):
        return Box((join(pieces, tight=tight),))
    return lay_parts(list(spaced(with_tall_brackets(pieces), tight=tight)))


def with_tall_brackets(pieces: Sequence[Piece]) -> Sequence[Piece]:
    """The pieces with brackets that hold something tall as tall as that, as one with it."""
    if not are_tall(pieces):
        return pieces
    out: list[Piece] = []
    opened: list[int] = []
    for piece in pieces:
        if piece.role is Role.OPEN:
            opened.append(len(out))
        out.append(piece)
        if piece.role is not Role.CLOSE or not opened:
            continue
        start = opened.pop()
        left, inner = out[start], out[start + 1 : -1]
        if left.text in GROWING and piece.text in GROWING and are_tall(inner):
            out[start:] = [boxed(fenced(left.text, lay_parts(list(spaced(inner))), piece.text), Role.ATOM)]
    return out


def opening(pieces: Sequence[Piece]) -> int | None:
    """Where the bracket opens that the last piece closes; None where it doesn't, or is far away."""
    depth = 0
    for at in range(len(pieces) - 1, max(-1, len(pieces) - _FURTHEST), -1):
        depth += (pieces[at].role is Role.CLOSE) - (pieces[at].role is Role.OPEN)
        if depth == 0:
            return at
    return None


def lay_parts(parts: Sequence[Part]) -> Box:
    """The parts, which `spaced` gave, as a box.

    Raises:
        TooLargeError: it is too large.
    """
    return beside(list(_runs(parts)) or [Box(("",))])


def _runs(parts: Sequence[Part]) -> Iterator[Box]:
    """Tall pieces, and what stands between them as text."""
    run: list[str] = []
    first = True
    for before, text, piece, after in parts:
        run.append(before)
        if piece.tall:
            if between := _between(run, first=first):
                yield Box((between,))
            yield piece.tall
            run, first = [after], False
        else:
            run += (text, after)
    if rest := _between(run, first=first).rstrip():
        yield Box((rest,))


def _between(run: list[str], *, first: bool) -> str:
    text = _MANY_SPACES.sub("  ", "".join(run))
    return text.lstrip() if first else text


def _is_factor(before: Piece | None, after: Piece | None) -> bool:
    if before and before.role in _ENDS_OPERAND:
        return True
    return after is not None and (after.role in _FACTORS or after.role is Role.OPEN)


def _is_operator(before: Piece | None, after: Piece | None) -> bool:
    """Whether a plus or its like stands between two operands. It doesn't in `-1`, nor in the ket `|+⟩`."""
    return before is not None and before.role not in SIGNS and not (after and after.role is Role.CLOSE)


def _needs_gap(before: Piece, piece: Piece) -> bool:
    if Role.STACK in (before.role, piece.role):
        return before.role in _ENDS_OPERAND | _FACTORS and piece.role in _FACTORS | {Role.OPEN, Role.TEXT}
    if before.role is Role.BARE:
        return piece.role in _FACTORS and piece.text[:1].isalnum()
    if before.role is Role.ROOT and before.text[-1] != ")":
        return piece.role in _FACTORS and (piece.text[:1].isalnum() or piece.tall is not None)
    if before.role is Role.BIG:
        return piece.role in _FACTORS or piece.role is Role.OPEN
    if before.role is Role.NAME:
        return piece.role in _FACTORS and piece.text[:1] not in _NO_GAP_AFTER_NAME
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


def as_one(pieces: Sequence[Piece]) -> Piece:
    """The pieces as one, in brackets where they wouldn't hold together; all of one row."""
    return pieces[0] if len(pieces) == 1 else Piece(bracket(pieces, needed=not is_atom(pieces)), Role.ATOM)


def bracket(pieces: Sequence[Piece], *, needed: bool) -> str:
    """Pieces of one row each as text, in brackets where `needed`."""
    return f"({join(pieces)})" if needed else join(pieces)
