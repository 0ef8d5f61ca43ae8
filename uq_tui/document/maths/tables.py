"""Rows and columns in two dimensions: matrices, lines that are aligned, lines that are broken."""

from collections.abc import Iterator, Sequence
from itertools import accumulate

from uq_tui.document.maths import boxes
from uq_tui.document.maths.boxes import Box, Side, beside, cells, heightened, widened
from uq_tui.document.maths.delimiters import fenced
from uq_tui.document.maths.flat import Grid, Pieces, Row
from uq_tui.document.maths.pieces import Piece, Role
from uq_tui.document.maths.spacing import Part, lay, lay_parts, spaced, with_tall_brackets

_GAP = "  "
_INDENT = 4
"""Cells that the continuation of a broken line is moved to the right."""
_BEFORE_TAG = 4
_BETWEEN_PAIRS = 2
_SHORTEST = 20
"""Cells that a line has at least before it is broken."""
_MUCH = 3
"""A line that is broken before a relation fills at least this part of the room, where another place can be had."""
_WORST = 4
_SIDES: dict[str, Side] = {"l": "l", "c": "c", "r": "r"}


def grid(grid: Grid) -> Box:
    """Rows and columns between brackets as tall as they are.

    Raises:
        TooLargeError: it is too large.
    """
    rows = list(grid.rows)
    last_rule = bool(rows) and rows[-1].is_empty and rows[-1].ruled
    if rows and rows[-1].is_empty:
        rows.pop()
    laid = [[lay(cell) for cell in row.cells] for row in rows]
    count = max(map(len, laid), default=0)
    if not count:
        return fenced(grid.left, Box(("",)), grid.right)
    for line in laid:
        line += [Box(("",))] * (count - len(line))
    sides, lines = _columns(grid.columns, count)
    widths = [max(line[column].width for line in laid) for column in range(count)]
    blank = _ruled([" " * width for width in widths], lines)
    is_tall = any(len(box.rows) > 1 for line in laid for box in line)
    gap = is_tall or (len(laid) == 2 and "{" in grid.left + grid.right)
    out: list[str] = []
    for number, (row, line) in enumerate(zip(rows, laid, strict=True)):
        if row.ruled:
            out.append("─" * cells(blank))
        elif number and gap:
            out.append(blank)
        above, below = max(box.base for box in line), max(box.below for box in line)
        even = [
            heightened(widened(box, width, side), above, below)
            for box, width, side in zip(line, widths, sides, strict=True)
        ]
        out += [_ruled(parts, lines) for parts in zip(*(box.rows for box in even), strict=True)]
    if last_rule:
        out.append("─" * cells(blank))
    inner = boxes.even(out, (len(out) - 1) // 2)
    if grid.left == "{" or grid.right == "}":
        pad = Box((" ",))
        inner = beside([pad, inner] if grid.left else [inner, pad])
    return fenced(grid.left, inner, grid.right)


def _columns(written: str, count: int) -> tuple[list[Side], list[bool]]:
    """How each column is set, and before which there is a line; a last entry says whether one ends the row."""
    sides: list[Side] = []
    lines: list[bool] = [False]
    for sign in written:
        if sign == "|":
            lines[-1] = True
        elif len(sides) < count and sign in _SIDES:
            sides.append(_SIDES[sign])
            lines.append(False)
    while len(sides) < count:
        sides.append(sides[-1] if sides else "c")
        lines.append(False)
    return sides, lines


def _ruled(parts: Sequence[str], lines: Sequence[bool]) -> str:
    """The parts of one row with what stands between columns."""
    out: list[str] = ["│ " if lines[0] else ""]
    for number, part in enumerate(parts):
        if number:
            out.append(" │ " if lines[number] else _GAP)
        out.append(part)
    return "".join([*out, " │" if lines[len(parts)] else ""])


def lines(rows: Sequence[Row], name: str, width: int = 0) -> Box:
    """Lines one below the other: their column marks are in one place, their tags at the right.

    Args:
        rows: the lines.
        name: the environment.
        width: cells to break too wide lines at, where that can be done; 0: they are not broken.

    Raises:
        TooLargeError: it is too large.
    """
    rows = [row for row in rows if not row.is_empty]
    if not rows:
        return Box(("",))
    if width and any(row.tag for row in rows):
        width = max(_SHORTEST, width - _BEFORE_TAG - max(cells(row.tag) for row in rows))
    laid = _aligned([row.cells for row in rows], name, width)
    if any(row.tag for row in rows):
        right = max(box.width for box in laid) + _BEFORE_TAG
        laid = [
            beside([widened(box, right), Box((row.tag,))]) if row.tag else box
            for row, box in zip(rows, laid, strict=True)
        ]
    if len(laid) == 1:
        return laid[0]
    gap = 1 if any(len(box.rows) > 1 for box in laid) else 0
    whole = boxes.stacked(laid, 0, "c" if name == "substack" else "l", gap=gap)
    return whole._replace(base=(len(whole.rows) - 1) // 2)


def _aligned(rows: list[list[list[Piece]]], name: str, width: int) -> list[Box]:
    """Each row; those with column marks have their columns one below the other."""
    sides: list[Side] = ["r", "c", "l"] if name == "eqnarray" else ["r", "l"]
    marked = [
        [_after_mark(cell) if number else cell for number, cell in enumerate(row)] for row in rows if len(row) > 1
    ]
    if not marked:
        return [broken(row[0], width) for row in rows]
    laid = [[lay(cell) for cell in row] for row in marked]
    widths = [max((row[column].width for row in laid if column < len(row)), default=0)
              for column in range(max(map(len, laid)))]  # fmt: skip
    gaps = [0] + [_gap_before(column, len(sides), widths) for column in range(1, len(widths))]
    out: list[Box] = []
    found = iter(zip(marked, laid, strict=True))
    for row in rows:
        if len(row) == 1:
            out.append(broken(row[0], width))
            continue
        cells_of_row, boxes_of_row = next(found)
        parts: list[Box] = []
        used = 0
        for column, box in enumerate(boxes_of_row):
            used += gaps[column]
            is_last = column == len(boxes_of_row) - 1
            if is_last and width and used + box.width > width:
                box = broken(cells_of_row[column], max(_SHORTEST, width - used))
            side = sides[column % len(sides)]
            parts += [
                Box((" " * gaps[column],)),
                box if is_last and side == "l" else widened(box, widths[column], side),
            ]
            used += widths[column]
        out.append(beside(parts))
    return out


def _gap_before(column: int, period: int, widths: Sequence[int]) -> int:
    if column % period == 0:
        return _BETWEEN_PAIRS if any(widths[:column]) else 0
    return 1 if widths[column - 1] else 0


def _after_mark(cell: list[Piece]) -> list[Piece]:
    """The cell after a column mark: a sign that begins it joins it to what stands before."""
    return [Piece("", Role.ATOM), *cell] if cell and cell[0].role is Role.BINARY else cell


def broken(pieces: Pieces, width: int) -> Box:
    """The pieces on as many lines as it takes to fit into `width`; on one where they can't be broken, or width is 0.

    A line is broken at a wide blank, else before a relation, before an operator, or after a comma; never within
    brackets.

    Raises:
        TooLargeError: it is too large.
    """
    if not width:
        return lay(pieces)
    parts = list(spaced(with_tall_brackets(pieces)))
    ends = list(accumulate(_cells(part) for part in parts))
    if not ends or ends[-1] <= width:
        return lay(pieces)
    found = list(_lines(parts, ends, width))
    laid = [lay_parts(line) for line in found]
    indent = Box((" " * _INDENT,))
    laid = [laid[0], *(beside([indent, box]) for box in laid[1:])]
    gap = 1 if any(len(box.rows) > 1 for box in laid) else 0
    return boxes.stacked(laid, 0, "l", gap=gap)


def _lines(parts: list[Part], ends: list[int], width: int) -> Iterator[list[Part]]:
    """The parts of each line. A line is too wide where it can't be broken."""
    places = [*_places(parts), (len(parts), 0)]
    start, used, room = 0, 0, width
    first = 0
    while start < len(parts):
        best, best_rank = first, _WORST
        for number in range(first, len(places)):
            at, rank = places[number]
            cells_before = ends[at - 1] - len(parts[at - 1].after) - used
            if number > first and cells_before > room:
                break
            if at < len(parts) and cells_before < room // _MUCH:
                rank = _WORST  # a short line before the only relation says little
            if rank <= best_rank:
                best, best_rank = number, rank
        end = places[best][0]
        yield parts[start:end]
        start, used, room, first = end, ends[end - 1], max(_SHORTEST, width - _INDENT), best + 1


def _places(parts: list[Part]) -> list[tuple[int, int]]:
    """Before which parts a line can be broken, and how badly."""
    places: list[tuple[int, int]] = []
    depth = 0
    in_bars = in_bra = False
    for at, (_, text, piece, after) in enumerate(parts):
        is_open = depth > 0 or in_bars or in_bra
        if at and not is_open:
            if piece.role is Role.SPACE and len(text) > 1 and parts[at - 1].piece.role is not Role.RELATION:
                places.append((at, 0))
            elif piece.role is Role.RELATION:
                places.append((at, 1))
            elif piece.role is Role.BINARY and after:
                places.append((at, 2))
        if piece.text in ("⟨", "⟩"):
            in_bra, in_bars = piece.text == "⟨", False
        elif piece.text in ("|", "‖"):
            in_bars = not in_bars and not in_bra
            in_bra = False
        else:
            depth = max(0, depth + (piece.role is Role.OPEN) - (piece.role is Role.CLOSE))
        if not is_open and piece.role is Role.COMMA and at + 1 < len(parts):
            places.append((at + 1, 3))
    return places


def _cells(part: Part) -> int:
    return cells(part.before) + (part.piece.tall.width if part.piece.tall else cells(part.text)) + cells(part.after)
