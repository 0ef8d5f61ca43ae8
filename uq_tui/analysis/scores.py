"""What the samples of a judge say: mean, spread, how the scores lie on their scale, and how judges agree.

A sample that brought no score is counted apart and never taken as a low one. Scores pile up at the top of a scale, with
some models nearly all of them (Consequence-Based Utility, arXiv 2602.06291v1, shows how scores lie). Samples that are
all equal then have no spread, although the next one may differ. So the mean of a scale gets its standard error and no
interval. Only scores of 0 and 1 are a proportion, which has an interval that is sound there too.
"""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import TypeVar

from uq_tui.analysis.intervals import Estimate, mean_of_proportions
from uq_tui.analysis.ranks import Correlation, spearman
from uq_tui.analysis.scale import Scale

Name = TypeVar("Name", bound=Hashable)

_BARS = "▁▂▃▄▅▆▇█"


@dataclass(frozen=True, slots=True)
class Summary:
    """Samples of a judge. Figures that are undefined are `None`: without a score all of them."""

    scale: Scale
    planned: int
    scored: int
    unparsed: int
    failed: int
    mean: float | None
    sd: float | None
    """Sample standard deviation (n - 1); undefined for fewer than two scores."""
    standard_error: float | None
    """`sd` over the root of `scored`."""
    interval: Estimate | None
    """Wilson's 95 % interval of the share of 1 on a scale of 0 and 1; other scales have none."""
    minimum: float | None
    maximum: float | None
    histogram: tuple[int, ...]
    """Scores on each whole number of the scale. One between two whole numbers counts with the lower, so that the last
    bin holds full marks only: 8.5 is with 8, 9.5 is not at the ceiling of 10."""

    @property
    def outstanding(self) -> int:
        """Planned samples of which nothing is known yet."""
        return self.planned - self.scored - self.unparsed - self.failed

    @property
    def ceiling(self) -> int:
        """Scores at the top of the scale."""
        return self.histogram[-1]

    @property
    def ceiling_share(self) -> float | None:
        """Of the scores, the share at the top; undefined without scores."""
        return self.ceiling / self.scored if self.scored else None


@dataclass(frozen=True, slots=True)
class Overview:
    """A judge's samples of several candidates. Counts and histogram are of all samples together."""

    candidates: int
    """Those with a score."""
    planned: int
    scored: int
    unparsed: int
    failed: int
    histogram: tuple[int, ...]
    """As in `Summary`."""
    mean: float | None
    """Mean of the candidates' means: each candidate weighs the same."""
    between: float | None
    """Standard deviation of the candidates' means: what tells them apart. Undefined for fewer than two."""
    within: float | None
    """Typical standard deviation of the samples of one candidate: the root of the mean variance over the candidates
    with two scores or more. Undefined where there is none."""

    @property
    def ceiling(self) -> int:
        """Scores at the top of the scale."""
        return self.histogram[-1]

    @property
    def ceiling_share(self) -> float | None:
        """Of the scores, the share at the top; undefined without scores."""
        return self.ceiling / self.scored if self.scored else None


def summarize(scale: Scale, scores: Sequence[float], *, planned: int, unparsed: int = 0, failed: int = 0) -> Summary:
    """The summary of samples of one judge.

    Args:
        scale: what it was asked to score on.
        scores: those that were read, each within the scale.
        planned: samples that were to be asked for.
        unparsed: samples whose reply held no score.
        failed: samples whose call failed.

    Raises:
        ValueError: a score lies outside the scale, or there are more samples than planned.
    """
    outside = [score for score in scores if not scale.lowest <= score <= scale.highest]
    if outside:
        raise ValueError(f"{outside[0]} is not on the scale from {scale.lowest} to {scale.highest}")
    n = len(scores)
    if n + unparsed + failed > planned:
        raise ValueError(f"{n + unparsed + failed} samples of {planned} planned")
    bins = [0] * len(scale.steps)
    for score in scores:
        bins[math.floor(score) - scale.lowest] += 1
    sd = stdev(scores) if n > 1 else None
    binary = scale.binary and all(score in (0, 1) for score in scores)
    return Summary(
        scale=scale,
        planned=planned,
        scored=n,
        unparsed=unparsed,
        failed=failed,
        mean=fmean(scores) if n else None,
        sd=sd,
        standard_error=sd / math.sqrt(n) if sd is not None else None,
        interval=mean_of_proportions([(bins[-1], n)]) if binary else None,
        minimum=min(scores, default=None),
        maximum=max(scores, default=None),
        histogram=tuple(bins),
    )


def overview(scale: Scale, summaries: Sequence[Summary]) -> Overview:
    """What summaries of several candidates by one judge, all on the same scale, come to."""
    means = [one.mean for one in summaries if one.mean is not None]
    variances = [one.sd**2 for one in summaries if one.sd is not None]
    return Overview(
        candidates=len(means),
        planned=sum(one.planned for one in summaries),
        scored=sum(one.scored for one in summaries),
        unparsed=sum(one.unparsed for one in summaries),
        failed=sum(one.failed for one in summaries),
        histogram=tuple(sum(one.histogram[place] for one in summaries) for place in range(len(scale.steps))),
        mean=fmean(means) if means else None,
        between=stdev(means) if len(means) > 1 else None,
        within=math.sqrt(fmean(variances)) if variances else None,
    )


def agreement(means: Mapping[Name, Mapping[str, float]]) -> dict[tuple[Name, Name], Correlation]:
    """Spearman's rho of each two judges, over the candidates that both have scored.

    Args:
        means: of each judge the mean score of each candidate, by candidate id.

    Returns:
        One entry a pair of different judges, in the order of `means`.
    """
    names = list(means)
    found = {}
    for place, left in enumerate(names):
        for right in names[place + 1 :]:
            both = [key for key in means[left] if key in means[right]]
            found[left, right] = spearman([means[left][key] for key in both], [means[right][key] for key in both])
    return found


def bars(histogram: Sequence[int]) -> str:
    """A histogram as one character a bin, the fullest of full height: `···▁█`. Empty bins are dots."""
    most = max(histogram, default=0)
    return "".join(_BARS[math.ceil(count / most * len(_BARS)) - 1] if count else "·" for count in histogram)
