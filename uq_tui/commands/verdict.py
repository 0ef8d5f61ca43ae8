"""`uq-tui verdict`: give, list and retract verdicts."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import click

from store import candidates, decisions, queues, reviewers, undoing, verdicts
from store.review_rows import Decision
from store.rows import Reviewer, Verdict
from store.verdict_rows import role_of
from store.workspace import Workspace
from uq_tui.commands import blind, display, ids
from uq_tui.commands.groups import ListingGroup
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.commands.revealing import record as record_exposure
from uq_tui.commands.revealing import record_rows
from uq_tui.commands.verdict_options import Entered, form_options, tell_unplaced
from uq_tui.commands.verdict_past import drafts_command, history_command
from uq_tui.errors import NotFoundError
from uq_tui.state.reviewing import deciding
from uq_tui.state.verdict import history
from uq_tui.state.verdict.words import ROLES
from uq_tui.text import counted
from uq_tui.words import Exposure, VerdictStatus


@click.group("verdict", cls=ListingGroup, epilog=exit_codes())
def group() -> None:
    """Give, list or retract your verdicts. Plain `verdict` lists."""


group.add_command(history_command)
group.add_command(drafts_command)


@group.command("give", epilog=exit_codes())
@click.argument("candidate", type=utf8)
@click.option(
    "--queue", "queue_name", type=utf8, default="", metavar="NAME", help="Decide your item of this queue by it."
)
@form_options
@json_option
@pass_invocation
def give(invocation: Invocation, candidate: str, queue_name: str, entered: Entered) -> None:
    """Record a verdict on CANDIDATE, an id or the first characters of one.

    A second verdict on the same candidate is a revision of the first. Nothing is ever overwritten.
    """
    with invocation.open() as workspace:
        reviewer, candidate_id = reviewers.current(workspace), ids.candidate(workspace, candidate)
        question_id = candidates.get(workspace, candidate_id).question_id
        form = entered.form_of(workspace, reviewer, question_id)
        if queue_name:
            queue = queues.by_name(workspace, queue_name)
            saved = deciding.decide(workspace, queue, reviewer, candidate_id, form).verdict
        else:
            history.refuse_repeat(workspace, reviewer.id, candidate_id)
            saved = decisions.record(workspace, reviewer, candidate_id, form, based_on=None).verdict
        entered.keep_relation(workspace, reviewer, question_id)
        shown = _may_see(workspace, saved.record)
        _record_shown(invocation, workspace, [shown])
    tell_unplaced(saved.record)
    _show_saved(invocation, saved, shown)


@group.command("retract", epilog=exit_codes())
@click.argument("candidate", type=utf8)
@json_option
@pass_invocation
def retract(invocation: Invocation, candidate: str) -> None:
    """Take back your verdict on CANDIDATE. The record of it stays, marked as retracted."""
    with invocation.open() as workspace:
        candidate_id = ids.candidate(workspace, candidate)
        saved = decisions.retract(workspace, reviewers.current(workspace), candidate_id).verdict
        shown = _may_see(workspace, saved.record)
        _record_shown(invocation, workspace, [shown])
    _show_saved(invocation, saved, shown)


@group.command("undo", epilog=exit_codes())
@json_option
@pass_invocation
def undo(invocation: Invocation) -> None:
    """Take back what you recorded last, wherever that was: in the app, in a queue, or here. Repeat it to go further."""
    _step(invocation, undoing.undo, "undo")


@group.command("redo", epilog=exit_codes())
@json_option
@pass_invocation
def redo(invocation: Invocation) -> None:
    """Record once more what you undid last."""
    _step(invocation, undoing.redo, "redo")


def _step(invocation: Invocation, go: Callable[[Workspace, Reviewer, str | None], Decision | None], word: str) -> None:
    with invocation.open() as workspace:
        decision = go(workspace, reviewers.current(workspace), None)
        if decision is None:
            raise NotFoundError(f"There is nothing to {word}.")
        shown = _may_see(workspace, decision.verdict.record)
        _record_shown(invocation, workspace, [shown])
    _show_saved(invocation, decision.verdict, shown)


def _record_shown(invocation: Invocation, workspace: Workspace, rows: Sequence[Mapping[str, Any]]) -> None:
    """With --json rows are shown whole; the tables hold nothing that a blind reviewer may not see."""
    if invocation.as_json:
        record_rows(workspace, (row for row in rows if "evidence" in row))


def _may_see(workspace: Workspace, record: Mapping[str, Any]) -> dict[str, Any]:
    """A row as the current reviewer may see it: of a problem that they judge blind only what they have said."""
    return blind.row(record) if record["question_id"] in blind.masked(workspace) else dict(record)


def _show_saved(invocation: Invocation, saved: Verdict, shown: Mapping[str, Any]) -> None:
    if invocation.as_json:
        write_json(shown)
        return
    said = saved.label or saved.not_judged
    words = "retracted" if saved.status is VerdictStatus.RETRACTED else f"recorded: {said}"
    details = ", ".join(filter(None, (f"revision {saved.revision}", _blind(shown))))
    click.echo(f"{display.short_id(saved.candidate_id)}  {words}  ({details})")


def _blind(shown: Mapping[str, Any]) -> str | None:
    """Whether a verdict was blind; `None` where that would tell something hidden."""
    return None if "blind" not in shown else "blind" if shown["blind"] else "not blind"


@group.command("list", epilog=exit_codes())
@click.option(
    "--all",
    "everyone",
    is_flag=True,
    help="Those of every reviewer, and every revision. "
    "This is recorded: your later verdicts on these candidates are not blind.",
)
@json_option
@pass_invocation
def list_verdicts(invocation: Invocation, everyone: bool) -> None:
    """List your verdicts, the latest revision of each."""
    with invocation.open() as workspace:
        found = _records(workspace, everyone)
        records = list(_seen(workspace, found))
        _record_shown(invocation, workspace, records)
    if hidden := len(found) - len(records):
        click.echo(blind.held_back(hidden), err=True)
    if invocation.as_json:
        write_json({"verdicts": records})
        return
    right = ("score", "confidence", "revision")
    shown = display.table(
        "candidate", "verdict", *right, "blind", "reviewer", "given (UTC)", "question", right=right, fold=("question",)
    )
    for row in records:
        said = row["label"] or row["not_judged"]
        verdict = f"{said} (retracted)" if row["status"] == VerdictStatus.RETRACTED else f"{said}{ROLES[role_of(row)]}"
        values = (
            display.short_id(row["candidate_id"]),
            verdict,
            row["score_0_7"],
            row["confidence"],
            row["revision"],
            _blind(row),
            row["reviewer"]["handle"],
            display.minute(row["created_at"]),
            row["question_title"] or row["question_id"],
        )
        shown.add_row(*(display.cell(value) for value in values))
    display.print_table(shown)
    click.echo(counted(len(records), "verdict"), err=True)


def _seen(workspace: Workspace, found: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Rows as the current reviewer may see them.

    Others' on problems that are judged blind are left out, and own ones that are to be given once more.
    """
    withheld = blind.withheld(workspace)
    for row in found:
        if not withheld.holds(row):
            yield dict(row)
        elif row["reviewer"]["id"] == withheld.reviewer_id and row["candidate_id"] not in withheld.candidates:
            yield blind.row(row)


def _records(workspace: Workspace, everyone: bool) -> list[dict[str, Any]]:
    own = reviewers.current(workspace).id
    rows = [json.loads(line) for line in verdicts.records(workspace)]
    if everyone:
        masked = blind.masked(workspace)
        others = {
            (row["question_id"], row["candidate_id"])
            for row in rows
            if row["reviewer"]["id"] != own and row["question_id"] not in masked
        }
        record_exposure(workspace, sorted(others), Exposure.OTHER_VERDICTS)
        return rows
    latest: dict[str, dict[str, Any]] = {}
    for row in rows:
        known = latest.get(row["verdict_id"])
        if row["reviewer"]["id"] == own and (known is None or known["revision"] < row["revision"]):
            latest[row["verdict_id"]] = row
    return list(latest.values())
