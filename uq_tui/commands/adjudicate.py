"""`uq-tui adjudicate`: the answers on which verdicts disagree, and what decides between them."""

from textwrap import indent
from typing import Any

import click

from store import adjudications, reviewers
from store.conflicts import Conflict
from store.opinions import Given
from uq_tui.commands import display, ids
from uq_tui.commands.groups import ListingGroup
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.commands.revealing import WHERE
from uq_tui.commands.verdict_options import Entered, form_options, tell_unplaced
from uq_tui.commands.verdict_subset import place_of, place_options
from uq_tui.state.adjudicating import conflict_list
from uq_tui.state.adjudicating.matter import Matter, Side, read
from uq_tui.state.adjudicating.words import BY, NO_TEXT, counts, head, standing, title, told, whole
from uq_tui.text import clean
from uq_tui.words import ConflictBy, ConflictState


@click.group("adjudicate", cls=ListingGroup, epilog=exit_codes())
def group() -> None:
    """Find the answers on which verdicts of two people disagree, and settle them. Plain `adjudicate` lists.

    What you are shown is recorded: your later verdicts on these answers are not blind. Problems that you still judge
    blind are left out.
    """


@group.command("list", epilog=exit_codes())
@click.option(
    "--by",
    type=click.Choice([one.value for one in ConflictBy]),
    default=ConflictBy.VERDICT.value,
    show_default=True,
    help=f"What verdicts have to differ in. {'; '.join(f'{by}: {words}' for by, words in BY.items())}.",
)
@click.option("--state", type=click.Choice([one.value for one in ConflictState]), help="Only those in this state.")
@place_options
@json_option
@pass_invocation
def list_conflicts(invocation: Invocation, /, by: str, state: str | None, **options: Any) -> None:
    """List conflicts: open ones first, then those that have changed since they were settled, then settled ones."""
    with invocation.open() as workspace:
        subset = place_of(workspace, options)
        only = ConflictState(state) if state else None
        listed = conflict_list.read(workspace, reviewers.current(workspace), ConflictBy(by), subset, WHERE, state=only)
    found = listed.conflicts
    if invocation.as_json:
        write_json({"by": by, "conflicts": [_conflict(one) for one in found], "left_out": listed.left_out.questions})
        return
    shown = display.table("candidate", "state", "verdicts", "settled", "question", fold=("verdicts", "question"))
    for one in found:
        settled = standing(one) if one.adjudication is not None else None
        values = (display.short_id(one.candidate_id), one.state.value, told(one), settled, title(one))
        shown.add_row(*(display.cell(value) for value in values))
    display.print_table(shown)
    click.echo("\n".join((counts(found), *listed.left_out.lines)), err=True)


@group.command("show", epilog=exit_codes())
@click.argument("candidate", type=utf8)
@json_option
@pass_invocation
def show(invocation: Invocation, candidate: str) -> None:
    """Print the verdicts that disagree on CANDIDATE, an id or the first characters of one, with all they say.

    `uq-tui read` prints the answer. Who wrote it isn't told.
    """
    with invocation.open() as workspace:
        matter = read(workspace, reviewers.current(workspace), ids.candidate(workspace, candidate), WHERE)
    if invocation.as_json:
        write_json(_matter(matter))
        return
    click.echo(f"{display.short_id(matter.candidate.id)}  {title(matter.conflict)}  {standing(matter.conflict)}")
    for side in matter.sides:
        click.echo(f"\n{side.letter}  {head(side)}")
        click.echo(indent(clean(whole(side)), "    "))
    if not matter.conflict.readable:
        click.echo(NO_TEXT, err=True)


@group.command("settle", epilog=exit_codes())
@click.argument("candidate", type=utf8)
@form_options
@click.option(
    "--between",
    type=utf8,
    multiple=True,
    metavar="VERDICT#N",
    help="The revisions that you decide between, as `show --json` names them: nothing is recorded if others stand by "
    "now. Without it, those that stand.",
)
@json_option
@pass_invocation
def settle(invocation: Invocation, candidate: str, entered: Entered, between: tuple[str, ...]) -> None:
    """Record what decides between the verdicts on CANDIDATE, as a verdict of its own; a second one revises the first.

    Your ordinary verdict on it, if you have given one, stays as it is. `uq-tui verdict undo` takes back what you did
    last.
    """
    with invocation.open() as workspace:
        reviewer = reviewers.current(workspace)
        matter = read(workspace, reviewer, ids.candidate(workspace, candidate), WHERE)
        candidate_id, question_id = matter.candidate.id, matter.candidate.question_id
        form = entered.form_of(workspace, reviewer, question_id)
        names = between or matter.conflict.names
        saved = adjudications.settle(workspace, reviewer, candidate_id, form, names).verdict
        entered.keep_relation(workspace, reviewer, question_id)
        matter = read(workspace, reviewer, candidate_id, WHERE)
    tell_unplaced(saved.record)
    _tell(invocation, matter)


@group.command("retract", epilog=exit_codes())
@click.argument("candidate", type=utf8)
@json_option
@pass_invocation
def retract(invocation: Invocation, candidate: str) -> None:
    """Take back what you have settled on CANDIDATE: the conflict is open again. The record of it stays."""
    with invocation.open() as workspace:
        reviewer = reviewers.current(workspace)
        matter = read(workspace, reviewer, ids.candidate(workspace, candidate), WHERE)
        adjudications.retract(workspace, reviewer, matter.candidate.id)
        matter = read(workspace, reviewer, matter.candidate.id, WHERE)
    _tell(invocation, matter)


def _tell(invocation: Invocation, matter: Matter) -> None:
    if invocation.as_json:
        write_json(_matter(matter))
    else:
        click.echo(f"{display.short_id(matter.candidate.id)}  {standing(matter.conflict)}")


def _matter(matter: Matter) -> dict[str, Any]:
    """A conflict with all that its verdicts say."""
    return {**_conflict(matter.conflict), "verdicts": [_side(side) for side in matter.sides]}


def _conflict(one: Conflict) -> dict[str, Any]:
    by = one.adjudication
    return {
        "question_id": one.question_id,
        "question_title": one.title,
        "candidate_id": one.candidate_id,
        "text_here": one.readable,
        "state": one.state.value,
        "labels_apart": one.labels_apart,
        "scores_apart": one.scores_apart,
        "verdicts": [_given(given) for given in one.verdicts],
        "adjudication": None if by is None else {**_given(by), "settles": list(by.settles)},
    }


def _side(side: Side) -> dict[str, Any]:
    record = side.verdict.record
    return {**_given(side.given), **{key: record[key] for key in ("rationale", "errors", "question_flags")}}


def _given(one: Given) -> dict[str, Any]:
    return {
        "name": one.name,
        "verdict_id": one.verdict_id,
        "revision": one.revision,
        "reviewer_id": one.reviewer_id,
        "person": one.person,
        "reviewer": one.handle,
        "label": one.label.value if one.label else "",
        "not_judged": one.not_judged.value if one.not_judged else "",
        "score_0_7": one.score_0_7,
        "confidence": one.confidence,
        "blind": one.blind,
        "created_at": one.created_at,
    }
