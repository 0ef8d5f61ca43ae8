"""Gap against difficulty: values worked out by hand, and laws."""

from collections.abc import Iterable
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.analysis.selection import NO_CORRECT, NO_WRONG, Scored, Unit
from uq_tui.analysis.separation import NO_ACCURACY, GapPoint, Measured, separation


def measured(
    accuracy: float | None,
    correct: Iterable[float],
    wrong: Iterable[float],
    human: Iterable[float] = (),
    key: str = "q",
) -> Measured:
    scored = [
        *(Scored("c", score, True) for score in correct),
        *(Scored("w", score, False) for score in wrong),
        *(Scored("h", score, True, reference=True) for score in human),
    ]
    return Measured(Unit(key, key.split("/")[0], tuple(scored)), accuracy)


EIGHTHS = st.integers(0, 8).map(lambda eighths: eighths / 8)
SOME = st.builds(
    measured,
    st.one_of(st.none(), EIGHTHS),
    st.lists(EIGHTHS, max_size=3),
    st.lists(EIGHTHS, max_size=3),
    st.lists(EIGHTHS, max_size=1),
    st.sampled_from(["a", "b/1", "b/2", "c", "d"]),
)


def test_by_hand() -> None:
    """Gaps .5 - .25 and 1 - 0, at 1 - .8 and 1 - 0."""
    found = separation(
        [measured(0.8, (0.75, 0.25), (0.25,), key="easy"), measured(0.0, (1.0,), (0.0, 0.0), key="hard")], bins=5
    )

    assert found.points == (GapPoint("easy", "easy", 0.2, 0.25), GapPoint("hard", "hard", 1.0, 1.0))
    assert [(one.low, one.high, one.n, one.gap) for one in found.bins] == [
        (0.0, 0.2, 0, None),
        (0.2, 0.4, 1, 0.25),
        (0.4, 0.6, 0, None),
        (0.6, 0.8, 0, None),
        (0.8, 1.0, 1, 1.0),
    ]
    assert (found.correlation.rho, found.correlation.n, found.correlation.undefined) == (None, 2, "fewer than 3 pairs")


def test_a_gap_is_in_parts_of_the_scale() -> None:
    (point,) = separation([measured(0.5, (10, 7), (4,))], lowest=1, highest=10).points

    assert point.gap == pytest.approx(4.5 / 9)


def test_the_human_solution_need_not_be_a_correct_one() -> None:
    some = [measured(0.5, (0.5,), (0.25,), human=(1.0,))]

    assert separation(some).points[0].gap == 0.5
    assert separation(some, reference_counts=False).points[0].gap == 0.25


def test_scores_that_fail_where_questions_are_hard() -> None:
    """Gaps of 1, .75, .5, .25, 0 at difficulties of 0, .25, ..., 1."""
    falling = [measured(1 - step / 4, (1 - step / 4,), (0.0,), key=f"{step}") for step in range(5)]

    assert separation(falling).correlation.rho == -1


def test_gaps_added_up_in_another_order_are_ties() -> None:
    """Sums of the same three numbers; they differ in the last bit."""
    some = [
        measured(0.75, (0.1 + 0.2 + 0.3,), (0.0,), key="a"),
        measured(0.5, (0.3 + 0.2 + 0.1,), (0.0,), key="b"),
        measured(0.25, (0.1 + 0.2 + 0.3,), (0.0,), key="c"),
    ]

    assert separation(some).correlation.undefined == "all values on one side are equal"


def test_units_that_cannot_be_placed_are_counted_by_reason() -> None:
    found = separation(
        [
            measured(None, (1.0,), (0.0,)),
            measured(0.5, (1.0,), ()),
            measured(0.5, (), (1.0,)),
            measured(0.5, (), ()),
            measured(0.5, (1.0,), (0.0,)),
        ]
    )

    assert found.undefined == {NO_ACCURACY: 1, NO_CORRECT: 2, NO_WRONG: 1}
    assert len(found.points) == 1


def test_a_bin_of_few_questions_has_no_interval() -> None:
    """Ten variants of one question are one question."""
    variants = [measured(0.5, (1.0,), (0.5,), key=f"q/{place}") for place in range(10)]
    apart = [measured(0.5, (1.0,), (0.5,), key=f"{place}") for place in range(10)]
    (few,), (many,) = (separation(some, bins=1).bins for some in (variants, apart))

    assert (few.n, few.originals, few.gap, few.gap_low, few.gap_high) == (10, 1, 0.5, None, None)
    assert many.originals == 10
    assert many.gap_low is not None
    assert many.gap_high is not None
    assert -1 <= many.gap_low < 0.5 < many.gap_high <= 1


def test_nothing_at_all() -> None:
    found = separation([])

    assert (found.points, found.correlation.rho) == ((), None)
    assert {one.gap for one in found.bins} == {None}


def test_what_is_off_its_scale_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="off the scale"):
        separation([measured(0.5, (7,), (0,))])
    with pytest.raises(ValueError, match="outside 0 to 1"):
        separation([measured(50, (1,), (0,))])
    with pytest.raises(ValueError, match="no width"):
        separation([], lowest=1, highest=1)


@given(st.lists(SOME, max_size=8), st.integers(1, 6))
def test_bins_hold_every_point_once_and_say_their_mean(some: list[Measured], bins: int) -> None:
    found = separation(some, bins=bins)

    assert len(found.points) + sum(found.undefined.values()) == len(some)
    assert sum(one.n for one in found.bins) == len(found.points)
    for place, one in enumerate(found.bins):
        last = place == bins - 1
        inside = [p.gap for p in found.points if one.low <= p.difficulty < one.high or (last and p.difficulty == 1)]
        assert one.n == len(inside)
        assert one.gap == (pytest.approx(fmean(inside)) if inside else None)


@given(st.lists(SOME, max_size=8))
def test_scores_turned_round_turn_gaps_round(some: list[Measured]) -> None:
    turned = [
        Measured(
            Unit(
                one.unit.key,
                one.unit.question_id,
                tuple(Scored("", 1 - it.score, it.correct) for it in one.unit.scored),
            ),
            one.accuracy,
        )
        for one in some
    ]
    found, other = separation(some), separation(turned)

    assert [point.gap for point in other.points] == pytest.approx([-point.gap for point in found.points])
    if found.correlation.rho is not None and other.correlation.rho is not None:
        assert other.correlation.rho == pytest.approx(-found.correlation.rho)
