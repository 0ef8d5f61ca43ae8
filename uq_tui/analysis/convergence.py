"""How fast a candidate's mean settles as samples are added: what 8 calls say beside what 64 say.

The normalised error of Consequence-Based Utility (arXiv 2602.06291v1, Fig. 6): |mean of n samples - mean of all| over
the width of the scale, averaged over resamples of a candidate and then over candidates. The reference is the mean of
all samples there are, not the truth, so at the end of the pool the error is 0 whatever the pool is worth.

The paper doesn't say whether it draws with replacement; here by default it doesn't. It divides judge scores by 10,
although a scale of 1 to 10 is 9 wide; here by default the width is what it is.

A utility is a mean over neighbours, so its samples are drawn within each neighbour, and n calls are shared out evenly.
"""

import random
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import accumulate
from math import comb, fsum

SIZES = (4, 8, 16, 32, 64)


class Size(StrEnum):
    """What a size counts."""

    CALLS = "calls"
    """All calls for a candidate: judge and utility at the same price."""
    EACH = "each"
    """Samples on each neighbour, as the paper's T; with n neighbours n times the calls."""


@dataclass(frozen=True, slots=True)
class Pool:
    """All samples of one candidate: one stratum for a judge, one for each neighbour for a utility.

    Only what was scored or decided. The mean is that of the strata's means.

    Raises:
        ValueError: there is no stratum, one is empty, or a value lies off the scale.
    """

    strata: tuple[tuple[float, ...], ...]
    lowest: float
    highest: float

    def __post_init__(self) -> None:
        if not self.lowest < self.highest:
            raise ValueError(f"a scale from {self.lowest} to {self.highest} has no width")
        if not self.strata or not all(self.strata):
            raise ValueError("a mean needs a sample in every stratum")
        if not all(self.lowest <= value <= self.highest for stratum in self.strata for value in stratum):
            raise ValueError(f"a value lies off the scale from {self.lowest} to {self.highest}")


@dataclass(frozen=True, slots=True)
class Point:
    """The error at one size, over the candidates whose pools hold so many samples."""

    n: int
    error: float
    """Mean normalised error, 0 to 1, over `pools` candidates."""
    worst: float
    """That of the candidate with the largest one: a mean over many sure candidates says little of an unsure one."""
    pools: int
    exhausted: int
    """Pools of which this is all: drawn without replacement their error is 0 by definition."""
    too_small: int
    """Pools left out that hold fewer, or have more neighbours than n calls can serve."""


def curve(
    pools: Sequence[Pool],
    *,
    sizes: Sequence[int] = SIZES,
    size: Size = Size.CALLS,
    resamples: int = 200,
    seed: int = 0,
    replacement: bool = False,
    from_zero: bool = False,
) -> tuple[Point, ...]:
    """The convergence curve: a point for each size that some pool holds.

    Args:
        pools: one for each candidate.
        sizes: how many samples, as `size` counts them.
        resamples: subsamples drawn of each candidate at each size.
        seed: the same seed draws the same subsamples.
        replacement: draw with replacement.
        from_zero: divide by the top of the scale instead of its width, as the paper does. No difference where the
            scale begins at 0.
    """
    drawing = random.Random(seed)
    points = []
    for n in sizes:
        fitting = [pool for pool in pools if _holds(pool, n, size)]
        if not fitting:
            continue
        errors = [
            _error(pool, n, size, resamples, drawing, replacement) / (pool.highest - (0 if from_zero else pool.lowest))
            for pool in fitting
        ]
        points.append(
            Point(
                n=n,
                error=fsum(errors) / len(errors),
                worst=max(errors),
                pools=len(fitting),
                exhausted=sum(_takes_all(pool, n, size) for pool in fitting),
                too_small=len(pools) - len(fitting),
            )
        )
    return tuple(points)


def _holds(pool: Pool, n: int, size: Size) -> bool:
    lengths = [len(values) for values in pool.strata]
    return n <= min(lengths) if size is Size.EACH else len(lengths) <= n <= sum(lengths)


def _takes_all(pool: Pool, n: int, size: Size) -> bool:
    lengths = [len(values) for values in pool.strata]
    return n == (max(lengths) if size is Size.EACH else sum(lengths))


def _error(pool: Pool, n: int, size: Size, resamples: int, drawing: random.Random, replacement: bool) -> float:
    """Mean distance of the means of resamples from the mean of the pool, on the pool's scale."""
    lengths = [len(values) for values in pool.strata]
    counts, more, takers = ([n] * len(lengths), 0, []) if size is Size.EACH else _shared_out(n, lengths)
    if counts == lengths and not replacement:
        return 0.0
    wanted = [counts] * resamples
    if more:
        wanted = [_with_more(counts, drawing.sample(takers, more)) for _ in range(resamples)]
    everything = fsum(fsum(values) / len(values) for values in pool.strata)
    drawn = [
        _means(values, [counts[place] for counts in wanted], drawing, replacement)
        for place, values in enumerate(pool.strata)
    ]
    return fsum(abs(sum(means) - everything) for means in zip(*drawn, strict=True)) / (resamples * len(lengths))


def _shared_out(n: int, lengths: Sequence[int]) -> tuple[list[int], int, list[int]]:
    """n samples over strata as evenly as these hold them.

    Returns:
        How many each stratum gets, how many are left then, and the strata of which so many get one more.
    """
    counts = [0] * len(lengths)
    while True:
        takers = [place for place, length in enumerate(lengths) if counts[place] < length]
        if n < len(takers) or not n:
            return counts, n, takers
        counts = _with_more(counts, takers)
        n -= len(takers)


def _with_more(counts: Sequence[int], takers: Sequence[int]) -> list[int]:
    grown = list(counts)
    for place in takers:
        grown[place] += 1
    return grown


def _means(values: Sequence[float], counts: Sequence[int], drawing: random.Random, replacement: bool) -> list[float]:
    """Means of resamples of one stratum, one for each count."""
    kinds = sorted(set(values))
    if len(kinds) == 1:
        return [kinds[0]] * len(counts)
    if len(kinds) == 2:
        # The number of high ones is all there is to draw. Utilities have thousands of such resamples.
        low, high = kinds
        chances = {count: _high_ones(values.count(high), len(values), count, replacement) for count in set(counts)}
        return [low + (high - low) * bisect_right(chances[count], drawing.random()) / count for count in counts]
    if replacement:
        return [sum(drawing.choices(values, k=count)) / count for count in counts]
    kept = list(values)
    return [_sum_drawn(kept, count, drawing) / count for count in counts]


def _sum_drawn(values: list[float], count: int, drawing: random.Random) -> float:
    """The sum of so many values drawn without replacement, which are moved to the front of the list."""
    total = 0.0
    for place in range(count):
        other = place + int(drawing.random() * (len(values) - place))
        taken = values[other]
        values[other], values[place] = values[place], taken
        total += taken
    return total


@lru_cache(maxsize=4096)
def _high_ones(high: int, n: int, count: int, replacement: bool) -> tuple[float, ...]:
    """The chance of at most 0, 1, ... high ones in a sample: hypergeometric, or binomial with replacement.

    The last one, 1, is left out, so that a number in [0, 1) finds its place by bisection whatever the rounding.
    """
    if replacement:
        ways = [comb(count, hits) * high**hits * (n - high) ** (count - hits) for hits in range(count)]
        every = n**count
    else:
        ways = [comb(high, hits) * comb(n - high, count - hits) for hits in range(min(high, count))]
        every = comb(n, count)
    return tuple(sum_ / every for sum_ in accumulate(ways))
