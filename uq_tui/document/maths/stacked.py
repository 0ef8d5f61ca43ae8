"""How the parts of a formula are put together in two dimensions."""

from collections.abc import Sequence

from uq_tui.document.maths import boxes, tables
from uq_tui.document.maths import symbols as sym
from uq_tui.document.maths.boxes import Box, beside, cells
from uq_tui.document.maths.delimiters import fenced, grown
from uq_tui.document.maths.flat import Flat, Grid, Pieces, Row, in_script, is_simple, primed
from uq_tui.document.maths.pieces import Piece, Role, are_tall, boxed, have_rows
from uq_tui.document.maths.spacing import GROWING, is_atom, join, lay, opening

_WIDE_ACCENTS = {"vec": "→", "overrightarrow": "→", "overleftarrow": "←", "overleftrightarrow": "↔",
                 "underrightarrow": "→", "underleftarrow": "←", "underleftrightarrow": "↔"}  # fmt: skip
_OVER = {"widehat": "^", "hat": "^", "widetilde": "~", "tilde": "~", "check": "ˇ", "widecheck": "ˇ", "breve": "˘",
         "acute": "´", "grave": "`", "dot": "˙", "ddot": "¨", "dddot": "⋯", "mathring": "˚",
         "wideparen": "⌢", "overparen": "⌢"}  # fmt: skip
_INTEGRAL = Box(("⌠", "⎮", "⌡"), 1)


class Stacked(Flat):
    """Fractions one above the other, roots under a line, scripts above and below: rows as many as it takes.

    Everything raises `TooLargeError` where a box would be too large.

    Args:
        width: cells that aligned lines are broken at; 0: they are not broken.
        small: whether what has a good form on one line is set as `Flat` does, as in scripts.
    """

    def __init__(self, width: int = 0, *, small: bool = False) -> None:
        self._width = width
        self._small = small

    @property
    def script(self) -> Flat:
        return _SMALL

    def _is_flat(self, *parts: Pieces) -> bool:
        return self._small and not any(map(have_rows, parts))

    def fraction(self, above: Pieces, below: Pieces) -> Piece:
        if self._is_flat(above, below):
            return super().fraction(above, below)
        over, under = lay(above), lay(below)
        width = max(over.width, under.width, 1)
        if _has_line(above) or _has_line(below):
            width += 2
        return boxed(boxes.stacked([over, Box(("─" * width,)), under], 1), Role.STACK)

    def pair(self, above: Pieces, below: Pieces, between: str) -> Piece:
        if self._is_flat(above, below):
            return super().pair(above, below, between)
        over = lay(above)
        both = boxes.stacked([over, lay(below)], 0, gap=1)._replace(base=len(over.rows))
        return boxed(fenced("(", both, ")"), Role.ATOM) if between else boxed(both, Role.STACK)

    def root(self, degree: Pieces, radicand: Pieces) -> Piece:
        is_tall = have_rows(radicand)
        if (is_simple(radicand) and not is_tall) or self._is_flat(degree, radicand):
            return super().root(degree, radicand)
        inner, power = lay(radicand), lay(degree, tight=True)
        if is_tall:
            *upper, last = inner.rows
            rows = [" ┌" + "─" * inner.width, *(f" │{row}" for row in upper), f"√│{last}"]
        else:
            rows = [" " + "_" * inner.width, "√" + inner.rows[0]]
        body = Box(tuple(rows), inner.base + 1)
        if len(power.rows) > 1:
            return boxed(beside([power, body]), Role.STACK)
        if power.rows[0] not in ("", "2"):
            body = _with_degree(body, power.rows[0])
        return boxed(body, Role.STACK, slight=not is_tall)

    def scripted(self, base: Piece, below: Pieces, above: Pieces, primes: int) -> Piece:
        if not base.tall and self._is_flat(below, above):
            return super().scripted(base, below, above, primes)
        sub, sup = lay(below, tight=True), lay(above, tight=True)
        if base.limits and not self._small:
            whole = beside([base.tall or Box((base.text,)), Box((primed(primes),))])
            return boxed(_piled(sup if above else None, whole, sub if below else None), base.role)
        base = _closed(base)
        whole, role = base.tall or Box((base.text,)), base.role
        if base.text == "∫" and not base.tall and (above or below) and not self._small:
            return boxed(_corner(_INTEGRAL, sub, sup, primes), Role.BIG)
        if not base.tall:
            small_sub, small_sup = _small(sub, sym.SUBSCRIPTS), _small(sup, sym.SUPERSCRIPTS)
            if small_sub is not None and small_sup is not None:
                return super().scripted(base, below, above, primes)
        kept = role in (Role.BIG, Role.NAME, Role.RELATION, Role.OPEN, Role.CLOSE)
        slight = not base.tall or base.slight
        return boxed(_corner(whole, sub, sup, primes), role if kept else Role.ATOM, slight=slight)

    def labelled(self, base: Pieces, below: Pieces, above: Pieces, *, stretch: bool = False) -> Piece:
        if self._is_flat(base, below, above):
            return super().labelled(base, below, above)
        over, under = lay(above, tight=True), lay(below, tight=True)
        middle = lay(base)
        role = base[0].role if len(base) == 1 else Role.ATOM
        if stretch:
            middle = Box((_stretched(middle.rows[0], max(over.width, under.width) + 2),))
        return boxed(_piled(over if above else None, middle, under if below else None), role)

    def accented(self, name: str, pieces: Pieces) -> Piece:
        is_tall = have_rows(pieces)
        one = not is_tall and len(join(pieces, tight=True)) <= 1
        if one or self._is_flat(pieces) or (name in sym.LINES and not is_tall):
            return super().accented(name, pieces)
        inner = lay(pieces)
        if name in sym.LINES:
            # Not the line of a fraction.
            over, under = Box(("_" * inner.width,)), Box(("‾" * inner.width,))
            return boxed(_piled(over, inner, None) if name == "overline" else _piled(None, inner, under), Role.ATOM)
        if name == "bar":
            mark = "_" * inner.width
        elif arrow := _WIDE_ACCENTS.get(name):
            mark = _stretched(arrow, inner.width)
        else:
            mark = _OVER[name]
        if name.startswith("under"):
            return boxed(_piled(None, inner, Box((mark,))), Role.ATOM)
        return boxed(_piled(Box((mark,)), inner, None), Role.ATOM)

    def braced(self, name: str, pieces: Pieces) -> Piece:
        if self._is_flat(pieces):
            return super().braced(name, pieces)
        inner = lay(pieces)
        width = max(inner.width, 3)
        left, right = (width - 3) // 2, (width - 2) // 2
        if name.startswith("under"):
            brace = f"╰{'─' * left}┬{'─' * right}╯"
            return boxed(boxes.stacked([inner, Box((brace,))], 0), Role.STACK, limits=True)
        brace = f"╭{'─' * left}┴{'─' * right}╮"
        return boxed(boxes.stacked([Box((brace,)), inner], 1), Role.STACK, limits=True)

    def fenced(self, left: str, parts: Sequence[Pieces], middles: Sequence[str], right: str) -> list[Piece]:
        if not any(map(are_tall, parts)):
            return super().fenced(left, parts, middles, right)
        return [boxed(_fence(left, parts, middles, right), Role.ATOM)]

    def take_base(self, pieces: list[Piece]) -> Piece:
        """As on one line; but where a bracket closes tall pieces, they are one with it, and as tall."""
        if pieces and pieces[-1].role is Role.CLOSE and (start := opening(pieces)) is not None:
            left, *inner, right = pieces[start:]
            if are_tall(inner) and left.text in GROWING and right.text in GROWING:
                del pieces[start:]
                return boxed(fenced(left.text, lay(inner), right.text), Role.ATOM)
        return super().take_base(pieces)

    def whole(self, pieces: list[Piece]) -> list[Piece]:
        if len(pieces) == 1 or not have_rows(pieces):
            return super().whole(pieces)
        if not is_atom(pieces):
            pieces = self.fenced("(", [pieces], [], ")")
        return [self.together(pieces, Role.ATOM)]

    def together(self, pieces: Pieces, role: Role) -> Piece:
        return boxed(lay(pieces), role, slight=not are_tall(pieces))

    def framed(self, pieces: Pieces) -> Piece:
        return boxed(boxes.framed(lay(pieces)), Role.STACK)

    def grid(self, grid: Grid) -> Piece:
        if self._is_flat(*(cell for row in grid.rows for cell in row.cells)) and len(grid.rows) == 1:
            return super().grid(grid)
        box = tables.grid(grid)
        if grid.left or grid.right:
            return boxed(box, Role.ATOM)
        return boxed(box, Role.STACK if len(box.rows) > 1 else Role.GRID)

    def lines(self, rows: list[Row], name: str) -> Piece:
        box = tables.lines(rows, name, self._width)
        return boxed(box, Role.STACK if len(box.rows) > 1 else Role.TEXT)


_SMALL = Stacked(small=True)


def _has_line(pieces: Pieces) -> bool:
    return any(piece.role is Role.STACK for piece in pieces)


def _piled(above: Box | None, middle: Box, below: Box | None) -> Box:
    """One above the other, at the height of the middle one."""
    return boxes.stacked([box for box in (above, middle, below) if box], 1 if above else 0)


def _closed(base: Piece) -> Piece:
    """The base of a script in brackets, where the script would else seem to belong to a part of it."""
    if base.tall and base.role is Role.STACK:
        return boxed(fenced("(", base.tall, ")"), Role.ATOM)
    return base


def _with_degree(root: Box, degree: str) -> Box:
    """The root with its degree over the foot of its sign."""
    more = cells(degree) - 1
    rows = [" " * more + row for row in root.rows]
    rows[-2] = degree + root.rows[-2][1:]
    return Box(tuple(rows), root.base)


def _small(box: Box, table: dict[str, str]) -> str | None:
    return in_script(box.rows[0], table) if len(box.rows) == 1 else None


_STRETCHED = {
    "→": "──→", "⟶": "──→", "⟼": "├─→", "←": "←──", "⟵": "←──", "↔": "←─→", "⟷": "←─→", "⟹": "══⇒", "⟸": "⇐══",
    "=": "═══",
}  # fmt: skip
"""Begin, middle and end of what can be any length."""


def _stretched(arrow: str, width: int) -> str:
    """An arrow `width` cells long, at least two; one that can't be stretched as it is."""
    if arrow not in _STRETCHED:
        return arrow
    begin, middle, end = tuple(_STRETCHED[arrow])
    return begin + middle * (width - 2) + end


def _fence(left: str, parts: Sequence[Pieces], middles: Sequence[str], right: str) -> Box:
    laid = [lay(part) for part in parts]
    above = max(box.base for box in laid)
    below = max(box.below for box in laid)
    inner = [laid[0]]
    for middle, box in zip(middles, laid[1:], strict=True):
        inner += [grown(middle, above, below), box]
    return fenced(left, beside(inner), right)


def _corner(base: Box, sub: Box, sup: Box, primes: int) -> Box:
    """The base with scripts at its right: small signs on its first and last row where there are some, else rows."""
    over, under = _small(sup, sym.SUPERSCRIPTS), _small(sub, sym.SUBSCRIPTS)
    # Rows of the column, by their place relative to the base; a line or an accent over one row doesn't make it tall.
    top, bottom = -base.base, base.below
    is_tall = (top, bottom) not in ((0, 0), (-1, 0))
    column: dict[int, str] = {0: ""}
    high = top if is_tall else 0
    if over is not None:
        column[high] = primed(primes) + over
    else:
        column[high] = primed(primes)
        first = min(top if is_tall else -1, -1) - len(sup.rows) + (0 if is_tall and primes else 1)
        column |= {first + number: row for number, row in enumerate(sup.rows)}
    low = bottom if is_tall else 0
    if under is not None and not column.get(low):
        column[low] = under
    elif sub.rows != ("",):
        column |= {max(bottom, 1) + number: row for number, row in enumerate(sub.rows)}
    start, end = min(column), max(column)
    rows = [column.get(at, "") for at in range(start, end + 1)]
    return beside([base, boxes.even(rows, -start)])
