"""`uq-tui read`: a question, an answer or its reasoning as it is read in the app, as Markdown, or as a page."""

from collections.abc import Iterator
from pathlib import Path

import click
from rich.text import Text

from uq_tui.commands import display, reading
from uq_tui.commands.invocation import Invocation, exit_codes, pass_invocation, utf8
from uq_tui.commands.stored_texts import StoredText, named, text_argument
from uq_tui.document.find import NOTHING, Found, find
from uq_tui.document.markup.scan import all_units
from uq_tui.document.page.page import write_page
from uq_tui.errors import EXIT_PROBLEM
from uq_tui.state.reading.handed_out import write_privately
from uq_tui.text import clean, clean_line, counted

_GAP = "  "


@click.command("read", epilog=exit_codes(partly="what was looked for is not there", nothing="there is no such text"))
@text_argument
@click.option(
    "--width",
    type=click.IntRange(reading.NARROWEST, reading.WIDEST),
    metavar="N",
    help="Columns of a line. Without it, those of the terminal up to 110, or 80 in a file or pipe.",
)
@click.option("--source", is_flag=True, help="The Markdown that is read, not laid out.")
@click.option("--units", is_flag=True, help="Number paragraphs, formulas, code blocks and tables, as the app does.")
@click.option("--find", "query", type=utf8, default="", metavar="TEXT", help="Only the lines that show this text.")
@click.option(
    "--page",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write it to FILE as one page for a browser, with its formulas drawn, instead of printing it.",
)
@pass_invocation
def read(
    invocation: Invocation,
    text: str,
    reasoning: bool,
    width: int | None,
    source: bool,
    units: bool,
    query: str,
    page: Path | None,
) -> None:
    """Print a question or an answer as it is laid out in the app, or reasoning, which is recorded as seen.

    The page is a file of its own that only you may read. It runs nothing and loads nothing, whatever the text says.
    """
    if page is not None and (source or units or query or width is not None):
        raise click.UsageError("--page writes the whole text; --width, --source, --units and --find don't go with it.")
    if source and (units or width is not None):
        raise click.UsageError("--source prints the text as it is written; --units and --width don't go with it.")
    with invocation.open() as workspace:
        found = named(workspace, text, reasoning=reasoning)
    markdown = found.readable.source
    if page is not None:
        write_privately(page, write_page(markdown, _title(found, reasoning=reasoning)))
        click.echo(f"Wrote {clean_line(str(page))}.", err=True)
        return
    matches = find(markdown, query) if query else NOTHING
    if source:
        _print_source(markdown, matches, only=bool(query))
    else:
        reading.write_lines(_lines(markdown, matches, reading.width_of(width), units=units, only=bool(query)))
    if query:
        more = " or more" if matches.capped else ""
        click.echo(f"{counted(len(matches.ranges), 'match', 'matches')}{more} in the source.", err=True)
        if not matches.ranges:
            click.get_current_context().exit(EXIT_PROBLEM)


def _title(found: StoredText, *, reasoning: bool) -> str:
    """What the text is called: nothing that tells who wrote it."""
    if not found.candidate_id:
        return "Question"
    return f"{'Reasoning' if reasoning else 'Answer'} {display.short_id(found.candidate_id)}"


def _lines(source: str, matches: Found, width: int, *, units: bool, only: bool) -> Iterator[Text]:
    margin = len(str(len(all_units(source)))) + len(_GAP) if units else 0
    numbered = 0
    for laid in reading.laid_out(source, max(reading.NARROWEST, width - margin)):
        here = reading.touching(laid.start, laid.end, matches.ranges)
        if only and not here:
            continue
        text = reading.as_text(laid, here)
        if units:
            number = str(laid.unit) if laid.unit > numbered else ""
            text = Text(f"{number:>{margin - len(_GAP)}}{_GAP}", "dim", no_wrap=True).append_text(text)
        numbered = max(numbered, laid.unit)
        yield text


def _print_source(source: str, matches: Found, *, only: bool) -> None:
    """The source, or of it the lines with a match, each with its number."""
    if not only:
        click.echo(clean(source))
        return
    at = 0
    for number, line in enumerate(source.split("\n"), 1):
        if reading.touching(at, at + len(line) + 1, matches.ranges):
            click.echo(f"{number}: {clean(line)}")
        at += len(line) + 1
