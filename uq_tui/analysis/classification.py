"""How well decisions match labels: rates with intervals, each with what it is a share of.

A rate that cannot be told is undefined, and says why: never 0, never 1.
"""

import math
from dataclasses import dataclass

from uq_tui.analysis.agreement import cohen_kappa
from uq_tui.analysis.intervals import mean_of_proportions

NOTHING_ACCEPTED = "nothing was accepted"
NONE_CORRECT = "no labelled answer is correct"
NONE_INCORRECT = "no labelled answer is incorrect"
NOTHING_DECIDED = "nothing was decided"


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with its two-sided 95 % interval, over `n` candidates; without a value `undefined` says why.

    `hits` is set where the value is a plain share, `hits` of `n`.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    hits: int | None = None
    undefined: str = ""


def undefined(why: str, n: int = 0) -> Figure:
    """A figure that cannot be told."""
    return Figure(None, None, None, n, undefined=why)


def share(hits: int, n: int, why: str) -> Figure:
    """`hits` of `n` with Wilson's interval; undefined for the reason `why` when `n` is 0."""
    found = mean_of_proportions([(hits, n)])
    if found is None:
        return undefined(why)
    return Figure(found.value, found.low, found.high, n, hits)


@dataclass(frozen=True, slots=True)
class Confusion:
    """Counts of candidates by decision and label; accepting a correct one is a true positive."""

    true_positive: int
    false_positive: int
    false_negative: int
    true_negative: int

    @property
    def n(self) -> int:
        return self.accepted + self.false_negative + self.true_negative

    @property
    def accepted(self) -> int:
        return self.true_positive + self.false_positive

    @property
    def correct(self) -> int:
        """Candidates whose label is correct."""
        return self.true_positive + self.false_negative

    @property
    def incorrect(self) -> int:
        """Candidates whose label is incorrect."""
        return self.false_positive + self.true_negative

    @property
    def right(self) -> int:
        """Decisions that match their label."""
        return self.true_positive + self.true_negative


@dataclass(frozen=True, slots=True)
class Quality:
    """What a confusion matrix says about a validator."""

    accuracy: Figure
    """Decisions that match their label, of all decisions."""
    balanced_accuracy: Figure
    """The mean of recall and specificity: 1/2 for whoever decides without looking."""
    precision: Figure
    """Correct ones of the accepted."""
    recall: Figure
    """Accepted ones of the correct."""
    specificity: Figure
    """Rejected ones of the incorrect."""
    base_rate: Figure
    """Correct ones of all."""
    always_reject: Figure
    """The accuracy of rejecting everything, on the same candidates."""
    kappa: Figure
    """Cohen's kappa of decisions and labels."""


def quality(of: Confusion) -> Quality:
    """All figures of a confusion matrix."""
    return Quality(
        accuracy=share(of.right, of.n, NOTHING_DECIDED),
        balanced_accuracy=_balanced(of),
        precision=share(of.true_positive, of.accepted, NOTHING_ACCEPTED if of.n else NOTHING_DECIDED),
        recall=share(of.true_positive, of.correct, NONE_CORRECT if of.n else NOTHING_DECIDED),
        specificity=share(of.true_negative, of.incorrect, NONE_INCORRECT if of.n else NOTHING_DECIDED),
        base_rate=share(of.correct, of.n, NOTHING_DECIDED),
        always_reject=share(of.incorrect, of.n, NOTHING_DECIDED),
        kappa=_kappa(of),
    )


def _balanced(of: Confusion) -> Figure:
    """The interval is the score interval of a mean of two proportions, recall and specificity."""
    if not of.n:
        return undefined(NOTHING_DECIDED)
    found = mean_of_proportions([(of.true_positive, of.correct), (of.true_negative, of.incorrect)])
    if found is None:
        return undefined(NONE_INCORRECT if of.correct else NONE_CORRECT, of.n)
    return Figure(found.value, found.low, found.high, of.n)


def _kappa(of: Confusion) -> Figure:
    if not of.n:
        return undefined(NOTHING_DECIDED)
    found = cohen_kappa(
        {
            (True, True): of.true_positive,
            (True, False): of.false_positive,
            (False, True): of.false_negative,
            (False, False): of.true_negative,
        }
    )
    return Figure(found.value, found.low, found.high, of.n, undefined=found.undefined)


def over_rating(of: Confusion) -> Figure:
    """The share accepted less the share that is correct, of the same candidates, -1 to 1.

    The interval is Newcombe's for a difference of paired proportions (Statistics in Medicine 17, 1998, 2635-2650,
    method 10): Wilson's intervals of both, squared and added with their correlation.
    """
    accepted, correct = (mean_of_proportions([(hits, of.n)]) for hits in (of.accepted, of.correct))
    if accepted is None or correct is None:
        return undefined(NOTHING_DECIDED)
    together = _correlation(of)
    value = (of.false_positive - of.false_negative) / of.n
    below = _hypotenuse(accepted.value - accepted.low, correct.high - correct.value, together)
    above = _hypotenuse(accepted.high - accepted.value, correct.value - correct.low, together)
    return Figure(value, max(-1.0, value - below), min(1.0, value + above), of.n)


def _correlation(of: Confusion) -> float:
    """Phi of decisions and labels, a positive one corrected for continuity; 0 where a margin is empty."""
    margins = of.accepted * (of.n - of.accepted) * of.correct * of.incorrect
    if not margins:
        return 0.0
    product = of.true_positive * of.true_negative - of.false_positive * of.false_negative
    corrected = max(product - of.n / 2, 0.0) if product > 0 else product
    return corrected / math.sqrt(margins)


def _hypotenuse(one: float, other: float, correlation: float) -> float:
    return math.sqrt(max(one * one - 2 * correlation * one * other + other * other, 0.0))
