"""Scores of judges as they are shown, of one candidate and of all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from store import scores
from store.judge_rows import Scoring, Way
from store.workspace import Workspace
from uq_tui.analysis import independence
from uq_tui.analysis.ranks import Correlation
from uq_tui.analysis.scale import Scale
from uq_tui.analysis.scores import Overview, Summary, agreement, overview, summarize
from uq_tui.analysis.telling import gives_away
from uq_tui.state.reviewing.blind import NOTHING, LeftOut


@dataclass(frozen=True, slots=True)
class Series:
    """All candidates that a judge has scored in one way. Series are numbered from 1."""

    number: int
    way: Way
    scale: Scale
    scorings: tuple[Scoring, ...]
    overview: Overview

    @property
    def means(self) -> dict[str, float]:
        """Mean score by candidate, of those with a score."""
        found = ((one.candidate_id, summary(one).mean) for one in self.scorings)
        return {candidate_id: mean for candidate_id, mean in found if mean is not None}

    @property
    def telling(self) -> bool:
        """Whether the figures of all candidates together tell what a single one got."""
        own = self.overview
        return gives_away(own.candidates, (score for score, count in enumerate(own.histogram) if count))


@dataclass(frozen=True, slots=True)
class Report:
    """How judges score, and how far each two agree on an order of the candidates that both have scored."""

    series: tuple[Series, ...]
    agreement: Mapping[tuple[int, int], Correlation]
    """By the numbers of two series."""

    @property
    def several_prompts(self) -> bool:
        """Whether the same judge was asked with different prompts, or its replies drawn differently."""
        ways = [one.way for one in self.series]
        return len({(way.judge, way.prompts) for way in ways}) > len({way.judge for way in ways})

    def names(self, one: Series) -> tuple[str, str]:
        """Model and form of a series, told apart where need be: by the model's address, and by the prompts."""
        way = one.way
        addresses = {other.way.endpoint for other in self.series if other.way._replace(endpoint=way.endpoint) == way}
        model = f"{way.model} at {way.endpoint or 'its provider'}" if len(addresses) > 1 else way.model
        return model, f"{way.form} {way.prompts}" if self.several_prompts else way.form.value


def report(ws: Workspace, question_id: str = "", left_out: LeftOut = NOTHING) -> Report:
    """By the newest finished run of each judge on each candidate. What was asked in another way is another judge's.

    Args:
        ws: where to look.
        question_id: only candidates of this question; "" for all questions together.
        left_out: the candidates that whoever reads it judges blind.
    """
    own: dict[Way, list[Scoring]] = {}
    for one in scores.newest(ws, question_id):
        if one.candidate_id not in left_out.candidates:
            own.setdefault(one.way, []).append(one)
    series = tuple(_series(number, way, found) for number, (way, found) in enumerate(own.items(), start=1))
    return Report(series, agreement({one.number: one.means for one in series}))


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


def _series(number: int, way: Way, found: Sequence[Scoring]) -> Series:
    on = scale(found[0])
    return Series(number, way, on, tuple(found), overview(on, [summary(one) for one in found]))
