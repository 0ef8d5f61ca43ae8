"""Logistic regression: known fits, conditions of a minimum checked numerically, and laws."""

import math
from collections.abc import Sequence

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from uq_tui.analysis.logistic import Logistic, fit, log_loss

HOURS = (0.5, 0.75, 1, 1.25, 1.5, 1.75, 1.75, 2, 2.25, 2.5, 2.75, 3, 3.25, 3.5, 4, 4.25, 4.5, 4.75, 5, 5.5)
PASSED = (0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1)
"""A textbook example: hours of study and who passed. Its likelihood is greatest at -4.0777 + 1.5046 hours."""

FEATURES = st.integers(-8, 8).map(lambda eighths: eighths / 8)


@st.composite
def problems(draw: st.DrawFn) -> tuple[list[tuple[float, ...]], list[bool]]:
    """Rows of one to three features, with labels of both kinds."""
    width, n = draw(st.integers(1, 3)), draw(st.integers(2, 15))
    rows = draw(st.lists(st.tuples(*[FEATURES] * width), min_size=n, max_size=n))
    labels = draw(st.lists(st.booleans(), min_size=n, max_size=n))
    assume(len(set(labels)) == 2)
    return rows, labels


Problem = tuple[list[tuple[float, ...]], list[bool]]


def penalised_loss(
    intercept: float,
    weights: Sequence[float],
    model: Logistic,
    rows: Sequence[Sequence[float]],
    labels: Sequence[bool],
    l2: float,
) -> float:
    """The loss as it is defined, at any intercept and weights."""
    moved = Logistic(intercept, tuple(weights), model.centres, model.scales)
    losses = [log_loss(moved.chance(row), label) for row, label in zip(rows, labels, strict=True)]
    return math.fsum(losses) + l2 / 2 * sum(weight**2 for weight in weights)


def test_a_textbook_example() -> None:
    model = fit([(hours,) for hours in HOURS], [bool(passed) for passed in PASSED], l2=1e-9)
    slope = model.weights[0] / model.scales[0]

    assert slope == pytest.approx(1.5046, abs=5e-5)
    assert model.intercept - slope * model.centres[0] == pytest.approx(-4.0777, abs=5e-5)
    assert model.chance((2,)) == pytest.approx(0.26, abs=0.005)
    assert model.chance((4,)) == pytest.approx(0.87, abs=0.005)


def test_two_parted_candidates_by_hand() -> None:
    """At -1 and 1 the slope of 2 log(1 + exp(-w)) + w^2 / 2 is 0 where w = 2 / (1 + exp(w))."""
    model = fit([(3.0,), (7.0,)], [False, True], l2=1.0)

    assert model.intercept == pytest.approx(0)
    assert [*model.centres, *model.scales] == [5, 2]
    assert model.weights[0] == pytest.approx(2 / (1 + math.exp(model.weights[0])))
    assert model.weights[0] == pytest.approx(0.6748, abs=5e-5)


@pytest.mark.parametrize("value", [0.0, 0.1, 1e9])
def test_a_constant_feature_says_nothing(value: float) -> None:
    model = fit([(value,)] * 10, [place < 3 for place in range(10)])

    assert list(model.weights) == [0]
    assert model.chance((value,)) == pytest.approx(0.3)
    assert model.chance((value + 5,)) == pytest.approx(0.3)


def test_completely_parted_candidates_have_finite_weights() -> None:
    rows = [(float(place), -float(place)) for place in range(40)]
    strong = fit(rows, [place >= 20 for place in range(40)], l2=1e-3)
    weak = fit(rows, [place >= 20 for place in range(40)], l2=1.0)

    assert all(math.isfinite(weight) for weight in strong.weights)
    assert abs(strong.weights[0]) > abs(weak.weights[0]) > 0
    assert strong.weights[0] == pytest.approx(-strong.weights[1])
    assert strong.chance((39, -39)) > 0.999


def test_what_cannot_be_fitted_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="all the same"):
        fit([(1,), (2,)], [True, True])
    with pytest.raises(ValueError, match="all the same"):
        fit([], [])
    with pytest.raises(ValueError, match="cannot have"):
        fit([(1,)], [True, False])
    with pytest.raises(ValueError, match="penalty"):
        fit([(1,), (2,)], [True, False], l2=0)
    with pytest.raises(ValueError, match="not finite"):
        fit([(1,), (math.inf,)], [True, False])


def test_loss_of_a_chance() -> None:
    assert log_loss(0.25, True) == pytest.approx(math.log(4))
    assert log_loss(0.25, False) == pytest.approx(math.log(4 / 3))
    assert log_loss(0.0, True) == pytest.approx(15 * math.log(10))
    assert log_loss(1.0, True) == 0


@settings(max_examples=50)
@given(problems(), st.sampled_from([0.01, 1.0, 10.0]))
def test_the_slope_of_the_loss_is_0_at_the_fit(problem: Problem, l2: float) -> None:
    rows, labels = problem
    model = fit(rows, labels, l2=l2)
    at = [model.intercept, *model.weights]
    for place in range(len(at)):
        losses = []
        for by in (-1e-5, 1e-5):
            intercept, *weights = [value + by * (other == place) for other, value in enumerate(at)]
            losses.append(penalised_loss(intercept, weights, model, rows, labels, l2))

        assert (losses[1] - losses[0]) / 2e-5 == pytest.approx(0, abs=1e-5)


@settings(max_examples=50)
@given(problems(), st.lists(st.floats(-3, 3), min_size=4, max_size=4))
def test_no_other_weights_lose_less(problem: Problem, by: list[float]) -> None:
    rows, labels = problem
    model = fit(rows, labels)
    least = penalised_loss(model.intercept, model.weights, model, rows, labels, 1.0)
    weights = [weight + move for weight, move in zip(model.weights, by[1:], strict=False)]

    assert penalised_loss(model.intercept + by[0], weights, model, rows, labels, 1.0) >= least - 1e-9


@settings(max_examples=50)
@given(problems())
def test_chances_add_up_to_the_correct_ones(problem: Problem) -> None:
    """The intercept isn't penalised, so that the model is right on the average."""
    rows, labels = problem
    model = fit(rows, labels)

    assert sum(model.chance(row) for row in rows) == pytest.approx(sum(labels))


@settings(max_examples=50)
@given(problems(), st.sampled_from([0.125, 1.0, 1000.0]), st.integers(-50, 50))
def test_the_scale_of_a_score_does_not_count(problem: Problem, stretch: float, shift: int) -> None:
    rows, labels = problem
    moved = [tuple(stretch * value + shift for value in row) for row in rows]
    one, other = fit(rows, labels), fit(moved, labels)

    for row, there in zip(rows, moved, strict=True):
        assert other.chance(there) == pytest.approx(one.chance(row), abs=1e-6)


@settings(max_examples=50)
@given(problems())
def test_labels_turned_round_turn_chances_round(problem: Problem) -> None:
    rows, labels = problem
    one, other = fit(rows, labels), fit(rows, [not label for label in labels])

    for row in rows:
        assert other.chance(row) == pytest.approx(1 - one.chance(row), abs=1e-6)
