"""Means over units in [0, 1]: values worked out by hand, laws, and coverage."""

import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.analysis.intervals import mean_of_proportions
from uq_tui.analysis.unit_means import LEAST_CLUSTERS, UnitMean, mean_of_units

VALUES = st.floats(0, 1)
CLUSTERS = st.lists(st.lists(VALUES, max_size=4), min_size=1, max_size=12)


def known(clusters: list[list[float]]) -> UnitMean:
    found = mean_of_units(clusters)
    assert found is not None
    return found


def bounds(found: UnitMean) -> tuple[float, float]:
    assert found.low is not None
    assert found.high is not None
    return found.low, found.high


@given(st.lists(st.booleans(), min_size=LEAST_CLUSTERS, max_size=80))
def test_single_values_of_0_and_1_have_wilsons_interval(hits: list[bool]) -> None:
    wilson = mean_of_proportions([(sum(hits), len(hits))])
    assert wilson is not None

    assert bounds(known([[float(hit)] for hit in hits])) == pytest.approx((wilson.low, wilson.high), abs=1e-9)


def test_by_hand() -> None:
    """Four of .5 and four of .75: variances of 1/64 in each, of 15/64 at most. With two more of 15/64 it is 38/640."""
    found = known([[0.5]] * 4 + [[0.75]] * 4)

    assert (found.value, found.n, found.clusters) == (0.625, 8, 8)
    effective = 8 * (15 / 64) / (38 / 640)
    middle = (0.625 + 3.8414588 / (2 * effective)) / (1 + 3.8414588 / effective)
    assert sum(bounds(found)) / 2 == pytest.approx(middle)


def test_values_of_one_question_count_as_little_as_one_when_they_are_alike() -> None:
    once = known([[float(place < 6)] for place in range(10)])
    thrice = known([[float(place < 6)] * 3 for place in range(10)])

    assert bounds(thrice) == pytest.approx(bounds(once))
    assert (thrice.n, thrice.clusters) == (30, 10)


def test_equal_values_leave_doubt() -> None:
    low, high = bounds(known([[1.0]] * 8))
    assert low == pytest.approx(0.6756, abs=5e-5)
    assert high == 1.0
    low, high = bounds(known([[0.5]] * 8))
    assert low < 0.4
    assert high > 0.6


def test_few_questions_have_no_interval() -> None:
    assert known([[0.25, 0.5]] * (LEAST_CLUSTERS - 1)) == UnitMean(0.375, None, None, 8, 4)
    assert known([[0.25, 0.5]] * LEAST_CLUSTERS).low is not None


@pytest.mark.parametrize("clusters", [[], [[]], [[], []]])
def test_without_values_there_is_no_mean(clusters: list[list[float]]) -> None:
    assert mean_of_units(clusters) is None


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan")])
def test_values_off_the_range_are_a_mistake(value: float) -> None:
    with pytest.raises(ValueError, match="outside"):
        mean_of_units([[value]])


@given(CLUSTERS)
def test_the_interval_holds_the_mean_and_lies_in_0_to_1(clusters: list[list[float]]) -> None:
    found = mean_of_units(clusters)
    values = [value for cluster in clusters for value in cluster]
    if found is None:
        assert not values
        return
    assert found.value == pytest.approx(sum(values) / len(values))
    if found.low is not None and found.high is not None:
        assert 0 <= found.low <= found.value <= found.high <= 1
        assert found.low < found.high


@given(CLUSTERS)
def test_turning_values_round_turns_the_interval_round(clusters: list[list[float]]) -> None:
    found = mean_of_units(clusters)
    turned = mean_of_units([[1 - value for value in cluster] for cluster in clusters])
    if found is None or turned is None or found.low is None or found.high is None:
        assert turned is None or turned.low is None
        return
    assert bounds(turned) == pytest.approx((1 - found.high, 1 - found.low), abs=1e-6)


@given(CLUSTERS)
def test_another_range_moves_and_stretches_the_interval(clusters: list[list[float]]) -> None:
    found = mean_of_units(clusters)
    moved = mean_of_units([[6 * value - 2 for value in cluster] for cluster in clusters], lowest=-2, highest=4)
    if found is None or moved is None or found.low is None or found.high is None:
        assert moved is None or moved.low is None
        return
    assert bounds(moved) == pytest.approx((6 * found.low - 2, 6 * found.high - 2), abs=1e-6)


@pytest.mark.parametrize(
    ("questions", "draw", "truth"),
    [
        (5, lambda by: [by.choice((0.0, 1.0))], 0.5),
        (8, lambda by: by.choices(([0.0], [0.5], [1.0]), (5, 10, 85))[0], 0.9),
        (10, lambda by: [round(20 * by.betavariate(4, 4)) / 20], 0.5),
        (20, lambda by: by.choices(([0.6], [0.8], [1.0]), (1, 3, 6))[0], 0.9),
        # Two variants of a question that mostly come out alike.
        (12, lambda by: by.choices(([0.0, 0.0], [0.0, 1.0], [1.0, 1.0]), (3, 2, 5))[0], 0.6),
    ],
)
def test_coverage(questions: int, draw: Callable[[random.Random], list[float]], truth: float) -> None:
    by = random.Random(7)
    hits = 0
    for _ in range(600):
        low, high = bounds(known([draw(by) for _ in range(questions)]))
        hits += low <= truth <= high

    assert hits / 600 >= 0.92


Draw = Callable[[random.Random], float]


def of(values: tuple[float, ...], chances: tuple[float, ...]) -> tuple[Draw, float]:
    truth = sum(value * chance for value, chance in zip(values, chances, strict=True))
    return lambda by: by.choices(values, chances)[0], truth


def area(left: int, right: int, full: float = 0.0) -> tuple[Draw, float]:
    """Areas in twentieths, some of them 1. Rounded ones have the mean of the others but for some ten-thousandths."""
    truth = full + (1 - full) * left / (left + right)
    return lambda by: 1.0 if by.random() < full else round(20 * by.betavariate(left, right)) / 20, truth


DISTRIBUTIONS = (
    of((0, 1), (0.5, 0.5)),
    of((0, 1), (0.2, 0.8)),
    of((0, 1), (0.05, 0.95)),
    of((0, 0.5, 1), (0.15, 0.2, 0.65)),
    of((0, 0.5, 1), (0.05, 0.1, 0.85)),
    of((0, 0.25, 0.5, 1), (0.2, 0.2, 0.2, 0.4)),
    of((0.6, 0.8, 1), (0.1, 0.3, 0.6)),
    of((0.2, 0.8, 1), (0.02, 0.05, 0.93)),
    of((0, 0.95, 1), (0.03, 0.5, 0.47)),
    area(4, 2),
    area(4, 3, full=0.4),
    (lambda by: 0.475 + 0.05 * by.random(), 0.5),
    (lambda by: 0.5 if by.random() < 0.7 else by.random(), 0.5),
)


@pytest.mark.long
@pytest.mark.parametrize("n", [5, 10, 20, 70])
def test_coverage_over_all_distributions(n: int) -> None:
    shares = []
    for draw, truth in DISTRIBUTIONS:
        by = random.Random(11)
        hits = 0
        for _ in range(2_000):
            low, high = bounds(known([[draw(by)] for _ in range(n)]))
            hits += low <= truth <= high
        shares.append(hits / 2_000)

    assert sum(shares) / len(shares) >= 0.94
    assert min(shares) >= 0.84
