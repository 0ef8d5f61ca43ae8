"""Resampling by counts: the draws follow their distribution, and intervals say when there is none."""

import math
import random
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from uq_tui.analysis.bootstrap import (
    ALL_EQUAL,
    LEAST_UNITS,
    MOSTLY_UNDEFINED,
    TOO_FEW,
    Resampled,
    binomial,
    percentile,
    resample,
)
from uq_tui.analysis.intervals import mean_of_proportions


def first_share(counts: Sequence[int]) -> float:
    return counts[0] / sum(counts)


@settings(max_examples=30)
@given(st.lists(st.integers(0, 5_000), min_size=1, max_size=6).filter(any), st.integers(0, 3))
def test_a_resample_has_as_many_units_and_none_of_a_kind_there_is_none_of(counts: list[int], seed: int) -> None:
    drawn = resample(counts, random.Random(seed))
    assert sum(drawn) == sum(counts)
    assert all(have or not got for have, got in zip(counts, drawn, strict=True))


@pytest.mark.parametrize(("trials", "p"), [(7, 0.3), (40, 0.3), (200, 0.97), (9, 0.0), (90, 1.0)])
def test_binomial_draws_have_the_distributions_shares(trials: int, p: float) -> None:
    drawing, draws = random.Random(3), 4_000
    found = Counter(binomial(trials, p, drawing) for _ in range(draws))
    misfit = 0.0
    cells = 0
    for hits in range(trials + 1):
        chance = math.comb(trials, hits) * p**hits * (1 - p) ** (trials - hits)
        if chance * draws >= 5:
            misfit += (found[hits] - chance * draws) ** 2 / (chance * draws)
            cells += 1
    assert misfit < cells + 4 * math.sqrt(2 * cells)  # chi-squared, some four standard deviations above its mean


def test_a_large_resample_varies_as_a_small_one_would() -> None:
    counts, drawing = [400_000, 600_000], random.Random(5)
    shares = [first_share(resample(counts, drawing)) for _ in range(400)]
    error = math.sqrt(sum((share - 0.4) ** 2 for share in shares) / len(shares))
    assert error == pytest.approx(math.sqrt(0.4 * 0.6 / 1_000_000), rel=0.15)


def test_the_interval_of_a_share_is_near_wilsons_and_always_the_same() -> None:
    found = percentile([60, 40], first_share)
    wilson = mean_of_proportions([(60, 100)])
    assert wilson is not None
    assert found == percentile([60, 40], first_share)
    assert (found.low, found.high) == pytest.approx((wilson.low, wilson.high), abs=0.02)
    assert (found.undefined, found.why) == (0, "")


def test_without_enough_units_or_variation_there_is_no_interval() -> None:
    assert percentile([LEAST_UNITS - 1], first_share) == Resampled(None, None, why=TOO_FEW)
    assert percentile([], first_share) == Resampled(None, None, why=TOO_FEW)
    assert percentile([LEAST_UNITS, 0], first_share) == Resampled(None, None, why=ALL_EQUAL)


def test_undefined_resamples_are_counted_and_left_out() -> None:
    def both(counts: Sequence[int]) -> float | None:
        return first_share(counts) if all(counts) else None

    some = percentile([18, 2], both)
    assert 80 < some.undefined < 160  # (18 / 20) ** 20 = .12 of 1,000 have none of the second kind
    assert some.low is not None
    assert some.high is not None
    assert some.low < some.high < 1
    most = percentile([40, 40, *[0] * 8], lambda counts: None if counts[0] > 35 else 1.0)
    assert (most.low, most.high, most.why) == (None, None, MOSTLY_UNDEFINED)
