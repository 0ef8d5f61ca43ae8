"""Pieces of a formula, and those that single characters and commands stand for."""

from collections.abc import Sequence
from enum import Enum, auto
from typing import NamedTuple

from uq_tui.document.maths import symbols as sym
from uq_tui.document.maths.boxes import Box


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


SIGNS = frozenset({Role.BINARY, Role.RELATION, Role.OPEN, Role.COMMA, Role.BIG, Role.NAME})
"""Roles after which a plus or minus is a sign, not an operator."""

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
