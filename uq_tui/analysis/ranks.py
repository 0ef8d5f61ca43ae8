"""Ranks with ties, how well two rankings agree, and how well scores tell two groups apart."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

LEAST_PAIRS = 3
"""Two pairs are always in the same or in the opposite order: their correlation says nothing."""


@dataclass(frozen=True, slots=True)
class Correlation:
    """A rank correlation over `n` pairs. `rho` is -1 to 1; `None` where it is undefined, and `undefined` says why."""

    rho: float | None
    n: int
    undefined: str = ""


def ranks(values: Sequence[float]) -> tuple[float, ...]:
    """The rank of each value, 1 for the smallest. Equal values share the mean of the ranks they take up."""
    order = sorted(range(len(values)), key=values.__getitem__)
    found = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end < len(order) and values[order[end]] == values[order[start]]:
            end += 1
        for place in order[start:end]:
            found[place] = (start + 1 + end) / 2
        start = end
    return tuple(found)


def places(values: Sequence[float]) -> tuple[int, ...]:
    """The place of each value, 1 for the largest. Equal values share the best place; the next has as many left out."""
    order = sorted(values, reverse=True)
    first: dict[float, int] = {}
    for place, value in enumerate(order, start=1):
        first.setdefault(value, place)
    return tuple(first[value] for value in values)


def spearman(left: Sequence[float], right: Sequence[float]) -> Correlation:
    """Spearman's rho: Pearson's correlation of the ranks, which is right with ties too.

    C. Spearman, American Journal of Psychology 15, 1904, 72-101. The well-known shortcut over squared differences of
    ranks holds without ties only, and scores are full of ties.

    Args:
        left, right: the two values of each pair, in the same order.

    Raises:
        ValueError: they are not equally many.
    """
    pairs = len(left)
    if len(right) != pairs:
        raise ValueError(f"{pairs} values cannot be paired with {len(right)}")
    if pairs < LEAST_PAIRS:
        return Correlation(None, pairs, f"fewer than {LEAST_PAIRS} pairs")
    # Twice the ranks less their mean are whole numbers, so that sums are exact and equal orders give exactly 1.
    middle = pairs + 1
    first, second = ([int(2 * rank) - middle for rank in ranks(values)] for values in (left, right))
    spread = sum(a * a for a in first) * sum(b * b for b in second)
    if spread == 0:
        return Correlation(None, pairs, "all values on one side are equal")
    together = sum(a * b for a, b in zip(first, second, strict=True))
    return Correlation(together / math.sqrt(spread), pairs)


def kendall_tau_b(left: Sequence[float], right: Sequence[float]) -> float | None:
    """Kendall's tau-b, -1 to 1: pairs in the same order less pairs in the opposite one, corrected for ties.

    M. G. Kendall, Biometrika 33, 1945, 239-251.

    Args:
        left, right: the two values of each item, in the same order.

    Returns:
        `None` where all values on one side are equal, or there are fewer than two.

    Raises:
        ValueError: they are not equally many.
    """
    if len(left) != len(right):
        raise ValueError(f"{len(left)} values cannot be paired with {len(right)}")
    agreement = untied_left = untied_right = 0
    for (a, b), (c, d) in combinations(zip(left, right, strict=True), 2):
        first, second = (a > c) - (a < c), (b > d) - (b < d)
        agreement += first * second
        untied_left += first != 0
        untied_right += second != 0
    if untied_left == 0 or untied_right == 0:
        return None
    return agreement / math.sqrt(untied_left * untied_right)


def auc(positives: Sequence[float], negatives: Sequence[float]) -> float | None:
    """The chance that a positive scores higher than a negative, a tie counting half: the area under the ROC curve.

    By the rank sum of Mann and Whitney (Annals of Mathematical Statistics 18, 1947, 50-60). `None` where one side is
    empty.
    """
    if not positives or not negatives:
        return None
    above = sum(ranks([*positives, *negatives])[: len(positives)]) - len(positives) * (len(positives) + 1) / 2
    return above / (len(positives) * len(negatives))
