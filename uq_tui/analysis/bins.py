"""Equal bins over the range from 0 to 1."""

from bisect import bisect_right
from itertools import pairwise

_ROUNDING = 12
"""Decimals by which a value is looked up: 1 - .8 comes out just below .2, and belongs to the bin above all the same."""


def limits(count: int) -> tuple[tuple[float, float], ...]:
    """The lower and upper limit of each bin."""
    return tuple(pairwise(place / count for place in range(count + 1)))


def place(value: float, count: int) -> int:
    """Which of the bins, from 0, a value in [0, 1] lies in: on a limit in the one above, at 1 in the last."""
    lower = [low for low, _ in limits(count)]
    return bisect_right(lower, round(value, _ROUNDING), key=lambda low: round(low, _ROUNDING)) - 1
