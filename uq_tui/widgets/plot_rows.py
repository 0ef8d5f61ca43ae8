"""Plots of which each row has words: bars, figures with intervals, and counts by two things.

They are drawn as wide as there is room, and told apart by their signs, so that they are read without colour too.
"""

from collections.abc import Sequence
from typing import Protocol

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from uq_tui.state.reports.figures import DASH, decimal, ranged
from uq_tui.state.reports.plots import Bars, Matrix, Ranges
from uq_tui.text import clean_line

SIGNS = "█▓▒░▚▞"
"""One for each series, the first one first."""
COLOURS = (33, 166, 34, 127, 136, 61, 160, 37, 244)
"""Of the terminal's 256, one a line or series: neither too dark nor too light for any background."""
_SHORT, _NAMES = 24, 40
"""Columns of the names of rows that they are folded at, in little room and ever."""
_LEAST, _MOST = 10, 72
"""Columns of a bar or an axis."""
_CELL = 12
"""Columns of the bar in a cell of a matrix."""
_GAP = 2
"""Columns behind each cell, the last one too: without its edge, Rich cuts a table's last column short."""


class _Track(Protocol):
    """A stretch of a row: cut into parts, or an interval on an axis."""

    def drawn(self, width: int) -> Text:
        """As wide as there is room."""


class _Rows:
    """Rows of a name, a stretch, and cells that are never cut: the stretch gives way first, then names are folded."""

    def __init__(self, rows: Sequence[tuple[str, _Track, tuple[str, ...]]]) -> None:
        self._rows = [(clean_line(name), track, tuple(map(clean_line, cells))) for name, track, cells in rows]

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> RenderResult:
        cells = [max(map(cell_len, own)) for own in zip(*(cells for _, _, cells in self._rows), strict=True)]
        room = options.max_width - sum(cells) - _GAP * (len(cells) + 2)
        longest = max(cell_len(name) for name, _, _ in self._rows)
        names = max(1, min(longest, _NAMES, max(_SHORT, room // 2), room - _LEAST))
        track = max(1, min(_MOST, room - names))
        table = Table(box=None, padding=(0, _GAP, 0, 0), show_header=False)
        table.add_column(width=names, overflow="fold")
        table.add_column(width=track)
        for width in cells:
            table.add_column(width=width, justify="right")
        for name, one, own in self._rows:
            table.add_row(Text(name), one.drawn(track), *map(Text, own))
        yield table


class _Bar:
    def __init__(self, values: Sequence[float], longest: float) -> None:
        self._values = values
        self._longest = longest

    def drawn(self, width: int) -> Text:
        text, so_far, end = Text(no_wrap=True), 0.0, 0
        for place, value in enumerate(self._values):
            so_far += value
            start, end = end, max(end, round(so_far / self._longest * width)) if self._longest else 0
            if value and end == start < width:
                end += 1  # what is there is seen
            text.append(SIGNS[place % len(SIGNS)] * (end - start), f"color({COLOURS[place % len(COLOURS)]})")
        return text


class _Whiskers:
    def __init__(self, value: float | None, low: float | None, high: float | None, width: tuple[float, float]) -> None:
        self._value, self._low, self._high = value, low, high
        self._ends = width

    def drawn(self, width: int) -> Text:
        cells = ["·"] * width
        if self._low is not None and self._high is not None:
            first, last = self._cell(self._low, width), self._cell(self._high, width)
            cells[first : last + 1] = "─" * (last + 1 - first)
            cells[first], cells[last] = ("├", "┤") if last > first else ("│", "│")
        drawn = Text("".join(cells), "dim", no_wrap=True)
        if self._value is not None:
            at = self._cell(self._value, width)
            drawn = Text.assemble(drawn[:at], ("●", "bold"), drawn[at + 1 :], no_wrap=True)
        return drawn

    def _cell(self, value: float, width: int) -> int:
        low, high = self._ends
        return min(width - 1, max(0, round((value - low) / (high - low) * (width - 1))))


class _Axis:
    """The ends of an axis, and 0 between them; else its middle."""

    def __init__(self, ends: tuple[float, float]) -> None:
        self._ends = ends

    def drawn(self, width: int) -> Text:
        low, high = self._ends
        first, last = decimal(low), decimal(high)
        between = 0.0 if low < 0 < high else (low + high) / 2
        middle = "0" if between == 0 else decimal(between)
        at = round((between - low) / (high - low) * (width - 1))
        cells = list(first.ljust(width))[:width]
        if len(first) < at and at + len(middle) < width - len(last):
            cells[at : at + len(middle)] = middle
        cells[width - len(last) : width] = last
        return Text("".join(cells)[:width], "dim", no_wrap=True)


def bars(plot: Bars) -> RenderableType:
    """A row each with its bar and total; above them what each sign is."""
    key = Text()
    for place, one in enumerate(plot.series):
        if any(one.values) and len(plot.series) > 1:
            key.append(SIGNS[place % len(SIGNS)] * 2, f"color({COLOURS[place % len(COLOURS)]})")
            key.append(f" {clean_line(one.name)}   ")
    sums = [sum(values) for values in zip(*(one.values for one in plot.series), strict=True)]
    longest = max(sums, default=0.0)
    rows = [
        (name, _Bar([one.values[place] for one in plot.series], longest), (plot.totals[place],))
        for place, name in enumerate(plot.rows)
    ]
    return _under(plot.title, plot.across, plot.rest, *((key,) if key.plain else ()), _Rows(rows))


def ranges(plot: Ranges) -> RenderableType:
    """A row each with its interval on an axis that all share, and the figure with n."""
    rows: list[tuple[str, _Track, tuple[str, ...]]] = [("", _Axis(plot.width), ("", "n"))]
    for one in plot.rows:
        shown = DASH if one.value is None else ranged(one.value, one.low, one.high)
        rows.append((one.name, _Whiskers(one.value, one.low, one.high, plot.width), (shown, f"{one.n:,}")))
    return _under(plot.title, plot.across, plot.rest, _Rows(rows))


def matrix(plot: Matrix) -> RenderableType:
    """Each count with a bar of its share of all."""
    total = sum(sum(row) for row in plot.cells)
    table = Table(box=None, padding=(0, _GAP, 0, 0))
    table.add_column(Text(clean_line(f"{plot.down} ↓ {plot.across} →"), "dim"), no_wrap=True)
    for name in plot.columns:
        table.add_column(Text(clean_line(name)), no_wrap=True)
    width = max((len(f"{count:,}") for row in plot.cells for count in row), default=1)
    for name, row in zip(plot.rows, plot.cells, strict=True):
        cells = []
        for count in row:
            full = min(_CELL, max(round(count / total * _CELL), count > 0)) if total else 0
            track = Text.assemble(("█" * full, f"color({COLOURS[0]})"), ("·" * (_CELL - full), "dim"))
            cells.append(Text.assemble(f"{count:>{width},} ", track))
        table.add_row(Text(clean_line(name)), *cells)
    return _under(plot.title, "", plot.note, table)


def _under(title: str, about: str, more: str, *drawn: RenderableType) -> RenderableType:
    head = (Text(clean_line(title), "bold"), *((Text(clean_line(about), "dim"),) if about else ()))
    return Group(*head, *drawn, *((Text(clean_line(more), "dim"),) if more else ()))
