"""A table of words with what is said around it, for a screen or a terminal to lay out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from uq_tui.text import counted

MOST_TABLED = 60
"""Rows of a table that people are shown; there are pairs of validators by the hundred. JSON has all."""


@dataclass(frozen=True, slots=True)
class Section:
    """A table. Cells are plain, possibly foreign text; a cell may be broken at its blanks."""

    title: str
    about: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: frozenset[str]
    """Columns that are set to the right."""
    notes: tuple[str, ...] = ()


def section(
    title: str,
    about: str,
    columns: tuple[str, ...],
    rows: Sequence[tuple[str, ...]],
    numbers: Iterable[str],
    notes: Iterable[str] = (),
    *,
    report: str,
) -> Section:
    """A table with as many rows as people are shown, and how many more the JSON of `uq-tui report REPORT` has."""
    cut = tuple(rows[:MOST_TABLED])
    return Section(title, about, columns, cut, frozenset(numbers), (*notes, *more(len(rows), report)))


def more(rows: int, report: str) -> tuple[str, ...]:
    """What is said of rows beyond those that people are shown: nothing where there are none."""
    rest = rows - MOST_TABLED
    return (f"{counted(rest, 'more row')}: uq-tui report {report} --json.",) if rest > 0 else ()
