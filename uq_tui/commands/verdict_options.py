"""The options by which commands take a verdict: each by itself, or all as one JSON object."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any

import click

from store import relations
from store.rows import Reviewer, VerdictForm
from store.workspace import Workspace
from uq_tui.commands.invocation import utf8
from uq_tui.commands.typed import text_of, words
from uq_tui.commands.verdict_input import form_from_json, marked_errors
from uq_tui.words import ErrorCategory, Label, NotJudged, QuestionFlag, Relation

_OPTIONS = (
    click.option("--label", type=click.Choice([one.value for one in Label]), help="Your verdict."),
    click.option("--not-judged", type=click.Choice([one.value for one in NotJudged]), help="Why you give no label."),
    click.option("--score", type=click.IntRange(0, 7), help="A score from 0 to 7."),
    click.option("--confidence", type=click.IntRange(1, 5), help="From 1 (a guess) to 5 (certain)."),
    click.option("--rationale", type=utf8, default="", metavar="TEXT", help="Why; - reads it from standard input."),
    click.option(
        "--error",
        "errors",
        type=utf8,
        multiple=True,
        metavar="CATEGORY[:QUOTE]",
        help=f"An error you found, with the words of the answer it stands in. Categories: {', '.join(ErrorCategory)}.",
    ),
    click.option(
        "--quote", "quotes", type=utf8, multiple=True, metavar="N:QUOTE", help="More words of the N-th --error."
    ),
    click.option("--claim", "claims", type=utf8, multiple=True, metavar="N:TEXT", help="What the answer claims there."),
    click.option("--problem", "problems", type=utf8, multiple=True, metavar="N:TEXT", help="What is wrong with it."),
    click.option("--fix", "fixes", type=utf8, multiple=True, metavar="N:TEXT", help="What would put it right."),
    click.option(
        "--flag",
        "flags",
        type=click.Choice([one.value for one in QuestionFlag]),
        multiple=True,
        help="What is wrong with the question.",
    ),
    click.option(
        "--relation",
        type=click.Choice([one.value for one in Relation]),
        help="What you are to the question; by default what you said last.",
    ),
    click.option(
        "--form",
        "form_file",
        type=utf8,
        metavar="FILE",
        help="All of it as one JSON object with the keys of verdict rows, in place of the other options; - reads it "
        "from standard input.",
    ),
)


@dataclass(frozen=True, slots=True)
class Entered:
    """What was given."""

    form: VerdictForm
    """Without what the reviewer is to the question."""
    said: Relation | None
    """What they say they are to it; `None` where they don't."""

    def form_of(self, workspace: Workspace, reviewer: Reviewer, question_id: str) -> VerdictForm:
        """The form with what the reviewer is to the question, as they say or said before."""
        known = relations.get(workspace, reviewer.id, question_id)
        return replace(self.form, relation=self.said or known or Relation.OTHER)

    def keep_relation(self, workspace: Workspace, reviewer: Reviewer, question_id: str) -> None:
        """Remember what they say they are to the question, for its other answers."""
        if self.said is not None and self.said is not relations.get(workspace, reviewer.id, question_id):
            relations.put(workspace, reviewer.id, question_id, self.said)


def tell_unplaced(record: Mapping[str, Any]) -> None:
    """Say on standard error which quotes of a recorded row have no place in the answer."""
    for error in record["errors"]:
        for quote in error["quotes"]:
            if quote["start"] is None:
                words = quote["quote"]
                click.echo(f"Kept without a place, since the answer does not have it exactly once: {words!a}", err=True)


def form_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command these options, and what they say as `entered`, an `Entered`."""

    @wraps(command)
    def taking(*args: Any, **given: Any) -> Any:
        own = {name: given.pop(name) for name in _NAMES}
        return command(*args, entered=_entered(**own), **given)

    for option in reversed(_OPTIONS):
        option(taking)
    return taking


_NAMES = (
    "label",
    "not_judged",
    "score",
    "confidence",
    "rationale",
    "errors",
    "quotes",
    "claims",
    "problems",
    "fixes",
    "flags",
    "relation",
    "form_file",
)


def _entered(
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
) -> Entered:
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
    return Entered(form, said)
