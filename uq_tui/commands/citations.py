"""`uq-tui citations`: what a candidate refers to, where, and what can't exist."""

import asyncio
import dataclasses
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import click
from rich.table import Table

from store import candidates
from uq_tui.citations.checking import Checked, Existence
from uq_tui.citations.extraction import extract
from uq_tui.citations.places import Lines, sentence
from uq_tui.citations.reference import Reference
from uq_tui.commands import display, ids
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.engine.runs.pins import pin_candidate
from uq_tui.errors import PluginError
from uq_tui.plugins import citation_checks
from uq_tui.plugins.spec import PluginInfo
from uq_tui.text import counted

_MARKS = {Existence.FOUND: "✓ found", Existence.NOT_FOUND: "✗ not found", Existence.UNKNOWN: "? unknown"}

Checks = Mapping[Reference, Mapping[str, Checked]]
"""What each checker says, by reference and name of the checker."""


@click.command("citations", epilog=exit_codes())
@click.argument("candidate", type=utf8)
@click.option(
    "--check",
    is_flag=True,
    help="Ask the installed citation checkers. They may go on-line, and then the references leave this machine.",
)
@json_option
@pass_invocation
def citations(invocation: Invocation, candidate: str, check: bool) -> None:
    """List what CANDIDATE refers to: identifiers, addresses, authors with years, results of other works.

    Malformed is what can't exist: an arXiv month 13, an ISBN with a wrong check digit. What is well-formed may still be
    invented; look it up. Nothing leaves this machine unless you say --check.
    """
    with invocation.open() as workspace:
        given = candidates.get(workspace, ids.candidate(workspace, candidate))
        pin_candidate(given)  # refuses one whose text is not here
    text = given.answer.raw
    found = extract(text, datetime.now(UTC).date())
    checkers = _checkers() if check else ()
    checks = asyncio.run(_asked(checkers, found)) if check else {}
    if invocation.as_json:
        shown = [_as_json(text, Lines(text), one, checks.get(one) if check else None) for one in found]
        asked = [{"name": one.name, "package": one.package, "version": one.version} for one in checkers]
        write_json(
            {
                "candidate_id": given.id,
                "question_id": given.question_id,
                "format": given.answer.format.value,
                "references": shown,
                "checkers": asked if check else None,
            }
        )
        return
    display.print_table(_table(text, found, checkers, checks))
    malformed = sum(bool(one.malformed) for one in found)
    click.echo(f"{counted(len(found), 'reference')}, {malformed:,} malformed.", err=True)


def _checkers() -> tuple[PluginInfo, ...]:
    found = citation_checks.installed_checkers()
    if not found:
        raise PluginError(
            "No citation checker is installed, and none comes with uq-tui.",
            hint="docs/citations.md says how to write one. Without --check references are listed only.",
        )
    return found


async def _asked(checkers: Sequence[PluginInfo], found: Sequence[Reference]) -> Checks:
    asked = citation_checks.worth_asking(found)
    checks: dict[Reference, dict[str, Checked]] = {one: {} for one in asked}
    for info in checkers:
        for reference, checked in zip(asked, await citation_checks.check(info.name, asked), strict=True):
            checks[reference][info.name] = checked
    return checks


def _as_json(text: str, lines: Lines, one: Reference, checks: Mapping[str, Checked] | None) -> dict[str, Any]:
    mentions = [
        {"start": span.start, "end": span.end, "line": lines.number(span.start), "sentence": sentence(text, span)}
        for span in one.spans
    ]
    asked = None
    if checks is not None:
        asked = [{"checker": name, **dataclasses.asdict(checked)} for name, checked in checks.items()]
    return {
        "kind": one.kind.value,
        "key": one.key,
        "text": one.text,
        "malformed": one.malformed or None,
        "mentions": mentions,
        "checks": asked,
    }


def _table(text: str, found: Sequence[Reference], checkers: Sequence[PluginInfo], checks: Checks) -> Table:
    lines = Lines(text)
    names = [info.name for info in checkers]
    folded = ("reference", "malformed", "sentence", *names)
    shown = display.table("kind", "reference", "line", "at", "times", "malformed", *names, "sentence", fold=folded)
    for one in found:
        first = one.spans[0]
        values = (
            one.kind.value.replace("_", " "),
            one.text,
            lines.number(first.start),
            f"{first.start}-{first.end}",
            len(one.spans),
            one.malformed or None,
            *(_said(checks.get(one, {}).get(name)) for name in names),
            sentence(text, first),
        )
        shown.add_row(*(display.cell(value) for value in values))
    return shown


def _said(checked: Checked | None) -> str | None:
    return (
        None if checked is None else " ".join(filter(None, (_MARKS[checked.existence], checked.note, checked.source)))
    )
