"""Intervals: known values, laws, and coverage."""

import math
import random
from collections.abc import Sequence
from functools import cache
from itertools import product
from operator import mul
from statistics import NormalDist, fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.analysis.intervals import Estimate, difference, mean_of_proportions, observed_mean

Stratum = tuple[int, int]
Counts = tuple[int, ...]


@st.composite
def strata(draw: st.DrawFn, least: int = 1, most: int = 5) -> list[Stratum]:
    trials = draw(st.lists(st.integers(1, 64), min_size=least, max_size=most))
    return [(draw(st.integers(0, count)), count) for count in trials]


def wilson(successes: int, trials: int, alpha: float = 0.05) -> tuple[float, float]:
    z = NormalDist().inv_cdf(1 - alpha / 2)
    p = successes / trials
    middle = (p + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z / (1 + z * z / trials) * math.sqrt(p * (1 - p) / trials + z * z / (4 * trials * trials))
    return middle - half, middle + half


def known(estimate: Estimate | None) -> Estimate:
    assert estimate is not None
    return estimate


@given(
    st.integers(1, 200).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials))),
    st.sampled_from([0.05, 0.01, 0.2]),
)
def test_one_stratum_is_wilsons_interval(stratum: Stratum, alpha: float) -> None:
    found = known(mean_of_proportions([stratum], alpha=alpha))

    assert (found.low, found.high) == pytest.approx(wilson(*stratum, alpha), abs=1e-9)


@given(strata())
def test_the_interval_holds_the_value_and_lies_in_0_to_1(some: list[Stratum]) -> None:
    found = known(mean_of_proportions(some))

    assert found.value == pytest.approx(sum(solved / trials for solved, trials in some) / len(some))
    assert 0.0 <= found.low <= found.value + 1e-12
    assert found.value - 1e-12 <= found.high <= 1.0


@given(strata())
def test_swapping_successes_and_failures_mirrors_the_interval(some: list[Stratum]) -> None:
    found = known(mean_of_proportions(some))
    mirrored = known(mean_of_proportions([(trials - solved, trials) for solved, trials in some]))

    assert (1 - mirrored.high, 1 - mirrored.low) == pytest.approx((found.low, found.high), abs=1e-9)


@given(strata(least=2))
def test_the_order_of_strata_does_not_matter(some: list[Stratum]) -> None:
    found, turned = known(mean_of_proportions(some)), known(mean_of_proportions(some[::-1]))

    assert (turned.low, turned.high) == pytest.approx((found.low, found.high), abs=1e-9)


@given(strata())
def test_four_times_the_trials_narrow_the_interval(some: list[Stratum]) -> None:
    few = known(mean_of_proportions(some))
    many = known(mean_of_proportions([(4 * solved, 4 * trials) for solved, trials in some]))

    assert many.high - many.low < few.high - few.low


@given(strata(most=4))
def test_one_more_success_moves_both_bounds_up(some: list[Stratum]) -> None:
    solved, trials = some[0]
    if solved == trials:
        return
    before = known(mean_of_proportions(some))
    after = known(mean_of_proportions([(solved + 1, trials), *some[1:]]))

    assert after.low >= before.low - 1e-9
    assert after.high >= before.high - 1e-9


@pytest.mark.parametrize("some", [[], [(0, 0)], [(3, 8), (0, 0)]])
def test_the_mean_is_unknown_without_trials_in_every_stratum(some: list[Stratum]) -> None:
    assert mean_of_proportions(some) is None


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ([(1, 10), (2, 10), (0, 10)], [(3, 10), (0, 10), (0, 10)]),
        ([(1, 10), (7, 10), (2, 10)], [(7, 10), (2, 10), (1, 10)]),
        ([(1, 3), (1, 6), (1, 2)], [(1, 1), (0, 5), (0, 7)]),
    ],
)
def test_equal_means_are_equal_whatever_strata_they_come_from(left: list[Stratum], right: list[Stratum]) -> None:
    assert observed_mean(left) == observed_mean(right)


def test_all_or_nothing_ends_at_the_edge() -> None:
    nothing, everything = known(mean_of_proportions([(0, 8)] * 3)), known(mean_of_proportions([(8, 8)] * 3))

    assert (nothing.value, nothing.low, everything.high) == (0.0, 0.0, 1.0)
    assert 0.05 < nothing.high < 0.2


def test_a_difference_of_two_single_proportions_is_newcombes() -> None:
    # Newcombe 1998, table II, method 10: 56/70 against 48/80.
    found = difference(known(mean_of_proportions([(56, 70)])), known(mean_of_proportions([(48, 80)])))

    assert (found.value, found.low, found.high) == pytest.approx((0.2, 0.0524, 0.3339), abs=5e-5)


@given(strata(), strata())
def test_a_difference_turned_round_changes_its_sign(left: list[Stratum], right: list[Stratum]) -> None:
    one, other = known(mean_of_proportions(left)), known(mean_of_proportions(right))
    forward, backward = difference(one, other), difference(other, one)

    assert (-backward.high, -backward.low) == pytest.approx((forward.low, forward.high))
    assert -1.0 <= forward.low <= forward.value <= forward.high <= 1.0


GRID = [step / 50 for step in range(1, 50)]
"""The success rates of a solver: .02 to .98."""
NEAR_95 = (0.935, 0.965)


def outcomes(proportions: Sequence[float], trials: int) -> dict[Counts, float]:
    """The chance of each set of counts; which stratum had which doesn't matter to the mean."""
    found: dict[Counts, float] = {(): 1.0}
    for p in proportions:
        chances = [math.comb(trials, x) * p**x * (1 - p) ** (trials - x) for x in range(trials + 1)]
        longer: dict[Counts, float] = {}
        for counts, chance in found.items():
            for x, of in enumerate(chances):
                more = tuple(sorted((*counts, x)))
                longer[more] = longer.get(more, 0.0) + chance * of
        found = longer
    return found


@cache
def interval(counts: Counts, trials: int) -> Estimate:
    return known(mean_of_proportions([(x, trials) for x in counts]))


def covered(proportions: Sequence[float], trials: int, counts: Counts) -> bool:
    found = interval(tuple(sorted(counts)), trials)
    return found.low - 1e-12 <= sum(proportions) / len(proportions) <= found.high + 1e-12


def coverage(proportions: Sequence[float], trials: int) -> float:
    """Exact."""
    return sum(
        chance for counts, chance in outcomes(proportions, trials).items() if covered(proportions, trials, counts)
    )


def fillings(count: int, number: int) -> list[list[float]]:
    draws = random.Random(count)
    return [[draws.choice(GRID) for _ in range(count)] for _ in range(number)]


@pytest.mark.parametrize(("trials", "proportions"), [(4, [0.02, 0.5, 0.98]), (8, [0.1] * 3), (16, [0.3, 0.7])])
def test_the_estimate_is_unbiased(trials: int, proportions: list[float]) -> None:
    expected = sum(chance * interval(counts, trials).value for counts, chance in outcomes(proportions, trials).items())

    assert expected == pytest.approx(sum(proportions) / len(proportions), abs=1e-12)


def test_no_interval_is_near_95_percent_at_each_success_rate() -> None:
    # Whatever the interval is, it is right for some of the counts 0 to 4 and wrong for the others.
    chances = list(outcomes([0.02], 4).values())
    least, most = NEAR_95

    assert not [chosen for chosen in product((0, 1), repeat=5) if least <= sum(map(mul, chosen, chances)) <= most]


SMALL = [(4, 1), (4, 2), (4, 3), (4, 4), (4, 5), (8, 1), (8, 2), (8, 3), (8, 4), (16, 1), (16, 2), (16, 3), (64, 1)]
LARGE = [(8, 5), (16, 4), (16, 5), (64, 2)]
"""(trials, strata)."""


def check_coverage(trials: int, count: int, number_of_fillings: int) -> None:
    least, most = NEAR_95
    same = [coverage([p] * count, trials) for p in GRID]
    assert least <= fmean(same) <= most
    assert min(same) > 0.84
    if count > 1:
        assert least <= fmean(coverage(mixed, trials) for mixed in fillings(count, number_of_fillings)) <= most


@pytest.mark.parametrize(("trials", "count"), SMALL)
def test_mean_coverage_over_success_rates_is_95_percent(trials: int, count: int) -> None:
    check_coverage(trials, count, 40)


@pytest.mark.long
@pytest.mark.parametrize(("trials", "count"), [*SMALL, *LARGE])
def test_mean_coverage_with_more_strata_and_fillings(trials: int, count: int) -> None:
    check_coverage(trials, count, 200)


@pytest.mark.long
@pytest.mark.parametrize("count", [3, 4, 5])
@pytest.mark.parametrize("mixed", [False, True])
def test_mean_coverage_with_64_trials(count: int, mixed: bool) -> None:
    draws = random.Random(count)
    cases = fillings(count, 50) if mixed else [[p] * count for p in GRID]
    hits = [
        covered(case, 64, tuple(sum(draws.random() < p for _ in range(64)) for p in case))
        for case in cases
        for _ in range(200)
    ]

    # 10,000 draws: two standard errors are .5 of a point, which leaves the claim of 1.5 points well apart.
    assert NEAR_95[0] <= fmean(hits) <= NEAR_95[1]


@pytest.mark.parametrize(("trials", "count"), [(4, 1), (4, 2), (8, 1), (16, 1)])
def test_mean_coverage_of_a_difference_over_pairs_of_success_rates(trials: int, count: int) -> None:
    grid = GRID[::6]
    found = {p: outcomes([p] * count, trials) for p in grid}
    rates = []
    for treated, untreated in product(grid, grid):
        right = 0.0
        for (one, chance), (other, of) in product(found[treated].items(), found[untreated].items()):
            lift = difference(interval(one, trials), interval(other, trials))
            right += chance * of * (lift.low - 1e-12 <= treated - untreated <= lift.high + 1e-12)
        rates.append(right)

    assert NEAR_95[0] <= fmean(rates) <= NEAR_95[1]
    assert min(rates) > 0.84
