"""`uq-tui diff`: two candidates compared word by word."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from store.rows import Candidate
from store.workspace import Workspace
from uq_tui.commands import blind, ids
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.document.compare.word_diff import diff as word_diff
from uq_tui.document.ranges import Range
from uq_tui.engine.runs.pins import pin_candidate
from uq_tui.state.reading.beside.diff_text import Piece, Side, differences_text, running_paragraphs
from uq_tui.state.reading.readable import Readable, readable_text
from uq_tui.text import clean, counted

_MARKS = {Side.BOTH: ("", ""), Side.LEFT: ("[-", "-]"), Side.RIGHT: ("{+", "+}")}
_STYLES = {Side.BOTH: "", Side.LEFT: "red", Side.RIGHT: "green"}
"""Colour comes on top of the marks, never instead of them."""


@click.command("diff", epilog=exit_codes())
@click.argument("left", type=utf8, metavar="CANDIDATE")
@click.argument("right", type=utf8, metavar="CANDIDATE")
@json_option
@pass_invocation
def diff(invocation: Invocation, left: str, right: str) -> None:
    """Show which words two candidates have not in common.

    Paragraphs that belong together are compared word by word; a formula is one word, white space is none. Only
    paragraphs in which something differs are shown: [-words of the first one alone-]{+words of the second+}. One that
    was moved may show as removed and added.
    """
    with invocation.open() as workspace:
        one, other = (_candidate(workspace, given) for given in (left, right))
    own, its = readable_text(one.answer), readable_text(other.answer)
    found = word_diff(own.source, its.source)
    if invocation.as_json:
        write_json(
            {
                "left": _candidate_json(one),
                "right": _candidate_json(other),
                "removed": _places_json(own, found.removed),
                "added": _places_json(its, found.added),
                "words_removed": found.words_removed,
                "words_added": found.words_added,
                "paragraphs": found.paragraphs,
                "pairs": [
                    {"left": _place_json(own, pair[0]), "right": _place_json(its, pair[1])} for pair in found.pairs
                ],
            }
        )
        return
    _print(running_paragraphs(own.source, its.source, found))
    click.echo(f"{differences_text(found)}.", err=True)


def _candidate(workspace: Workspace, given: str) -> Candidate:
    found = blind.candidate(workspace, ids.candidate(workspace, given))
    pin_candidate(found)  # refuses one whose text is not here
    blind.note_read(workspace, [found.id])
    return found


def _candidate_json(one: Candidate) -> dict[str, Any]:
    return {
        "id": one.id,
        "question_id": one.question_id,
        "number": blind.number(one),
        "format": one.answer.format.value,
    }


def _place_json(readable: Readable, place: Range) -> dict[str, int | None]:
    """A place in the raw text; unknown where converted HTML doesn't tell."""
    raw = readable.to_raw(*place)
    return {"start": raw[1] if raw else None, "end": raw[2] if raw else None}


def _places_json(readable: Readable, places: Iterable[Range]) -> list[dict[str, Any]]:
    return [{**_place_json(readable, one), "text": readable.source[one.start : one.end]} for one in places]


def _print(paragraphs: Sequence[Sequence[Piece]]) -> None:
    console = Console(markup=False, highlight=False, emoji=False)
    for differs, group in groupby(paragraphs, key=lambda pieces: any(one.side is not Side.BOTH for one in pieces)):
        if not differs:
            console.print(
                Text(f"... {counted(len(list(group)), 'paragraph')} the same ...", style="dim"), soft_wrap=True
            )
            continue
        for pieces in group:
            console.print(_paragraph(pieces), soft_wrap=True)
            console.print()


def _paragraph(pieces: Sequence[Piece]) -> Text:
    shown = Text()
    for side, text in pieces:
        opening, closing = _MARKS[side]
        shown.append(f"{opening}{clean(text)}{closing}", style=_STYLES[side])
    return shown
