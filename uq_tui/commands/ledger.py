"""`uq-tui ledger`: the units of a text and what you have made of them."""

import asyncio
import dataclasses
import re

import click

from store import reviewers
from store.workspace import Workspace
from uq_tui.commands import display
from uq_tui.commands.groups import NamingGroup
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.commands.stored_texts import StoredText, named, text_argument
from uq_tui.document.markup.scan import all_units
from uq_tui.state.reading.marks.ledger import Ledger
from uq_tui.state.reading.marks.unit_marks import GLYPHS
from uq_tui.words import LedgerState

NONE = "none"
WORDS = 60
"""Signs of a unit that a table shows."""

_UNITS = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?")


@click.group("ledger", cls=NamingGroup, default="show", epilog=exit_codes())
def group() -> None:
    """Show what you have checked of a text, or mark it. Plain `ledger TEXT` shows.

    Units are its paragraphs, displayed formulas, blocks of code and tables, by the numbers that the app shows.
    """


@group.command("show", epilog=exit_codes())
@text_argument
@json_option
@pass_invocation
def show(invocation: Invocation, text: str, reasoning: bool) -> None:
    """List the units of a question's body, an answer or reasoning with your marks and notes."""
    with invocation.open() as workspace:
        found = named(workspace, text, reasoning=reasoning)
        ledger = asyncio.run(_opened(workspace, found))
    _show(invocation, found, ledger)


@group.command("mark", epilog=exit_codes())
@text_argument
@click.argument("state", type=click.Choice([*(one.value for one in LedgerState), NONE]))
@click.argument("units", type=utf8, nargs=-1, required=True, metavar="UNIT...")
@click.option("--note", type=utf8, metavar="TEXT", help="A note on each of them; an empty one takes it away.")
@json_option
@pass_invocation
def mark(
    invocation: Invocation, text: str, reasoning: bool, state: str, units: tuple[str, ...], note: str | None
) -> None:
    """Mark units of a text by their numbers, such as 3 or 5-8. `none` takes marks back; notes stay."""
    with invocation.open() as workspace:
        found = named(workspace, text, reasoning=reasoning)
        ledger = asyncio.run(_mark(workspace, found, None if state == NONE else LedgerState(state), units, note))
    _show(invocation, found, ledger)


async def _opened(workspace: Workspace, found: StoredText) -> Ledger:
    ledger = Ledger(workspace, reviewers.current(workspace).id)
    await ledger.open(found.readable, all_units(found.readable.source))
    return ledger


async def _mark(
    workspace: Workspace, found: StoredText, state: LedgerState | None, units: tuple[str, ...], note: str | None
) -> Ledger:
    ledger = await _opened(workspace, found)
    chosen = _indexes(units, len(ledger))
    for index in chosen:
        await ledger.set(index, state)
        if note is not None:
            await ledger.note(index, note)
    return ledger


def _indexes(given: tuple[str, ...], count: int) -> list[int]:
    """The indexes of units named by numbers or ranges of them, each once."""
    chosen: dict[int, None] = {}
    for one in given:
        match = _UNITS.fullmatch(one)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= first <= last <= count:
            raise click.UsageError(f"{one!a} names no units: the text has 1 to {count}." if count else "No units.")
        chosen |= dict.fromkeys(range(first - 1, last))
    return list(chosen)


def _show(invocation: Invocation, found: StoredText, ledger: Ledger) -> None:
    lines = [ledger.line(index) for index in range(len(ledger))]
    if invocation.as_json:
        spots = [ledger.spot_of(index) for index in range(len(ledger))]
        units = [
            {
                "number": line.number,
                "kind": line.kind.value,
                "start": spot.start if spot else None,
                "end": spot.end if spot else None,
                "state": line.state and line.state.value,
                "note": line.note,
                "text": line.words,
            }
            for line, spot in zip(lines, spots, strict=True)
        ]
        orphans = [dataclasses.asdict(mark) for mark in ledger.orphans]
        write_json({**found.as_json(), "units": units, "count": dataclasses.asdict(ledger.count), "orphans": orphans})
        return
    shown = display.table("unit", "kind", "state", "words", "note", right=("unit",), fold=("words", "note"))
    for line in lines:
        words = line.words if len(line.words) <= WORDS else f"{line.words[:WORDS]}…"
        state = f"{GLYPHS[line.state]} {line.state}" if line.state else None
        values = (line.number, line.kind_text, state, words, line.note or None)
        shown.add_row(*(display.cell(value) for value in values))
    display.print_table(shown)
    for said in (ledger.summary or "This text has no units.", ledger.orphans_text):
        if said:
            click.echo(said, err=True)
