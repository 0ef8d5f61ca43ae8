"""Scores of one candidate: which of them stand, and the judge to ask next."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from store.judge_rows import Score, Scoring, Way
from uq_tui.analysis.scores import bars
from uq_tui.engine.judging.judges import JUDGES, MOST_SAMPLES, JudgeTemplate
from uq_tui.engine.models import ModelKind, kind_of
from uq_tui.engine.requests import JudgeRequest, ModelChoice
from uq_tui.state.findings.scores import equal_mark, mean_text, share_text, summary
from uq_tui.state.quoting import one_line
from uq_tui.state.typed import whole_number
from uq_tui.words import DecisionForm, Reading

CAUTION = "A high score proves nothing. Where most scores are at the top, candidates can't be told apart."
SAMPLES = 8
"""Times a candidate is scored unless another number is given."""


def standing(found: Sequence[Scoring]) -> tuple[Scoring, ...]:
    """For each way of scoring the newest finished run, and what a newer one has so far; by judge and model.

    A run of which every call failed stands only where there is no other, as in `store.scores.newest`.

    Args:
        found: what all runs have made of one candidate, the oldest first.
    """
    finished: dict[Way, Scoring] = {}
    begun: dict[Way, Scoring] = {}
    for one in found:
        if not one.finished:
            begun[one.way] = one
        elif not _all_failed(one) or one.way not in finished or _all_failed(finished[one.way]):
            finished[one.way] = one
            begun.pop(one.way, None)
    ways = sorted({*finished, *begun})
    return tuple(one for way in ways for one in (finished.get(way), begun.get(way)) if one is not None)


def _all_failed(one: Scoring) -> bool:
    return one.failed == one.planned


def telling(found: Sequence[Scoring]) -> bool:
    """Whether any of them shows what a judge thinks of the candidate: a score, or words without one."""
    return any(score.state is not Reading.FAILED for one in found for score in one.scores)


@dataclass(frozen=True, slots=True)
class JudgeLine:
    """A judge's figures as they are shown."""

    who: str
    """Judge and model."""
    mean: str
    """A dash where it is undefined."""
    scored: str
    """`7 of 8 scored`."""
    ceiling: str
    """`at 10: 25 % (2/8)`."""
    bars: str
    """From the lowest to the highest score of the scale."""
    remarks: tuple[str, ...]
    """What doesn't count as a score, and what to think of the figures."""


def judge_line(one: Scoring, *, running: bool) -> JudgeLine:
    """The figures of one scoring; `running` says that more is on its way."""
    own = summary(one)
    counts = [f"{number:,} {word}" for number, word in ((own.unparsed, "unparsed"), (own.failed, "failed")) if number]
    state = "" if one.finished else "running" if running else "incomplete"
    form = "bare score" if one.form is DecisionForm.EXACT else ""
    remarks = (*counts, state, form, equal_mark(one), caution(one.model))
    return JudgeLine(
        who=f"{one.judge} by {one.model}",
        mean=mean_text(own) or "–",
        scored=f"{own.scored:,} of {own.planned:,} scored",
        ceiling=f"at {one.highest}: {share_text(own.ceiling, own.scored) or '–'}",
        bars=f"{one.lowest} {bars(own.histogram)} {one.highest}" if own.scored else "",
        remarks=tuple(remark for remark in remarks if remark),
    )


def sample_text(score: Score) -> str:
    """`8.5`, or why there is no score."""
    if score.score is not None:
        return f"{score.score:g}"
    reason = one_line(score.reason)
    return f"{score.state}: {reason}" if reason else score.state.value


def caution(model: str) -> str:
    """What to think of scores by this model, in a few words; empty where nothing speaks against them beforehand."""
    match kind_of(model):
        case ModelKind.EMBEDDED:
            return "scores of this model mean nothing"
        case ModelKind.LOCAL:
            return "scores of a small model mean nothing"
        case ModelKind.REPLAY:
            return "played back, no model was asked"
        case ModelKind.HOSTED:
            return ""


class JudgeEditor:
    """Which judge is asked, and how often."""

    def __init__(self, model: ModelChoice) -> None:
        self.model = model
        self.judges: tuple[JudgeTemplate, ...] = tuple(JUDGES.values())
        self.chosen = self.judges[0]
        self.samples = str(SAMPLES)
        """As entered."""

    @property
    def count(self) -> int | None:
        """Samples, `None` when what is entered is no number from 1 to `MOST_SAMPLES`."""
        return whole_number(self.samples, MOST_SAMPLES)

    @property
    def planned(self) -> str:
        """What the run will ask for, or what is wrong with the number."""
        count = self.count
        if count is None:
            return f"Samples are a number from 1 to {MOST_SAMPLES:,}."
        calls = f"{count:,} {'call' if count == 1 else 'calls'} to {self.model.id}"
        return f"{calls}, and one more for each unreadable score. What is remembered is not asked again."

    def request(self, candidate_ids: Collection[str]) -> JudgeRequest | None:
        """The run; `None` while the number is none."""
        count = self.count
        return None if count is None else JudgeRequest(tuple(candidate_ids), self.model, self.chosen.name, count)
