"""`uq-tui verdict`: give, list and retract verdicts."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from store import reviewers, verdicts
from store.rows import MarkedError, Quote, Verdict, VerdictForm
from store.workspace import Workspace
from uq_tui.commands import display, ids
from uq_tui.commands.groups import ListingGroup
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.commands.revealing import record as record_exposure
from uq_tui.commands.revealing import record_rows
from uq_tui.text import counted
from uq_tui.words import ErrorCategory, Exposure, Label, NotJudged, Relation, VerdictStatus


@click.group("verdict", cls=ListingGroup, epilog=exit_codes())
def group() -> None:
    """Give, list or retract your verdicts. Plain `verdict` lists."""


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
@click.option(
    "--relation",
    type=click.Choice([one.value for one in Relation]),
    default=Relation.OTHER.value,
    show_default=True,
    help="What you are to the question.",
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
    relation: str,
) -> None:
    """Record a verdict on CANDIDATE, an id or the first characters of one.

    A second verdict on the same candidate is a revision of the first. Nothing is ever overwritten.
    """
    if (label is None) == (not_judged is None):
        raise click.UsageError("Give either --label or --not-judged.")
    form = VerdictForm(
        label=Label(label) if label else None,
        not_judged=NotJudged(not_judged) if not_judged else None,
        score_0_7=score,
        confidence=confidence,
        rationale=_standard_input() if rationale == "-" else rationale,
        errors=tuple(_marked_error(text) for text in errors),
        relation=Relation(relation),
    )
    with invocation.open() as workspace:
        candidate_id = ids.candidate(workspace, candidate)
        saved = verdicts.save(workspace, reviewers.current(workspace), candidate_id, form)
        _record_shown(invocation, workspace, [saved.record])
    for quote in _unplaced(saved.record):
        click.echo(f"Kept without a place, since the answer does not have it exactly once: {quote!a}", err=True)
    _show_saved(invocation, saved)


def _standard_input() -> str:
    try:
        return sys.stdin.buffer.read().decode().strip()
    except UnicodeDecodeError as error:
        raise click.UsageError(f"Standard input is not valid UTF-8 (byte {error.start}).") from error


def _marked_error(text: str) -> MarkedError:
    category, _, quote = text.partition(":")
    if category not in set(ErrorCategory):
        raise click.UsageError(f"--error {category!a}: the category is one of {', '.join(ErrorCategory)}.")
    return MarkedError(category, (Quote(quote, None, None, "", ""),) if quote else ())


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
        saved = verdicts.retract(workspace, reviewers.current(workspace), candidate_id)
        _record_shown(invocation, workspace, [saved.record])
    _show_saved(invocation, saved)


def _record_shown(invocation: Invocation, workspace: Workspace, rows: Sequence[Mapping[str, Any]]) -> None:
    """With --json rows are shown whole; the tables hold nothing that a blind reviewer may not see."""
    if invocation.as_json:
        record_rows(workspace, rows)


def _show_saved(invocation: Invocation, saved: Verdict) -> None:
    if invocation.as_json:
        write_json(dict(saved.record))
        return
    said = saved.label or saved.not_judged
    words = "retracted" if saved.status is VerdictStatus.RETRACTED else f"recorded: {said}"
    seen = "blind" if saved.blind else "not blind"
    click.echo(f"{display.short_id(saved.candidate_id)}  {words}  (revision {saved.revision}, {seen})")


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
        records = _records(workspace, everyone)
        _record_shown(invocation, workspace, records)
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
        blind = "blind" if row["blind"] else "not blind"
        values = (
            display.short_id(row["candidate_id"]),
            verdict,
            row["score_0_7"],
            row["confidence"],
            row["revision"],
            blind,
            row["reviewer"]["handle"],
            display.minute(row["created_at"]),
            row["question_title"] or row["question_id"],
        )
        shown.add_row(*(display.cell(value) for value in values))
    display.print_table(shown)
    click.echo(counted(len(records), "verdict"), err=True)


def _records(workspace: Workspace, everyone: bool) -> list[dict[str, Any]]:
    own = reviewers.current(workspace).id
    rows = [json.loads(line) for line in verdicts.records(workspace)]
    if everyone:
        others = {(row["question_id"], row["candidate_id"]) for row in rows if row["reviewer"]["id"] != own}
        record_exposure(workspace, sorted(others), Exposure.OTHER_VERDICTS)
        return rows
    latest: dict[str, dict[str, Any]] = {}
    for row in rows:
        known = latest.get(row["verdict_id"])
        if row["reviewer"]["id"] == own and (known is None or known["revision"] < row["revision"]):
            latest[row["verdict_id"]] = row
    return list(latest.values())
