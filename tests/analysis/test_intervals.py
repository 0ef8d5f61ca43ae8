"""Intervals: known values, laws, and coverage."""

import math
import random
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.analysis.intervals import Estimate, difference, mean_of_proportions

Stratum = tuple[int, int]


@st.composite
def strata(draw: st.DrawFn, least: int = 1, most: int = 5) -> list[Stratum]:
    trials = draw(st.lists(st.integers(1, 64), min_size=least, max_size=most))
    return [(draw(st.integers(0, count)), count) for count in trials]


def wilson(successes: int, trials: int) -> tuple[float, float]:
    z = NormalDist().inv_cdf(0.975)
    p = successes / trials
    middle = (p + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z / (1 + z * z / trials) * math.sqrt(p * (1 - p) / trials + z * z / (4 * trials * trials))
    return middle - half, middle + half


def known(estimate: Estimate | None) -> Estimate:
    assert estimate is not None
    return estimate


@given(st.integers(1, 200).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials))))
def test_one_stratum_is_wilsons_interval(stratum: Stratum) -> None:
    found = known(mean_of_proportions([stratum]))

    assert (found.low, found.high) == pytest.approx(wilson(*stratum), abs=1e-9)


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


@pytest.mark.parametrize(
    ("trials", "proportions", "least"),
    [
        (4, (0.2, 0.8), 0.90),
        (8, (0.05, 0.65), 0.90),
        (8, (0.5, 0.5, 0.5), 0.92),
        (16, (0.02, 0.35, 0.95), 0.92),
        (64, (0.1, 0.2, 0.5, 0.8, 0.98), 0.93),
    ],
)
def test_coverage(trials: int, proportions: tuple[float, ...], least: float) -> None:
    draws = random.Random(20)
    truth = sum(proportions) / len(proportions)
    found: dict[tuple[Stratum, ...], bool] = {}
    hits = 0
    for _ in range(1_000):
        drawn = tuple((sum(draws.random() < p for _ in range(trials)), trials) for p in proportions)
        if drawn not in found:
            estimate = known(mean_of_proportions(drawn))
            found[drawn] = estimate.low <= truth <= estimate.high
        hits += found[drawn]

    assert least <= hits / 1_000 <= 0.99
