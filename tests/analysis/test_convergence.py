"""Convergence: whole enumeration of tiny pools, values worked out by hand, and laws."""

import math
from collections.abc import Sequence
from itertools import combinations, product
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from uq_tui.analysis.convergence import Point, Pool, Size, curve


def judged(*scores: float) -> Pool:
    return Pool((scores,), 1, 10)


def rolled(*neighbours: Sequence[int]) -> Pool:
    return Pool(tuple(tuple(float(value) for value in neighbour) for neighbour in neighbours), 0, 1)


def one(points: tuple[Point, ...]) -> Point:
    (point,) = points
    return point


def enumerated(pool: Pool, counts: Sequence[int], *, replacement: bool = False) -> float:
    """The mean error over all resamples of given size, by the definition."""
    ways = [
        list(product(stratum, repeat=count) if replacement else combinations(stratum, count))
        for stratum, count in zip(pool.strata, counts, strict=True)
    ]
    everything = fmean(fmean(stratum) for stratum in pool.strata)
    errors = [abs(fmean(fmean(part) for part in drawn) - everything) for drawn in product(*ways)]
    return fmean(errors) / (pool.highest - pool.lowest)


POOLS = st.one_of(
    st.lists(st.integers(1, 10), min_size=3, max_size=5).map(lambda scores: judged(*scores)),
    st.lists(st.lists(st.integers(0, 1), min_size=3, max_size=4), min_size=1, max_size=2).map(
        lambda neighbours: rolled(*neighbours)
    ),
)


@settings(max_examples=30)
@given(POOLS, st.integers(1, 3), st.booleans())
def test_resamples_come_to_what_all_samples_come_to(pool: Pool, n: int, replacement: bool) -> None:
    found = one(curve([pool], sizes=[n], size=Size.EACH, resamples=4_000, replacement=replacement))

    # The error of one resample is at most 1 and deviates by at most .5; 5 standard errors of 4,000.
    wanted = enumerated(pool, [n] * len(pool.strata), replacement=replacement)
    assert found.error == pytest.approx(wanted, abs=0.5 * 5 / math.sqrt(4_000))


def test_by_hand() -> None:
    """Of 1, 4, 10 with mean 5 single samples miss it by 4, 1 and 5, pairs by 2.5, .5 and 2, all of a width of 9."""
    single, pair, every = curve([judged(1, 4, 10)], sizes=(1, 2, 3), resamples=20_000)

    assert single.error == pytest.approx(10 / 3 / 9, abs=0.01)
    assert pair.error == pytest.approx(5 / 3 / 9, abs=0.01)
    assert every.error == 0


def test_the_paper_divides_by_the_top_of_the_scale() -> None:
    pools = [judged(1, 4, 10, 7), judged(9, 9, 10, 2)]
    honest, papers = (curve(pools, sizes=(2, 3), from_zero=from_zero) for from_zero in (False, True))

    for point, other in zip(honest, papers, strict=True):
        assert other.error == pytest.approx(point.error * 9 / 10)
    some = [rolled([0, 1, 1], [0, 0, 1])]
    assert curve(some, sizes=(2, 4), from_zero=True) == curve(some, sizes=(2, 4))


def test_one_success_of_four_by_hand() -> None:
    """One sample of 1, 0, 0, 0 misses 1/4 by 3/4 or, three times of four, by 1/4; two miss it by 1/4 always."""
    single, pair = curve([rolled([1, 0, 0, 0])], sizes=(1, 2), resamples=20_000)

    assert single.error == pytest.approx(3 / 8, abs=0.01)
    assert pair.error == pytest.approx(1 / 4)


def test_a_bernoulli_half_errs_by_14_points_at_8() -> None:
    """E|mean - p| is near the root of 2 p (1 - p) / (pi n) with replacement: .141 at n = 8, exactly 35/256."""
    found = one(curve([rolled([0, 1] * 32)], sizes=[8], resamples=20_000, replacement=True))

    assert found.error == pytest.approx(35 / 256, abs=0.004)


def test_calls_are_shared_out_over_neighbours() -> None:
    """Four calls on two neighbours are two each; of three either has two, as likely the one as the other."""
    pool = rolled([1, 1, 1, 1], [1, 0, 0, 0])
    three, four = curve([pool], sizes=(3, 4), resamples=20_000)

    # The sure neighbour never errs. The other misses 1/4 by 3/8 on the mean with one call, by 1/4 with two.
    assert three.error == pytest.approx((3 / 8 + 1 / 4) / 2 / 2, abs=0.003)
    assert four.error == pytest.approx(1 / 4 / 2)


def test_an_uneven_pool_gives_what_it_holds() -> None:
    """Six calls on neighbours of 2 and 5 decided rollouts: both of the one, four of the other."""
    pool = rolled([1, 0], [1, 1, 1, 0, 0])
    six, seven = curve([pool], sizes=(6, 7), resamples=20_000)

    assert six.error == pytest.approx(enumerated(pool, [2, 4]), abs=0.01)
    assert (seven.error, seven.exhausted) == (0, 1)


@given(st.lists(POOLS, min_size=1, max_size=4), st.integers(0, 99))
def test_at_the_full_pool_nothing_is_left_to_err(pools: list[Pool], seed: int) -> None:
    for pool in pools:
        calls = sum(len(stratum) for stratum in pool.strata)
        point = one(curve([pool], sizes=[calls], resamples=3, seed=seed))

        assert (point.error, point.worst, point.exhausted) == (0, 0, 1)


@given(st.lists(POOLS, min_size=1, max_size=4), st.booleans(), st.sampled_from(Size))
def test_errors_lie_in_0_to_1_and_repeat_with_the_seed(pools: list[Pool], replacement: bool, size: Size) -> None:
    sizes = (1, 2, 3, 4, 5, 8)
    found = curve(pools, sizes=sizes, size=size, resamples=20, seed=3, replacement=replacement)

    assert found == curve(pools, sizes=sizes, size=size, resamples=20, seed=3, replacement=replacement)
    for point in found:
        assert 0 <= point.error <= point.worst <= 1
        assert point.pools + point.too_small == len(pools)
        assert point.exhausted <= point.pools


def test_more_samples_err_less() -> None:
    pools = [judged(*range(1, 11), *range(1, 11)), rolled([0, 1] * 10, [0, 0, 0, 1] * 5)]
    errors = [point.error for point in curve(pools, sizes=(2, 4, 8, 16), resamples=500)]

    assert errors == sorted(errors, reverse=True)
    assert len(set(errors)) == 4


def test_the_worst_is_of_the_unsure_candidate() -> None:
    found = one(curve([rolled([1] * 8), rolled([0] * 8), rolled([0, 1] * 4)], sizes=[4]))

    assert found.worst == pytest.approx(3 * found.error)
    assert found.worst > 0.1


def test_a_size_counts_the_pools_that_hold_it() -> None:
    pools = [rolled([0, 1] * 2), rolled([0, 1] * 4), rolled([0, 1] * 2, [1, 0] * 2, [1, 1] * 2)]
    found = {
        point.n: (point.pools, point.exhausted, point.too_small) for point in curve(pools, sizes=(2, 4, 8, 12, 64))
    }

    assert found == {2: (2, 0, 1), 4: (3, 1, 0), 8: (2, 1, 1), 12: (1, 1, 2)}


def test_the_papers_n_is_of_each_neighbour() -> None:
    pools = [rolled([0, 1] * 4, [0, 1] * 4)]

    assert [point.n for point in curve(pools, size=Size.EACH)] == [4, 8]
    assert [point.n for point in curve(pools, size=Size.CALLS)] == [4, 8, 16]


def test_an_uneven_pool_is_not_exhausted_by_its_smallest_neighbour() -> None:
    found = one(curve([rolled([0, 1], [0, 1, 1, 0])], sizes=(2, 4), size=Size.EACH))

    assert (found.n, found.exhausted) == (2, 0)
    assert found.error > 0


def test_equal_samples_never_err() -> None:
    found = one(curve([judged(10, 10, 10)], sizes=[2], replacement=True))

    assert (found.error, found.pools) == (0, 1)


def test_no_candidate_has_no_point() -> None:
    assert curve([]) == ()


@pytest.mark.parametrize("strata", [(), ((),), ((1.0,), ())])
def test_a_pool_needs_a_sample_in_every_stratum(strata: tuple[tuple[float, ...], ...]) -> None:
    with pytest.raises(ValueError, match="every stratum"):
        Pool(strata, 0, 1)


def test_values_off_the_scale_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="off the scale"):
        judged(0, 4)
    with pytest.raises(ValueError, match="no width"):
        Pool(((1.0,),), 1, 1)
