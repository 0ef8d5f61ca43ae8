"""`uq-tui bundle`: work for reviewers elsewhere, one file each, and what they said on its way back."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from store import queues, reviewers
from store.identity import uuid7
from store.ingest.files import whole_text
from store.review_rows import Queue
from store.rows import Reviewer
from store.workspace import Workspace
from uq_tui.commands import display, ids
from uq_tui.commands.export_rows import watching
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.commands.queue_make import choosing, mixing, plan, spec_of
from uq_tui.commands.stopping import stoppable
from uq_tui.errors import EXIT_INTERRUPTED, NotFoundError
from uq_tui.state.reviewing import building, bundles
from uq_tui.state.reviewing.bundles import GivenBack, Sent
from uq_tui.text import clean_line, counted

queue_option = click.option("--queue", "queue_name", type=utf8, required=True, metavar="NAME", help="The queue.")


@click.group("bundle", invoke_without_command=True, epilog=exit_codes())
@click.option("--queue", "queue_name", type=utf8, default="", metavar="NAME", help="The queue whose shares go out.")
@click.option(
    "--reviewers",
    "listed",
    type=utf8,
    default="",
    metavar="A,B,C",
    help="Whose shares; all, if left out. Of a new queue: who gets one; a name that nobody has here is added.",
)
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER", help="Where to write to.")
@choosing
@mixing
@json_option
@pass_invocation
@click.pass_context
def group(
    ctx: click.Context, invocation: Invocation, /, queue_name: str, listed: str, out: Path | None, **options: Any
) -> None:
    """Write one bundle for each reviewer of a queue; they open it with `uq-tui open FILE`, without network or key.

    A queue that isn't there yet is made first; the options from --search on are those of `uq-tui queue make`. A bundle
    of a blind queue tells neither who wrote an answer nor what came of it. Ctrl-C stops; bundles that are whole by
    then stay.
    """
    if ctx.invoked_subcommand is not None:
        return
    if not queue_name or out is None:
        raise click.UsageError("Name the queue and a folder: --queue NAME --out FOLDER.")
    making = [key for key in options if ctx.get_parameter_source(key) is not ParameterSource.DEFAULT]
    names = [*filter(None, map(str.strip, listed.split(",")))]
    with invocation.open() as workspace, stoppable() as stop:
        me = reviewers.current(workspace).id
        added: list[Reviewer] = []
        if _is_there(workspace, queue_name):
            if making:
                raise click.UsageError(f"There is a queue “{queue_name}” already: {_flags(making)} can't change it.")
            queue = queues.by_name(workspace, queue_name)
        elif names or making:
            queue, added = _make(workspace, queue_name, names, options, by=me)
        else:
            raise NotFoundError(
                f"There is no queue “{queue_name}” in this workspace.",
                hint="`uq-tui queue list` names them; with --reviewers A,B,C one is made.",
            )
        with watching(out) as watch:
            manner = replace(watch, is_cancelled=stop.is_set)
            wanted = [ids.reviewer(workspace, one) for one in names]
            sent = bundles.send(workspace, queue, out, by=me, reviewer_ids=wanted, manner=manner)
    if invocation.as_json:
        told = {"bundles": [_sent(one) for one in sent], "stopped": stop.is_set()}
        write_json({"queue_id": queue.id, "added": [one.id for one in added], **told})
    else:
        for reviewer in added:
            click.echo(clean_line(f"New reviewer {reviewer.handle}, {reviewer.id}."), err=True)
        _print(sent)
        if stop.is_set():
            again = f"`uq-tui bundle --queue {queue.name} --out {out}` writes all of them"
            click.echo(clean_line(f"Stopped: {counted(len(sent), 'bundle')} written. {again}."), err=True)
    if stop.is_set():
        ctx.exit(EXIT_INTERRUPTED)


def _is_there(workspace: Workspace, name: str) -> bool:
    return any(queue.name == name for queue in queues.all_of(workspace))


def _flags(names: Iterable[str]) -> str:
    """Options as they are written, as far as they are called like their parameters."""
    known = {"question_ids": "question", "people": "reviewer", "models": "model", "systems": "system"}
    known |= {"sources": "source", "unjudged": "unjudged-by"}
    return ", ".join(f"--{known.get(name, name).replace('_', '-')}" for name in names)


def _make(
    workspace: Workspace, name: str, people: Iterable[str], options: dict[str, Any], *, by: str
) -> tuple[Queue, list[Reviewer]]:
    """Make a queue, and those known that it names and nobody knows yet; neither where it can't be laid out."""
    named = [*people, *options.pop("people")]
    guideline: Path | None = options.pop("guideline")
    text = whole_text(guideline) if guideline is not None else ""
    found = [_reviewer(workspace, one) for one in dict.fromkeys(named or ("me",))]
    laid_out = plan(workspace, spec_of(options), [reviewer for reviewer, _ in found], by=by)
    bundles.require_sendable(workspace, laid_out.spec.mode, laid_out.order.question_ids, by=by)
    added = [reviewers.make(workspace, reviewer) for reviewer, is_new in found if is_new]
    for note in laid_out.notes():
        click.echo(note, err=True)
    return building.make(workspace, name, text, laid_out, by=by), added


def _reviewer(workspace: Workspace, given: str) -> tuple[Reviewer, bool]:
    """Who is named, and whether nobody here is called so yet."""
    known = given == "me" or any(one.handle == given for one in reviewers.all_of(workspace))
    if known or (len(given) >= ids.SHORTEST and reviewers.find_by_prefix(workspace, given)):
        return reviewers.get(workspace, ids.reviewer(workspace, given)), False
    return Reviewer(uuid7(), given, "", ()), True


def _sent(one: Sent) -> dict[str, Any]:
    return {
        "reviewer_id": one.reviewer.id,
        "reviewer": one.reviewer.handle,
        "file": str(one.report.path),
        "problems": one.problems,
        "items": one.items,
        "practice_left_out": one.practice,
        "sha256": one.report.sha256,
    }


def _print(sent: Iterable[Sent]) -> None:
    shown = display.table("reviewer", "problems", "items", "file", right=("problems", "items"), fold=("file",))
    left_out = 0
    for one in sent:
        left_out += one.practice
        values = (one.reviewer.handle, f"{one.problems:,}", f"{one.items:,}", one.report.path)
        shown.add_row(*(display.cell(value) for value in values))
    display.print_table(shown)
    if left_out:
        click.echo(f"{counted(left_out, 'practice item')} stayed here: their feedback is known labels.", err=True)


@group.command("return", epilog=exit_codes())
@queue_option
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), required=True, metavar="FILE", help="The file.")
@json_option
@pass_invocation
def give_back(invocation: Invocation, queue_name: str, out: Path) -> None:
    """Write what you have said of your share of a queue, to be sent back; `uq-tui merge FILE` takes it in there.

    You can return again as often as you like, also when only some of it is done. Rows that would tell what is hidden
    from you stay here until you have decided all of their problem.
    """
    with invocation.open() as workspace:
        queue = queues.by_name(workspace, queue_name)
        given = bundles.give_back(workspace, queue, reviewers.current(workspace), out)
    if invocation.as_json:
        write_json(_given_back(given))
        return
    for line in given.lines():
        click.echo(clean_line(line), err=True)


def _given_back(given: GivenBack) -> dict[str, Any]:
    return {
        "file": str(given.report.path),
        "verdicts": given.verdicts,
        "statements": given.statements,
        "held_back": given.held_back,
        "left": given.left,
        "sha256": given.report.sha256,
    }
