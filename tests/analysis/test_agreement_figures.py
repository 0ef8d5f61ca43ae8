"""Figures of agreement come with what they are of and an interval, or with why there is none."""

import pytest

from uq_tui.analysis.agreement import (
    BOTH_CONSTANT,
    NO_VARIATION,
    NOTHING_TWICE,
    Level,
    Rating,
    cohen_kappa,
    krippendorff_alpha,
)
from uq_tui.analysis.agreement_figures import alpha_of, equal_of, kappa_of, share_of
from uq_tui.analysis.bootstrap import ALL_EQUAL, TOO_FEW

UNITS: list[list[Rating | None]] = [
    [2, 2],
    [2, 0],
    [0, 0],
    [1, 2, None],
    [0, 0, 0],
    [2, 2, 2],
    [1, 1],
    [2, 2],
    [0, 1],
    [0, 0],
    [2, 1, 2],
    [1],
]


@pytest.mark.parametrize("level", [Level.NOMINAL, Level.ORDINAL, Level.INTERVAL])
def test_alpha_lies_within_its_interval(level: Level) -> None:
    found = alpha_of(UNITS * 2, level)
    assert found.value == krippendorff_alpha(UNITS * 2, level).value
    assert (found.n, found.ratings) == (22, 50)
    assert found.value is not None
    assert found.low is not None
    assert found.high is not None
    assert -1 < found.low < found.value < found.high <= 1


def test_what_is_equal_is_shown_beside_what_chance_would_bring() -> None:
    found = equal_of([["a", "a"], ["a", "b"], ["b", "b"], ["a", "a"]])
    assert (found.value, found.n) == (0.75, 4)
    assert found.expected == pytest.approx((5 * 4 + 3 * 2) / (8 * 7))
    assert found.interval.why == TOO_FEW


def test_kappa_lies_within_its_interval_and_may_go_without() -> None:
    table = {("y", "y"): 25, ("y", "n"): 5, ("n", "y"): 5, ("n", "n"): 15}
    found = kappa_of(table)
    of_large_samples = cohen_kappa(table)
    assert found.value == of_large_samples.value
    assert (found.low, found.high) == pytest.approx((of_large_samples.low, of_large_samples.high), abs=0.05)
    assert kappa_of(table, interval=False).low is None


def test_undefined_figures_say_why_and_have_no_interval() -> None:
    assert alpha_of([[1, 1]] * 20, Level.NOMINAL).undefined == NO_VARIATION
    assert alpha_of([[1]] * 20, Level.NOMINAL).undefined == NOTHING_TWICE
    assert kappa_of({("y", "y"): 20}).undefined == BOTH_CONSTANT
    assert share_of(0, 0).undefined == NOTHING_TWICE


def test_agreement_without_exception_is_no_certainty() -> None:
    found = share_of(20, 20)
    assert (found.value, found.low, found.interval.why) == (1, None, ALL_EQUAL)
    assert equal_of([["a", "a"]] * 20).interval.why == ALL_EQUAL
