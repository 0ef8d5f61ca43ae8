"""Metrics of selection: values worked out by hand, brute force over all ways to break ties, figures of the paper."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.analysis.intervals import mean_of_proportions
from uq_tui.analysis.selection import (
    NO_CANDIDATE,
    NO_CORRECT,
    NO_REFERENCE,
    NO_WRONG,
    PerUnit,
    Scored,
    Told,
    Unit,
    UnitFigures,
    above_mean,
    metrics,
    of_unit,
)


def unit(
    correct: Iterable[float] = (),
    wrong: Iterable[float] = (),
    human: Iterable[float] = (),
    key: str = "q",
    of: str = "",
) -> Unit:
    """A unit of the scores of its model-written correct, its wrong and its human candidates."""
    scored = [
        *(Scored(f"c{place}", score, True) for place, score in enumerate(correct)),
        *(Scored(f"w{place}", score, False) for place, score in enumerate(wrong)),
        *(Scored(f"h{place}", score, True, reference=True) for place, score in enumerate(human)),
    ]
    return Unit(key, of or key, tuple(scored))


EIGHTHS = st.integers(0, 4).map(lambda eighths: eighths / 8)
SCORES = st.lists(EIGHTHS, max_size=3)
UNITS = st.builds(unit, SCORES, SCORES, st.lists(EIGHTHS, max_size=1))


def values(figures: UnitFigures) -> tuple[float | None, ...]:
    told = (figures.acc1, figures.recall5, figures.auc, figures.human_win, figures.mean_win)
    return tuple(one.value for one in told)


def reasons(figures: UnitFigures) -> tuple[str, ...]:
    told = (figures.acc1, figures.recall5, figures.auc, figures.human_win, figures.mean_win)
    return tuple(one.undefined for one in told)


def test_by_hand_without_ties() -> None:
    """Ranked c w h w c w w: two of three correct ones in five; pairs won by .9, .7 and .5: 4, 3 and 2 of 4."""
    figures = of_unit(unit(correct=(0.9, 0.5), wrong=(0.8, 0.6, 0.4, 0.2), human=(0.7,)))

    assert values(figures) == (1, 1, 9 / 12, 1, 1)
    chances = (figures.acc1.chance, figures.recall5.chance, figures.auc.chance, figures.mean_win.chance)
    assert chances == (3 / 7, 5 / 7, 0.5, 0.5)
    assert (figures.share_correct.value, figures.n) == (3 / 7, 7)


def test_the_human_solution_need_not_be_one_of_the_correct_ones() -> None:
    """Without it ranked: c w w c w w, and pairs 4 and 2 of 8."""
    figures = of_unit(unit((0.9, 0.5), (0.8, 0.6, 0.4, 0.2), (0.45,)), reference_counts=False)

    assert values(figures) == (1, 1, 6 / 8, 0, 1)
    assert (figures.share_correct.value, figures.n) == (2 / 6, 6)


def test_a_tied_top_group_counts_by_its_share_of_correct_ones() -> None:
    assert of_unit(unit((0.8, 0.8, 0.1), (0.8, 0.3))).acc1 == Told(2 / 3, 3 / 5)


def test_the_group_across_rank_5_counts_by_the_hypergeometric_mean() -> None:
    """Three ahead, one correct; then four for two places, of which three are correct: 1 + 3 * 2/4 of five."""
    figures = of_unit(unit((0.9, 0.5, 0.5, 0.5, 0.1), (0.9, 0.8, 0.5)))

    assert figures.recall5 == Told(2.5 / 5, 5 / 8)


def test_all_alike_is_chance() -> None:
    """A pool as the paper's: four correct, five wrong and the human one."""
    figures = of_unit(unit((0.5,) * 4, (0.5,) * 5, (0.5,)))

    assert values(figures) == (0.5, 0.5, 0.5, 0.5, 0.5)
    assert {figures.acc1.chance, figures.recall5.chance, figures.auc.chance} == {0.5}


def test_all_correct() -> None:
    figures = of_unit(unit(correct=(0.9, 0.1)))

    assert values(figures) == (1, 1, None, None, None)
    assert reasons(figures) == ("", "", NO_WRONG, NO_REFERENCE, NO_WRONG)
    assert of_unit(unit(human=(0.4,), correct=(0.2,))).human_win == Told(None, None, NO_WRONG)


def test_all_wrong() -> None:
    figures = of_unit(unit(wrong=(0.9, 0.1)))

    assert values(figures) == (0, None, None, None, None)
    assert reasons(figures) == ("", NO_CORRECT, NO_CORRECT, NO_REFERENCE, NO_CORRECT)


def test_one_candidate() -> None:
    assert values(of_unit(unit(correct=(0.3,)))) == (1, 1, None, None, None)
    assert values(of_unit(unit(wrong=(0.3,)))) == (0, None, None, None, None)
    assert values(of_unit(unit(human=(0.3,)))) == (1, 1, None, None, None)


def test_no_candidate() -> None:
    assert reasons(of_unit(unit())) == (NO_CANDIDATE, NO_CANDIDATE, NO_CANDIDATE, NO_REFERENCE, NO_CANDIDATE)
    alone = of_unit(unit(human=(0.3,)), reference_counts=False)
    assert (reasons(alone)[0], alone.share_correct.value, alone.n) == (NO_CANDIDATE, None, 0)


def test_only_the_human_solution_and_wrong_ones() -> None:
    """With it out of the correct set, it can still win."""
    some = unit(wrong=(0.2, 0.6), human=(0.4,))

    assert values(of_unit(some)) == (0, 1, 0.5, 0.5, 0.5)
    assert values(of_unit(some, reference_counts=False)) == (0, None, None, 0.5, None)


def test_sums_in_another_order_are_ties() -> None:
    one, other = (0.1 + 0.2) + 0.3, 0.1 + (0.2 + 0.3)
    assert one != other

    assert values(of_unit(unit((other,), (one,)))) == (0.5, 1, 0.5, None, 0.5)


def test_what_is_no_score_and_a_wrong_reference_are_mistakes() -> None:
    with pytest.raises(ValueError, match="no score"):
        Scored("c", float("nan"), True)
    with pytest.raises(ValueError, match="by definition"):
        Scored("c", 0.5, False, reference=True)


def brute(some: Unit, *, reference_counts: bool) -> tuple[Fraction | None, ...]:
    """The definitions of METHODS as they stand, in exact arithmetic, over every order that the scores allow."""
    pool = [one for one in some.scored if reference_counts or not one.reference]
    orders = [
        order for order in permutations(pool) if all(left.score >= right.score for left, right in pairwise(order))
    ]
    right, wrong = ([one for one in pool if one.correct is kind] for kind in (True, False))
    first = exact_mean([int(order[0].correct) for order in orders]) if pool else None
    recall = exact_mean([sum(one.correct for one in order[:5]) for order in orders])
    area = [half(Fraction(one.score), Fraction(other.score)) for one in right for other in wrong]
    mean_right, mean_wrong = (exact_mean([one.score for one in some]) for some in (right, wrong))
    human = next((Fraction(one.score) for one in some.scored if one.reference), None)
    return (
        first,
        recall / len(right) if right and recall is not None else None,
        exact_mean(area),
        half(human, mean_wrong) if human is not None and mean_wrong is not None else None,
        half(mean_right, mean_wrong) if mean_right is not None and mean_wrong is not None else None,
    )


def exact_mean(numbers: Sequence[float | Fraction]) -> Fraction | None:
    return sum((Fraction(number) for number in numbers), Fraction(0)) / len(numbers) if numbers else None


def half(one: Fraction, other: Fraction) -> Fraction:
    return Fraction(1 + (one > other) - (one < other), 2)


@given(UNITS, st.booleans())
def test_metrics_are_their_definitions(some: Unit, reference_counts: bool) -> None:
    found = values(of_unit(some, reference_counts=reference_counts))

    for value, expected in zip(found, brute(some, reference_counts=reference_counts), strict=True):
        assert value == (expected if expected is None else pytest.approx(float(expected)))


@given(UNITS, st.integers(-20, 20), st.sampled_from([0.001, 0.5, 3.0, 1e6]))
def test_only_order_and_distances_count(some: Unit, shift: int, scale: float) -> None:
    moved = tuple(
        Scored(one.candidate_id, scale * (one.score + shift), one.correct, one.reference) for one in some.scored
    )

    assert of_unit(Unit("q", "q", moved)) == of_unit(some)


@given(UNITS)
def test_a_scorer_turned_round_loses_what_it_won(some: Unit) -> None:
    turned = tuple(Scored(one.candidate_id, -one.score, one.correct, one.reference) for one in some.scored)
    found, lost = of_unit(some), of_unit(Unit("q", "q", turned))

    for one, other in ((found.auc, lost.auc), (found.human_win, lost.human_win), (found.mean_win, lost.mean_win)):
        if one.value is None or other.value is None:
            assert one == other
        else:
            assert one.value + other.value == pytest.approx(1)


@given(UNITS)
def test_chance_is_what_scores_reach_that_are_dealt_out_at_random(some: Unit) -> None:
    """Over all ways to deal the same scores to the candidates; over wins for scores round a middle only."""
    scores = [one.score for one in some.scored]
    if len(scores) > 5:
        return
    dealt = [
        of_unit(Unit("q", "q", tuple(Scored("", s, one.correct) for s, one in zip(order, some.scored, strict=True))))
        for order in permutations(scores)
    ]
    for told in zip(*((one.acc1, one.recall5, one.auc) for one in dealt), strict=True):
        reached = [one.value for one in told if one.value is not None]
        if reached:
            assert sum(reached) / len(reached) == pytest.approx(told[0].chance)


@pytest.mark.parametrize(
    ("printed", "wins", "n"),
    [
        # Table 2: HumanWin and MeanWin by original for most rows, by variant for two of them; Acc@1 by variant.
        (67.14, 47, 70),
        (48.57, 34, 70),
        (82.86, 58, 70),
        (90.00, 63, 70),
        (75.71, 53, 70),
        (27.05, 33, 122),
        (77.05, 94, 122),
        (67.21, 82, 122),
        (72.13, 88, 122),
        (74.59, 91, 122),
        (36.89, 45, 122),
        (8.20, 10, 122),
        (76.27, 90, 118),
    ],
)
def test_the_papers_shares_follow_from_counts_of_units(printed: float, wins: int, n: int) -> None:
    """Units in which the human and the model-written correct candidate lead, or trail."""
    units = [
        unit((0.9,), (0.5,), (0.8,), key=str(place)) if place < wins else unit((0.1,), (0.5,), (0.2,), key=str(place))
        for place in range(n)
    ]
    found = metrics(units, per=PerUnit.VARIANT)
    wilson = mean_of_proportions([(wins, n)])
    assert wilson is not None

    for averaged in (found.human_win, found.mean_win, found.acc1, found.auc):
        assert averaged.value is not None
        assert 100 * averaged.value == pytest.approx(printed, abs=0.005 + 1e-9)
        assert (averaged.low, averaged.high) == pytest.approx((wilson.low, wilson.high))
        assert (averaged.n, averaged.originals, averaged.missing) == (n, n, 0)


def test_a_printed_share_that_is_no_count_can_be_one_with_ties() -> None:
    """62.59 is no count of 70 or 122. Of 70 it is 43 that lead and three ties worth 1/5 + 1/6 + 4/9."""
    assert not any(round(100 * hits / n, 2) == 62.59 for n in (70, 122) for hits in range(n))
    ties = [unit((0.5,) * right, (0.5,) * (n - right), key=f"{n}") for right, n in ((1, 5), (1, 6), (4, 9))]
    led = [unit((0.9,), (0.1,), key=f"led {place}") for place in range(43)]
    trailed = [unit((0.1,), (0.9,), key=f"trailed {place}") for place in range(24)]
    found = metrics([*ties, *led, *trailed]).acc1

    assert found.n == 70
    assert found.value is not None
    assert round(100 * found.value, 2) == 62.59


def test_variants_are_averaged_within_their_question() -> None:
    units = [
        unit((0.9,), (0.1,), key="a1", of="a"),
        unit((0.1,), (0.9,), key="a2", of="a"),
        unit((0.9,), (0.1,), key="b", of="b"),
    ]
    by_original, by_variant = metrics(units), metrics(units, per=PerUnit.VARIANT)

    assert (by_original.acc1.value, by_original.acc1.n, by_original.acc1.originals) == (0.75, 2, 2)
    assert by_variant.acc1.value == pytest.approx(2 / 3)
    assert (by_variant.acc1.n, by_variant.acc1.originals) == (3, 2)
    assert (by_original.units, by_original.originals, by_original.candidates) == (3, 2, 6)


def test_variants_of_a_question_are_not_independent() -> None:
    """Twice the variants that all say the same narrow nothing."""
    once = [unit((0.9,), (float(place < 7),), key=f"{place}", of=f"{place}") for place in range(10)]
    twice = once + [Unit(f"again {one.key}", one.question_id, one.scored) for one in once]
    one, two = metrics(once, per=PerUnit.VARIANT).auc, metrics(twice, per=PerUnit.VARIANT).auc

    assert (one.n, two.n, two.originals) == (10, 20, 10)
    assert (two.low, two.high) == pytest.approx((one.low, one.high))


def test_undefined_units_are_counted_by_reason_and_not_averaged() -> None:
    units = [
        unit((0.9,), (0.1,), key="a"),
        unit((0.9,), key="b"),
        unit(wrong=(0.9,), key="c"),
        Unit("d", "d", (), left_out=4),
        unit((0.9,), key="e"),
    ]
    found = metrics(units)

    assert (found.auc.value, found.auc.n) == (1, 1)
    assert found.auc.undefined == {NO_WRONG: 2, NO_CORRECT: 1, NO_CANDIDATE: 1}
    assert found.auc.missing == 4
    assert found.auc.why == f"1 {NO_CANDIDATE}, 1 {NO_CORRECT}, 2 {NO_WRONG}"
    assert (found.acc1.value, found.acc1.n, found.acc1.chance) == (0.75, 4, 0.625)
    assert (found.base_rate.value, found.base_rate.n) == (0.625, 4)
    assert (found.human_win.value, found.human_win.n, found.human_win.chance) == (None, 0, None)
    assert (found.left_out, found.one_sided) == (4, 3)


def test_a_question_is_defined_where_one_of_its_variants_is() -> None:
    found = metrics([unit((0.9,), (0.1,), key="a1", of="a"), unit((0.9,), key="a2", of="a")])

    assert (found.auc.value, found.auc.n, found.auc.undefined) == (1, 1, {})
    assert (found.acc1.value, found.acc1.chance) == (1, 0.75)


def test_nothing_at_all() -> None:
    found = metrics([])

    assert {averaged.value for _, averaged in found.named} == {None}
    assert (found.units, found.base_rate.value) == (0, None)


def test_few_questions_have_no_interval() -> None:
    units = [unit((0.9,), (0.1,), key=str(place)) for place in range(5)]

    assert (metrics(units[:4]).acc1.low, metrics(units[:4]).acc1.high) == (None, None)
    assert metrics(units).acc1.high == 1


@given(st.lists(UNITS, max_size=6), st.booleans())
def test_averages_are_means_of_what_is_defined(units: list[Unit], reference_counts: bool) -> None:
    apart = [Unit(str(place), str(place), one.scored) for place, one in enumerate(units)]
    found = metrics(apart, reference_counts=reference_counts)
    each = [values(of_unit(one, reference_counts=reference_counts)) for one in units]
    averages = (found.acc1, found.recall5, found.auc, found.human_win, found.mean_win)

    for place, averaged in enumerate(averages):
        defined = [value for one in each if (value := one[place]) is not None]
        assert (averaged.n, averaged.missing) == (len(defined), len(units) - len(defined))
        assert averaged.value == (pytest.approx(sum(defined) / len(defined)) if defined else None)


def test_above_the_mean_by_hand() -> None:
    """Means .5 and .6: above them are .9 and .8 of the correct, .6 of the wrong, and neither human one."""
    found = above_mean(
        [
            unit((0.9,), (0.5, 0.1), (0.5,), key="a"),
            unit((0.8, 0.6), (0.6, 0.6), (0.4,), key="b"),
            unit((0.5,), key="c"),
            unit(key="d"),
        ]
    )

    assert (found.wrong.hits, found.wrong.n) == (0, 4)
    assert (found.correct.hits, found.correct.n) == (2, 3)
    assert (found.reference.hits, found.reference.n) == (0, 2)
    assert (found.units, found.single) == (2, 1)
    wilson = mean_of_proportions([(2, 3)])
    assert wilson is not None
    assert (found.correct.low, found.correct.high) == (wilson.low, wilson.high)


def test_none_of_equal_scores_is_above_their_mean() -> None:
    found = above_mean([unit((0.1,), (0.1,), (0.1,))])

    assert (found.wrong.value, found.correct.value, found.reference.value) == (0, 0, 0)


def test_shares_above_the_mean_of_none_are_undefined() -> None:
    found = above_mean([])

    assert (found.wrong.value, found.wrong.undefined) == (None, NO_WRONG)
    assert (found.correct.undefined, found.reference.undefined) == (NO_CORRECT, NO_REFERENCE)


@given(st.lists(UNITS, max_size=5))
def test_shares_above_the_mean_are_counts(units: list[Unit]) -> None:
    found = above_mean(units)
    several = [some for some in units if len(some.scored) > 1]

    for figure, correct, reference in (
        (found.wrong, False, False),
        (found.correct, True, False),
        (found.reference, True, True),
    ):
        kind = [
            Fraction(one.score) > (exact_mean([other.score for other in some.scored]) or 0)
            for some in several
            for one in some.scored
            if (one.correct, one.reference) == (correct, reference)
        ]
        assert figure.n == len(kind)
        assert figure.hits == (sum(kind) if kind else None)
