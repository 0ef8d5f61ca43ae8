"""How much validators and utility disagree on a problem, and how little they say of it: what is worth a look first."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

_TIED = 0.5
"""What a pair counts that only one of two rankings puts in an order."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What machines have found about one answer."""

    accepts: int = 0
    """Strategies that accept it, of each its newest finished run."""
    rejects: int = 0
    undecided: int = 0
    """Strategies that came to no decision: their replies couldn't be read, or calls failed."""
    votes_for: int = 0
    """Single judgements within these runs."""
    votes_against: int = 0
    utility: float | None = None
    """Its mean, 0 to 1, from the newest finished measurement."""
    width: float | None = None
    """Of the utility's 95 % interval, 0 to 1."""

    @property
    def accepted(self) -> float | None:
        """The share of accepts among decisions; `None` without any."""
        decided = self.accepts + self.rejects
        return self.accepts / decided if decided else None


def disagreement(answers: Sequence[Evidence]) -> float | None:
    """How far the order by share of accepts is from the order by utility, among the answers to one problem.

    Kendall's distance for rankings with ties, with the penalty 1/2 (Fagin, Kumar, Mahdian, Sivakumar and Vee, Comparing
    Partial Rankings, SIAM J. Discrete Math. 20, 2006), as a share of all pairs: a pair in opposite orders counts 1, one
    that only one of the two rankings has in an order 1/2.

    Returns:
        0 where both orders are the same, 1 where one is the reverse; `None` with fewer than two answers that have both
        a decision and a utility.
    """
    both = [(one.accepted, one.utility) for one in answers if one.accepted is not None and one.utility is not None]
    if len(both) < 2:
        return None
    pairs = list(combinations(both, 2))
    return math.fsum(_apart(_sign(a, b), _sign(u, v)) for (a, u), (b, v) in pairs) / len(pairs)


def uncertainty(answers: Sequence[Evidence]) -> float | None:
    """How little is said of the answers to one problem: the mean over those of which anything is known, 0 to 1.

    An answer's uncertainty is the greatest of what is known of three: the width of its utility's interval; the share of
    strategies that came to no decision; and how split the judgements are, 4 p (1 - p) with p the share of accepting
    ones, if there are two or more.
    """
    known = [value for one in answers if (value := _uncertain(one)) is not None]
    return math.fsum(known) / len(known) if known else None


def _uncertain(one: Evidence) -> float | None:
    found = [] if one.width is None else [one.width]
    asked = one.accepts + one.rejects + one.undecided
    if asked:
        found.append(one.undecided / asked)
    votes = one.votes_for + one.votes_against
    if votes >= 2:
        share = one.votes_for / votes
        found.append(4.0 * share * (1.0 - share))
    return max(found, default=None)


def _apart(first: int, second: int) -> float:
    if first == second:
        return 0.0
    return 1.0 if first and second else _TIED


def _sign(a: float | None, b: float | None) -> int:
    return 0 if a is None or b is None else (a > b) - (a < b)
