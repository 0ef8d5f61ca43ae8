"""Consequence-Based Utility from counts of solved rollouts.

U(C) is the mean over neighbours of the share of solved rollouts (Consequence-Based Utility, arXiv 2602.06291v1,
Section 3). What is estimated is the utility over exactly these neighbours, each weighing the same; only rollouts are
random. The lift compares it with the same solver on the same neighbours without a candidate; the paper has no such arm.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from uq_tui.analysis.intervals import Estimate, difference, mean_of_proportions
from uq_tui.analysis.sequences import anytime_difference, anytime_mean
from uq_tui.words import Interval


@dataclass(frozen=True, slots=True)
class Rolls:
    """Rollouts of one arm on one neighbour: solved of decided; undecided ones are no evidence either way."""

    solved: int
    decided: int
    undecided: int


@dataclass(frozen=True, slots=True)
class Estimates:
    """`None` is unknown: of `utility` and `control` while a neighbour has no decided rollout, of `lift` then too."""

    utility: Estimate | None
    control: Estimate | None
    lift: Estimate | None


def count(values: Iterable[int | None]) -> Rolls:
    """Counts of rollout values: 1 solved, 0 not solved, `None` undecided."""
    every = tuple(values)
    decided = [value for value in every if value is not None]
    return Rolls(sum(decided), len(decided), len(every) - len(decided))


def estimate(candidate: Sequence[Rolls], control: Sequence[Rolls], *, interval: Interval = Interval.SCORE) -> Estimates:
    """Utility, control mean and lift with 95 % intervals.

    Args:
        candidate: the candidate's rollouts, one entry a neighbour.
        control: the control arm's on the same neighbours; empty when there is none.
        interval: `SCORE` when the number of rollouts was fixed beforehand and all are done; `ANYTIME` when one looks
            while they come, or when what was seen decided how many there are.
    """
    treated, untreated = ([(rolls.solved, rolls.decided) for rolls in arm] for arm in (candidate, control))
    if interval is Interval.ANYTIME:
        return Estimates(anytime_mean(treated), anytime_mean(untreated), anytime_difference(treated, untreated))
    utility, baseline = mean_of_proportions(treated), mean_of_proportions(untreated)
    lift = difference(utility, baseline) if utility is not None and baseline is not None else None
    return Estimates(utility, baseline, lift)


def neighbour_estimates(rolls: Sequence[Rolls]) -> tuple[Estimate | None, ...]:
    """Each neighbour's share of solved rollouts with Wilson's interval; `None` where none is decided.

    Each interval is for its neighbour alone and for a fixed number of rollouts: a picture of the spread, not a test.
    """
    return tuple(mean_of_proportions([(of.solved, of.decided)]) for of in rolls)
