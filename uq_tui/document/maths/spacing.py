"""How pieces stand beside each other.

The parts that they play decide where spaces and brackets go, so that `2 \\sin x`, `-1`, `a - 1` and `(1/2)x` come out
as one would write them by hand.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from uq_tui.document.maths.boxes import Box, beside
from uq_tui.document.maths.delimiters import fenced
from uq_tui.document.maths.pieces import SIGNS, Piece, Role, are_tall, boxed, have_rows

_ENDS_OPERAND = frozenset(
    {Role.ATOM, Role.BARE, Role.ROOT, Role.TEXT, Role.CLOSE, Role.FRACTION, Role.STACK, Role.GRID}
)
_FACTORS = frozenset({Role.ATOM, Role.BARE, Role.ROOT, Role.FRACTION, Role.STACK, Role.NAME, Role.BIG, Role.GRID})
_LOOSE = frozenset({Role.BINARY, Role.RELATION, Role.COMMA, Role.SPACE, Role.FRACTION, Role.GRID})
_NO_GAP_AFTER_NAME = frozenset("|/!([{⟨⌊⌈⎛⎜⎝⎡⎢⎣⎧⎪⎨⎩⎰⎱╱│‖")
GROWING = frozenset("()[]{}⌊⌋⌈⌉")
"""Brackets that grow without being told. The angles of bras and kets, and strokes, have no partners for certain."""
_FURTHEST = 120
"""How many pieces are searched for the partner of a bracket."""
_ROOTS = frozenset("√∛∜")
_SIGNS = frozenset("·/")
"""Operators that stand close, save beside what is taller than a row."""
_MANY_SPACES = re.compile(r" {3,}")


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
            # Nothing between a bracket and what it holds, nor within `==`.
            gap += "" if before and (before.role is Role.OPEN or _is_relation(pieces, index - 1)) else " "
            behind = "" if after and (after.role is Role.CLOSE or _is_relation(pieces, index + 1)) else " "
        elif not tight and role is Role.BINARY and _is_operator(before, after):
            gap += " "
            behind = " "
        elif role is Role.COMMA:
            behind = "" if tight else " "
        elif not tight and before and after and _is_apart(text, before, after):
            gap = behind = " "
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


def _is_apart(sign: str, before: Piece, after: Piece) -> bool:
    """Whether blanks stand round an operator that else is close: there would be one on one side of it anyway."""
    is_tall = Role.STACK in (before.role, after.role)
    return (is_tall and sign in _SIGNS) or (sign == "·" and after.role in (Role.NAME, Role.BIG))


def _is_relation(pieces: Sequence[Piece], at: int) -> bool:
    return 0 <= at < len(pieces) and pieces[at].role is Role.RELATION


def _is_factor(before: Piece | None, after: Piece | None) -> bool:
    if before and (before.role in _ENDS_OPERAND or (before.role is Role.NAME and not before.limits)):
        return True
    if after is None or after.text == ".":
        return False
    return after.role in _FACTORS or after.role is Role.OPEN


def _is_operator(before: Piece | None, after: Piece | None) -> bool:
    """Whether a plus or its like stands between two operands. It doesn't in `-1`, nor in the ket `|+⟩`."""
    return before is not None and before.role not in SIGNS and not (after and after.role is Role.CLOSE)


def _needs_gap(before: Piece, piece: Piece) -> bool:
    if Role.STACK in (before.role, piece.role):
        if before.text in _SIGNS or piece.text[:1] == ".":
            return False
        return before.role in _ENDS_OPERAND | _FACTORS and piece.role in _FACTORS | {Role.OPEN, Role.TEXT}
    if piece.role is Role.ROOT and piece.text[:1] not in _ROOTS and before.role in _ENDS_OPERAND:
        return True  # in 2 ¹⁶√x the 16 is no exponent
    if before.role is Role.BARE:
        return piece.role in _FACTORS and piece.text[:1].isalnum()
    if before.role is Role.ROOT and before.text[-1] != ")":
        return piece.role in _FACTORS and (piece.text[:1].isalnum() or piece.tall is not None)
    if before.role is Role.BIG:
        return piece.role in _FACTORS or piece.role is Role.OPEN
    if before.role is Role.NAME:
        is_bracket = piece.text[:1] in _NO_GAP_AFTER_NAME and piece.role is not Role.FRACTION
        return piece.role in _FACTORS and not is_bracket
    return before.role in _ENDS_OPERAND and piece.role in (Role.NAME, Role.BIG) and before.text[-1:] not in "|‖/·"


def is_sum(pieces: Sequence[Piece]) -> bool:
    """Whether the pieces need brackets above a fraction line. A leading sign doesn't count."""
    if _in_brackets(pieces):
        return False
    if len(pieces) > 1 and any(piece.role is Role.NAME for piece in pieces):
        return True
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
