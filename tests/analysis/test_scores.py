"""Summaries of a judge's samples: worked out by hand, and laws."""

import math
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.analysis.intervals import mean_of_proportions
from uq_tui.analysis.scale import Scale
from uq_tui.analysis.scores import Summary, agreement, bars, overview, summarize

TEN, SEVEN, BINARY = Scale(1, 10), Scale(0, 7), Scale(0, 1)


@st.composite
def samples(draw: st.DrawFn) -> Summary:
    """A summary of up to twelve samples in halves, some of which brought no score."""
    scale = draw(st.sampled_from([TEN, SEVEN, Scale(1, 5)]))
    doubled = draw(st.lists(st.integers(2 * scale.lowest, 2 * scale.highest), max_size=12))
    unparsed, failed, outstanding = (draw(st.integers(0, 3)) for _ in range(3))
    planned = len(doubled) + unparsed + failed + outstanding
    return summarize(scale, [value / 2 for value in doubled], planned=planned, unparsed=unparsed, failed=failed)


def test_a_summary_by_hand() -> None:
    found = summarize(TEN, (8, 10, 8.5, 9, 10, 4), planned=8, unparsed=1, failed=1)

    assert (found.planned, found.scored, found.unparsed, found.failed, found.outstanding) == (8, 6, 1, 1, 0)
    # 49.5 / 6; squared distances .0625 + 3.0625 + .0625 + .5625 + 3.0625 + 18.0625 = 24.875 over 5.
    assert found.mean == 8.25
    assert found.sd == pytest.approx(math.sqrt(4.975))
    assert found.standard_error == pytest.approx(math.sqrt(4.975 / 6))
    assert found.interval is None
    assert (found.minimum, found.maximum) == (4, 10)
    assert found.histogram == (0, 0, 0, 1, 0, 0, 0, 2, 1, 2)
    assert (found.ceiling, found.ceiling_share) == (2, 2 / 6)


def test_a_score_between_two_whole_numbers_counts_with_the_lower() -> None:
    assert summarize(TEN, (8.5,), planned=1).histogram[8 - 1] == 1
    almost = summarize(TEN, (9.5, 9.99), planned=2)
    assert (almost.histogram[9 - 1], almost.ceiling) == (2, 0)


def test_samples_without_a_score_never_lower_it() -> None:
    bare = summarize(SEVEN, (), planned=8, unparsed=5, failed=3)

    assert (bare.mean, bare.sd, bare.standard_error, bare.minimum, bare.maximum) == (None,) * 5
    assert (bare.interval, bare.ceiling_share, bare.histogram) == (None, None, (0,) * 8)
    assert summarize(SEVEN, (6, 7), planned=8, unparsed=3, failed=3).mean == 6.5


def test_one_score_has_no_spread() -> None:
    found = summarize(SEVEN, (0,), planned=8)

    assert (found.mean, found.sd, found.standard_error, found.outstanding) == (0, None, None, 7)


def test_yes_and_no_are_a_proportion() -> None:
    found = summarize(BINARY, (1, 1, 0, 1), planned=4)

    assert found.mean == 0.75
    assert found.interval == mean_of_proportions([(3, 4)])
    assert found.histogram == (1, 3)


def test_all_yes_is_not_certain() -> None:
    found = summarize(BINARY, (1,) * 8, planned=8)

    assert (found.mean, found.sd) == (1, 0)
    assert found.interval is not None
    assert found.interval.low == pytest.approx(0.6756, abs=1e-4)


@pytest.mark.parametrize("score", [0, 10.5, 11, math.inf, math.nan])
def test_what_is_not_on_the_scale_is_a_mistake(score: float) -> None:
    with pytest.raises(ValueError, match="is not on the scale"):
        summarize(TEN, (score,), planned=1)


def test_more_samples_than_planned_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="3 samples of 2 planned"):
        summarize(TEN, (5, 6), planned=2, failed=1)


@given(samples())
def test_counts_add_up(found: Summary) -> None:
    assert found.scored + found.unparsed + found.failed + found.outstanding == found.planned
    assert sum(found.histogram) == found.scored
    assert len(found.histogram) == found.scale.highest - found.scale.lowest + 1


@given(samples())
def test_what_needs_scores_is_defined_just_then(found: Summary) -> None:
    assert (found.mean is None) == (found.ceiling_share is None) == (found.minimum is None) == (found.scored == 0)
    assert (found.sd is None) == (found.standard_error is None) == (found.scored < 2)
    if found.mean is not None and found.minimum is not None and found.maximum is not None:
        assert found.scale.lowest <= found.minimum <= found.mean <= found.maximum <= found.scale.highest


@given(samples())
def test_an_overview_of_one_candidate_repeats_its_summary(found: Summary) -> None:
    whole = overview(found.scale, [found])

    assert (whole.planned, whole.scored, whole.unparsed, whole.failed) == (
        found.planned,
        found.scored,
        found.unparsed,
        found.failed,
    )
    assert (whole.mean, whole.histogram, whole.ceiling_share) == (found.mean, found.histogram, found.ceiling_share)
    assert whole.candidates == (found.mean is not None)
    assert whole.between is None
    assert whole.within == (None if found.sd is None else pytest.approx(found.sd))


def test_an_overview_by_hand() -> None:
    firm = summarize(TEN, (2, 4), planned=3, failed=1)
    high = summarize(TEN, (10, 10, 10, 10), planned=4)
    none = summarize(TEN, (), planned=4, unparsed=4)
    single = summarize(TEN, (8,), planned=1)
    found = overview(TEN, [firm, high, none, single])

    assert (found.candidates, found.planned, found.scored, found.unparsed, found.failed) == (3, 12, 7, 4, 1)
    assert found.mean == fmean((3, 10, 8))
    assert found.between == pytest.approx(math.sqrt(13))  # 16 + 9 + 1 over 2
    assert found.within == pytest.approx(1.0)  # variances 2 and 0
    assert found.histogram == (0, 1, 0, 1, 0, 0, 0, 1, 0, 4)
    assert found.ceiling_share == 4 / 7


def test_without_candidates_an_overview_is_empty() -> None:
    found = overview(BINARY, [])

    assert (found.candidates, found.mean, found.between, found.within, found.ceiling_share) == (0,) + (None,) * 4
    assert found.histogram == (0, 0)


def test_judges_are_compared_over_the_candidates_that_both_scored() -> None:
    found = agreement(
        {
            "a": {"c1": 1.0, "c2": 2.0, "c3": 3.0, "c4": 9.0},
            "b": {"c3": 0.3, "c2": 0.2, "c1": 0.1, "c5": 0.0},
            "c": {"c4": 5.0, "c5": 5.0},
        }
    )

    assert list(found) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert (found["a", "b"].rho, found["a", "b"].n) == (1.0, 3)
    assert (found["a", "c"].rho, found["a", "c"].n) == (None, 1)
    assert (found["b", "c"].rho, found["b", "c"].n) == (None, 1)


@pytest.mark.parametrize(
    ("histogram", "drawn"),
    [((), ""), ((0, 0), "··"), ((0, 3, 0), "·█·"), ((1, 8, 4, 0), "▁█▄·"), ((1, 1000), "▁█"), ((5, 5), "██")],
)
def test_bars_show_every_count_that_is_not_zero(histogram: tuple[int, ...], drawn: str) -> None:
    assert bars(histogram) == drawn
