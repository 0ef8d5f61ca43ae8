"""What a verdict needs before it counts in a queue, and what of that is still missing, in words."""

from dataclasses import dataclass
from typing import NamedTuple

from store.rows import VerdictForm
from uq_tui.words import Label


@dataclass(frozen=True, slots=True)
class Rules:
    """What a queue asks of each verdict beside a label. Who gives no label but a reason owes nothing else."""

    score: bool = False
    rationale: bool = False
    confidence: bool = False
    quote_if_incorrect: bool = False
    """An answer that is called incorrect needs an error with a quote."""


NO_RULES = Rules()


class Gap(NamedTuple):
    """Something that is missing: the field of the form, and what is said about it."""

    field: str
    words: str


def gaps(form: VerdictForm, rules: Rules) -> tuple[Gap, ...]:
    """What is missing, in the order of the form; empty when the verdict can be recorded."""
    if form.not_judged is not None and form.label is None:
        return ()
    found = []
    if form.label is None:
        found.append(Gap("label", "Choose a label, or say why the answer was not judged."))
    if rules.confidence and form.confidence is None:
        found.append(Gap("confidence", "This queue asks how sure you are."))
    if rules.score and form.score_0_7 is None:
        found.append(Gap("score", "This queue asks for a score from 0 to 7."))
    if rules.quote_if_incorrect and form.label is Label.INCORRECT and not any(error.quotes for error in form.errors):
        found.append(Gap("errors", "This queue asks what is wrong: an error with a quote."))
    if rules.rationale and not form.rationale.strip():
        found.append(Gap("rationale", "This queue asks for a rationale."))
    return tuple(found)


def missing(form: VerdictForm, rules: Rules) -> tuple[str, ...]:
    """What is missing, a sentence each."""
    return tuple(gap.words for gap in gaps(form, rules))
