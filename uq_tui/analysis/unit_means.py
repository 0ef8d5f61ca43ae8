"""Means over units whose values lie anywhere in a range, such as a metric of each question, with an interval.

A mean of shares is no share: Wilson's interval would be far too wide for values that lie close together. The bootstrap
has no width where all values are equal, as in 8 of 8 questions, and is too narrow for less than some dozens. So this is
Wilson's interval at an effective number of units, as surveys use it (N. Dean and M. Pagano, Journal of Survey
Statistics and Methodology 3, 2015, 484-503): so many independent ones of 0 and 1 as would give the variance that the
values show. That variance is of a ratio over clusters, since values of one question aren't independent. Two clusters
more, as scattered as values in [0, 1] can be, are added to what is seen: few values can lie close together by chance.

Where every cluster is one value and all are 0 or 1 it is Wilson's interval exactly.

Coverage of the nominal 95 % interval over 13 distributions (shares of .5, .8 and .95; wins with ties; areas and recalls
that pile up at 1 or at .5, or have a rare low value), 2,000 draws each, 300 for the other methods. Mean over the
distributions, lowest one:

    units    this           Wilson at n    Student's t    bootstrap, percentile    bootstrap, BCa
        5    .965 .904      .978 .930      .753 .260      .686 .143                .688 .143
       10    .971 .909      .985 .913      .827 .337      .802 .287                .811 .287
       20    .958 .872      .982 .933      .870 .470      .857 .460                .866 .453
       70    .942 .847      .985 .947      .926 .850      .922 .820                .934 .840

Its mean width is that of t from 10 units on (.33, .23 and .12); Wilson's at n is half as wide again. It is low where a
rare low value, of 3 in 100, wasn't seen.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from uq_tui.analysis.intervals import Z_95

LEAST_CLUSTERS = 5
"""With fewer there is no interval: it would span half the range and rest on what is added."""
_ADDED = 2
"""Clusters added, as scattered as values in [0, 1] can be."""
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class UnitMean:
    """A mean over `n` values in `clusters` independent groups, with a two-sided 95 % interval where there is one."""

    value: float
    low: float | None
    high: float | None
    n: int
    clusters: int


def mean_of_units(clusters: Sequence[Sequence[float]], *, lowest: float = 0.0, highest: float = 1.0) -> UnitMean | None:
    """The mean of all values, each counting the same.

    Args:
        clusters: the values, those of one question together. Empty ones are passed over.
        lowest, highest: what values can be at least and at most.

    Returns:
        `None` without values. The bounds are `None` with fewer than `LEAST_CLUSTERS` clusters.

    Raises:
        ValueError: a value lies outside that range.
    """
    filled = [cluster for cluster in clusters if cluster]
    values = [value for cluster in filled for value in cluster]
    if not values:
        return None
    if not all(lowest <= value <= highest for value in values):
        raise ValueError(f"a value lies outside {lowest} to {highest}")
    n = len(values)
    mean = math.fsum(values) / n
    if len(filled) < LEAST_CLUSTERS:
        return UnitMean(mean, None, None, n, len(filled))
    width = highest - lowest
    scaled = [[(value - lowest) / width for value in cluster] for cluster in filled]
    middle = (mean - lowest) / width
    low, high = (lowest + width * bound for bound in _wilson(middle, _effective(scaled, middle, n)))
    return UnitMean(mean, min(low, mean), max(high, mean), n, len(filled))


def _effective(clusters: Sequence[Sequence[float]], mean: float, n: int) -> float:
    """How many independent values of 0 and 1 would have the variance of this mean."""
    alike = n * n / sum(len(cluster) ** 2 for cluster in clusters)  # clusters of equal size that count as much
    most = mean * (1.0 - mean)
    if most <= _ROUNDING:
        return alike
    variance = sum(math.fsum(value - mean for value in cluster) ** 2 for cluster in clusters) / n**2
    seen = len(clusters)
    return most * (seen + _ADDED) / (seen * variance + _ADDED * most / alike)


def _wilson(mean: float, n: float) -> tuple[float, float]:
    square = Z_95**2
    middle = (mean + square / (2 * n)) / (1 + square / n)
    half = Z_95 / (1 + square / n) * math.sqrt(mean * (1.0 - mean) / n + square / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)
