"""Tables of words of a report, with the sentences around them, on standard output."""

from collections.abc import Iterable

import click

from uq_tui.commands import display
from uq_tui.state.reports.section import Section
from uq_tui.state.reviewing.blind import LeftOut
from uq_tui.text import clean_line

PROSE = 78
"""Columns of sentences."""


def print_nothing(why: str, left_out: LeftOut, to_do: Iterable[str] = ()) -> None:
    """Why there is nothing to report, and what to do about it, on standard error."""
    for line in (why, *left_out.lines, *to_do):
        click.echo(line, err=True)


def print_sections(intro: Iterable[str], sections: Iterable[Section]) -> None:
    """What a report is on, then its tables one under another."""
    for line in intro:
        _say(line)
    for section in sections:
        click.echo(f"\n{clean_line(section.title)}")
        _say(section.about)
        wrapping = [name for name in section.columns if name not in section.numbers]
        shown = display.table(*section.columns, right=section.numbers, fold=wrapping)
        for row in section.rows:
            shown.add_row(*(display.cell(value) for value in row))
        display.print_table(shown)
        for note in section.notes:
            _say(note)


def _say(sentences: str) -> None:
    """Prose, in lines that a terminal of usual width holds."""
    click.echo(click.wrap_text(clean_line(sentences), width=PROSE))
