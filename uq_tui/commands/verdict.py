"""`uq-tui verdict`: give, list and retract verdicts."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import click

from store import candidates, decisions, relations, reviewers, undoing, verdicts
from store.review_rows import Decision
from store.rows import Reviewer, Verdict, VerdictForm
from store.workspace import Workspace
from uq_tui.commands import blind, display, ids
from uq_tui.commands.groups import ListingGroup
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.commands.revealing import record as record_exposure
from uq_tui.commands.revealing import record_rows
from uq_tui.commands.typed import text_of, words
from uq_tui.commands.verdict_input import form_from_json, marked_errors
from uq_tui.commands.verdict_past import drafts_command, history_command
from uq_tui.errors import NotFoundError
from uq_tui.state.verdict import history
from uq_tui.text import counted
from uq_tui.words import ErrorCategory, Exposure, Label, NotJudged, QuestionFlag, Relation, VerdictStatus


@click.group("verdict", cls=ListingGroup, epilog=exit_codes())
def group() -> None:
    """Give, list or retract your verdicts. Plain `verdict` lists."""


group.add_command(history_command)
group.add_command(drafts_command)


@group.command("give", epilog=exit_codes())
@click.argument("candidate", type=utf8)
@click.option("--label", type=click.Choice([one.value for one in Label]), help="Your verdict.")
@click.option("--not-judged", type=click.Choice([one.value for one in NotJudged]), help="Why you give no label.")
@click.option("--score", type=click.IntRange(0, 7), help="A score from 0 to 7.")
@click.option("--confidence", type=click.IntRange(1, 5), help="From 1 (a guess) to 5 (certain).")
@click.option("--rationale", type=utf8, default="", metavar="TEXT", help="Why; - reads it from standard input.")
@click.option(
    "--error",
    "errors",
    type=utf8,
    multiple=True,
    metavar="CATEGORY[:QUOTE]",
    help=f"An error you found, with the words of the answer it stands in. Categories: {', '.join(ErrorCategory)}.",
)
@click.option("--quote", "quotes", type=utf8, multiple=True, metavar="N:QUOTE", help="More words of the N-th --error.")
@click.option("--claim", "claims", type=utf8, multiple=True, metavar="N:TEXT", help="What the answer claims there.")
@click.option("--problem", "problems", type=utf8, multiple=True, metavar="N:TEXT", help="What is wrong with it.")
@click.option("--fix", "fixes", type=utf8, multiple=True, metavar="N:TEXT", help="What would put it right.")
@click.option(
    "--flag",
    "flags",
    type=click.Choice([one.value for one in QuestionFlag]),
    multiple=True,
    help="What is wrong with the question.",
)
@click.option(
    "--relation",
    type=click.Choice([one.value for one in Relation]),
    help="What you are to the question; by default what you said last.",
)
@click.option(
    "--form",
    "form_file",
    type=utf8,
    metavar="FILE",
    help="All of it as one JSON object with the keys of verdict rows, in place of the other options; - reads it "
    "from standard input.",
)
@json_option
@pass_invocation
def give(
    invocation: Invocation,
    candidate: str,
    label: str | None,
    not_judged: str | None,
    score: int | None,
    confidence: int | None,
    rationale: str,
    errors: tuple[str, ...],
    quotes: tuple[str, ...],
    claims: tuple[str, ...],
    problems: tuple[str, ...],
    fixes: tuple[str, ...],
    flags: tuple[str, ...],
    relation: str | None,
    form_file: str | None,
) -> None:
    """Record a verdict on CANDIDATE, an id or the first characters of one.

    A second verdict on the same candidate is a revision of the first. Nothing is ever overwritten.
    """
    others = (label, not_judged, score, confidence, rationale, errors, quotes, claims, problems, fixes, flags, relation)
    if form_file is not None and any(other not in (None, "", ()) for other in others):
        raise click.UsageError("--form stands for all other options: give it alone.")
    said = Relation(relation) if relation else None
    if form_file is not None:
        form, said = form_from_json(text_of(form_file))
    else:
        form = VerdictForm(
            label=Label(label) if label else None,
            not_judged=NotJudged(not_judged) if not_judged else None,
            score_0_7=score,
            confidence=confidence,
            rationale=words(rationale),
            errors=marked_errors(errors, quotes, claims, problems, fixes),
            question_flags=tuple(flag.value for flag in QuestionFlag if flag.value in flags),
        )
    if (form.label is None) == (form.not_judged is None):
        raise click.UsageError("Give either a label or why there is none: --label, --not-judged.")
    with invocation.open() as workspace:
        reviewer, candidate_id = reviewers.current(workspace), ids.candidate(workspace, candidate)
        history.refuse_repeat(workspace, reviewer.id, candidate_id)
        question_id = candidates.get(workspace, candidate_id).question_id
        known = relations.get(workspace, reviewer.id, question_id)
        form = replace(form, relation=said or known or Relation.OTHER)
        saved = decisions.record(workspace, reviewer, candidate_id, form, based_on=None).verdict
        if said is not None and said is not known:
            relations.put(workspace, reviewer.id, question_id, said)
        shown = _may_see(workspace, saved.record)
        _record_shown(invocation, workspace, [shown])
    for quote in _unplaced(saved.record):
        click.echo(f"Kept without a place, since the answer does not have it exactly once: {quote!a}", err=True)
    _show_saved(invocation, saved, shown)


def _unplaced(record: Mapping[str, Any]) -> Iterator[str]:
    for error in record["errors"]:
        yield from (quote["quote"] for quote in error["quotes"] if quote["start"] is None)


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
        verdict = f"{said} (retracted)" if row["status"] == VerdictStatus.RETRACTED else said
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
