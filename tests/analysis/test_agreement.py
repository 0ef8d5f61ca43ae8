"""Kappa and alpha: published values, values worked out by hand, and laws checked against brute force."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import permutations, product

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.analysis.four_raters import FOUR_RATERS
from uq_tui.analysis.agreement import (
    BOTH_CONSTANT,
    NO_PAIRS,
    NO_VARIATION,
    NOTHING_TWICE,
    Compared,
    Level,
    Rating,
    cohen_kappa,
    krippendorff_alpha,
)
from uq_tui.analysis.intervals import Z_95

Unit = list[int | None]
PAIRS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=30)
UNITS = st.lists(st.lists(st.one_of(st.none(), st.integers(0, 4)), max_size=5), min_size=1, max_size=8)


def test_kappa_worked_out_by_hand() -> None:
    # 25 agreed yes, 15 agreed no, 5 and 5 apart: 40 of 50 agree, by chance (30 * 30 + 20 * 20) / 2500 = .52.
    found = cohen_kappa({("y", "y"): 25, ("y", "n"): 5, ("n", "y"): 5, ("n", "n"): 15})
    assert (found.observed, found.expected, found.n) == (0.8, 0.52, 50)
    assert found.value == pytest.approx(0.28 / 0.48)


def test_one_constant_rater_brings_kappa_0() -> None:
    assert cohen_kappa({("y", "y"): 3, ("y", "n"): 9}).value == 0


def test_two_constant_raters_leave_kappa_undefined_only_when_they_agree() -> None:
    agreeing = cohen_kappa({("y", "y"): 9})
    assert (agreeing.value, agreeing.undefined, agreeing.n) == (None, BOTH_CONSTANT, 9)
    assert cohen_kappa({("y", "n"): 9}).value == 0


def test_kappa_of_nothing_is_undefined() -> None:
    empty: dict[tuple[str, str], int] = {}
    assert cohen_kappa(empty).undefined == NO_PAIRS


def test_perfect_agreement_has_no_interval() -> None:
    found = cohen_kappa({("y", "y"): 3, ("n", "n"): 3})
    assert (found.value, found.low, found.high) == (1, None, None)


@given(PAIRS)
def test_kappa_is_the_agreement_over_all_pairings_of_the_two_raters(pairs: list[tuple[int, int]]) -> None:
    first, second = zip(*pairs, strict=True)
    chance = sum(a == b for a, b in product(first, second)) / len(pairs) ** 2
    observed = sum(a == b for a, b in pairs) / len(pairs)
    found = cohen_kappa(Counter(pairs))
    if chance == 1:
        assert found.value is None
    else:
        assert found.value == pytest.approx((observed - chance) / (1 - chance))
        assert cohen_kappa(Counter((b, a) for a, b in pairs)).value == pytest.approx(found.value)


@given(PAIRS)
def test_kappas_standard_error_is_that_of_the_delta_method(pairs: list[tuple[int, int]]) -> None:
    table = Counter(pairs)
    found = cohen_kappa(table)
    assume(found.low is not None and found.low > -1 and found.high is not None and found.high < 1)
    assert found.low is not None
    assert found.high is not None
    shares = {cell: table[cell] / len(pairs) for cell in product(range(3), range(3))}
    step = 1e-5
    slopes = {
        cell: (_kappa({**shares, cell: here + step}) - _kappa({**shares, cell: here - step})) / (2 * step)
        for cell, here in shares.items()
    }
    centre = sum(shares[cell] * slopes[cell] for cell in shares)
    variance = sum(shares[cell] * (slopes[cell] - centre) ** 2 for cell in shares) / len(pairs)
    assert (found.high - found.low) / 2 == pytest.approx(Z_95 * math.sqrt(variance), rel=1e-3, abs=1e-4)


def _kappa(shares: dict[tuple[int, int], float]) -> float:
    observed = sum(share for (a, b), share in shares.items() if a == b)
    expected = sum(shares[a, b] * shares[c, a] for a, b, c in product(range(3), repeat=3))
    return (observed - expected) / (1 - expected)


@pytest.mark.parametrize(
    "rows",
    [
        # Two tables that NLTK tests its own alpha with, -1/3 both: what stands alone in its unit counts for nothing.
        [["YES", "NO", "NO"], ["YES", "NO"], ["NO"]],
        [["YES", "NO", "NO"], ["YES", "NO", None]],
    ],
)
def test_alpha_of_published_tables(rows: list[list[str | None]]) -> None:
    assert krippendorff_alpha(rows).value == pytest.approx(-1 / 3)


@pytest.mark.parametrize(
    ("level", "printed"),
    [(Level.NOMINAL, 0.7434), (Level.ORDINAL, 0.8154), (Level.INTERVAL, 0.8491), (Level.RATIO, 0.7974)],
)
def test_alpha_of_krippendorffs_four_raters_and_twelve_units(level: Level, printed: float) -> None:
    found = krippendorff_alpha(FOUR_RATERS, level)
    assert found.value == pytest.approx(printed, abs=5e-5)
    assert (found.units, found.ratings) == (11, 40)


@settings(max_examples=50)
@given(UNITS, st.sampled_from([Level.NOMINAL, Level.ORDINAL, Level.INTERVAL]))
def test_alpha_is_that_of_the_krippendorff_package(units: list[Unit], level: Level) -> None:
    found = krippendorff_alpha(units, level)
    assume(found.value is not None)
    most = max(map(len, units))
    # It takes raters as rows, NaN for a rating that is missing.
    table = [[math.nan if place >= len(unit) else _or_nan(unit[place]) for unit in units] for place in range(most)]
    theirs = krippendorff.alpha(reliability_data=np.array(table), level_of_measurement=level.value)
    assert found.value == pytest.approx(theirs, abs=1e-9)


def _or_nan(rating: int | None) -> float:
    return math.nan if rating is None else float(rating)


@given(UNITS)
def test_nominal_alpha_is_what_is_observed_beyond_chance(units: list[Unit]) -> None:
    found = krippendorff_alpha(units)
    assume(found.value is not None)
    assert found.observed is not None
    assert found.expected is not None
    assert found.value == pytest.approx((found.observed - found.expected) / (1 - found.expected), abs=1e-9)


@given(UNITS, st.sampled_from(Level), st.lists(st.integers(0, 3), min_size=8, max_size=8))
def test_alpha_of_counted_units_is_that_of_the_units_one_by_one(
    units: list[Unit], level: Level, times: list[int]
) -> None:
    distinct = list({tuple(sorted(rating for rating in unit if rating is not None)): unit for unit in units}.values())
    compared = Compared(distinct, level)
    rated = [unit for unit in distinct if sum(rating is not None for rating in unit) > 1]
    counts = times[: len(compared.counts)]
    again = [unit for unit, count in zip(rated, counts, strict=True) for _ in range(count)]
    one_by_one = krippendorff_alpha(again, level)
    counted = compared.alpha(counts)
    assert (counted.units, counted.ratings, counted.undefined) == (
        one_by_one.units,
        one_by_one.ratings,
        one_by_one.undefined,
    )
    assert counted.value == (None if one_by_one.value is None else pytest.approx(one_by_one.value, abs=1e-9))


def test_alpha_counts_units_and_ratings_that_can_be_compared() -> None:
    found = krippendorff_alpha([[1, 2, None], [3, None], [None, 2, 2, 2]])
    assert (found.units, found.ratings) == (2, 5)


def test_alpha_without_variation_or_without_pairs_is_undefined() -> None:
    same, alone = krippendorff_alpha([[1, 1], [1, 1, None]]), krippendorff_alpha([[1], [None, 2], []])
    assert (same.value, same.undefined, same.ratings) == (None, NO_VARIATION, 4)
    assert (alone.value, alone.undefined, alone.ratings) == (None, NOTHING_TWICE, 0)


@pytest.mark.parametrize(("level", "rating"), [(Level.ORDINAL, "high"), (Level.INTERVAL, "3"), (Level.RATIO, -1)])
def test_a_rating_the_level_cannot_take_is_refused(level: Level, rating: Rating) -> None:
    with pytest.raises(ValueError, match=str(level)):
        krippendorff_alpha([[1, rating]], level)


@given(UNITS, st.sampled_from(Level))
def test_alpha_is_one_minus_disagreement_within_over_disagreement_between(units: list[Unit], level: Level) -> None:
    rated = [given for unit in units if len(given := [rating for rating in unit if rating is not None]) > 1]
    every = [rating for given in rated for rating in given]
    distance = _distance(level, every)
    between = [distance(a, b) for a, b in permutations(every, 2)]
    found = krippendorff_alpha(units, level)
    if not any(between):
        assert found.value is None
        return
    within = sum(distance(a, b) / (len(given) - 1) for given in rated for a, b in permutations(given, 2)) / len(every)
    assert found.value == pytest.approx(1 - within / (sum(between) / len(between)), abs=1e-9)


def _distance(level: Level, every: Sequence[int]) -> Callable[[int, int], float]:
    """Krippendorff's metrics as they are written down, over the whole list of ratings."""

    def ordinal(a: int, b: int) -> float:
        low, high = sorted((a, b))
        between = sum(low <= rating <= high for rating in every)
        return (between - (every.count(a) + every.count(b)) / 2) ** 2 if a != b else 0.0

    return {
        Level.NOMINAL: lambda a, b: float(a != b),
        Level.ORDINAL: ordinal,
        Level.INTERVAL: lambda a, b: float((a - b) ** 2),
        Level.RATIO: lambda a, b: ((a - b) / (a + b)) ** 2 if a + b else 0.0,
    }[level]


@given(UNITS, st.sampled_from([Level.NOMINAL, Level.ORDINAL, Level.INTERVAL]))
def test_alpha_doesnt_depend_on_who_gave_which_rating(units: list[Unit], level: Level) -> None:
    shuffled = [sorted(unit, key=lambda rating: -1 if rating is None else rating) for unit in units]
    assert krippendorff_alpha(shuffled, level).value == pytest.approx(krippendorff_alpha(units, level).value)


@given(UNITS, st.integers(1, 5), st.integers(-3, 3))
def test_interval_alpha_doesnt_depend_on_the_scale(units: list[Unit], by: int, more: int) -> None:
    moved = [[None if rating is None else by * rating + more for rating in unit] for unit in units]
    before, after = (krippendorff_alpha(some, Level.INTERVAL).value for some in (units, moved))
    assert after == pytest.approx(before, abs=1e-9) if before is not None else after is None
