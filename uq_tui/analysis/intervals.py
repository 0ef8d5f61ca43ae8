"""Confidence intervals for means of independent binomial proportions, equally weighted.

The mean's interval inverts the score test with the variance at the constrained maximum likelihood estimate: what Wilson
(Journal of the American Statistical Association 22, 1927, 209-212) does for one proportion, and Miettinen and Nurminen
(Statistics in Medicine 4, 1985, 213-226) for a difference of two. They widen the variance a little for the proportions
that are fitted beside the one tested; so does `_fitted`, for three strata and more.

Coverage of the nominal 95 % interval with p from .02 to .98 in steps of .02, its mean over p and its least value: with
the same p in all strata, and with random fillings of the strata from these p. It is enumerated, free of random error,
but for 16 trials with 4 and 5 strata and 64 with 3 and more: 60,000 and 15,000 draws for each p, 6,000 for a filling.

    trials    1 stratum     2 strata      3 strata      4 strata      5 strata
         4    .951 .849     .948 .851     .950 .919     .946 .921     .943 .921    same p
                            .962 .897     .960 .921     .957 .921     .953 .922    mixed
         8    .953 .851     .947 .923     .943 .917     .946 .926     .942 .922    same p
                            .956 .913     .947 .924     .941 .926     .939 .925    mixed
        16    .953 .923     .951 .933     .946 .929     .948 .938     .949 .941    same p
                            .948 .922     .946 .929     .947 .935     .945 .937    mixed
        64    .952 .940     .950 .940     .947 .935     .948 .943     .949 .943    same p
                            .949 .940     .949 .942     .949 .941     .949 .944    mixed

The low values are where p is near 0 or 1 and hardly any trial can succeed or fail. No interval is near 95 % at each p:
of 4 trials with p = .02 none succeeds in 92.2 % of cases and at most one in 99.8 %, and an interval is right in all
cases with a count or in none. Without the widening, means were .929 (same p) and .935 (mixed) for 5 strata of 4. Adding
up Wilson's intervals of the strata (MOVER) had lower minima and was wider with three or more.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

Z_95 = NormalDist().inv_cdf(0.975)

_STEPS = 60
"""Halvings of the search; each bound is then exact to rounding."""
_ROUNDING = 1e-9
"""Differences this small come from rounding. Where every stratum is all or nothing the proportions don't move at first,
and neither they nor their spread would tell such a difference from a real one."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with a two-sided interval, of 95 % where nothing else is said."""

    value: float
    low: float
    high: float


def observed_mean(strata: Sequence[tuple[int, int]]) -> float | None:
    """The mean of the strata's observed proportions, each counting the same; `None` as with `mean_of_proportions`."""
    if not strata or any(trials == 0 for _, trials in strata):
        return None
    # In whole numbers: equal means are equal then, whatever strata they come from.
    common = math.lcm(*(trials for _, trials in strata))
    return sum(successes * (common // trials) for successes, trials in strata) / (common * len(strata))


def mean_of_proportions(strata: Sequence[tuple[int, int]], *, alpha: float = 0.05) -> Estimate | None:
    """The mean of the strata's proportions with its score interval.

    Args:
        strata: (successes, trials) of each stratum; every stratum counts the same whatever its number of trials.
        alpha: how often the interval may miss, half of it on either side.

    Returns:
        `None` without strata, or when a stratum has no trial: then the mean isn't known. With one stratum it is
        Wilson's interval.
    """
    value = observed_mean(strata)
    if value is None:
        return None
    failures = [(trials - successes, trials) for successes, trials in strata]
    z = Z_95 if alpha == 0.05 else NormalDist().inv_cdf(1.0 - alpha / 2.0)
    return Estimate(value, 1.0 - _upper(failures, 1.0 - value, z), _upper(strata, value, z))


def difference(left: Estimate, right: Estimate) -> Estimate:
    """left - right for two independent estimates, the interval recovered from theirs.

    Method: MOVER, the "square-and-add" of Newcombe (Statistics in Medicine 17, 1998, 873-890, method 10), for any two
    intervals by Zou and Donner (Statistics in Medicine 27, 2008, 1693-1702, section 2).

    Mean coverage with two intervals of `mean_of_proportions`, 1 to 5 strata of 4 to 64 trials and p as there: .940 to
    .960, the same p in the strata of an arm or mixed.
    """
    value = left.value - right.value
    below = math.hypot(left.value - left.low, right.high - right.value)
    above = math.hypot(left.high - left.value, right.value - right.low)
    return Estimate(value, max(-1.0, value - below), min(1.0, value + above))


def _upper(strata: Sequence[tuple[int, int]], value: float, z: float) -> float:
    """Upper bound: the largest mean that the score test doesn't reject, `z` standard deviations away.

    Under a given mean the likeliest proportions solve n p - x = k p (1 - p) in every stratum with one multiplier k.
    They rise with k from the observed ones at 0, so one search over k finds the bound.
    """
    if value >= 1.0:
        return 1.0
    inside, outside = 0.0, 1.0
    while _accepted(strata, value, z, outside):
        inside, outside = outside, 2.0 * outside
    for _ in range(_STEPS):
        middle = (inside + outside) / 2.0
        if _accepted(strata, value, z, middle):
            inside = middle
        else:
            outside = middle
    return sum(likeliest(*stratum, inside) for stratum in strata) / len(strata)


def _accepted(strata: Sequence[tuple[int, int]], value: float, z: float, multiplier: float) -> bool:
    proportions = [likeliest(*stratum, multiplier) for stratum in strata]
    fitted = _fitted(len(strata))
    spread = sum(p * (1.0 - p) / (trials - fitted) for p, (_, trials) in zip(proportions, strata, strict=True))
    distance = sum(proportions) - len(strata) * value
    return distance <= _ROUNDING or distance**2 <= z**2 * spread


def _fitted(strata: int) -> float:
    """How many trials of each stratum count as spent on fitting its proportion, 0 to 1.

    A fitted p (1 - p) is too small by 1 / trials on average, as with the sample variance, for all but one of the
    proportions. With one or two strata the steps of the counts make up for it. The formula was chosen for the coverage
    above: it is 0 for these, .17, .29, .38 for three to five and 1 in the limit.
    """
    return max(0.0, (strata - 2) / (strata + 3))


def likeliest(successes: int, trials: int, multiplier: float) -> float:
    """The proportion that makes the counts likeliest while a sum it counts in is held away from its own value.

    It is p in [0, 1] with trials p - successes = multiplier p (1 - p): the observed proportion for multiplier 0, rising
    with it. A sum that the proportion counts in with a minus has -multiplier.
    """
    # The root of multiplier p^2 + (trials - multiplier) p - successes, in the form that doesn't cancel.
    middle = trials - multiplier
    root = math.sqrt(max(0.0, middle * middle + 4.0 * multiplier * successes))
    if middle > 0.0:
        return 2.0 * successes / (middle + root)
    return (root - middle) / (2.0 * multiplier)
