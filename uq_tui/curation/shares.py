"""The top share by votes among a site's open questions, actually applied: how far down it reaches."""

import math
from collections.abc import Sequence
from fractions import Fraction

from store.curation_rows import Cutoff


def cutoff(site: str, histogram: Sequence[tuple[int, int]], share: float) -> Cutoff:
    """How far down the top share reaches: the first ceil(n * share) by votes, and all that tie with the last of these.

    Args:
        site: whose questions.
        histogram: (votes, number of questions with so many) of its open questions whose votes are known.
        share: above 0, at most 1.
    """
    n = sum(number for _, number in histogram)
    # As it is written: 0.1 * 30 is 3.0000000000000004 in binary, and 10 % of 30 questions are 3.
    wanted = math.ceil(n * Fraction(str(share)))
    reached = 0
    for votes, number in sorted(histogram, reverse=True):
        reached += number
        if reached >= wanted:
            return Cutoff(site, n, reached, votes)
    return Cutoff(site, 0, 0, None)
