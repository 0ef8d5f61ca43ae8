"""Agreement beyond chance: Cohen's kappa of two raters, Krippendorff's alpha of any number with ratings missing."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from typing import TypeVar

from uq_tui.analysis.intervals import Z_95

Label = TypeVar("Label", bound=Hashable)
Rating = str | int | float

NO_PAIRS = "nothing was rated by both"
BOTH_CONSTANT = "both gave one label to everything, the same one"
NO_VARIATION = "all ratings that can be compared are equal"
NOTHING_TWICE = "nothing was rated twice"


@dataclass(frozen=True, slots=True)
class Kappa:
    """Cohen's kappa over `n` pairs of ratings, -1 to 1, with a large-sample 95 % interval cut to that range.

    The interval is `None` where its standard error is 0, as in perfect agreement: that is no certainty.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    observed: float | None
    """Share of pairs that agree."""
    expected: float | None
    """The share that chance alone would bring, at each rater's own use of the labels."""
    undefined: str = ""


def cohen_kappa(table: Mapping[tuple[Label, Label], int]) -> Kappa:
    """Cohen's kappa (Educational and Psychological Measurement 20, 1960, 37-46) of two raters.

    It is undefined when both raters are constant and agree. When one is constant it is 0 whatever the other does. The
    standard error is that of Fleiss, Cohen and Everitt (Psychological Bulletin 72, 1969, 323-327, formula 13).

    Args:
        table: how often each pair of labels was given; absent pairs count 0.
    """
    n = sum(table.values())
    if n == 0:
        return Kappa(None, None, None, 0, None, None, NO_PAIRS)
    first: Counter[Label] = Counter()
    second: Counter[Label] = Counter()
    for (one, other), count in table.items():
        first[one] += count
        second[other] += count
    agreeing = sum(count for (one, other), count in table.items() if one == other)
    chance = sum(first[label] * second[label] for label in first)  # whole numbers, so that equality is exact
    observed, expected = agreeing / n, chance / n**2
    if chance == n**2:
        return Kappa(None, None, None, n, observed, expected, BOTH_CONSTANT)
    value = (n * agreeing - chance) / (n**2 - chance)
    squares = -((value - expected * (1 - value)) ** 2)
    for (one, other), count in table.items():
        if one == other:
            squares += count / n * (1 - (first[one] + second[one]) / n * (1 - value)) ** 2
        else:
            squares += count / n * (1 - value) ** 2 * ((second[one] + first[other]) / n) ** 2
    error = math.sqrt(max(squares, 0.0) / n) / (1 - expected)
    if error < 1e-9:
        return Kappa(value, None, None, n, observed, expected)
    return Kappa(value, max(-1.0, value - Z_95 * error), min(1.0, value + Z_95 * error), n, observed, expected)


class Level(StrEnum):
    """How far apart two different ratings are."""

    NOMINAL = "nominal"
    """They differ or don't."""
    ORDINAL = "ordinal"
    """By how many ratings lie between."""
    INTERVAL = "interval"
    """By the square of their difference."""
    RATIO = "ratio"
    """By the square of their difference over their sum; ratings are 0 or more."""


@dataclass(frozen=True, slots=True)
class Alpha:
    """Krippendorff's alpha, at most 1, over `units` that were rated at least twice, with `ratings` in all."""

    value: float | None
    units: int
    ratings: int
    undefined: str = ""


def krippendorff_alpha(units: Iterable[Sequence[Rating | None]], level: Level = Level.NOMINAL) -> Alpha:
    """Krippendorff's alpha from coincidences (Content Analysis, 2nd edition, 2004, section 11.3).

    Args:
        units: the ratings that each unit was given, `None` where a rater gave none. Order means nothing. A unit
            with fewer than two ratings has nothing to compare and is left out.
        level: how ratings are compared. All but nominal take numbers.

    Raises:
        ValueError: a rating is no number though the level needs numbers, or a ratio's is negative.
    """
    compared = [given for unit in units if (given := _given(unit, level)).total() >= 2]
    margins: Counter[Rating] = Counter()
    coincidences: defaultdict[tuple[Rating, Rating], float] = defaultdict(float)
    for given in compared:
        margins.update(given)
        for one, other in combinations(sorted(given, key=_in_order), 2):
            coincidences[one, other] += given[one] * given[other] / (given.total() - 1)
    n = margins.total()
    if n == 0:
        return Alpha(None, 0, 0, NOTHING_TWICE)
    distance = _distance(level, margins)
    pairs = combinations(sorted(margins, key=_in_order), 2)
    expected = sum(margins[one] * margins[other] * distance(one, other) for one, other in pairs)
    if expected == 0:
        return Alpha(None, len(compared), n, NO_VARIATION)
    observed = sum(count * distance(*pair) for pair, count in coincidences.items())
    return Alpha(1 - (n - 1) * observed / expected, len(compared), n)


def _given(unit: Sequence[Rating | None], level: Level) -> Counter[Rating]:
    given = Counter(rating for rating in unit if rating is not None)
    if level is not Level.NOMINAL:
        for rating in given:
            if isinstance(rating, str):
                raise ValueError(f"{rating!r} is no number, and {level} alpha needs numbers")
            if level is Level.RATIO and rating < 0:
                raise ValueError(f"{rating} is negative, and {level} alpha needs numbers of 0 or more")
    return given


def _in_order(rating: Rating) -> tuple[str, float]:
    return (rating, 0.0) if isinstance(rating, str) else ("", rating)


def _distance(level: Level, margins: Counter[Rating]) -> Callable[[Rating, Rating], float]:
    """The squared distance of two different ratings."""
    if level is Level.NOMINAL:
        return lambda one, other: 1.0
    if level is Level.ORDINAL:
        middle = _middle_ranks(margins)
        return lambda one, other: (middle[one] - middle[other]) ** 2
    if level is Level.INTERVAL:
        return lambda one, other: (float(one) - float(other)) ** 2
    return lambda one, other: ((float(one) - float(other)) / (float(one) + float(other))) ** 2


def _middle_ranks(margins: Counter[Rating]) -> dict[Rating, float]:
    """Where the middle of each rating's block lies when all ratings are put in order."""
    found, before = {}, 0
    for rating in sorted(margins, key=_in_order):
        found[rating] = before + margins[rating] / 2
        before += margins[rating]
    return found
