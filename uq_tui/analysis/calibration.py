"""Whether scores mean what they say as chances to be correct: of answers scored .8, are 8 in 10 correct?

Neither a judge's score nor a utility claims to be a chance. The curve shows what a score has been worth, and how far it
is from being readable as one. Candidates of one question aren't independent, so that the intervals are rather narrow.
"""

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from uq_tui.analysis import bins as equal_bins
from uq_tui.analysis.classification import Figure, share

NOTHING_RATED = "no candidate with score and label"
EMPTY_BIN = "no score lies here"


class Bins(StrEnum):
    """How scores are put into bins."""

    EQUAL_COUNT = "equal count"
    """About as many scores in each. Equal scores are never parted, so there may be fewer bins, and uneven ones."""
    FIXED = "fixed"
    """Equal widths from 0 to 1. A score on a limit belongs to the bin above, 1 to the last."""


@dataclass(frozen=True, slots=True)
class Rated:
    """A candidate's score, and whether it is correct."""

    score: float
    correct: bool


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """The scores of one bin."""

    low: float
    high: float
    """Its limits: of equal counts its lowest and highest score."""
    n: int
    mean_score: float | None
    """`None` in an empty bin."""
    share_correct: Figure
    """With Wilson's interval."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """A calibration curve over `n` scores scaled to 0 to 1, `correct` of them of correct candidates."""

    bins: tuple[CalibrationBin, ...]
    n: int
    correct: int
    error: float | None
    """Expected calibration error, 0 to 1: distance of mean score and share correct, over bins by their n (M. P. Naeini,
    G. F. Cooper and M. Hauskrecht, AAAI 2015). It depends on the bins, and chance alone keeps it above 0."""
    brier: float | None
    """Mean squared distance of score and label, 0 to 1 (G. W. Brier, Monthly Weather Review 78, 1950, 1-3, halved)."""
    brier_of_base_rate: float | None
    """That of giving every candidate the share of correct ones: scores above it say less than nothing."""
    undefined: str = ""


def calibration(
    rated: Sequence[Rated],
    *,
    lowest: float = 0.0,
    highest: float = 1.0,
    count: int = 10,
    bins: Bins = Bins.EQUAL_COUNT,
) -> Calibration:
    """The calibration of scores.

    Args:
        rated: the candidates with score and label.
        lowest, highest: the ends of the scores' scale, which become 0 and 1.
        count: how many bins, of equal counts at most.

    Raises:
        ValueError: a score lies off the scale.
    """
    if not lowest < highest:
        raise ValueError(f"a scale from {lowest} to {highest} has no width")
    if not all(lowest <= one.score <= highest for one in rated):
        raise ValueError(f"a score lies off the scale from {lowest} to {highest}")
    scaled = sorted(((one.score - lowest) / (highest - lowest), one.correct) for one in rated)
    found = _of_equal_count(scaled, count) if bins is Bins.EQUAL_COUNT else _fixed(scaled, count)
    n, correct = len(scaled), sum(right for _, right in scaled)
    if not n:
        return Calibration(found, 0, 0, None, None, None, NOTHING_RATED)
    return Calibration(
        bins=found,
        n=n,
        correct=correct,
        error=math.fsum(_distance(one) * one.n for one in found) / n,
        brier=math.fsum((score - right) ** 2 for score, right in scaled) / n,
        brier_of_base_rate=correct / n * (1.0 - correct / n),
    )


def _of_equal_count(scaled: Sequence[tuple[float, bool]], count: int) -> tuple[CalibrationBin, ...]:
    """Cuts fall after every n/count-th score, moved to behind the last one that is equal to it."""
    scores = [score for score, _ in scaled]
    last = {max(len(scores) * cut // count, 1) - 1 for cut in range(1, count + 1)} if scores else set()
    ends = sorted({bisect_right(scores, scores[place]) for place in last})
    return tuple(_bin(scores[start], scores[end - 1], scaled[start:end]) for start, end in pairwise([0, *ends]))


def _fixed(scaled: Sequence[tuple[float, bool]], count: int) -> tuple[CalibrationBin, ...]:
    inside: list[list[tuple[float, bool]]] = [[] for _ in range(count)]
    for score, right in scaled:
        inside[equal_bins.place(score, count)].append((score, right))
    return tuple(_bin(low, high, one) for (low, high), one in zip(equal_bins.limits(count), inside, strict=True))


def _bin(low: float, high: float, inside: Sequence[tuple[float, bool]]) -> CalibrationBin:
    n = len(inside)
    mean = math.fsum(score for score, _ in inside) / n if n else None
    return CalibrationBin(low, high, n, mean, share(sum(right for _, right in inside), n, EMPTY_BIN))


def _distance(one: CalibrationBin) -> float:
    if one.mean_score is None or one.share_correct.value is None:
        return 0.0
    return abs(one.mean_score - one.share_correct.value)
