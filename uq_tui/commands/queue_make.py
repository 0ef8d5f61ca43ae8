"""`uq-tui queue make`: what a queue is built of, what is mixed in, and for whom."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from store import questions, reviewers
from store.ingest.files import whole_text
from store.queue_pool import CandidateFilter
from store.review_rows import Queue
from store.rows import Reviewer
from store.workspace import Workspace
from uq_tui.commands import display, ids
from uq_tui.commands.invocation import Finite, Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.state.reviewing import building
from uq_tui.state.reviewing.building import LaidOut
from uq_tui.state.reviewing.completeness import Rules
from uq_tui.state.reviewing.queue_spec import LARGEST_SEED, MOST_GOLD, MOST_PRACTICE, QueueSpec
from uq_tui.text import clean_line
from uq_tui.words import ItemRole, Outcome, QuestionStatus, QueueMode, QueueOrder, Unjudged

Command = TypeVar("Command", bound=Callable[..., Any])

REQUIRED = {
    "score": "score",
    "rationale": "rationale",
    "confidence": "confidence",
    "quote": "quote_if_incorrect",
}
"""What `--require` takes, and the rule that it means."""


def choosing(command: Command) -> Command:
    """Add the options that say what a queue is built of."""
    for option in reversed(
        (
            click.option("--search", type=utf8, default="", metavar="WORDS", help="Only questions with these words."),
            click.option("--site", type=utf8, default="", metavar="HOST", help="Only questions of this site."),
            click.option(
                "--status", type=click.Choice([*map(str, QuestionStatus)]), help="Only questions of this status."
            ),
            click.option("--category", type=utf8, default="", metavar="NAME", help="Only questions of this category."),
            click.option("--tag", type=utf8, default="", metavar="TAG", help="Only questions with this tag."),
            _several("--question", "question_ids", "ID", "Only this question. Can be given several times."),
            _several("--model", "models", "NAME", "Only candidates by this model, as they name it. Can be repeated."),
            _several("--system", "systems", "NAME", "Only candidates by this system. Can be repeated."),
            _several("--source", "sources", "NAME", "Only candidates from this file or run. Can be repeated."),
            click.option(
                "--unjudged-by",
                "unjudged",
                type=click.Choice([*map(str, Unjudged)]),
                help="Only candidates without a verdict: of the queue's own reviewers (mine), or of anyone.",
            ),
            click.option(
                "--outcome",
                type=click.Choice([*map(str, Outcome)]),
                help="Only candidates to which the newest finished validation gave this outcome.",
            ),
            click.option("--strategy", type=utf8, default="", metavar="NAME", help="Of this strategy; with --outcome."),
            click.option(
                "--labelled/--unlabelled", default=None, help="Only candidates with a known label, or without one."
            ),
        )
    ):
        command = option(command)
    return command


def mixing(command: Command) -> Command:
    """Add the options that say how it is laid out."""
    for option in reversed(
        (
            click.option(
                "--mode",
                type=click.Choice([*map(str, QueueMode)]),
                default="blind",
                show_default=True,
                help="What reviewers see of a problem before it is decided; assisted shows the claims of audits first.",
            ),
            click.option(
                "--order",
                type=click.Choice([*map(str, QueueOrder)]),
                default="arrival",
                show_default=True,
                help="In which order the problems come.",
            ),
            click.option(
                "--seed",
                type=click.IntRange(0, LARGEST_SEED),
                default=0,
                show_default=True,
                help="Another one gives another random order, other overlaps, gold items and repeats.",
            ),
            click.option("--ungrouped", is_flag=True, help="Don't put answers with the same final answer together."),
            _several("--reviewer", "people", "NAME", "Who gets a share: a public name or an id; you, if left out."),
            click.option(
                "--overlap", type=Finite(0, 1), default=0.0, metavar="SHARE", help="Problems that two reviewers judge."
            ),
            click.option("--everyone", is_flag=True, help="With --overlap: all reviewers judge these, not two."),
            click.option(
                "--gold",
                type=Finite(0, MOST_GOLD),
                default=0.0,
                metavar="SHARE",
                help="Candidates with known labels among what is judged, to measure reviewers by.",
            ),
            click.option(
                "--repeats", type=Finite(0, 1), default=0.0, metavar="SHARE", help="Candidates that come once more."
            ),
            click.option(
                "--repeat-after",
                type=click.IntRange(1, 10_000),
                default=20,
                show_default=True,
                help="So many items later at least.",
            ),
            click.option(
                "--practice",
                type=click.IntRange(0, MOST_PRACTICE),
                default=0,
                metavar="N",
                help="Items to practise on first, with feedback.",
            ),
            click.option("--two-steps", is_flag=True, help="Ask for the final answer first, then for the derivation."),
            click.option(
                "--require",
                type=click.Choice([*REQUIRED]),
                multiple=True,
                help="What each verdict needs besides a label; quote: where it says incorrect. Can be repeated.",
            ),
            click.option(
                "--guideline", type=click.Path(path_type=Path), metavar="FILE", help="Markdown for the reviewers."
            ),
        )
    ):
        command = option(command)
    return command


def _several(flag: str, name: str, metavar: str, help: str) -> Callable[[Command], Command]:
    return click.option(flag, name, type=utf8, multiple=True, metavar=metavar, help=help)


@click.command("make", epilog=exit_codes())
@click.argument("name", type=utf8)
@choosing
@mixing
@click.option("--dry-run", is_flag=True, help="Only say what would be laid out.")
@json_option
@pass_invocation
def make(
    invocation: Invocation,
    /,
    name: str,
    people: tuple[str, ...],
    guideline: Path | None,
    dry_run: bool,
    **options: Any,
) -> None:
    """Lay out a queue called NAME: candidates to judge, for you or for several reviewers.

    All candidates of a question stand together. References are left out, and so is what is known by its id only.
    """
    spec = spec_of(options)
    text = whole_text(guideline) if guideline is not None else ""
    with invocation.open() as workspace:
        shared_by = tuple(dict.fromkeys(ids.reviewer(workspace, one) for one in people or ("me",)))
        named = tuple(reviewers.get(workspace, one) for one in shared_by)
        me = reviewers.current(workspace).id
        laid_out = plan(workspace, spec, named, by=me)
        made = None if dry_run else building.make(workspace, name, text, laid_out, by=me)
    if invocation.as_json:
        write_json(_as_json(laid_out, named, made))
    else:
        _print(name, laid_out, named, made)


def plan(workspace: Workspace, spec: QueueSpec, named: Sequence[Reviewer], *, by: str) -> LaidOut:
    """As `building.plan`, once the questions that are named are known to be there. Raises NotFoundError too."""
    for question_id in spec.candidates.question_ids:
        questions.get(workspace, question_id)
    return building.plan(workspace, spec, named, by=by)


def spec_of(options: dict[str, Any]) -> QueueSpec:
    """What `choosing` and `mixing` have read, people and guideline apart, as a spec. Raises QueueSpecError."""
    words = {"status": QuestionStatus, "unjudged": Unjudged, "outcome": Outcome}
    chosen: dict[str, Any] = {
        key: kind(options.pop(key)) if options[key] else options.pop(key) for key, kind in words.items()
    }
    plain = ("site", "category", "tag", "question_ids", "models", "systems", "sources", "strategy", "labelled")
    chosen |= {key: options.pop(key) for key in plain}
    required = {rule: name in options["require"] for name, rule in REQUIRED.items()}
    del options["require"]
    return QueueSpec(
        mode=QueueMode(options.pop("mode")),
        order=QueueOrder(options.pop("order")),
        candidates=CandidateFilter(text=options.pop("search"), **chosen),
        grouped=not options.pop("ungrouped"),
        rules=Rules(**required),
        **options,
    )


def _as_json(laid_out: LaidOut, named: Sequence[Reviewer], made: Queue | None) -> dict[str, Any]:
    return {
        "queue_id": made.id if made else None,
        "problems": laid_out.problems,
        "candidates": laid_out.candidates,
        "linked": laid_out.identical,
        "overlapping": laid_out.overlapping,
        "order_unknown": laid_out.order.unknown,
        "shares": [{"reviewer_id": one.id, "reviewer": one.handle, **_counts(laid_out, one.id)} for one in named],
        "notes": list(laid_out.notes()),
        "spec": laid_out.spec.as_json(),
    }


def _counts(laid_out: LaidOut, reviewer_id: str) -> dict[str, int]:
    share = laid_out.shares[reviewer_id]
    return {
        "problems": len({one.problem for one in share.places if one.role is not ItemRole.PRACTICE}),
        "items": len(share.places) - share.linked,
        "linked": share.linked,
        "gold": share.count(ItemRole.GOLD),
        "repeats": share.count(ItemRole.REPEAT),
        "practice": share.count(ItemRole.PRACTICE),
    }


def _print(name: str, laid_out: LaidOut, named: Sequence[Reviewer], made: Queue | None) -> None:
    numbers = ("problems", "items", "linked", "gold", "repeats", "practice")
    shown = display.table("reviewer", *numbers, right=numbers)
    for one in named:
        counts = _counts(laid_out, one.id)
        shown.add_row(*(display.cell(value) for value in (one.handle, *(f"{counts[key]:,}" for key in numbers))))
    display.print_table(shown)
    click.echo(laid_out.words(), err=True)
    for note in laid_out.notes():
        click.echo(note, err=True)
    done = "Nothing was made: --dry-run." if made is None else f"The queue {name} is made: V in the app opens it."
    click.echo(clean_line(done), err=True)
