"""Where validators and utility disagree, and where they say little."""

import pytest

from uq_tui.analysis.contention import Evidence, disagreement, uncertainty


def pair(accepts: int, rejects: int, utility: float | None) -> Evidence:
    return Evidence(accepts=accepts, rejects=rejects, utility=utility)


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ([pair(1, 0, 0.9), pair(0, 1, 0.1)], 0.0),
        ([pair(1, 0, 0.1), pair(0, 1, 0.9)], 1.0),
        ([pair(1, 0, 0.1), pair(1, 0, 0.9)], 0.5),
        ([pair(1, 0, 0.5), pair(1, 0, 0.5)], 0.0),
        ([pair(2, 1, 0.1), pair(1, 2, 0.2), pair(0, 3, 0.3)], 1.0),
        ([pair(1, 0, 0.3), pair(1, 0, 0.2), pair(0, 1, 0.1)], 0.5 / 3),
    ],
)
def test_disagreement_is_the_distance_of_two_orders(answers: list[Evidence], expected: float) -> None:
    assert disagreement(answers) == pytest.approx(expected)


def test_what_lacks_one_of_both_says_nothing_of_disagreement() -> None:
    assert disagreement([]) is None
    assert disagreement([pair(1, 0, 0.5), pair(0, 0, 0.9), pair(0, 1, None)]) is None


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (Evidence(width=0.4), 0.4),
        (Evidence(accepts=1, undecided=3), 0.75),
        (Evidence(accepts=1, votes_for=2, votes_against=2), 1.0),
        (Evidence(accepts=1, votes_for=3, votes_against=1, width=0.2), 0.75),
        (Evidence(accepts=1, votes_for=1), 0.0),
        (Evidence(utility=0.5), None),
        (Evidence(), None),
    ],
)
def test_uncertainty_is_the_greatest_of_what_is_known(answer: Evidence, expected: float | None) -> None:
    assert uncertainty([answer]) == (None if expected is None else pytest.approx(expected))


def test_a_problem_is_as_uncertain_as_the_mean_of_its_known_answers() -> None:
    assert uncertainty([Evidence(width=0.2), Evidence(width=0.6), Evidence()]) == pytest.approx(0.4)
