"""Plots of how far people agree."""

from collections.abc import Iterable, Mapping, Sequence

from uq_tui.analysis.agreement_figures import Measured
from uq_tui.analysis.consensus import DECIDING
from uq_tui.state.reports.agreement_people import GoldFigures, Overall, Pair
from uq_tui.state.reports.plots import MOST_ROWS, Matrix, Range, Ranges, rest

MOST_MATRICES = 6
_LABELS = tuple(label.value.replace("_", " ") for label in DECIDING)
_LOWEST = -0.2
"""Where the axis of alpha and kappa starts, unless a figure lies below."""


def overall_plot(figures: Iterable[Overall]) -> Ranges | None:
    """Agreement of all with intervals; `None` where nothing was judged by several."""
    known = [one for one in figures if one.found.value is not None]
    rows = tuple(_range(f"{one.of}: {one.figure}", one.found) for one in known)
    about = "95 % intervals, n candidates; alpha of 0 is chance"
    return Ranges("Agreement of all", about, rows, _axis(rows)) if rows else None


def kappa_plot(pairs: Iterable[Pair], people: Mapping[str, str]) -> Ranges | None:
    """Kappa of each two people, those with most in common first; `None` where no two have a kappa."""
    known = [one for one in pairs if one.kappa.value is not None]
    rows = tuple(_range(" / ".join(people[key] for key in one.people), one.kappa) for one in known[:MOST_ROWS])
    more = rest(len(known) - len(rows), "pair")
    about = "Cohen's kappa of labels, 95 % intervals, n candidates; 0 is chance"
    return Ranges("Kappa of each two", about, rows, _axis(rows), more) if rows else None


def label_plots(pairs: Iterable[Pair], people: Mapping[str, str]) -> tuple[Matrix, ...]:
    """What two people said of the same answers, a matrix for each of the first pairs."""
    compared = [one for one in pairs if one.kappa.n]
    return tuple(_matrix(one, people) for one in compared[:MOST_MATRICES])


def gold_plot(figures: Sequence[GoldFigures], people: Mapping[str, str]) -> Ranges | None:
    """How often each person is right about gold items; `None` where nobody decided one."""
    known = [one for one in figures if one.right.value is not None]
    rows = tuple(_range(people[one.person], one.right) for one in known[:MOST_ROWS])
    more = rest(len(known) - len(rows), "person")
    return Ranges("Right about gold items", "share, 95 % intervals, n items", rows, (0.0, 1.0), more) if rows else None


def _matrix(one: Pair, people: Mapping[str, str]) -> Matrix:
    first, second = (people[key] for key in one.people)
    cells = tuple(tuple(one.table.get((row, column), 0) for column in DECIDING) for row in DECIDING)
    note = f"{one.undecided:,} more, where one of both is undecided" if one.undecided else ""
    return Matrix(f"Labels by {first} and {second}", first, second, _LABELS, _LABELS, cells, note)


def _range(name: str, found: Measured) -> Range:
    return Range(name, found.value, found.low, found.high, found.n)


def _axis(rows: Iterable[Range]) -> tuple[float, float]:
    lowest = min((value for row in rows for value in (row.value, row.low) if value is not None), default=0.0)
    return min(_LOWEST, lowest), 1.0
