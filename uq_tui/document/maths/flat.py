"""How the parts of a formula are put together on one line."""

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from uq_tui.document.maths import symbols as sym
from uq_tui.document.maths.pieces import Piece, Role
from uq_tui.document.maths.spacing import as_one, bracket, is_atom, is_sum, join

_MAX_ACCENTED = 12
"""Longest run of characters that gets a line over each."""
_PRIMES = {2: "″", 3: "‴"}
_ROOTS = {"": "√", "2": "√", "3": "∛", "4": "∜"}

Pieces = Sequence[Piece]


class Row(NamedTuple):
    """A row of an environment, or of the whole formula."""

    cells: list[list[Piece]]
    tag: str = ""
    """What stands at its end, with brackets."""
    ruled: bool = False
    """Whether a line is drawn above it."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing stands in it."""
        return not self.tag and not any(self.cells)


class Grid(NamedTuple):
    """Rows and columns between two brackets, which may be empty."""

    rows: list[Row]
    left: str = ""
    right: str = ""
    columns: str = ""
    """As LaTeX has it: `l`, `c`, `r` and `|`; the last of the letters goes on."""


class Flat:
    """Everything on one line: slashes for fractions, brackets where they are needed, semicolons for rows."""

    @property
    def script(self) -> "Flat":
        """How scripts are set."""
        return self

    def fraction(self, above: Pieces, below: Pieces) -> Piece:
        """With a slash, bracketed so that it reads only one way."""
        text = f"{bracket(above, needed=is_sum(above))}/{bracket(below, needed=not is_atom(below))}"
        return Piece(text, Role.FRACTION)

    def pair(self, above: Pieces, below: Pieces, between: str) -> Piece:
        r"""One above the other without a line, in round brackets: `\binom`, `\atop`. `between` is said on one line."""
        return Piece(f"({join(above)} {between}{' ' if between else ''}{join(below)})", Role.ATOM)

    def root(self, degree: Pieces, radicand: Pieces) -> Piece:
        """A root; `degree` is empty for the second."""
        power = join(degree, tight=True)
        sign = _ROOTS.get(power)
        if sign is None:
            sign = f"{script(power, sym.SUPERSCRIPTS, '^')[0]}√"
        return Piece(sign + bracket(radicand, needed=not is_simple(radicand)), Role.ROOT)

    def scripted(self, base: Piece, below: Pieces, above: Pieces, primes: int) -> Piece:
        """`base` with its scripts: Unicode ones where every character has one, else `_x` or `_(..)`."""
        text, role = base.text, base.role
        if role in (Role.FRACTION, Role.ROOT) or (above and _is_raised(text)):
            text, role = f"({text})", Role.ATOM
        elif role is Role.GRID:
            text, role = f"[{text}]", Role.ATOM
        sub, sub_is_bare = script(join(below, tight=True), sym.SUBSCRIPTS, "_")
        sup, sup_is_bare = script(join(above, tight=True), sym.SUPERSCRIPTS, "^")
        if role in (Role.ATOM, Role.BARE):
            role = Role.BARE if sup_is_bare or sub_is_bare else Role.ATOM
        # In A_cᵇ the b would seem to belong to the c.
        scripts = sup + sub if sub_is_bare and sup[:1] != "^" else sub + sup
        return Piece(text + primed(primes) + scripts, role, limits=base.limits)

    def labelled(self, base: Pieces, below: Pieces, above: Pieces, *, stretch: bool = False) -> Piece:
        r"""`base` with what stands under and over it: `\underset`, `\overset`; an arrow may `stretch` to be as wide."""
        return self.scripted(as_one(base), below, above, 0)

    def accented(self, name: str, pieces: Pieces) -> Piece:
        """With an accent: on the one character there is, over each where it is a line, else in words."""
        text, accent = join(pieces, tight=True), sym.ACCENTS[name]
        if len(pieces) == 1 and text and (len(text) == 1 or pieces[0].role in (Role.ATOM, Role.BARE)):
            return Piece(unicodedata.normalize("NFC", text[0] + accent) + text[1:], pieces[0].role)
        if name in sym.LINES and len(text) <= _MAX_ACCENTED:
            one = pieces[0] if len(pieces) == 1 else Piece(text, Role.ATOM)
            return one._replace(text="".join(character + accent for character in text))
        return Piece(f"{sym.SPOKEN_ACCENTS.get(name, name)}({text})" if text else "", Role.ATOM)

    def braced(self, name: str, pieces: Pieces) -> Piece:
        r"""With a brace over or under it, `\overbrace`, `\underbrace`: in words, since its label is no index."""
        return Piece(f"{name}({join(pieces)})", Role.ATOM)

    def fenced(self, left: str, parts: Sequence[Pieces], middles: Sequence[str], right: str) -> list[Piece]:
        """Between delimiters that grow, with others between the parts; no delimiter is an empty text."""
        pieces = [Piece(left, Role.OPEN)] if left else []
        for number, part in enumerate(parts):
            if number:
                pieces.append(Piece(middles[number - 1], Role.ATOM))
            pieces += part
        return [*pieces, Piece(right, Role.CLOSE)] if right else pieces

    def take_base(self, pieces: list[Piece]) -> Piece:
        """The piece that a script belongs to, taken from the end of `pieces`."""
        return pieces.pop() if pieces and pieces[-1].role is not Role.SPACE else Piece("", Role.ATOM)

    def whole(self, pieces: list[Piece]) -> list[Piece]:
        """Pieces of a group that scripts follow which belong to all of it: brackets show its extent."""
        return [Piece(bracket(pieces, needed=not is_atom(pieces)), Role.ATOM)] if len(pieces) > 1 else pieces

    def together(self, pieces: Pieces, role: Role) -> Piece:
        """The pieces as one, as they are."""
        return Piece(join(pieces), role)

    def framed(self, pieces: Pieces) -> Piece:
        r"""In a frame: `\boxed`."""
        return Piece(f"[ {join(pieces)} ]", Role.ATOM)

    def grid(self, grid: Grid) -> Piece:
        """Rows and columns: a matrix, an array, a distinction of cases."""
        rows = [[join(cell) for cell in row.cells] for row in grid.rows]
        rows = [row for row in rows if any(row)]
        spaced = any(" " in cell for row in rows for cell in row)
        text = "; ".join((", " if spaced else " ").join(row) for row in rows)
        if grid.left or grid.right:
            right = grid.right or ("}" if grid.left == "{" else "")  # which shows where cases end
            return Piece(f"{grid.left}{text}{right}", Role.ATOM)
        return Piece(text, Role.GRID)

    def lines(self, rows: list[Row], name: str) -> Piece:
        r"""Lines one below the other within a formula: `aligned`, `split`, `gathered`, `\substack`."""
        texts = [" ".join(filter(None, [*(join(cell) for cell in row.cells), row.tag])) for row in rows]
        return Piece("; ".join(filter(None, texts)), Role.TEXT)


FLAT = Flat()


def is_simple(pieces: Pieces) -> bool:
    """Whether a root sign before the pieces can only mean all of them."""
    return is_atom(pieces) and not any(_is_raised(piece.text) or piece.role is Role.ROOT for piece in pieces)


def _is_raised(text: str) -> bool:
    """Whether the text ends in a superscript."""
    return text[-1:] in _RAISED or (len(text) > 1 and "^" in text)


_RAISED = frozenset(sym.SUPERSCRIPTS.values()) - frozenset("′") | sym.RAISED_ALREADY - frozenset("′")


def primed(count: int) -> str:
    """So many primes."""
    return _PRIMES.get(count, "′" * count)


def script(text: str, table: dict[str, str], mark: str) -> tuple[str, bool]:
    """A script as it follows its base, and whether it ends without a bracket."""
    if (characters := in_script(text, table)) is not None:
        return characters, False
    if len(text) == 1:
        return mark + text, True
    bracketed = text[0] == "(" and text.find(")") == len(text) - 1
    return (mark + text if bracketed else f"{mark}({text})"), False


def in_script(text: str, table: dict[str, str]) -> str | None:
    """The text in the small characters of `table`; None where one of them has none."""
    if all(character in table for character in text):
        return "".join([table[character] for character in text])
    return text if table is sym.SUPERSCRIPTS and text in sym.RAISED_ALREADY else None
