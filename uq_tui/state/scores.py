"""Scores of judges as they are shown, of one candidate and of all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from store import scores
from store.judge_rows import Scoring
from store.workspace import Workspace
from uq_tui.analysis import independence
from uq_tui.analysis.ranks import Correlation
from uq_tui.analysis.scale import Scale
from uq_tui.analysis.scores import Overview, Summary, agreement, overview, summarize

Pair = tuple[str, str]
"""Judge and model."""


@dataclass(frozen=True, slots=True)
class Series:
    """All candidates that one judge template has scored with one model."""

    judge: str
    model: str
    scale: Scale
    scorings: tuple[Scoring, ...]
    overview: Overview

    @property
    def pair(self) -> Pair:
        """What it goes by."""
        return self.judge, self.model

    @property
    def means(self) -> dict[str, float]:
        """Mean score by candidate, of those with a score."""
        found = ((one.candidate_id, summary(one).mean) for one in self.scorings)
        return {candidate_id: mean for candidate_id, mean in found if mean is not None}

    @property
    def mixed(self) -> bool:
        """Whether its candidates were not all judged alike: by one prompt, in one form, by the model at one address."""
        return len({(one.prompt_sha256, one.form, one.endpoint) for one in self.scorings}) > 1

    @property
    def telling(self) -> bool:
        """Whether the figures of all candidates together tell what a single one got."""
        return self.overview.candidates == 1 or sum(count > 0 for count in self.overview.histogram) == 1


@dataclass(frozen=True, slots=True)
class Report:
    """How judges score, and how far each two agree on an order of the candidates that both have scored."""

    series: tuple[Series, ...]
    agreement: Mapping[tuple[Pair, Pair], Correlation]


def report(ws: Workspace, question_id: str = "") -> Report:
    """By the newest finished run of each judge and model on each candidate.

    Args:
        ws: where to look.
        question_id: only candidates of this question; "" for all questions together.
    """
    own: dict[Pair, list[Scoring]] = {}
    for one in scores.newest(ws, question_id):
        own.setdefault((one.judge, one.model), []).append(one)
    series = tuple(_series(pair, found) for pair, found in own.items())
    return Report(series, agreement({one.pair: one.means for one in series}))


def summary(one: Scoring) -> Summary:
    """The samples of a scoring summed up."""
    return summarize(scale(one), one.values, planned=one.planned, unparsed=one.unparsed, failed=one.failed)


def scale(one: Scoring) -> Scale:
    """What the judge was asked to score on."""
    return Scale(one.lowest, one.highest)


def mean_text(own: Summary) -> str | None:
    """`8.25 ± 2.23`, mean and standard deviation; of yes and no `0.75 [0.30, 0.95]`; `None` without a score."""
    if own.mean is None:
        return None
    if own.interval is not None:
        return f"{own.mean:.2f} [{own.interval.low:.2f}, {own.interval.high:.2f}]"
    return f"{own.mean:.2f}" + ("" if own.sd is None else f" ± {own.sd:.2f}")


def share_text(part: int, whole: int) -> str | None:
    """`25 % (2/8)`; `None` of nothing."""
    return f"{100 * part / whole:.0f} % ({part:,}/{whole:,})" if whole else None


def equal_mark(one: Scoring) -> str:
    """`≈ not independent` where replies are equal, else ""."""
    marked = independence.mark([one])
    return f"{independence.REPEATED} {marked}" if marked else ""


def _series(pair: Pair, found: Sequence[Scoring]) -> Series:
    on = scale(found[0])
    return Series(*pair, on, tuple(found), overview(on, [summary(one) for one in found]))
