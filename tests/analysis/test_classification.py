"""Rates of a confusion matrix: the printed figures of a paper, values worked out by hand, and laws."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.analysis.classification import (
    NONE_CORRECT,
    NONE_INCORRECT,
    NOTHING_ACCEPTED,
    NOTHING_DECIDED,
    Confusion,
    Figure,
    over_rating,
    quality,
    share,
)

# Unsolved Questions (arXiv 2508.17580v1), Table S7: accuracy, precision and recall as printed, in per cent, and the
# counts (n, correct, true and false positives, false and true negatives) that give them. Rows without counts are out.
PRINTED = (
    ("Claude 3.7: vanilla", 21.6, 13.26, 90.77, 500, 65, 59, 386, 6, 49),
    ("Claude 3.7: C", 30.2, 14.85, 92.31, 500, 65, 60, 344, 5, 91),
    ("Claude 3.7: Cx3 M", 26.8, 13.73, 87.69, 500, 65, 57, 358, 8, 77),
    ("Claude 3.7: Cx3 U", 35.2, 14.52, 81.54, 500, 65, 53, 312, 12, 123),
    ("Claude 3.7: Cx5 M", 29.4, 14.53, 90.77, 500, 65, 59, 347, 6, 88),
    ("Claude 3.7: Cr5 M", 44.44, 22.64, 75.0, 81, 16, 12, 41, 4, 24),
    ("Claude 3.7: Cr5 U", 54.32, 23.08, 56.25, 81, 16, 9, 30, 7, 35),
    ("Claude 3.7: 1-Iter", 33.6, 14.78, 86.15, 500, 65, 56, 323, 9, 112),
    ("o3-mini: vanilla", 24.0, 14.29, 96.92, 500, 65, 63, 378, 2, 57),
    ("o3-mini: C", 28.6, 15.24, 98.46, 500, 65, 64, 356, 1, 79),
    ("o3-mini: Cx3 M", 28.6, 15.07, 96.92, 500, 65, 63, 355, 2, 80),
    ("o3-mini: Cx3 U", 32.2, 15.58, 95.38, 500, 65, 62, 336, 3, 99),
    ("o3-mini: Cr3 M", 28.86, 15.14, 96.92, 499, 65, 63, 353, 2, 81),
    ("o3-mini: Cr3 U", 29.26, 15.22, 96.92, 499, 65, 63, 351, 2, 83),
    ("o3-mini: Cx5 M", 29.2, 15.18, 96.92, 500, 65, 63, 352, 2, 83),
    ("o3-mini: Cx5 U", 33.0, 15.56, 93.85, 500, 65, 61, 331, 4, 104),
    ("o3-mini: Cr5 M", 29.4, 15.05, 95.38, 500, 65, 62, 350, 3, 85),
    ("o3-mini: Cr5 U", 30.0, 15.16, 95.38, 500, 65, 62, 347, 3, 88),
    ("o3-mini: 1-Iter", 35.34, 16.09, 93.85, 498, 65, 61, 318, 4, 115),
    ("o3-mini: 3-Iter", 34.4, 15.84, 93.85, 500, 65, 61, 324, 4, 111),
    ("o3: vanilla", 58.12, 20.73, 78.46, 499, 65, 51, 195, 14, 239),
    ("o3: Cx3 M", 72.6, 26.92, 64.62, 500, 65, 42, 114, 23, 321),
    ("o3: Cx3 U", 82.4, 29.09, 24.62, 500, 65, 16, 39, 49, 396),
    ("o3: Cr3 M", 68.81, 23.21, 60.0, 497, 65, 39, 129, 26, 303),
    ("o3: Cx5 M", 73.15, 25.87, 56.92, 499, 65, 37, 106, 28, 328),
    ("o3: Cx5 U", 83.77, 26.47, 13.85, 499, 65, 9, 25, 56, 409),
    ("o3: Cr5 M", 69.8, 23.13, 56.92, 500, 65, 37, 123, 28, 312),
    ("o3: Cr5 U", 78.6, 28.57, 43.08, 500, 65, 28, 70, 37, 365),
    ("o3: 3-Iter", 81.65, 30.99, 34.38, 496, 64, 22, 49, 42, 383),
    ("ensembles: C 3 models M", 56.2, 20.16, 80.0, 500, 65, 52, 206, 13, 229),
    ("ensembles: C 3 models U", 77.4, 23.33, 32.31, 500, 65, 21, 69, 44, 366),
    ("ensembles: C 5 models M", 45.0, 17.99, 90.77, 500, 65, 59, 269, 6, 166),
    ("ensembles: C 5 models U", 78.6, 25.0, 32.31, 500, 65, 21, 63, 44, 372),
    ("ensembles: 3-Iter 2 models U", 85.4, 40.0, 24.62, 500, 65, 16, 24, 49, 411),
    ("ensembles: Debate 3 models", 77.6, 24.73, 35.38, 500, 65, 23, 70, 42, 365),
)


@pytest.mark.parametrize(("row", "accuracy", "precision", "recall", "n", "correct", "tp", "fp", "fn", "tn"), PRINTED)
def test_the_printed_figures_follow_from_the_counts(
    row: str, accuracy: float, precision: float, recall: float, n: int, correct: int, tp: int, fp: int, fn: int, tn: int
) -> None:
    of = Confusion(tp, fp, fn, tn)
    assert (of.n, of.correct) == (n, correct), row
    found = quality(of)
    printed = (accuracy, precision, recall)
    for figure, expected in zip((found.accuracy, found.precision, found.recall), printed, strict=True):
        assert 100 * value_of(figure) == pytest.approx(expected, abs=0.005 + 1e-9), row
    if n > 81:
        assert value_of(found.accuracy) < value_of(found.always_reject), row  # of all rows but the two on 81


def test_there_are_35_rows() -> None:
    assert len({row for row, *_ in PRINTED}) == 35


def value_of(figure: Figure) -> float:
    assert figure.value is not None
    return figure.value


def test_rejecting_everything_is_right_about_87_per_cent_where_13_are_correct() -> None:
    found = quality(Confusion(0, 0, 65, 435))
    assert value_of(found.accuracy) == value_of(found.always_reject) == 0.87
    assert value_of(found.balanced_accuracy) == 0.5
    assert value_of(found.base_rate) == 0.13
    assert value_of(found.recall) == 0
    assert (found.precision.value, found.precision.undefined) == (None, NOTHING_ACCEPTED)
    assert value_of(found.kappa) == 0


def test_the_best_single_model_of_the_paper() -> None:
    """3-Iter by o3. The interval of its precision is .21 to .42, that of an ensemble of two .26 to .55."""
    found = quality(Confusion(22, 49, 42, 383))
    assert (found.precision.hits, found.precision.n) == (22, 71)
    assert (found.precision.low, found.precision.high) == pytest.approx((0.2144, 0.4248), abs=5e-5)
    assert value_of(found.balanced_accuracy) == pytest.approx((22 / 64 + 383 / 432) / 2)
    assert value_of(found.specificity) == 383 / 432
    two = quality(Confusion(16, 24, 49, 411)).precision
    assert (two.low, two.high) == pytest.approx((0.2635, 0.5540), abs=5e-5)


def test_without_decisions_nothing_is_defined() -> None:
    found = quality(Confusion(0, 0, 0, 0))
    figures = (found.accuracy, found.balanced_accuracy, found.precision, found.recall, found.base_rate, found.kappa)
    assert {figure.value for figure in figures} == {None}
    assert {figure.undefined for figure in figures[:5]} == {NOTHING_DECIDED}


def test_one_kind_of_label_leaves_what_needs_the_other_undefined() -> None:
    only_incorrect = quality(Confusion(0, 3, 0, 7))
    assert (only_incorrect.recall.value, only_incorrect.recall.undefined) == (None, NONE_CORRECT)
    assert (only_incorrect.balanced_accuracy.value, only_incorrect.balanced_accuracy.undefined) == (None, NONE_CORRECT)
    assert value_of(only_incorrect.precision) == 0
    only_correct = quality(Confusion(3, 0, 7, 0))
    assert (only_correct.balanced_accuracy.value, only_correct.balanced_accuracy.undefined) == (None, NONE_INCORRECT)
    assert value_of(only_correct.recall) == 0.3


def test_kappa_is_undefined_when_both_are_constant_and_agree() -> None:
    found = quality(Confusion(0, 0, 0, 25)).kappa
    assert found.value is None
    assert found.n == 25
    assert "one label" in found.undefined


def test_over_rating_has_newcombes_interval() -> None:
    """Newcombe (1998), Table II, column 1 by method 10: 36, 12, 2 and 0 of 50."""
    found = over_rating(Confusion(36, 12, 2, 0))
    assert value_of(found) == 0.2
    assert (found.low, found.high) == pytest.approx((0.0569, 0.3404), abs=5e-5)


def test_over_rating_of_nothing_is_undefined() -> None:
    assert over_rating(Confusion(0, 0, 0, 0)).undefined == NOTHING_DECIDED


def test_a_share_of_none_says_why() -> None:
    assert share(0, 0, "nothing was there") == Figure(None, None, None, 0, undefined="nothing was there")


COUNTS = st.integers(0, 60)


@given(COUNTS, COUNTS, COUNTS, COUNTS)
def test_every_defined_figure_lies_in_its_interval(tp: int, fp: int, fn: int, tn: int) -> None:
    found = quality(Confusion(tp, fp, fn, tn))
    rates = (found.accuracy, found.balanced_accuracy, found.precision, found.recall, found.specificity)
    for figure in (*rates, found.base_rate, found.always_reject, found.kappa, over_rating(Confusion(tp, fp, fn, tn))):
        if figure.value is None:
            assert figure.undefined
        elif figure.low is not None and figure.high is not None:
            assert figure.low - 1e-9 <= figure.value <= figure.high + 1e-9


@given(COUNTS, COUNTS, COUNTS, COUNTS)
def test_swapping_decisions_and_labels_turns_over_rating_round(tp: int, fp: int, fn: int, tn: int) -> None:
    found, turned = over_rating(Confusion(tp, fp, fn, tn)), over_rating(Confusion(tp, fn, fp, tn))
    if found.value is None or found.low is None or found.high is None:
        assert turned.value is None
    else:
        assert (turned.value, turned.high, turned.low) == pytest.approx((-found.value, -found.low, -found.high))
