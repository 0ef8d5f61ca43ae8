"""`uq-tui reviewer`: who gives verdicts in this workspace, and who sits here."""

import dataclasses
from collections.abc import Callable
from typing import Any, TypeVar

import click

from store import questions, relations, reviewers
from store.rows import Reviewer
from uq_tui.commands import display, ids
from uq_tui.commands.groups import ListingGroup
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.state.reviewing.identity import Particulars, described
from uq_tui.text import counted
from uq_tui.words import Relation

Command = TypeVar("Command", bound=Callable[..., Any])
_SITS_HERE = "sits here"


@click.group("reviewer", cls=ListingGroup, epilog=exit_codes())
def group() -> None:
    """List, add, edit, link or switch reviewers. Plain `reviewer` lists.

    REVIEWER is a public name, an id or the first characters of one, or `me` for who sits here.
    """


def _particulars(command: Command) -> Command:
    """Add the options for what is known of a reviewer; one that is not given changes nothing."""
    options = (
        click.option("--name", type=utf8, help="Your own name; it stays in this workspace."),
        click.option("--orcid", type=utf8, metavar="ID", help="Your ORCID iD; its check digit is checked."),
        click.option("--affiliation", type=utf8, help="Where you work."),
        click.option("--expertise", type=utf8, metavar="TAGS", help="What you know well, with commas."),
    )
    for option in reversed(options):
        command = option(command)
    return command


@group.command("list", epilog=exit_codes())
@json_option
@pass_invocation
def list_reviewers(invocation: Invocation) -> None:
    """List the reviewers of this workspace."""
    with invocation.open() as workspace:
        sitting = reviewers.current(workspace).id
        found = reviewers.all_of(workspace)
    if invocation.as_json:
        write_json({"reviewers": [_as_json(one, sitting) for one in found]})
        return
    shown = display.table("reviewer", "id", "ORCID", "affiliation", "expertise", "", fold=("affiliation", "expertise"))
    for one in found:
        here = _SITS_HERE if one.id == sitting else ""
        values = (
            one.handle,
            one.id,
            one.orcid or None,
            one.affiliation or None,
            ", ".join(one.expertise) or None,
            here,
        )
        shown.add_row(*(display.cell(value) for value in values))
    display.print_table(shown)
    click.echo(counted(len(found), "reviewer"), err=True)


@group.command("show", epilog=exit_codes())
@click.argument("reviewer", type=utf8, default="me")
@json_option
@pass_invocation
def show(invocation: Invocation, reviewer: str) -> None:
    """Show all that is known of REVIEWER, by default of who sits here."""
    with invocation.open() as workspace:
        sitting = reviewers.current(workspace).id
        found = reviewers.get(workspace, ids.reviewer(workspace, reviewer))
    if invocation.as_json:
        write_json(_as_json(found, sitting))
        return
    click.echo(described(found))
    click.echo(f"id {display.cell(found.id)}")
    for other in found.linked:
        click.echo(f"also {display.cell(other)}")


@group.command("new", epilog=exit_codes())
@click.argument("handle", type=utf8)
@_particulars
@click.option("--use", is_flag=True, help="Have the new reviewer sit down here.")
@json_option
@pass_invocation
def new(invocation: Invocation, /, handle: str, use: bool, **known: str | None) -> None:
    """Add a reviewer with the public name HANDLE, which exported verdicts carry."""
    typed = dataclasses.replace(Particulars(handle), **_given(known))
    reviewer = typed.applied(Reviewer("", "", "", ()))
    with invocation.open() as workspace:
        made = reviewers.make(workspace, reviewer)
        if use:
            reviewers.use(workspace, made.id)
    _say(invocation, made, "added" + (f", {_SITS_HERE} now" if use else ""))


@group.command("edit", epilog=exit_codes())
@click.argument("reviewer", type=utf8)
@click.option("--handle", type=utf8, help="Another public name; rows written before keep the old one.")
@_particulars
@json_option
@pass_invocation
def edit(invocation: Invocation, /, reviewer: str, **known: str | None) -> None:
    """Change what is known of REVIEWER. An option that is not given changes nothing, an empty one takes away."""
    if not _given(known):
        raise click.UsageError("Say what to change, for instance --affiliation.")
    with invocation.open() as workspace:
        found = reviewers.get(workspace, ids.reviewer(workspace, reviewer))
        typed = dataclasses.replace(Particulars.of(found), **_given(known))
        changed = reviewers.edit(workspace, typed.applied(found))
    _say(invocation, changed, "changed")


@group.command("use", epilog=exit_codes())
@click.argument("reviewer", type=utf8)
@json_option
@pass_invocation
def use(invocation: Invocation, reviewer: str) -> None:
    """Have REVIEWER sit down here: what commands record is theirs from now on.

    An app that is open goes on as whom it was opened for.
    """
    with invocation.open() as workspace:
        found = reviewers.use(workspace, ids.reviewer(workspace, reviewer))
    _say(invocation, found, f"{_SITS_HERE} now")


@group.command("link", epilog=exit_codes())
@click.argument("reviewer", type=utf8)
@click.argument("other", type=utf8, metavar="ID")
@json_option
@pass_invocation
def link(invocation: Invocation, reviewer: str, other: str) -> None:
    """Record that REVIEWER is the same person as the one with ID, here or on another machine.

    Rows that are written from now on say so; those written before stay as they are.
    """
    with invocation.open() as workspace:
        changed = reviewers.link(workspace, ids.reviewer(workspace, reviewer), other.strip())
    _say(invocation, changed, f"linked to {other.strip()}")


@group.command("relation", epilog=exit_codes())
@click.argument("question", type=utf8)
@click.argument("relation", type=click.Choice([one.value for one in Relation]), required=False)
@json_option
@pass_invocation
def relation(invocation: Invocation, question: str, relation: str | None) -> None:
    """Say what you are to QUESTION, or show what you have said."""
    with invocation.open() as workspace:
        questions.get(workspace, question)
        own = reviewers.current(workspace).id
        if relation is not None:
            relations.put(workspace, own, question, Relation(relation))
        stands = relations.get(workspace, own, question)
    if invocation.as_json:
        write_json({"question_id": question, "relation": stands.value if stands else ""})
    else:
        click.echo(f"{display.cell(question)}  {stands.value if stands else 'nothing said'}")


def _given(known: dict[str, str | None]) -> dict[str, str]:
    return {name: value for name, value in known.items() if value is not None}


def _say(invocation: Invocation, one: Reviewer, what: str) -> None:
    if invocation.as_json:
        write_json(dataclasses.asdict(one))
    else:
        click.echo(f"{display.cell(one.id)}  {display.cell(one.handle)}  {display.cell(what)}")


def _as_json(one: Reviewer, sitting: str) -> dict[str, object]:
    return {**dataclasses.asdict(one), "sits_here": one.id == sitting}
