"""The candidates of a question ranked by utility, and which of them can be told apart."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from store.rows import Candidate
from store.run_rows import Utility
from uq_tui.analysis.allocation import DELTA, EPSILON, Arm, Standing, standing
from uq_tui.state.utility.measured import Measured
from uq_tui.words import Interval

_NAMED = 8
"""So many candidates in the same place are named in a sentence."""


class Place(StrEnum):
    """Where a candidate stands, as far as it is known."""

    BEST = "best"
    TIED = "tied"
    BELOW = "below"
    """Known to be below the highest."""
    BEHIND = "behind"
    """It came out lower, and is known not to be better by enough to matter; whether it is lower was not asked."""
    OPEN = "open"
    """It may be better than the highest by enough to matter."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """One candidate in its place."""

    candidate: Candidate
    measured: Measured
    rank: int
    """1 + how many have a higher utility; equal ones share it."""
    shared: bool
    """Another has the same utility."""
    place: Place


@dataclass(frozen=True, slots=True)
class Ranking:
    """All candidates of a question; only those that were measured in the same way are compared."""

    ranked: tuple[Ranked, ...]
    """The highest utility first."""
    apart: tuple[tuple[Candidate, Measured], ...]
    """Measured otherwise (another solver, other neighbours, other prompts), or without a value yet."""
    unmeasured: tuple[Candidate, ...]
    epsilon: float
    delta: float

    @property
    def incomparable(self) -> bool:
        """Whether some that have a utility are not ranked."""
        return any(own.utility.mean is not None for _, own in self.apart)

    @property
    def text(self) -> str:
        """What is known of the order, in a line."""
        if not self.ranked:
            return "Nothing is measured yet."
        if len(self.ranked) == 1:
            return "One candidate is measured: there is nothing to rank it with."
        numbers = [(f"c{one.candidate.number}", one.place) for one in self.ranked]
        return order_text(numbers, epsilon=self.epsilon, delta=self.delta)


def order_text(candidates: Sequence[tuple[str, Place]], *, epsilon: float, delta: float) -> str:
    """What is known of the order of two candidates or more, by name and place, the highest utility first."""
    within = f"{epsilon:g}".removeprefix("0")
    best, tied, behind, unclear = (
        _names([name for name, own in candidates if own is place])
        for place in (Place.BEST, Place.TIED, Place.BEHIND, Place.OPEN)
    )
    if not best:
        return f"Not told apart: any of {unclear} may be the best by more than {within}."
    also = f" Tied with it within {within}: {tied}." if tied else ""
    lower = f" {behind} came out lower, and at most {within} better." if behind else ""
    return f"{best} is the best or within {within} of it, with an error of at most {100 * delta:g} %.{also}{lower}"


def _names(names: Sequence[str]) -> str:
    """`c2, c4`; of many only the first."""
    if len(names) <= _NAMED:
        return ", ".join(names)
    return f"{', '.join(names[:_NAMED])} and {len(names) - _NAMED:,} more"


def ranking(candidates: Sequence[Candidate], measured: Mapping[str, Measured]) -> Ranking:
    """Rank candidates by utility.

    The candidates that were measured as the newest run did are ranked: utilities by different solvers, or on different
    neighbours, are not of the same quantity.

    Args:
        candidates: of one question, in their order.
        measured: by candidate id.
    """
    found = [(one, measured[one.id]) for one in candidates if one.id in measured]
    newest = max((own.utility.run_id for _, own in found), default="")  # ids of runs grow with time
    basis = next((own.basis for _, own in found if own.utility.run_id == newest), "")
    compared = [(one, own) for one, own in found if own.basis == basis and own.utility.mean is not None]
    pinned = next(((own.epsilon, own.delta) for _, own in compared if own.utility.run_id == newest), (EPSILON, DELTA))
    epsilon, delta = pinned
    stand = standing_of([own.utility for _, own in compared], epsilon=epsilon, delta=delta)
    means = [own.utility.mean or 0.0 for _, own in compared]
    ranked = [
        Ranked(
            one,
            own,
            rank=1 + sum(other > mean for other in means),
            shared=means.count(mean) > 1,
            place=place_of(one.id, stand),
        )
        for (one, own), mean in zip(compared, means, strict=True)
    ]
    inside = {one.id for one, _ in compared}
    return Ranking(
        ranked=tuple(sorted(ranked, key=lambda one: (one.rank, one.candidate.number))),
        apart=tuple((one, own) for one, own in found if one.id not in inside),
        unmeasured=tuple(one for one in candidates if one.id not in measured),
        epsilon=epsilon,
        delta=delta,
    )


def compared_by(utilities: Sequence[Utility]) -> Interval:
    """How utilities are to be compared.

    By score intervals where all are of finished measurements with a fixed number of rollouts: that is one look. Else by
    bounds that hold at every look, so also while a run goes on.
    """
    once = all(one.complete and one.interval is Interval.SCORE for one in utilities)
    return Interval.SCORE if once else Interval.ANYTIME


def standing_of(utilities: Sequence[Utility], *, epsilon: float = EPSILON, delta: float = DELTA) -> Standing:
    """What utilities of different candidates that were measured alike say about which is best."""
    arms = [Arm(one.candidate_id, tuple((own.solved, own.decided) for own in one.neighbours)) for one in utilities]
    return standing(arms, epsilon=epsilon, delta=delta, interval=compared_by(utilities))


def place_of(candidate_id: str, stand: Standing) -> Place:
    """Where a standing puts one of its candidates."""
    if candidate_id == stand.best:
        return Place.BEST
    if candidate_id in stand.tied:
        return Place.TIED
    if candidate_id in stand.excluded:
        return Place.BELOW
    return Place.OPEN if candidate_id in stand.open else Place.BEHIND
