"""The tables and plots of a page of Insights as files: plots as SVG and PNG, and all numbers as CSV."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from exports import csv_text
from exports.atomic import publish, staged
from uq_tui.errors import ExportError
from uq_tui.state.reports.figure_files import drawn
from uq_tui.state.reports.page import Page
from uq_tui.state.reports.plots import Bars, Drawing, Matrix, Plot, Ranges
from uq_tui.state.reports.section import Section

_NUMBER = re.compile(r"[+-]?(\d[\d,]*)?\.?\d+")
_NAME = re.compile("[^a-z0-9]+")
_LONGEST = 60
"""Characters of the name of a file, without what tells apart and without its end."""


class Format(StrEnum):
    """How plots and tables are saved; tables as CSV only."""

    SVG = "svg"
    PNG = "png"
    CSV = "csv"


@dataclass(frozen=True, slots=True)
class Item:
    """A table or a plot that can be saved."""

    name: str
    """Of its files, without their ends."""
    title: str
    """Foreign text."""
    content: Section | Drawing

    @property
    def formats(self) -> tuple[Format, ...]:
        """How it can be saved."""
        return (Format.CSV,) if isinstance(self.content, Section) else tuple(Format)


def items(tab: str, page: Page) -> tuple[Item, ...]:
    """What of a page can be saved, plots first, under names that are told apart. `tab` is the name of its tab."""
    made: list[Item] = []
    taken: set[str] = set()
    for one in (*page.drawings, *page.tables):
        name = _named(tab, one, taken)
        taken.add(name)
        made.append(Item(name, one.title, one))
    return tuple(made)


def save(folder: Path, wanted: Iterable[Item], formats: Collection[Format]) -> tuple[Path, ...]:
    """Write files to a folder, which is made where it isn't there; each appears whole, in place of an earlier one.

    Returns:
        The files, in the order of what is wanted.

    Raises:
        ExportError: the folder can't be made, a file can't be written, or matplotlib is wanted and not installed. Files
            that were written before stay.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise ExportError(f"The folder {folder} can't be made: {error}", hint="Name another folder.") from error
    return tuple(_write(folder, one, form) for one in wanted for form in one.formats if form in formats)


def _write(folder: Path, one: Item, form: Format) -> Path:
    path = folder / f"{one.name}.{form}"
    # An item that is no drawing has no other format.
    if form is Format.CSV or isinstance(one.content, Section):
        content = b"".join(csv_text.line(map(_cell, row)) for row in numbers(one.content))
    else:
        content = drawn(one.content, form)
    with staged(path) as file:
        file.write(content)
        publish(file)
    return path


def numbers(content: Section | Drawing) -> Iterator[Sequence[str]]:
    """The numbers of a table or plot as lines of cells, after one of column names.

    Those of plots are exact, and an undefined one is an empty cell; cells of tables are as they are shown.
    """
    match content:
        case Section():
            yield content.columns
            yield from content.rows
        case Plot():
            yield ("line", content.across, content.up)
            for line in content.lines:
                yield from ((line.name, repr(x), repr(y)) for x, y in zip(line.xs, line.ys, strict=True))
        case Bars():
            yield ("row", *(one.name for one in content.series), "in words")
            for at, name in enumerate(content.rows):
                yield (name, *(_plain(one.values[at]) for one in content.series), content.totals[at])
        case Ranges():
            yield ("row", "value", "low", "high", "n")
            for each in content.rows:
                yield (each.name, *map(_plain, (each.value, each.low, each.high)), str(each.n))
        case Matrix():
            yield (f"{content.down} by {content.across}", *content.columns)
            for name, counts in zip(content.rows, content.cells, strict=True):
                yield (name, *map(str, counts))


def _plain(value: float | None) -> str:
    if value is None:
        return ""
    return str(int(value)) if value.is_integer() else repr(value)


def _cell(text: str) -> str:
    """A number as programs read it, other text as nothing that a spreadsheet runs."""
    return text.replace(",", "") if _NUMBER.fullmatch(text) else csv_text.cell(text)


def _named(tab: str, one: Section | Drawing, taken: Collection[str]) -> str:
    """`validators-plot-balanced-accuracy`: of letters and digits that every file system has."""
    kind = "table" if isinstance(one, Section) else "plot"
    words = _NAME.sub("-", f"{tab}-{kind}-{one.title}".lower())[:_LONGEST].strip("-")
    name, number = words, 2
    while name in taken:
        name, number = f"{words}-{number}", number + 1
    return name
