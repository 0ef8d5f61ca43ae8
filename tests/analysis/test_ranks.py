"""Ranks with ties, and Spearman's rho: values worked out by hand, and laws."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.analysis.ranks import places, ranks, spearman

VALUES = st.lists(st.integers(0, 6), min_size=3, max_size=12)
PAIRS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=3, max_size=12)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ((), ()),
        ((5.0,), (1,)),
        ((30, 10, 20), (3, 1, 2)),
        ((1, 1), (1.5, 1.5)),
        ((2, 7, 7, 9), (1, 2.5, 2.5, 4)),
        ((4, 4, 4, 1), (3, 3, 3, 1)),
    ],
)
def test_equal_values_share_the_mean_of_their_ranks(values: tuple[float, ...], expected: tuple[float, ...]) -> None:
    assert ranks(values) == expected


@pytest.mark.parametrize(
    ("values", "expected"), [((), ()), ((5.0,), (1,)), ((30, 10, 20), (1, 3, 2)), ((2, 7, 7, 9), (4, 2, 2, 1))]
)
def test_equal_values_share_the_best_of_their_places(values: tuple[float, ...], expected: tuple[int, ...]) -> None:
    assert places(values) == expected


@pytest.mark.parametrize(
    ("left", "right", "rho"),
    [
        ((1, 2, 3), (10, 20, 30), 1.0),
        ((1, 2, 3), (9, 5, 1), -1.0),
        # Squared differences of ranks sum to 4 of 5 pairs: 1 - 6 * 4 / (5 * 24).
        ((1, 2, 3, 4, 5), (2, 1, 4, 3, 5), 0.8),
        # Ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: covariance 4.5, variances 4.5 and 5.
        ((1, 2, 2, 3), (1, 2, 3, 4), 4.5 / math.sqrt(4.5 * 5)),
        # Ranks 1.5, 1.5, 3.5, 3.5 against 1.5, 3.5, 1.5, 3.5 of the same spread: nothing in common.
        ((0, 0, 1, 1), (0, 1, 0, 1), 0.0),
        # Ranks 2, 2, 2, 4, 5 against 1, 2, 3, 4.5, 4.5: covariance 7.5, variances 8 and 9.5.
        ((0, 0, 0, 1, 2), (1, 2, 3, 4, 4), 7.5 / math.sqrt(8 * 9.5)),
    ],
)
def test_known_values(left: tuple[float, ...], right: tuple[float, ...], rho: float) -> None:
    found = spearman(left, right)

    assert (found.n, found.undefined) == (len(left), "")
    assert found.rho == pytest.approx(rho, abs=1e-12)


def test_two_pairs_say_nothing() -> None:
    found = spearman((1, 2), (1, 2))

    assert (found.rho, found.n, found.undefined) == (None, 2, "fewer than 3 pairs")


@pytest.mark.parametrize(("left", "right"), [((7, 7, 7), (1, 2, 3)), ((1, 2, 3), (7, 7, 7)), ((1, 1, 1), (1, 1, 1))])
def test_a_constant_side_has_no_order_to_compare(left: tuple[float, ...], right: tuple[float, ...]) -> None:
    found = spearman(left, right)

    assert (found.rho, found.n, found.undefined) == (None, 3, "all values on one side are equal")


def test_unpaired_values_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="cannot be paired"):
        spearman((1, 2, 3), (1, 2))


@given(VALUES)
def test_ranks_keep_their_sum_and_the_order(values: list[int]) -> None:
    found = ranks(values)

    assert sum(found) == len(values) * (len(values) + 1) / 2
    for one, its_rank in zip(values, found, strict=True):
        assert its_rank == sum(other < one for other in values) + (values.count(one) + 1) / 2


@given(PAIRS)
def test_rho_is_symmetric_bounded_and_turns_round_with_one_side(pairs: list[tuple[int, int]]) -> None:
    left, right = [one for one, _ in pairs], [other for _, other in pairs]
    rho = spearman(left, right).rho

    assert spearman(right, left).rho == rho
    mirrored = spearman(left, [-value for value in right]).rho
    if rho is None:
        assert mirrored is None
        assert len(set(left)) == 1 or len(set(right)) == 1
    else:
        assert -1 <= rho <= 1
        assert mirrored == -rho


@given(PAIRS)
def test_only_the_order_counts(pairs: list[tuple[int, int]]) -> None:
    left, right = [one for one, _ in pairs], [other for _, other in pairs]

    assert spearman([math.exp(value) for value in left], right) == spearman(left, right)


@given(VALUES)
def test_a_ranking_agrees_fully_with_itself(values: list[int]) -> None:
    assert spearman(values, values).rho == (1.0 if len(set(values)) > 1 else None)
