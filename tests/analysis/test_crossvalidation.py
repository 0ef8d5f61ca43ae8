"""Grouped cross-validation: what folds hold, values worked out by hand, figures of the paper."""

import math
import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.analysis.crossvalidation import NO_ROWS, ONE_KIND, ONE_QUESTION, Row, compare, folds_of
from uq_tui.analysis.logistic import fit
from uq_tui.analysis.ranks import auc

J, U, BOTH = ("judge",), ("utility",), ("judge", "utility")
SIZES = st.dictionaries(st.text("abcdef", min_size=1, max_size=3), st.integers(1, 12), min_size=1, max_size=20)


def row(number: int, question: object, correct: bool, judge: float | None = 0.0, utility: float | None = 0.0) -> Row:
    return Row(f"c{number}", f"q{question}", correct, {"judge": judge, "utility": utility})


def noisy(questions: int, each: int, seed: int) -> list[Row]:
    """Candidates whose utility says much and whose judge little."""
    by = random.Random(seed)
    return [
        row(number, number // each, right, by.gauss(right * 0.3, 1), by.gauss(right * 2, 1))
        for number in range(questions * each)
        for right in [by.random() < 0.45]
    ]


@given(SIZES, st.integers(2, 10), st.integers(0, 5))
def test_folds_hold_whole_questions_evenly(sizes: dict[str, int], count: int, seed: int) -> None:
    fold_of = folds_of(sizes, count, seed)
    assert fold_of.keys() == sizes.keys()
    assert set(fold_of.values()) == set(range(min(count, len(sizes))))

    filled = [sum(sizes[question] for question in sizes if fold_of[question] == fold) for fold in set(fold_of.values())]
    assert max(filled) - min(filled) <= max(sizes.values())
    assert folds_of(dict(reversed(sizes.items())), count, seed) == fold_of


def test_a_question_of_many_candidates_has_a_fold_for_itself() -> None:
    sizes = {"many": 12, **{f"q{place}": 1 for place in range(12)}}
    fold_of = folds_of(sizes, 2, seed=0)

    assert [question for question in sizes if fold_of[question] == fold_of["many"]] == ["many"]


def test_folds_come_of_the_seed() -> None:
    sizes = {f"q{place}": 9 for place in range(30)}

    assert len({tuple(sorted(folds_of(sizes, 5, seed).items())) for seed in range(4)}) == 4


def test_no_candidate_is_judged_by_what_was_learnt_of_its_question() -> None:
    """Each prediction is that of a model of the rows outside the fold of its question, refitted here."""
    rows = noisy(7, 4, seed=1)
    fold_of = folds_of({f"q{place}": 4 for place in range(7)}, 3, seed=5)
    (found,) = compare(rows, [U], folds=3, seed=5).results

    chances = []
    for one in rows:
        outside = [it for it in rows if fold_of[it.question_id] != fold_of[one.question_id]]
        model = fit([(it.features["utility"] or 0.0,) for it in outside], [it.correct for it in outside])
        chances.append(model.chance([one.features["utility"] or 0.0]))
    hits = sum((chance >= 0.5) == one.correct for chance, one in zip(chances, rows, strict=True))
    assert (found.accuracy.hits, found.accuracy.n) == (hits, 28)
    right, wrong = ([c for c, it in zip(chances, rows, strict=True) if it.correct is kind] for kind in (True, False))
    assert found.auc == pytest.approx(auc(right, wrong))
    losses = [-math.log(c if it.correct else 1 - c) for c, it in zip(chances, rows, strict=True)]
    assert found.log_loss == pytest.approx(sum(losses) / 28)


def test_what_only_names_the_question_is_worth_nothing_on_others() -> None:
    """Labels follow from the question, and the feature tells questions apart: known questions would be all right."""
    rows = [row(number, number // 5, number // 5 % 2 == 0, judge=(number // 5 * 7) % 20) for number in range(100)]
    (found,) = compare(rows, [J]).results

    assert found.accuracy.value is not None
    assert found.accuracy.value < 0.7
    assert found.auc_within is None


def test_a_score_that_parts_them_is_always_right() -> None:
    rows = [row(number, number // 4, number % 2 == 0, judge=1 - number % 2) for number in range(40)]
    found = compare(rows, [J])
    (result,) = found.results

    assert (result.accuracy.hits, result.accuracy.n, result.auc) == (40, 40, 1)
    assert result.balanced_accuracy.value == 1
    assert result.auc_within is not None
    assert (result.auc_within.value, result.auc_within.n) == (1, 10)
    assert result.log_loss < 0.1
    assert (found.n, found.questions, found.correct, found.folds) == (40, 10, 20, 10)
    assert (found.majority.value, found.base_rate.value) == (0.5, 0.5)


def test_a_score_that_says_nothing_is_the_majority() -> None:
    rows = [row(number, number // 4, number % 4 == 0) for number in range(40)]
    found = compare(rows, [J])
    (result,) = found.results

    assert result.accuracy.value == found.majority.value == 0.75
    assert (result.balanced_accuracy.value, result.auc) == (0.5, 0.5)
    assert result.log_loss == pytest.approx(-(0.25 * math.log(0.25) + 0.75 * math.log(0.75)))


@pytest.mark.parametrize(
    ("printed", "hits"),
    [
        (63.05, 157),
        (66.67, 166),
        (73.09, 182),
        (73.90, 184),
        (76.31, 190),
    ],
)
def test_the_papers_accuracies_are_counts_of_249(printed: float, hits: int) -> None:
    """A yes or no that is right for so many candidates of 83 questions, as often in the one way as in the other."""
    misses = [number * (249 - hits) // 249 < (number + 1) * (249 - hits) // 249 for number in range(249)]
    rows = [
        row(number, number % 83, (number // 2 % 2 == 0) is not missed, judge=number // 2 % 2)
        for number, missed in enumerate(misses)
    ]
    (found,) = compare(rows, [J]).results

    assert (found.accuracy.hits, found.accuracy.n) == (hits, 249)
    assert found.accuracy.value is not None
    assert round(100 * found.accuracy.value, 2) == printed


def test_sets_are_held_against_each_other_on_the_same_candidates() -> None:
    rows = [
        *noisy(12, 8, seed=3),
        row(900, 0, True, judge=None),
        row(901, 0, True, utility=None),
        row(902, 99, False, judge=None, utility=None),
        Row("c903", "q0", True, {"judge": 1.0}),
    ]
    found = compare(rows, [J, U, BOTH])

    assert (found.n, found.questions, found.missing) == (96, 12, 4)
    assert found.missing_by_feature == {"judge": 2, "utility": 3}
    assert [result.features for result in found.results] == [J, U, BOTH]
    assert {result.accuracy.n for result in found.results} == {96}
    assert found == compare(rows[:96] + rows[96:][::-1], [J, U, BOTH])
    assert compare(rows, [U]).n == 97


def test_differences_are_of_the_same_candidates() -> None:
    found = compare(noisy(20, 8, seed=4), [J, U, BOTH])
    accuracy = {result.features: result.accuracy.value for result in found.results}

    assert [(one.features, one.over) for one in found.differences] == [(U, J), (BOTH, J), (BOTH, U)]
    for one in found.differences:
        left, right = accuracy[one.features], accuracy[one.over]
        assert left is not None
        assert right is not None
        assert one.accuracy.value == pytest.approx(left - right)
        assert one.accuracy.clusters == 20
    gain = found.differences[0].accuracy
    assert gain.low is not None
    assert gain.low > 0


def test_candidates_of_a_question_that_fail_together_widen_the_interval() -> None:
    """A score that is wrong for every candidate of some questions."""
    rows = [
        row(number, number // 10, number % 2 == 0, judge=(number % 2 == 0) is not (number // 10 % 4 == 0))
        for number in range(200)
    ]
    (found,) = compare(rows, [J]).results

    assert found.accuracy.value == 0.75
    assert found.clustered is not None
    assert found.clustered.value == 0.75
    bounds = (found.clustered.low, found.accuracy.low, found.accuracy.high, found.clustered.high)
    known = [bound for bound in bounds if bound is not None]
    assert len(known) == 4
    assert all(one < other for one, other in pairwise(known))


def test_few_questions_are_left_out_one_by_one() -> None:
    found = compare(noisy(3, 8, seed=6), [J])

    assert (found.folds, found.questions) == (3, 3)
    assert found.results[0].clustered is not None
    assert found.results[0].clustered.low is None


def test_undefined() -> None:
    nothing = compare([row(0, 0, True, judge=None)], [J])
    assert (nothing.undefined, nothing.n, nothing.missing, nothing.folds) == (NO_ROWS, 0, 1, 0)
    assert (nothing.base_rate.value, nothing.majority.value, nothing.results) == (None, None, ())
    assert compare([], [J, U]).undefined == NO_ROWS

    together = compare([row(0, 0, True), row(1, 0, False)], [J])
    assert (together.undefined, together.n, together.results, together.differences) == (ONE_QUESTION, 2, (), ())

    alike = compare([row(number, number, True) for number in range(6)], [J])
    assert (alike.undefined, alike.majority.value, alike.correct) == (ONE_KIND, 1, 6)


def test_a_kind_that_only_one_question_has_cannot_be_learnt_for_it() -> None:
    rows = [row(number, number // 2, number == 0) for number in range(12)]

    assert compare(rows, [J]).undefined == ONE_KIND
