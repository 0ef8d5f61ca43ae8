"""A page of Insights as widgets, one under another."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from rich.cells import cell_len
from rich.columns import Columns
from rich.padding import Padding
from rich.table import Table
from rich.text import Text
from textual.containers import Container, Vertical
from textual.widget import Widget
from textual.widgets import Static

from uq_tui.state.reports.page import Page, Part, Words
from uq_tui.state.reports.plots import Bars, Matrix, Plot, Ranges
from uq_tui.state.reports.section import Section
from uq_tui.text import clean_line
from uq_tui.widgets import plot_rows

WHOLE = 11
"""Columns of the longest word that is never broken: an interval."""
BROKEN = 9
"""Columns at least for longer words."""
_BESIDE, _ABOVE = (0, 4), (1, 0, 0, 0)
"""Blanks between plots that stand side by side where there is room, and above each."""


def widgets(page: Page) -> Iterator[Widget]:
    """All parts in their order. Plots stand in a `.beside` together with the table or the words that they go with."""
    parts = [(isinstance(part, Words | Section), part) for part in page.parts]
    told: list[Part] = []
    for is_told, found in groupby(parts, key=itemgetter(0)):
        group = [part for _, part in found]
        if is_told:
            told = group
            continue
        yield from _parts(told[:-1])
        beside = (Vertical(*_parts(told[-1:]), classes="told"), Vertical(*_parts(group), classes="drawn"))
        yield Container(*beside, classes="beside")
        told = []
    yield from _parts(told)


def _parts(parts: Iterable[Part]) -> Iterator[Widget]:
    """Parts one under another, matrices that follow each other side by side where there is room."""
    for kind, group in groupby(parts, key=type):
        if kind is Matrix:
            drawn = [Padding(plot_rows.matrix(one), _ABOVE) for one in group if isinstance(one, Matrix)]
            yield Static(Columns(drawn, padding=_BESIDE), markup=False)
        else:
            for part in group:
                yield from _part(part)


def _part(part: Part) -> Iterator[Widget]:
    match part:
        case Words():
            if part.heading:
                yield Static(clean_line(part.heading), markup=False, classes="heading")
            yield Static(_lines(part.lines), markup=False, classes="about" if part.heading else "")
        case Section():
            yield from _section(part)
        case Plot():
            yield from _plot(part)
        case Bars():
            yield Static(plot_rows.bars(part), markup=False, classes="table")
        case Ranges():
            yield Static(plot_rows.ranges(part), markup=False, classes="table")


def _section(section: Section) -> Iterator[Widget]:
    yield Static(clean_line(section.title), markup=False, classes="heading")
    yield Static(clean_line(section.about), markup=False, classes="about")
    yield Static(laid_out(section), markup=False, classes="table")
    if section.notes:
        yield Static(_lines(section.notes), markup=False, classes="about")


def _plot(plot: Plot) -> Iterator[Widget]:
    """A plot with the names of its lines."""
    from uq_tui.widgets.plot import PlotView  # brings a library along that nothing else needs

    yield PlotView(plot)
    names = [f"{line.mark} {line.name}" for line in plot.lines]
    more = [plot.rest] if plot.rest else []
    diagonal = ["· where both axes agree"] if plot.diagonal else []
    yield Static(clean_line("   ".join(names + more + diagonal)), markup=False, classes="about")


def laid_out(section: Section) -> Table:
    """Laid out anew for each width: where there is no room, cells of words are broken, at blanks if that is enough."""
    table = Table(box=None, padding=(0, 2, 0, 0))  # with its edge: without, Rich cuts the last column short
    for place, name in enumerate(section.columns):
        header = name.replace(" ", "\n", 1)
        if name in section.numbers:
            table.add_column(Text(header), justify="right", no_wrap=True)
        else:
            words = [word for row in section.rows for word in row[place].split()] + header.split()
            longest = max(cell_len(word) for word in words)
            table.add_column(Text(header), overflow="fold", min_width=longest if longest <= WHOLE else BROKEN)
    for row in section.rows:
        table.add_row(*(Text(clean_line(cell)) for cell in row))
    return table


def _lines(lines: Sequence[str]) -> str:
    return "\n".join(clean_line(line) for line in lines)
