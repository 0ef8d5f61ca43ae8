"""`uq-tui remarks`: your remarks on words of a text."""

import dataclasses
from typing import NamedTuple

import click

from store import remarks, reviewers
from store.reading_rows import Remark
from store.workspace import Workspace
from uq_tui.commands import display, ids
from uq_tui.commands.groups import NamingGroup
from uq_tui.commands.invocation import LARGEST, Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.commands.stored_texts import StoredText, named, text_argument
from uq_tui.document.anchors import Place, Unanchored, place
from uq_tui.errors import UqError
from uq_tui.text import counted


class _Words(NamedTuple):
    """Words that are looked for, and nothing known of what surrounds them."""

    quote: str
    start: int | None = None
    end: int | None = None
    prefix: str = ""
    suffix: str = ""


class _Found(NamedTuple):
    """A remark, and where its words stand in the text that was named."""

    remark: Remark
    place: Place | Unanchored

    def as_json(self) -> dict[str, object]:
        """The remark; offsets are null where it has no place in this text, and `unanchored` says why."""
        row = dataclasses.asdict(self.remark)
        if isinstance(self.place, Unanchored):
            return {**row, "start": None, "end": None, "unanchored": self.place.reason}
        return {**row, "start": self.place.start, "end": self.place.end, "unanchored": ""}


@click.group("remarks", cls=NamingGroup, default="list", epilog=exit_codes())
def group() -> None:
    """List, add, edit or remove your remarks on words of a text. Plain `remarks TEXT` lists."""


@group.command("list", epilog=exit_codes())
@text_argument
@click.option("--removed", is_flag=True, help="Those you have removed, too.")
@json_option
@pass_invocation
def list_remarks(invocation: Invocation, text: str, reasoning: bool, removed: bool) -> None:
    """List your remarks on a question's body, an answer or reasoning.

    Remarks on earlier versions of a question are looked for in the newest. One that is not found there for certain is
    unanchored: it keeps its words and has no place.
    """
    with invocation.open() as workspace:
        found = named(workspace, text, reasoning=reasoning)
        own = _all(workspace, found, removed=removed)
    if invocation.as_json:
        write_json({**found.as_json(), "remarks": [one.as_json() for one in own]})
        return
    shown = display.table("remark", "place", "quote", "note", "made (UTC)", fold=("quote", "note"))
    for one in own:
        values = (display.short_remark(one.remark.id), _where(one), one.remark.quote, one.remark.note or None)
        shown.add_row(*(display.cell(value) for value in values), display.cell(display.minute(one.remark.made_at)))
    display.print_table(shown)
    for one in own:
        if isinstance(one.place, Unanchored):
            click.echo(f"{display.short_remark(one.remark.id)} is unanchored: {one.place.reason}.", err=True)
    click.echo(counted(len(own), "remark"), err=True)


@group.command("add", epilog=exit_codes())
@text_argument
@click.argument("note", type=utf8)
@click.option("--quote", type=utf8, metavar="WORDS", help="The words it is about, which the text has exactly once.")
@click.option("--start", type=click.IntRange(0, LARGEST), metavar="N", help="Or the first code point of the raw text,")
@click.option("--end", type=click.IntRange(1, LARGEST), metavar="N", help="and the one behind the last.")
@json_option
@pass_invocation
def add(
    invocation: Invocation,
    text: str,
    reasoning: bool,
    note: str,
    quote: str | None,
    start: int | None,
    end: int | None,
) -> None:
    """Remark on words of a text."""
    if (quote is None) == (start is None) or (start is None) != (end is None):
        raise click.UsageError("Give either --quote, or --start and --end.")
    with invocation.open() as workspace:
        found = named(workspace, text, reasoning=reasoning)
        first, last = _span(found, quote, start, end)
        made = remarks.add(workspace, reviewers.current(workspace).id, found.text.raw, first, last, note)
    _said(invocation, made, "remarked on")


@group.command("edit", epilog=exit_codes())
@click.argument("remark", type=utf8)
@click.argument("note", type=utf8)
@json_option
@pass_invocation
def edit(invocation: Invocation, remark: str, note: str) -> None:
    """Give REMARK, an id or the first characters of one, another note."""
    with invocation.open() as workspace:
        changed = remarks.edit(workspace, ids.remark(workspace, remark), note)
    _said(invocation, changed, "edited, on")


@group.command("remove", epilog=exit_codes())
@click.argument("remark", type=utf8)
@json_option
@pass_invocation
def remove(invocation: Invocation, remark: str) -> None:
    """Take REMARK away. It is kept, and `remarks restore` brings it back."""
    with invocation.open() as workspace:
        changed = remarks.remove(workspace, ids.remark(workspace, remark))
    _said(invocation, changed, "removed, on")


@group.command("restore", epilog=exit_codes())
@click.argument("remark", type=utf8)
@json_option
@pass_invocation
def restore(invocation: Invocation, remark: str) -> None:
    """Bring REMARK back after `remarks remove`."""
    with invocation.open() as workspace:
        changed = remarks.restore(workspace, ids.remark(workspace, remark))
    _said(invocation, changed, "restored, on")


def _all(workspace: Workspace, found: StoredText, *, removed: bool) -> list[_Found]:
    text, reviewer_id = found.text, reviewers.current(workspace).id
    own = [
        _Found(one, place(one, text.raw, same_text=one.text_sha256 == text.sha256))
        for one in remarks.of_texts(workspace, reviewer_id, [text.sha256, *found.earlier], removed=removed)
    ]
    return sorted(own, key=_order)


def _order(one: _Found) -> tuple[bool, int, str]:
    """In the order of the text; those without a place at the end, as they stood where they were made."""
    if isinstance(one.place, Unanchored):
        return True, one.remark.start, one.remark.id
    return False, one.place.start, one.remark.id


def _where(one: _Found) -> str:
    """`120-131`; for people who look at a table also whether it was removed."""
    where = "unanchored" if isinstance(one.place, Unanchored) else f"{one.place.start}-{one.place.end}"
    return f"{where}, removed" if one.remark.removed_at else where


def _span(found: StoredText, quote: str | None, start: int | None, end: int | None) -> tuple[int, int]:
    raw = found.text.raw
    if quote is None:
        first, last = start or 0, end or 0
        if not first < last <= len(raw):
            raise click.UsageError(f"{first} to {last} is no stretch of this text of {len(raw)} code points.")
        return first, last
    where = place(_Words(quote), raw)
    if isinstance(where, Unanchored):
        raise UqError(
            f"The remark was not kept: {where.reason}.",
            hint="Quote more of the text, or give --start and --end.",
        )
    return where.start, where.end


def _said(invocation: Invocation, one: Remark, what: str) -> None:
    if invocation.as_json:
        write_json(dataclasses.asdict(one))
    else:
        click.echo(f"{one.id}  {what} {display.cell(one.quote)}")
