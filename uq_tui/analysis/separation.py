"""Whether scores still tell correct from wrong candidates on questions that the solver finds hard.

Consequence-Based Utility, arXiv 2602.06291v1, Fig. 3: of each question the mean score of the correct candidates less
that of the wrong ones, against difficulty, 1 - accuracy of the solver without a candidate. The paper prints no numbers.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from uq_tui.analysis import bins as equal_bins
from uq_tui.analysis.ranks import Correlation, spearman
from uq_tui.analysis.selection import NO_CORRECT, NO_WRONG, Unit
from uq_tui.analysis.unit_means import mean_of_units

NO_ACCURACY = "no known accuracy"

_DECIMALS = 12
"""What is beyond comes of rounding, and would part ties."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A unit and how well the solver does on it alone, 0 to 1: that of its control arm, or another known one."""

    unit: Unit
    accuracy: float | None
    """`None` is unknown."""


@dataclass(frozen=True, slots=True)
class GapPoint:
    """The gap of one unit at its difficulty."""

    key: str
    question_id: str
    difficulty: float
    """0 where the solver always succeeds alone, 1 where it never does."""
    gap: float
    """Mean of correct less mean of wrong in parts of the scale's width, -1 to 1; above 0 is right."""


@dataclass(frozen=True, slots=True)
class GapBin:
    """The mean gap of the units between two difficulties; `None` in an empty bin."""

    low: float
    high: float
    n: int
    originals: int
    """Questions that the `n` units belong to."""
    gap: float | None
    gap_low: float | None
    gap_high: float | None
    """95 % bounds; `None` with fewer questions than `unit_means.LEAST_CLUSTERS`."""


@dataclass(frozen=True, slots=True)
class Separation:
    """Gap against difficulty: units one by one, in bins, and as one rank correlation."""

    points: tuple[GapPoint, ...]
    bins: tuple[GapBin, ...]
    """Of equal width over difficulties from 0 to 1; one on a limit belongs to the bin above, 1 to the last."""
    correlation: Correlation
    """Spearman's rho of difficulty and gap over the units: below 0, scores fail where questions are hard."""
    undefined: Mapping[str, int]
    """Units that are in none of this, by reason."""


def separation(
    measured: Sequence[Measured],
    *,
    lowest: float = 0.0,
    highest: float = 1.0,
    bins: int = 5,
    reference_counts: bool = True,
) -> Separation:
    """Gap against difficulty.

    Args:
        measured: the units, with the solver's accuracy.
        lowest, highest: the ends of the scores' scale; those of an external scorer without one are its lowest and
            highest score.
        bins: how many.
        reference_counts: whether the human solution is one of the correct candidates.

    Raises:
        ValueError: a score lies off the scale, or an accuracy outside 0 to 1.
    """
    if not lowest < highest:
        raise ValueError(f"a scale from {lowest} to {highest} has no width")
    points = []
    undefined = Counter[str]()
    for one in measured:
        found = _point(one, lowest, highest, reference_counts)
        if isinstance(found, GapPoint):
            points.append(found)
        else:
            undefined[found] += 1
    return Separation(
        points=tuple(points),
        bins=_binned(points, bins),
        correlation=spearman([point.difficulty for point in points], [point.gap for point in points]),
        undefined=dict(sorted(undefined.items())),
    )


def _point(one: Measured, lowest: float, highest: float, reference_counts: bool) -> GapPoint | str:
    """The unit's point, or why it has none."""
    if one.accuracy is None:
        return NO_ACCURACY
    if not 0.0 <= one.accuracy <= 1.0:
        raise ValueError(f"an accuracy of {one.accuracy} is outside 0 to 1")
    ranked = [each for each in one.unit.scored if reference_counts or not each.reference]
    if not all(lowest <= each.score <= highest for each in ranked):
        raise ValueError(f"a score lies off the scale from {lowest} to {highest}")
    correct = [each.score for each in ranked if each.correct]
    wrong = [each.score for each in ranked if not each.correct]
    if not correct or not wrong:
        return NO_WRONG if correct else NO_CORRECT
    gap = (math.fsum(correct) / len(correct) - math.fsum(wrong) / len(wrong)) / (highest - lowest)
    difficulty, gap = round(1.0 - one.accuracy, _DECIMALS), round(gap, _DECIMALS)
    return GapPoint(one.unit.key, one.unit.question_id, difficulty, gap)


def _binned(points: Sequence[GapPoint], bins: int) -> tuple[GapBin, ...]:
    inside = defaultdict[int, list[GapPoint]](list)
    for point in points:
        inside[equal_bins.place(point.difficulty, bins)].append(point)
    return tuple(_bin(low, high, inside[number]) for number, (low, high) in enumerate(equal_bins.limits(bins)))


def _bin(low: float, high: float, points: Sequence[GapPoint]) -> GapBin:
    of_question = defaultdict[str, list[float]](list)
    for point in points:
        of_question[point.question_id].append(point.gap)
    found = mean_of_units(list(of_question.values()), lowest=-1.0)
    if found is None:
        return GapBin(low, high, 0, 0, None, None, None)
    return GapBin(low, high, found.n, found.clusters, found.value, found.low, found.high)
