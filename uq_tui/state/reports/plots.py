"""What plots show, as numbers. A table with the same numbers always stands beside a plot.

All names in them may be foreign text.
"""

from dataclasses import dataclass

from uq_tui.text import counted

MOST_LINES = 9
"""Lines are told apart by the digits that mark their points."""
MOST_ROWS = 24
"""Rows of a plot, which is to be seen at once."""


@dataclass(frozen=True, slots=True)
class Line:
    """Points, marked by a digit, that belong together."""

    mark: str
    name: str
    xs: tuple[float, ...]
    ys: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Plot:
    """Lines in one frame."""

    title: str
    across: str
    """What the horizontal axis is."""
    up: str
    lines: tuple[Line, ...]
    width: tuple[float, float]
    """Where the horizontal axis starts and ends."""
    height: tuple[float, float]
    ticks: tuple[tuple[float, str], ...] = ()
    """Marks on the horizontal axis with their words; those that fit when there are none."""
    diagonal: bool = False
    """Draw where both axes agree."""
    doublings: bool = False
    """The horizontal axis is a scale of doublings."""
    rest: str = ""
    """What is not drawn, as `rest` says it."""


@dataclass(frozen=True, slots=True)
class Series:
    """One part of each bar."""

    name: str
    values: tuple[float, ...]
    """Of each row, 0 or more."""


@dataclass(frozen=True, slots=True)
class Bars:
    """One bar a row, made of the parts that several series have in it."""

    title: str
    across: str
    """What the bars' length is."""
    rows: tuple[str, ...]
    series: tuple[Series, ...]
    totals: tuple[str, ...]
    """What stands behind each bar: with the unit, and with what is unknown."""
    rest: str = ""


@dataclass(frozen=True, slots=True)
class Range:
    """A figure with its 95 % interval; `None` is undefined."""

    name: str
    value: float | None
    low: float | None
    high: float | None
    n: int


@dataclass(frozen=True, slots=True)
class Ranges:
    """Figures with their intervals on one axis, one a row."""

    title: str
    across: str
    """What the figures are, and what n counts."""
    rows: tuple[Range, ...]
    width: tuple[float, float]
    """Where the axis starts and ends."""
    rest: str = ""


@dataclass(frozen=True, slots=True)
class Matrix:
    """Counts by two things."""

    title: str
    down: str
    """What the rows are."""
    across: str
    """What the columns are."""
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[int, ...], ...]
    """Row by row."""
    note: str = ""
    """What is in no cell."""


Drawing = Plot | Bars | Ranges | Matrix


def rest(number: int, noun: str) -> str:
    """`3 more scorers in the table`, of what a plot leaves out; nothing for none."""
    return f"{counted(number, f'more {noun}')} in the table" if number > 0 else ""
