"""`uq-tui dataset`: versions of a dataset: see them, write one to a file, and hear when a new one is due."""

from pathlib import Path
from typing import Any

import click

from exports.dataset import export_version
from store import datasets
from store.dataset_rows import Change, Proposal, Version
from store.workspace import Workspace
from uq_tui.commands import blind, dataset_change, display
from uq_tui.commands.groups import ListingGroup
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.errors import NotFoundError
from uq_tui.text import clean_line, counted


@click.group("dataset", cls=ListingGroup, epilog=exit_codes())
def group() -> None:
    """List versions of a dataset, show, make, change or write one. Plain `dataset` lists."""


for _command in (dataset_change.make, dataset_change.add, dataset_change.remove, dataset_change.move):
    group.add_command(_command)


@group.command("list", epilog=exit_codes())
@json_option
@pass_invocation
def list_versions(invocation: Invocation) -> None:
    """List the versions here, the newest first."""
    with invocation.open() as workspace:
        found = datasets.versions(workspace)
    if invocation.as_json:
        write_json({"versions": [_version_json(one) for one in found]})
        return
    shown = display.table("version", "made", "questions", "from", "note", fold=("questions", "note"))
    for one in found:
        values = (one.name, one.created_at[:10], _counts(one), one.parent, one.note)
        shown.add_row(*(display.cell(value) for value in values))
    display.print_table(shown)
    click.echo(counted(len(found), "version"), err=True)


@group.command("show", epilog=exit_codes())
@click.argument("version", type=utf8)
@json_option
@pass_invocation
def show(invocation: Invocation, version: str) -> None:
    """Show the questions of VERSION, what was changed in it and which of them are resolved.

    Resolutions of problems that you still judge blind are left out.
    """
    with invocation.open() as workspace:
        masked = blind.masked(workspace)
        one = datasets.get(workspace, version)
        pins = datasets.entries(workspace, version)
        changes = datasets.changes(workspace, version, without=masked)
        due = datasets.proposal(workspace, version, without=masked)
    if invocation.as_json:
        entries = [
            {
                "question_id": pin.question_id,
                "title": pin.title,
                "body_sha256": pin.body_sha256,
                "subset": pin.subset.value,
                "edited": pin.edited,
            }
            for pin in pins
        ]
        told = [_change_json(change) for change in changes]
        write_json({**_version_json(one), "entries": entries, "changes": told, "proposal": _proposal_json(due)})
        return
    click.echo(clean_line(f"{one.name}, made {display.minute(one.created_at)}: {_counts(one)}"))
    said = ", ".join(verifier.value.replace("_", " ") for verifier in one.verifiers)
    click.echo(clean_line(f"Whose word resolves a question: {said}"))
    for fact in (one.parent and f"Made from {one.parent}", one.note, due.text, _left_out(due)):
        if fact:
            click.echo(clean_line(fact))
    shown = display.table("question", "subset", "", "title", fold=("title",))
    for pin in pins:
        values = (pin.question_id, pin.subset.value, "reworded" if pin.edited else "", pin.title)
        shown.add_row(*(display.cell(value) for value in values))
    display.print_table(shown)
    for change in changes:
        about, reason = clean_line(change.question_id), clean_line(change.reason)
        click.echo(f"{change.at[:10]}  {about}  {change.change.value}: {reason}")


@group.command("propose", epilog=exit_codes())
@click.argument("version", type=utf8, required=False, default="")
@json_option
@pass_invocation
def propose(invocation: Invocation, version: str) -> None:
    """Say whether a version is due that follows VERSION, by default the newest: at 20 % of main questions resolved.

    Problems that you still judge blind are counted neither way, and their number is said.
    """
    with invocation.open() as workspace:
        due = datasets.proposal(workspace, version or _newest(workspace), without=blind.masked(workspace))
    if invocation.as_json:
        write_json(_proposal_json(due))
        return
    click.echo(clean_line(f"{due.version}: {due.text}"))
    if due.due:
        click.echo(clean_line(f"`uq-tui dataset make NAME --from {due.version} --without-resolved` makes it."))
    if _left_out(due):
        click.echo(_left_out(due))


@group.command("export", epilog=exit_codes())
@click.argument("version", type=utf8)
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    required=True,
    help="The file to write, in place of an earlier one.",
)
@json_option
@pass_invocation
def export(invocation: Invocation, version: str, out: Path) -> None:
    """Write VERSION as JSONL in the shape of UQ's rows, with the licence and author of each question.

    Beside the file NAME.manifest.json says how many rows it has and its sha256. `uq-tui import` takes it.
    """
    with invocation.open() as workspace:
        report = export_version(workspace, version, out)
    if invocation.as_json:
        write_json({"file": str(report.path), "rows": report.rows, "sha256": report.sha256})
    else:
        click.echo(clean_line(f"{counted(report.rows, 'question')} written to {report.path}"), err=True)


def _newest(workspace: Workspace) -> str:
    found = datasets.versions(workspace)
    if not found:
        raise NotFoundError("There is no version of a dataset here.", hint="`uq-tui dataset make NAME QUESTION...`.")
    return found[0].name


def _counts(one: Version) -> str:
    return ", ".join(f"{n:,} {subset.value}" for subset, n in one.counts.items()) or "no questions"


def _left_out(due: Proposal) -> str:
    return f"Left out: {counted(due.left_out, 'problem')} that you still judge blind." if due.left_out else ""


def _version_json(one: Version) -> dict[str, Any]:
    return {
        "version": one.name,
        "parent": one.parent,
        "curation_id": one.curation_id,
        "verifiers": [verifier.value for verifier in one.verifiers],
        "note": one.note,
        "created_at": one.created_at,
        "counts": {subset.value: n for subset, n in one.counts.items()},
    }


def _change_json(change: Change) -> dict[str, Any]:
    return {
        "question_id": change.question_id,
        "change": change.change.value,
        "reason": change.reason,
        "at": change.at,
    }


def _proposal_json(due: Proposal) -> dict[str, Any]:
    return {
        "version": due.version,
        "resolved": due.resolved,
        "main_questions": due.total,
        "share": None if due.share is None else float(due.share),
        "due": due.due,
        "left_out": due.left_out,
    }
