"""`uq-tui plugins`: which plug-ins are installed, and trying one on a candidate."""

import asyncio
import dataclasses

import click

from store import candidates, questions
from uq_tui.commands import blind, display, ids, revealing
from uq_tui.commands.groups import ListingGroup
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.engine.runs.pins import candidate_text, pin_candidate, pin_question, question_text
from uq_tui.errors import EXIT_PROBLEM
from uq_tui.plugins import registry, running
from uq_tui.plugins.spec import GROUPS
from uq_tui.text import clean_line
from uq_tui.words import Exposure, Outcome


@click.group("plugins", cls=ListingGroup, epilog=exit_codes())
def group() -> None:
    """List installed plug-ins, or try a validator on a candidate. Plain `plugins` lists."""


@group.command("list", epilog=exit_codes())
@json_option
@pass_invocation
def list_plugins(invocation: Invocation) -> None:
    """List the validators and citation checkers of installed packages. None of them is imported for it."""
    found = [one for name in GROUPS for one in registry.installed(name)]
    if invocation.as_json:
        write_json({"plugins": [dataclasses.asdict(one) for one in found]})
        return
    shown = display.table("name", "group", "package", "version", "summary", "problem", fold=("summary", "problem"))
    for one in found:
        values = (one.name, one.group, one.package, one.version or None, one.summary or None, one.problem or None)
        shown.add_row(*(display.cell(value) for value in values))
    display.print_table(shown)


@group.command("run", epilog=exit_codes("the plug-in failed"))
@click.argument("name", type=utf8)
@click.argument("candidate", type=utf8)
@json_option
@pass_invocation
@click.pass_context
def run(ctx: click.Context, invocation: Invocation, name: str, candidate: str) -> None:
    """Run the validator NAME on one candidate and print what it found. Nothing is kept but that you saw it."""
    info = registry.find(name)
    with invocation.open() as workspace:
        given = candidates.get(workspace, ids.candidate(workspace, candidate))
        blind.refuse(workspace, question_id=given.question_id)
        question = questions.get(workspace, given.question_id)
        pin_question(question)
        pin_candidate(given)
        finding = asyncio.run(running.run(name, question_text(question), candidate_text(given)))
        revealing.record(workspace, [(given.question_id, given.id)], Exposure.OUTCOMES)
    if invocation.as_json:
        write_json(
            {
                "plugin": {"name": info.name, "package": info.package, "version": info.version},
                "candidate_id": given.id,
                "outcome": finding.outcome.value,
                "reason": finding.reason,
            }
        )
    else:
        click.echo(f"{display.outcome_cell(finding.outcome).plain}  {clean_line(finding.reason)}".rstrip())
    ctx.exit(EXIT_PROBLEM if finding.outcome is Outcome.FAILED else 0)
