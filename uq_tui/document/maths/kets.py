"""`<` and `>`: relations, or the brackets of bras and kets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uq_tui.document.maths import symbols as sym
from uq_tui.document.maths.pieces import SIGNS, Piece, Role

if TYPE_CHECKING:
    from uq_tui.document.maths.reader import Reader

_FURTHEST = 60
"""How many pieces or tokens are searched for the bar that makes a `>` the end of a ket, or a `<` that of a bra."""
_BARS = frozenset({"|", "\\vert", "\\mid", "\\rvert"})
_NOT_IN_BRA = frozenset({"<", ">", "=", "\\le", "\\leq", "\\ge", "\\geq", "&", "\\\\", "}", ")", "]", ","})


def angle(reader: Reader, token: str, before: list[Piece]) -> Piece:
    """`<` and `>`, which many write for the brackets of a bra or a ket; only where they can't be relations."""
    ahead = [token for token in reader.tokens[reader.at : reader.at + _FURTHEST] if not token.isspace()]
    if token == "<" and (not before or before[-1].role in SIGNS or before[-1].text == "⟩"):
        end = next((at for at, token in enumerate(ahead) if token in _BARS or token in _NOT_IN_BRA), None)
        if end and ahead[end] in _BARS:
            return Piece("⟨", Role.OPEN)
    elif token == ">" and before and before[-1].text != "|":
        near = before[-_FURTHEST:]
        is_operand = bool(ahead) and (ahead[0].isalnum() or ahead[0][1:] in sym.LETTERS or ahead[0] == "(")
        if _in_ket(near) and not is_operand and not any(piece.text == "{" for piece in near):
            return Piece("⟩", Role.CLOSE)
    return Piece(token, Role.RELATION)


def _in_ket(before: list[Piece]) -> bool:
    """Whether the last bar opens a ket, or the second half of a `⟨a|b⟩`."""
    in_bra = after_bra = in_ket = False
    for piece in before:
        if piece.text == "|":
            in_bra, after_bra, in_ket = False, in_bra, not in_bra and not in_ket
        elif piece.text in ("⟨", "⟩"):
            in_bra, after_bra, in_ket = piece.text == "⟨", False, False
    return in_ket or after_bra
