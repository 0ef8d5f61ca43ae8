"""What ratings come to, worked out by hand; what the reference filter makes of failures is named by its lines."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.curation.criteria import Judged, Rated, judge
from uq_tui.curation.thresholds import default_toml, parse
from uq_tui.words import Criterion

LIMITS = parse(default_toml()).model
YES = Rated(40, 70, well_defined=True, approachable=True, objective=True)
"""It meets every limit exactly."""


def test_limits_may_be_met_exactly() -> None:
    """filter.py:386-387 asks for less."""
    found = judge([YES, YES, YES], LIMITS)
    assert (found.fell, found.decided, found.detail) == (
        None,
        True,
        "answer correctness 40, expert solvability 70, means of 3",
    )


@pytest.mark.parametrize(
    ("ratings", "fell", "detail"),
    [
        ([YES, replace(YES, answer_correctness=40.3), YES], Criterion.ANSWER_CORRECTNESS, "40.1 > 40, mean of 3"),
        ([YES, replace(YES, expert_solvability=71)], Criterion.EXPERT_SOLVABILITY, "70.5 > 70, mean of 2"),
        ([YES, YES, replace(YES, objective=False)], Criterion.OBJECTIVE, "objective: no in 1 of 3 ratings"),
        ([replace(YES, approachable=False)] * 2, Criterion.APPROACHABLE, "approachable: no in 2 of 2 ratings"),
        (
            [replace(YES, well_defined=False, answer_correctness=100), YES],
            Criterion.WELL_DEFINED,
            "well defined: no in 1 of 2 ratings",
        ),
    ],
)
def test_a_question_falls_by_the_first_criterion_it_fails(ratings: list[Rated], fell: Criterion, detail: str) -> None:
    found = judge(ratings, LIMITS)
    assert found.fell is fell
    assert found.decided
    assert found.detail.endswith(detail)


@pytest.mark.parametrize("number", [0, 1])
def test_too_few_ratings_decide_nothing(number: int) -> None:
    """filter.py:236-238 lets one of three do, and :224 divides it by three."""
    easy = Rated(90, 95, well_defined=True, approachable=True, objective=False)
    detail = f"undecided: {number} of 3 ratings read"
    assert judge([easy] * number, LIMITS) == Judged(None, detail, decided=False)


def test_means_are_of_the_ratings_that_were_read() -> None:
    """90 and 95 of one rating out of three become 30 and 31.7 in filter.py:224."""
    lenient = replace(LIMITS, least_ratings=1)
    easy = replace(YES, answer_correctness=90, expert_solvability=95)
    assert judge([easy], lenient).fell is Criterion.ANSWER_CORRECTNESS


rated = st.builds(Rated, st.floats(0, 100), st.floats(0, 100), st.just(value=True), st.just(value=True), st.booleans())


@given(st.lists(rated, max_size=5), st.floats(0, 40), st.floats(0, 70))
def test_stricter_limits_let_nothing_more_through(ratings: list[Rated], correctness: float, solvability: float) -> None:
    stricter = replace(LIMITS, answer_correctness=correctness, expert_solvability=solvability)
    if judge(ratings, LIMITS).fell is not None:
        assert judge(ratings, stricter).fell is not None


@given(st.lists(rated, max_size=5).flatmap(lambda one: st.tuples(st.just(one), st.permutations(one))))
def test_the_order_of_ratings_does_not_matter(orders: tuple[list[Rated], list[Rated]]) -> None:
    assert judge(orders[0], LIMITS) == judge(orders[1], LIMITS)
