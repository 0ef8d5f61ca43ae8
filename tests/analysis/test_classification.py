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
from uq_tui.strategies.catalogue import PaperMatrix, PaperRow, paper_rows

MATRICES = [(row, row.matrix) for row in paper_rows() if row.matrix is not None]
"""The rows of Unsolved Questions, Table S7, whose printed figures come of whole counts."""


@pytest.mark.parametrize(("row", "matrix"), MATRICES, ids=[row.name for row, _ in MATRICES])
def test_the_papers_figures_follow_from_the_counts(row: PaperRow, matrix: PaperMatrix) -> None:
    of = Confusion(matrix.true_positives, matrix.false_positives, matrix.false_negatives, matrix.true_negatives)
    assert (of.n, of.correct) == (matrix.n, matrix.correct)
    found = quality(of)
    printed = (row.accuracy, row.precision, row.recall)
    for figure, expected in zip((found.accuracy, found.precision, found.recall), printed, strict=True):
        assert 100 * value_of(figure) == pytest.approx(expected, abs=0.005 + 1e-9)
    assert value_of(found.accuracy) < value_of(found.always_reject)


def test_35_rows_have_counts() -> None:
    assert len(MATRICES) == 35


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
