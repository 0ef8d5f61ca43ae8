"""Kendall's tau-b and the area under the ROC curve: by hand, against brute force, and laws."""

import math
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.analysis.ranks import auc, kendall_tau_b

PAIRS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=12)
SCORES = st.lists(st.integers(0, 6), min_size=1, max_size=12)


@pytest.mark.parametrize(
    ("left", "right", "tau"),
    [
        ((1, 2, 3, 4), (1, 2, 3, 4), 1.0),
        ((1, 2, 3, 4), (4, 3, 2, 1), -1.0),
        ((1, 2, 3, 4), (1, 2, 4, 3), 4 / 6),
        # Of three pairs one is tied on the left and one on the right; the third agrees.
        ((1, 1, 2), (1, 2, 2), 1 / 2),
        ((1, 1, 1), (1, 2, 3), None),
        ((1,), (2,), None),
        ((), (), None),
    ],
)
def test_tau_worked_out_by_hand(left: tuple[int, ...], right: tuple[int, ...], tau: float | None) -> None:
    assert kendall_tau_b(left, right) == (tau if tau is None else pytest.approx(tau))


def test_tau_needs_pairs() -> None:
    with pytest.raises(ValueError, match="paired"):
        kendall_tau_b([1, 2], [1])


@given(PAIRS)
def test_tau_is_the_correlation_of_the_orders_of_all_pairs(pairs: list[tuple[int, int]]) -> None:
    signs = [(_sign(a - c), _sign(b - d)) for (a, b), (c, d) in combinations(pairs, 2)]
    left, right = (sum(sign[side] ** 2 for sign in signs) for side in (0, 1))
    found = kendall_tau_b(*zip(*pairs, strict=True))
    if found is None:
        assert not left or not right
    else:
        assert found == pytest.approx(sum(a * b for a, b in signs) / math.sqrt(left * right))
        assert kendall_tau_b([-a for a, _ in pairs], [b for _, b in pairs]) == pytest.approx(-found)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


@given(SCORES, SCORES)
def test_auc_is_the_share_of_pairs_in_order_a_tie_counting_half(positives: list[int], negatives: list[int]) -> None:
    pairs = list(product(positives, negatives))
    found = auc(positives, negatives)
    assert found == pytest.approx(sum((a > b) + (a == b) / 2 for a, b in pairs) / len(pairs))
    assert auc(negatives, positives) == pytest.approx(1 - found if found is not None else None)


def test_auc_without_one_of_the_groups_is_undefined() -> None:
    assert auc([], [1.0]) is None
    assert auc([1.0], []) is None
