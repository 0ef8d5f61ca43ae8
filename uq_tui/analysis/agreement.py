"""Agreement beyond chance: Cohen's kappa of two raters, Krippendorff's alpha of any number with ratings missing."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate, combinations
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
    observed: float | None = None
    """Share of pairs of ratings of a unit that are equal, each unit weighing as many as it has ratings."""
    expected: float | None = None
    """Share of pairs of any two of these ratings that are equal. Nominal alpha is (observed - this) / (1 - this)."""
    undefined: str = ""


class Compared:
    """Units that were rated at least twice, those with the same ratings counted together.

    Alpha of these units, or of others like them, follows from the counts.
    """

    def __init__(self, units: Iterable[Sequence[Rating | None]], level: Level) -> None:
        """Take the ratings that each unit was given, as for `krippendorff_alpha`. Raises ValueError as that does."""
        given = (_given(unit, level) for unit in units)
        kinds = Counter(tuple(sorted(one.items(), key=_first_in_order)) for one in given if one.total() >= 2)
        self.counts = tuple(kinds.values())
        """How many units there are of each kind."""
        ratings = sorted({rating for kind in kinds for rating, _ in kind}, key=_in_order)
        place = {rating: number for number, rating in enumerate(ratings)}
        self._ratings = ratings
        self._level = level
        self._kinds = [_Kind.of([(place[rating], times) for rating, times in kind]) for kind in kinds]

    def alpha(self, counts: Sequence[int]) -> Alpha:
        """Alpha of units of which there are `counts`, in the order of `self.counts`."""
        margins = [0] * len(self._ratings)
        coincidences: defaultdict[tuple[int, int], float] = defaultdict(float)
        equal = 0.0
        for kind, count in zip(self._kinds, counts, strict=True):
            if count:
                for rating, times in kind.given:
                    margins[rating] += count * times
                for pair, weight in kind.apart:
                    coincidences[pair] += count * weight
                equal += count * kind.equal
        n, units = sum(margins), sum(counts)
        if n == 0:
            return Alpha(None, 0, 0, undefined=NOTHING_TWICE)
        agreeing, by_chance = equal / n, sum(one * (one - 1) for one in margins) / (n * (n - 1))
        distance = _distance(self._level, self._ratings, margins)
        pairs = combinations([number for number, times in enumerate(margins) if times], 2)
        expected = sum(margins[one] * margins[other] * distance(one, other) for one, other in pairs)
        if expected == 0:
            return Alpha(None, units, n, agreeing, by_chance, NO_VARIATION)
        observed = sum(weight * distance(*pair) for pair, weight in coincidences.items())
        return Alpha(1 - (n - 1) * observed / expected, units, n, agreeing, by_chance)


@dataclass(frozen=True, slots=True)
class _Kind:
    """What a unit of a kind brings. Ratings are named by their place in order."""

    given: tuple[tuple[int, int], ...]
    """Ratings, each with how often it was given."""
    apart: tuple[tuple[tuple[int, int], float], ...]
    """Coincidences of two different ratings."""
    equal: float
    """Coincidences of equal ones, both ways."""

    @classmethod
    def of(cls, given: Sequence[tuple[int, int]]) -> "_Kind":
        others = sum(times for _, times in given) - 1
        apart = (((a, b), times * again / others) for (a, times), (b, again) in combinations(given, 2))
        return cls(tuple(given), tuple(apart), sum(times * (times - 1) for _, times in given) / others)


def krippendorff_alpha(units: Iterable[Sequence[Rating | None]], level: Level = Level.NOMINAL) -> Alpha:
    """Krippendorff's alpha from coincidences (Content Analysis, 2nd edition, 2004, section 11.3).

    Args:
        units: the ratings that each unit was given, `None` where a rater gave none. Order means nothing. A unit
            with fewer than two ratings has nothing to compare and is left out.
        level: how ratings are compared. All but nominal take numbers.

    Raises:
        ValueError: a rating is no number though the level needs numbers, or a ratio's is negative.
    """
    compared = Compared(units, level)
    return compared.alpha(compared.counts)


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


def _first_in_order(given: tuple[Rating, int]) -> tuple[str, float]:
    return _in_order(given[0])


def _distance(level: Level, ratings: Sequence[Rating], margins: Sequence[int]) -> Callable[[int, int], float]:
    """The squared distance of two different ratings, named by their place in order."""
    if level is Level.NOMINAL:
        return lambda one, other: 1.0
    if level is Level.ORDINAL:
        middle = [before - times / 2 for before, times in zip(accumulate(margins), margins, strict=True)]
        return lambda one, other: (middle[one] - middle[other]) ** 2
    values = [float(rating) for rating in ratings]
    if level is Level.INTERVAL:
        return lambda one, other: (values[one] - values[other]) ** 2
    return lambda one, other: ((values[one] - values[other]) / (values[one] + values[other])) ** 2
