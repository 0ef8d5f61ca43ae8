"""Confidence sequences: laws, brute force over a grid, and how often they miss at any look."""

import math
import random
from collections.abc import Callable
from itertools import product
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.analysis.intervals import Estimate, mean_of_proportions
from uq_tui.analysis.sequences import anytime_difference, anytime_mean, highest_difference

Stratum = tuple[int, int]
GRID = [step / 400 for step in range(401)]


@st.composite
def strata(draw: st.DrawFn, least: int = 1, most: int = 5, trials: int = 64) -> list[Stratum]:
    counts = draw(st.lists(st.integers(1, trials), min_size=least, max_size=most))
    return [(draw(st.integers(0, count)), count) for count in counts]


def known(estimate: Estimate | None) -> Estimate:
    assert estimate is not None
    return estimate


@given(strata())
def test_the_interval_holds_the_value_and_lies_in_0_to_1(some: list[Stratum]) -> None:
    found = known(anytime_mean(some))

    assert found.value == pytest.approx(sum(solved / trials for solved, trials in some) / len(some))
    assert 0.0 <= found.low <= found.value <= found.high <= 1.0


@given(strata())
def test_swapping_successes_and_failures_mirrors_the_interval(some: list[Stratum]) -> None:
    found = known(anytime_mean(some))
    mirrored = known(anytime_mean([(trials - solved, trials) for solved, trials in some]))

    assert (1 - mirrored.high, 1 - mirrored.low) == pytest.approx((found.low, found.high), abs=1e-6)


@given(strata(least=2))
def test_the_order_of_strata_does_not_matter(some: list[Stratum]) -> None:
    found, turned = known(anytime_mean(some)), known(anytime_mean(some[::-1]))

    assert (turned.low, turned.high) == pytest.approx((found.low, found.high), abs=1e-6)


@given(strata(), st.floats(0.001, 0.2), st.floats(1.1, 100.0))
def test_a_smaller_alpha_widens(some: list[Stratum], alpha: float, by: float) -> None:
    narrow, wide = known(anytime_mean(some, alpha=alpha)), known(anytime_mean(some, alpha=alpha / by))

    assert wide.low <= narrow.low + 1e-6
    assert wide.high >= narrow.high - 1e-6


@given(strata(trials=256))
def test_it_is_wider_than_the_interval_for_one_look(some: list[Stratum]) -> None:
    live, once = known(anytime_mean(some)), known(mean_of_proportions(some))

    assert live.low <= once.low
    assert live.high >= once.high


@given(strata(), strata())
def test_a_difference_turned_round_changes_its_sign(left: list[Stratum], right: list[Stratum]) -> None:
    forward, backward = known(anytime_difference(left, right)), known(anytime_difference(right, left))

    assert (-backward.high, -backward.low) == pytest.approx((forward.low, forward.high), abs=1e-12)
    assert -1.0 <= forward.low <= forward.value <= forward.high <= 1.0


@given(strata(), strata())
def test_the_upper_bound_alone_is_that_of_the_interval(left: list[Stratum], right: list[Stratum]) -> None:
    assert highest_difference(left, right, alpha=0.05) == known(anytime_difference(left, right)).high


def test_a_joint_difference_is_narrower_than_two_intervals_put_together() -> None:
    left, right = [(24, 32), (20, 32)], [(4, 32), (9, 32)]
    found = known(anytime_difference(left, right))
    one, other = known(anytime_mean(left, alpha=0.025)), known(anytime_mean(right, alpha=0.025))

    assert found.high - found.low < 0.9 * (one.high - one.low + other.high - other.low)


@pytest.mark.parametrize("some", [[], [(0, 0)], [(3, 8), (0, 0)]])
def test_nothing_is_known_without_a_trial_in_every_stratum(some: list[Stratum]) -> None:
    assert anytime_mean(some) is None
    assert anytime_difference(some, [(1, 2)]) is None
    assert anytime_difference([(1, 2)], some) is None
    assert highest_difference(some, [(1, 2)], alpha=0.05) == 1.0


def test_all_or_nothing_ends_at_the_edge() -> None:
    nothing, everything = known(anytime_mean([(0, 8)] * 2)), known(anytime_mean([(8, 8)] * 2))

    assert (nothing.low, everything.high) == (0.0, 1.0)
    assert known(anytime_difference([(8, 8)], [(0, 8)])).high == 1.0
    assert known(anytime_difference([(0, 8)], [(8, 8)])).low == -1.0


def mixture(some: list[Stratum]) -> float:
    """How likely the mixture makes the counts in their order: Beta(1/2, 1/2) worked out from its definition."""

    def beta_binomial(successes: int, trials: int) -> float:
        chance = 1.0
        for number in range(trials):
            success = number < successes
            before = min(number, successes) if success else number - successes
            chance *= (before + 0.5) / (number + 1.0)
        return chance

    apart = math.prod(beta_binomial(*stratum) for stratum in some)
    return (apart + beta_binomial(sum(x for x, _ in some), sum(n for _, n in some))) / 2


def likelihood(some: list[Stratum], proportions: tuple[float, ...]) -> float:
    return math.prod(p**x * (1 - p) ** (n - x) for (x, n), p in zip(some, proportions, strict=True))


@pytest.mark.parametrize(
    "some", [[(3, 8)], [(0, 4)], [(20, 32)], [(1, 4), (8, 8)], [(6, 16), (2, 5)], [(7, 8), (7, 8)]]
)
def test_the_interval_is_that_of_the_proportions_not_refuted(some: list[Stratum]) -> None:
    least = mixture(some) * 0.05
    inside = [
        sum(proportions) / len(some)
        for proportions in product(GRID, repeat=len(some))
        if likelihood(some, proportions) > least
    ]
    found = known(anytime_mean(some))

    assert found.low == pytest.approx(min(inside), abs=1 / 400)
    assert found.high == pytest.approx(max(inside), abs=1 / 400)


@pytest.mark.parametrize(
    ("left", "right", "steps"),
    [
        ([(3, 8)], [(5, 8)], 400),
        ([(0, 4)], [(16, 16)], 400),
        ([(12, 16)], [(1, 3)], 400),
        ([(5, 6), (2, 4)], [(2, 8)], 60),
    ],
)
def test_a_difference_is_that_of_the_proportions_not_refuted(
    left: list[Stratum], right: list[Stratum], steps: int
) -> None:
    grid = [step / steps for step in range(steps + 1)]
    least = mixture(left) * mixture(right) * 0.05
    inside = [
        fmean(proportions[: len(left)]) - fmean(proportions[len(left) :])
        for proportions in product(grid, repeat=len(left) + len(right))
        if likelihood([*left, *right], proportions) > least
    ]
    found = known(anytime_difference(left, right))

    assert found.low == pytest.approx(min(inside), abs=2 / steps)
    assert found.high == pytest.approx(max(inside), abs=2 / steps)
    # No point of the grid beats the search.
    assert found.low - 1e-9 <= min(inside)
    assert max(inside) <= found.high + 1e-9


def chance_of_a_miss(
    proportions: tuple[float, ...], rounds: int, look: Callable[[list[Stratum]], Estimate | None], truth: float
) -> float:
    """The exact chance that the truth is outside at a look after any of so many whole rounds."""
    outcomes = [
        (outcome, math.prod(p if solved else 1 - p for solved, p in zip(outcome, proportions, strict=True)))
        for outcome in product((0, 1), repeat=len(proportions))
    ]
    alive = {(0,) * len(proportions): 1.0}
    missed = 0.0
    for done in range(1, rounds + 1):
        after: dict[tuple[int, ...], float] = {}
        for before, chance in alive.items():
            for outcome, weight in outcomes:
                counts = tuple(map(sum, zip(before, outcome, strict=True)))
                after[counts] = after.get(counts, 0.0) + chance * weight
        alive = {}
        for counts, chance in after.items():
            found = known(look([(count, done) for count in counts]))
            if found.low <= truth <= found.high:
                alive[counts] = chance
            else:
                missed += chance
    return missed


def mean_missed(proportions: tuple[float, ...], rounds: int) -> float:
    return chance_of_a_miss(proportions, rounds, anytime_mean, fmean(proportions))


def difference_missed(left: float, right: float, rounds: int) -> float:
    return chance_of_a_miss(
        (left, right), rounds, lambda counts: anytime_difference(counts[:1], counts[1:]), left - right
    )


@pytest.mark.parametrize(
    ("proportions", "rounds"),
    [
        ((0.02,), 64),
        ((0.1,), 64),
        ((0.5,), 64),
        ((0.98,), 64),
        ((0.02, 0.02), 12),
        ((0.98, 0.9), 12),
        ((0.5, 0.5), 12),
        ((0.1, 0.5, 0.9), 6),
        ((0.02,) * 4, 4),
    ],
)
def test_the_chance_of_a_miss_at_any_look_is_at_most_5_percent(proportions: tuple[float, ...], rounds: int) -> None:
    assert 0.0 < mean_missed(proportions, rounds) <= 0.05


def test_an_interval_for_one_look_misses_far_more_often() -> None:
    assert chance_of_a_miss((0.5,), 64, mean_of_proportions, 0.5) > 0.3


@pytest.mark.parametrize(("left", "right"), [(0.5, 0.5), (0.9, 0.8), (0.98, 0.02)])
def test_a_difference_is_missed_at_any_look_with_at_most_5_percent(left: float, right: float) -> None:
    assert 0.0 < difference_missed(left, right, 12) <= 0.05


@pytest.mark.long
@pytest.mark.parametrize("left", [0.02, 0.3, 0.5, 0.9])
@pytest.mark.parametrize("right", [0.02, 0.5, 0.8, 0.98])
def test_the_chance_for_a_difference_stays_below_5_percent_for_longer(left: float, right: float) -> None:
    assert difference_missed(left, right, 40) <= 0.05


@pytest.mark.long
@pytest.mark.parametrize(("count", "rounds"), [(1, 300), (2, 40), (3, 16), (5, 6)])
@pytest.mark.parametrize("p", [0.02, 0.05, 0.2, 0.5, 0.8, 0.95, 0.98])
def test_the_chance_stays_below_5_percent_for_longer(p: float, count: int, rounds: int) -> None:
    assert mean_missed((p,) * count, rounds) <= 0.05


@pytest.mark.long
@pytest.mark.parametrize("proportions", [(0.02, 0.1), (0.3,) * 3, (0.98, 0.9, 0.5, 0.2, 0.05)])
def test_looks_may_also_decide_what_is_drawn_next(proportions: tuple[float, ...]) -> None:
    draws = random.Random(7)
    truth = sum(proportions) / len(proportions)
    missed = 0
    for _ in range(300):
        counts = [[0, 0] for _ in proportions]
        for _ in range(100):
            # The stratum that looks best goes on, which makes the estimate itself too low on average.
            chosen = max(range(len(counts)), key=lambda of: (counts[of][0] + 1) / (counts[of][1] + 1))
            counts[chosen][0] += draws.random() < proportions[chosen]
            counts[chosen][1] += 1
            found = anytime_mean([(x, n) for x, n in counts])
            if found is not None and not found.low <= truth <= found.high:
                missed += 1
                break
    assert missed / 300 <= 0.05
