"""Confidence sequences: intervals for means of proportions that are right at every look at once.

The evidence against given proportions p is a ratio: how likely a mixture makes the counts, over how likely p makes
them. Under the true p it is a martingale that starts at 1, whatever the order of the trials and however the next one is
chosen by what was seen, so it ever reaches 1 / alpha with a chance of at most alpha (Ville's inequality). The p it does
not refute are a confidence sequence (Robbins, Annals of Mathematical Statistics 41, 1970, 1397-1409), and the bounds
here are those of the mean, or of the difference of two means, over these p.

The mixture is half and half of two pictures of an arm: every stratum has a proportion of its own, or all share one; an
unknown proportion is Beta(1/2, 1/2). It decides how soon an interval narrows, never whether it is right. Where strata
are alike the second picture pays for one unknown in place of one a stratum; where they are not it costs log 2.
"""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache

from uq_tui.analysis.intervals import Estimate, likeliest, observed_mean

Strata = Sequence[tuple[int, int]]
"""(successes, trials) by stratum."""

_STEPS = 60
"""At most; what is searched is nearly straight, and about five do."""
_EXACT = 1e-7
"""How near the root of the log-likelihood lost must come to what is allowed: far finer than any figure shown."""
_FAR = 1e15
"""A multiplier beyond which a proportion can't be told from 0 or 1."""


def anytime_mean(strata: Strata, *, alpha: float = 0.05) -> Estimate | None:
    """The mean of the strata's proportions with an interval that misses it at any look with a chance <= alpha.

    Args:
        strata: (successes, trials) of each stratum so far; every stratum counts the same whatever its number of trials.
            Which strata are drawn from, and when one stops, may depend on all that was seen.
        alpha: between 0 and 1.

    Returns:
        `None` without strata, or where a stratum has no trial: then the mean isn't known.
    """
    value = observed_mean(strata)
    if value is None:
        return None
    failures = [(trials - successes, trials) for successes, trials in strata]
    return Estimate(value, 1.0 - _highest(failures, (), alpha), _highest(strata, (), alpha))


def anytime_difference(left: Strata, right: Strata, *, alpha: float = 0.05) -> Estimate | None:
    """The left mean less the right one, for two independent arms, right at every look at both.

    The evidence of both arms counts together, so that the interval is narrower than what two intervals give: about as
    a sum of two spreads is larger than the root of their squares'.

    Args:
        left, right: as in `anytime_mean`. They need not have the same strata.
        alpha: between 0 and 1.

    Returns:
        A value and an interval in [-1, 1]; `None` where a mean isn't known.
    """
    first, second = observed_mean(left), observed_mean(right)
    if first is None or second is None:
        return None
    return Estimate(first - second, -_highest(right, left, alpha), _highest(left, right, alpha))


def highest_difference(left: Strata, right: Strata, *, alpha: float) -> float:
    """The upper bound of `anytime_difference` alone; 1 where a mean isn't known."""
    if observed_mean(left) is None or observed_mean(right) is None:
        return 1.0
    return _highest(left, right, alpha)


def _highest(left: Strata, right: Strata, alpha: float) -> float:
    """The largest mean(left) - mean(right) over the proportions that are not refuted.

    The set of these is convex. Where the difference is largest, one multiplier says how far the left proportions are
    above the observed ones and the right ones below, so one search finds it: over the root of the log-likelihood lost,
    which grows nearly straight with the multiplier. `right` may be empty; its mean is then 0.
    """
    if all(successes == trials for successes, trials in left) and all(successes == 0 for successes, _ in right):
        return 1.0
    most = _most_likely(tuple(left)) + _most_likely(tuple(right))
    allowed = math.sqrt(_price(tuple(left)) + _price(tuple(right)) - math.log(alpha))
    # A proportion among few counts for more in its mean than one among many.
    weight = len(left) / max(1, len(right))

    def at(multiplier: float) -> tuple[float, float]:
        above, first = _moved(left, multiplier)
        below, second = _moved(right, -weight * multiplier)
        return math.sqrt(max(0.0, most - first - second)) - allowed, above - below

    # Where the bound would be if the likelihood were a bell.
    spread = sum(_variance(*stratum) for stratum in left) + weight**2 * sum(_variance(*stratum) for stratum in right)
    return _at_root(at, -allowed, allowed * math.sqrt(2.0 / spread))


def _at_root(function: Callable[[float], tuple[float, float]], at_0: float, guess: float) -> float:
    """The second value of a function where its first one, which rises from `at_0` < 0, is 0; `guess` is about there.

    By false position. An end that stays counts half the next time, or the other one would creep (the Illinois method:
    Dowell and Jarratt, BIT 11, 1971, 168-174).
    """
    low, at_low, high = 0.0, at_0, guess
    at_high, value = function(high)
    while at_high < 0.0 and high < _FAR:
        low, at_low = high, at_high
        high *= 2.0
        at_high, value = function(high)
    stayed = 0
    for _ in range(_STEPS):
        if abs(at_high) < _EXACT or high >= _FAR:
            break
        middle = high - at_high * (high - low) / (at_high - at_low)
        at_middle, value = function(middle)
        if abs(at_middle) < _EXACT:
            break
        if at_middle > 0.0:
            high, at_high = middle, at_middle
            at_low, stayed = (at_low / 2.0 if stayed < 0 else at_low), -1
        else:
            low, at_low = middle, at_middle
            at_high, stayed = (at_high / 2.0 if stayed > 0 else at_high), 1
    return value


def _moved(strata: Strata, multiplier: float) -> tuple[float, float]:
    """The mean of the likeliest proportions at a multiplier (see `likeliest`), and the log-likelihood there."""
    total = likelihood = 0.0
    for successes, trials in strata:
        p = likeliest(successes, trials, multiplier)
        total += p
        if successes:
            likelihood += successes * math.log(p)
        if successes < trials:
            likelihood += (trials - successes) * (math.log1p(-p) if p < 1.0 else -math.inf)
    return total / max(1, len(strata)), likelihood


@lru_cache(maxsize=4096)
def _price(strata: tuple[tuple[int, int], ...]) -> float:
    """How much less likely the mixture makes the counts than the observed proportions do: log-likelihood, >= 0."""
    if not strata:
        return 0.0
    apart = sum(_log_mixture(*stratum) for stratum in strata)
    alike = _log_mixture(sum(successes for successes, _ in strata), sum(trials for _, trials in strata))
    larger = max(apart, alike)
    mixed = larger + math.log((math.exp(apart - larger) + math.exp(alike - larger)) / 2.0)
    return _most_likely(strata) - mixed


def _variance(successes: int, trials: int) -> float:
    """About that of the observed proportion; never 0."""
    return (successes + 0.5) * (trials - successes + 0.5) / (trials + 1.0) ** 3


def _most_likely(strata: tuple[tuple[int, int], ...]) -> float:
    return _moved(strata, 0.0)[1]


def _log_mixture(successes: int, trials: int) -> float:
    """The log-likelihood of counts, in their order, of a proportion from Beta(1/2, 1/2)."""
    failures = trials - successes
    return math.lgamma(successes + 0.5) + math.lgamma(failures + 0.5) - math.lgamma(trials + 1.0) - math.log(math.pi)
