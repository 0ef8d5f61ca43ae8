"""Utility and lift from counts."""

import pytest

from uq_tui.analysis.intervals import mean_of_proportions
from uq_tui.analysis.sequences import anytime_difference, anytime_mean
from uq_tui.analysis.utility import Rolls, count, estimate, neighbour_estimates
from uq_tui.words import Interval


def test_undecided_rollouts_are_counted_apart() -> None:
    assert count([1, None, 0, 1, None]) == Rolls(solved=2, decided=3, undecided=2)
    assert count([]) == Rolls(0, 0, 0)


def test_neighbours_weigh_the_same_whatever_their_number_of_rollouts() -> None:
    found = estimate([Rolls(8, 8, 0), Rolls(0, 2, 6)], [])

    assert found.utility is not None
    assert found.utility.value == 0.5
    assert found.control is None
    assert found.lift is None


def test_lift_is_utility_minus_the_control_mean() -> None:
    found = estimate([Rolls(6, 8, 0), Rolls(4, 8, 0)], [Rolls(1, 8, 0), Rolls(3, 8, 0)])

    assert found.utility is not None
    assert found.control is not None
    assert found.lift is not None
    assert (found.utility.value, found.control.value) == (0.625, 0.25)
    assert found.lift.value == pytest.approx(0.375)
    assert found.lift.low < 0.375 < found.lift.high


def test_a_neighbour_without_a_decided_rollout_leaves_the_utility_unknown() -> None:
    found = estimate([Rolls(8, 8, 0), Rolls(0, 0, 8)], [Rolls(1, 8, 0), Rolls(1, 8, 0)])

    assert found.utility is None
    assert found.control is not None
    assert found.lift is None


def test_an_undecided_control_arm_leaves_the_lift_unknown() -> None:
    found = estimate([Rolls(1, 1, 0)], [Rolls(0, 0, 1)])

    assert found.utility is not None
    assert found.lift is None


def test_a_run_under_way_has_anytime_intervals() -> None:
    treated, untreated = [(6, 8), (4, 8)], [(1, 8), (3, 7)]
    candidate, control = ([Rolls(solved, decided, 1) for solved, decided in arm] for arm in (treated, untreated))
    live, once = (estimate(candidate, control, interval=interval) for interval in (Interval.ANYTIME, Interval.SCORE))

    assert live.utility == anytime_mean(treated)
    assert live.control == anytime_mean(untreated)
    assert live.lift == anytime_difference(treated, untreated)
    assert once == estimate(candidate, control)
    assert live.lift is not None
    assert once.lift is not None
    assert live.lift.value == once.lift.value
    assert live.lift.low < once.lift.low


@pytest.mark.parametrize("interval", Interval)
def test_without_a_control_arm_there_is_no_lift(interval: Interval) -> None:
    found = estimate([Rolls(3, 8, 0)], [], interval=interval)

    assert found.utility is not None
    assert (found.control, found.lift) == (None, None)


def test_a_neighbour_has_wilsons_interval_of_its_own() -> None:
    assert neighbour_estimates([Rolls(3, 8, 2), Rolls(0, 0, 8)]) == (mean_of_proportions([(3, 8)]), None)
    assert neighbour_estimates([]) == ()
