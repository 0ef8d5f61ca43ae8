"""Calibration: values worked out by hand, and laws against the definitions."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.analysis.calibration import EMPTY_BIN, NOTHING_RATED, Bins, CalibrationBin, Rated, calibration
from uq_tui.analysis.intervals import mean_of_proportions

RATED = st.lists(st.builds(Rated, st.integers(0, 8).map(lambda eighths: eighths / 8), st.booleans()), max_size=20)


def rated(*pairs: tuple[float, int]) -> list[Rated]:
    return [Rated(score, bool(correct)) for score, correct in pairs]


def outline(one: CalibrationBin) -> tuple[float, float, int, float | None, float | None]:
    return one.low, one.high, one.n, one.mean_score, one.share_correct.value


def test_equal_counts_by_hand() -> None:
    """Pairs: .125 and .25 with none correct, .5 and .75 with one, 1 and 1 with one of two."""
    found = calibration(rated((0.75, 1), (0.125, 0), (1, 1), (0.25, 0), (1, 0), (0.5, 0)), count=3)

    assert [outline(one) for one in found.bins] == [
        (0.125, 0.25, 2, 0.1875, 0),
        (0.5, 0.75, 2, 0.625, 0.5),
        (1, 1, 2, 1, 0.5),
    ]
    assert found.error == pytest.approx((0.1875 + 0.125 + 0.5) / 3)
    assert found.brier == pytest.approx((0.0625 + 0.015625 + 0 + 0.0625 + 1 + 0.25) / 6)
    assert found.brier_of_base_rate == pytest.approx(2 / 9)
    assert (found.n, found.correct) == (6, 2)


def test_fixed_bins_by_hand() -> None:
    found = calibration(rated((0.0, 0), (0.5, 1), (0.75, 0), (1.0, 1)), count=4, bins=Bins.FIXED)

    assert [outline(one) for one in found.bins] == [
        (0, 0.25, 1, 0, 0),
        (0.25, 0.5, 0, None, None),
        (0.5, 0.75, 1, 0.5, 1),
        (0.75, 1, 2, 0.875, 0.5),
    ]
    assert found.bins[1].share_correct.undefined == EMPTY_BIN
    assert found.error == pytest.approx((0 + 0.5 + 2 * 0.375) / 4)


def test_a_scale_is_brought_to_0_to_1() -> None:
    found = calibration([Rated(10, True), Rated(1, False), Rated(5.5, True)], lowest=1, highest=10, count=1)

    assert found.bins[0].mean_score == pytest.approx(0.5)
    assert found.brier == pytest.approx(0.25 / 3)


def test_equal_scores_stay_together() -> None:
    """At a ceiling: the cut after the fourth of ten falls among seven equal ones, and moves behind them."""
    found = calibration(
        [Rated(1.0, place % 2 == 0) for place in range(7)] + rated((0.1, 0), (0.2, 0), (0.3, 1)), count=5
    )

    assert [(one.n, one.low, one.high) for one in found.bins] == [(2, 0.1, 0.2), (8, 0.3, 1.0)]


def test_scores_that_are_chances_have_no_error() -> None:
    found = calibration(rated(*[(0.25, place == 0) for place in range(4)], *[(0.75, place > 0) for place in range(4)]))

    assert found.error == 0
    assert found.brier == 3 / 16
    assert found.brier_of_base_rate == 0.25


@pytest.mark.parametrize(("correct", "error"), [(True, 0.25), (False, 0.75)])
def test_one_class_and_one_candidate(correct: bool, error: float) -> None:
    for several in (1, 5):
        found = calibration([Rated(0.75, correct)] * several)

        assert [one.n for one in found.bins] == [several]
        assert found.error == error
        assert found.brier == error**2
        assert found.brier_of_base_rate == 0


@pytest.mark.parametrize(("bins", "empty"), [(Bins.EQUAL_COUNT, 0), (Bins.FIXED, 10)])
def test_nothing_at_all(bins: Bins, empty: int) -> None:
    found = calibration([], bins=bins)

    assert (found.n, found.error, found.brier, found.brier_of_base_rate) == (0, None, None, None)
    assert found.undefined == NOTHING_RATED
    assert [one.n for one in found.bins] == [0] * empty


def test_what_is_off_the_scale_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="off the scale"):
        calibration([Rated(7, True)])
    with pytest.raises(ValueError, match="no width"):
        calibration([], lowest=2, highest=2)


@given(RATED, st.integers(1, 12), st.sampled_from(Bins))
def test_bins_are_what_they_say(some: list[Rated], count: int, bins: Bins) -> None:
    found = calibration(some, count=count, bins=bins)
    assert sum(one.n for one in found.bins) == found.n == len(some)
    assert len(found.bins) == count or (bins is Bins.EQUAL_COUNT and len(found.bins) < count)

    error = Fraction(0)
    for place, one in enumerate(found.bins):
        closed = bins is Bins.EQUAL_COUNT or place == count - 1
        inside = [it for it in some if one.low <= it.score < one.high or (closed and it.score == one.high)]
        assert one.n == len(inside)
        if not inside:
            assert (one.mean_score, one.share_correct.value) == (None, None)
            continue
        mean = sum((Fraction(it.score) for it in inside), Fraction(0)) / len(inside)
        hits = sum(it.correct for it in inside)
        wilson = mean_of_proportions([(hits, len(inside))])
        assert wilson is not None
        assert one.mean_score == pytest.approx(float(mean))
        assert (one.share_correct.hits, one.share_correct.low, one.share_correct.high) == (
            hits,
            wilson.low,
            wilson.high,
        )
        error += abs(mean * len(inside) - hits)
    if some:
        assert found.error == pytest.approx(float(error / len(some)))
        assert found.brier == pytest.approx(sum((it.score - it.correct) ** 2 for it in some) / len(some))


@given(RATED, st.integers(1, 12))
def test_bins_of_equal_count_are_as_even_as_ties_allow(some: list[Rated], count: int) -> None:
    """Without the scores that are tied at its upper end, a bin holds less than its share."""
    found = calibration(some, count=count)
    share = -(-len(some) // count)

    for one in found.bins:
        at_the_top = sum(it.score == one.high for it in some)
        assert one.n - at_the_top < share
