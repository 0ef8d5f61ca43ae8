"""How well scores pick the correct one of several candidates: the metrics of Consequence-Based Utility.

Definitions are those of arXiv 2602.06291v1, Table 6. With y = 1 for a correct candidate, s its score, C the correct and
W the wrong candidates of a unit, H the human-written solution, and mean(X) the mean score over X:

    Acc@1      y of the candidate ranked first                                               0 or 1, with ties between
    Recall@5   correct candidates among the first five, of all correct ones                  0 to 1
    AUC        share of pairs (correct, wrong) in which the correct one scores higher        a tie counts half
    HumanWin   1 where s(H) > mean(W), 1/2 where they are equal, else 0
    MeanWin    1 where mean(C) > mean(W), 1/2 where they are equal, else 0

The paper names no rule for ties in a ranking. Here Acc@1 and Recall@5 are what is expected when ties are broken at
random, each order as likely: the share of correct ones in the top group; and of the group that lies across rank 5 the
hypergeometric mean. A scorer that scores all alike then does no better than chance.

The paper doesn't say whether H is one of C. Here it is by default; else it isn't ranked, and in no metric but HumanWin.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from uq_tui.analysis.classification import Figure, share
from uq_tui.analysis.ranks import auc
from uq_tui.analysis.unit_means import mean_of_units

TOP = 5
"""How many candidates Recall@5 looks at."""

NO_CANDIDATE = "no candidate with score and label"
NO_CORRECT = "no correct candidate"
NO_WRONG = "no wrong candidate"
NO_REFERENCE = "no human solution"

_ROUNDING = 1e-9
"""Scores of one unit closer than this share of the largest differ by rounding: means of the same rollouts added up in
another order. They are ties."""


class PerUnit(StrEnum):
    """What each counts the same in an average."""

    ORIGINAL = "original"
    """A question; its variants are averaged first."""
    VARIANT = "variant"
    """A variant; a question counts as often as it has variants."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with a score, on any scale on which higher is better, and a label.

    Raises:
        ValueError: the score is not finite, or a reference is not correct.
    """

    candidate_id: str
    score: float
    correct: bool
    reference: bool = False
    """It is the human-written solution."""

    def __post_init__(self) -> None:
        if not math.isfinite(self.score):
            raise ValueError(f"{self.score} is no score")
        if self.reference and not self.correct:
            raise ValueError("the human solution is correct by definition")


@dataclass(frozen=True, slots=True)
class Unit:
    """What a metric is computed for: the scored candidates of one question, or of one variant of it."""

    key: str
    question_id: str
    scored: tuple[Scored, ...]
    left_out: int = 0
    """Candidates in no figure, for want of a score or a label."""


@dataclass(frozen=True, slots=True)
class Told:
    """A metric of one unit; without a value `undefined` says why."""

    value: float | None
    chance: float | None
    """What it is expected to be for scores that know nothing, on the same candidates."""
    undefined: str = ""


@dataclass(frozen=True, slots=True)
class UnitFigures:
    """All metrics of one unit over its `n` ranked candidates."""

    acc1: Told
    recall5: Told
    auc: Told
    human_win: Told
    mean_win: Told
    share_correct: Told
    n: int


@dataclass(frozen=True, slots=True)
class Averaged:
    """The mean of a metric over units, with a two-sided 95 % interval for questions like these.

    Units in which the metric is undefined are not in the mean; `undefined` counts them by reason.
    """

    value: float | None
    low: float | None
    high: float | None
    """`low` and `high` are `None` with fewer than `unit_means.LEAST_CLUSTERS` questions."""
    n: int
    """Units it is a mean over."""
    originals: int
    """Questions these belong to, which the interval takes as independent."""
    chance: float | None
    """The mean over the same units of what scores that know nothing would reach."""
    undefined: Mapping[str, int]

    @property
    def missing(self) -> int:
        """Units in which it is undefined."""
        return sum(self.undefined.values())

    @property
    def why(self) -> str:
        """Why units are missing: `3 no wrong candidate, 1 no human solution`; "" when none is."""
        return ", ".join(f"{count} {reason}" for reason, count in self.undefined.items())


@dataclass(frozen=True, slots=True)
class SelectionMetrics:
    """All metrics over units, and what they were computed from."""

    per: PerUnit
    reference_counts: bool
    """The human solution was ranked, as a correct candidate."""
    acc1: Averaged
    recall5: Averaged
    auc: Averaged
    human_win: Averaged
    mean_win: Averaged
    base_rate: Averaged
    """Mean share of correct candidates."""
    units: int
    originals: int
    candidates: int
    """Scored candidates in all units, human solutions with them."""
    left_out: int
    one_sided: int
    """Units whose ranked candidates are all correct or all wrong: Acc@1 is 1 or 0 there whatever the scores are."""

    @property
    def named(self) -> tuple[tuple[str, Averaged], ...]:
        """The metrics in the order of the paper's Table 2."""
        return (
            ("HumanWin", self.human_win),
            ("MeanWin", self.mean_win),
            ("Acc@1", self.acc1),
            (f"Recall@{TOP}", self.recall5),
            ("AUC", self.auc),
        )


@dataclass(frozen=True, slots=True)
class AboveMean:
    """Candidates that score above the mean of all scored ones of their unit (Fig. 5), a share of each kind.

    Intervals are Wilson's, which takes candidates as independent; those of one unit share its mean.

    The mean is over all, the human solution with them.
    Equal to the mean is not above it. A candidate counts once a unit. Units with one candidate, `single` of them, are
    left out: it is its own mean.
    """

    wrong: Figure
    correct: Figure
    """Of the correct ones that are not the human solution."""
    reference: Figure
    units: int
    single: int


def of_unit(unit: Unit, *, reference_counts: bool = True) -> UnitFigures:
    """All metrics of one unit."""
    grain = _grain(unit)
    ranked = [one for one in unit.scored if reference_counts or not one.reference]
    correct = [one.score for one in ranked if one.correct]
    wrong = [one.score for one in ranked if not one.correct]
    groups = _groups(ranked, grain)
    return UnitFigures(
        acc1=_acc1(groups),
        recall5=_recall(groups, TOP),
        auc=_auc(groups),
        human_win=_human_win([one.score for one in unit.scored if one.reference], wrong, grain),
        mean_win=_mean_win(correct, wrong, grain),
        share_correct=_share_correct(len(correct), len(ranked)),
        n=len(ranked),
    )


def metrics(
    units: Sequence[Unit], *, per: PerUnit = PerUnit.ORIGINAL, reference_counts: bool = True
) -> SelectionMetrics:
    """All metrics, averaged over units.

    Args:
        units: of each question one, or one for each of its variants.
        per: whether questions or variants count the same. Of the variants of a question those in which a metric is
            defined are averaged; the metric is undefined for a question where it is so in all of them.
        reference_counts: whether the human solution is ranked, as a correct candidate.
    """
    of_question = defaultdict[str, list[UnitFigures]](list)
    for unit in units:
        of_question[unit.question_id].append(of_unit(unit, reference_counts=reference_counts))
    questions = list(of_question.values())

    def averaged(told: Sequence[Sequence[Told]]) -> Averaged:
        return _averaged([[_one_of(variants)] for variants in told] if per is PerUnit.ORIGINAL else told)

    return SelectionMetrics(
        per=per,
        reference_counts=reference_counts,
        acc1=averaged([[one.acc1 for one in figures] for figures in questions]),
        recall5=averaged([[one.recall5 for one in figures] for figures in questions]),
        auc=averaged([[one.auc for one in figures] for figures in questions]),
        human_win=averaged([[one.human_win for one in figures] for figures in questions]),
        mean_win=averaged([[one.mean_win for one in figures] for figures in questions]),
        base_rate=averaged([[one.share_correct for one in figures] for figures in questions]),
        units=len(units),
        originals=len(questions),
        candidates=sum(len(unit.scored) for unit in units),
        left_out=sum(unit.left_out for unit in units),
        one_sided=sum(one.share_correct.value in (0, 1) for figures in questions for one in figures),
    )


def above_mean(units: Sequence[Unit]) -> AboveMean:
    """How often candidates of each kind score above the mean of their unit."""
    above = Counter[str]()
    seen = Counter[str]()
    single = 0
    for unit in units:
        if len(unit.scored) < 2:
            single += len(unit.scored)
            continue
        mean, grain = _mean([one.score for one in unit.scored]), _grain(unit)
        for one in unit.scored:
            kind = "reference" if one.reference else "correct" if one.correct else "wrong"
            seen[kind] += 1
            above[kind] += one.score - mean > grain
    return AboveMean(
        wrong=share(above["wrong"], seen["wrong"], NO_WRONG),
        correct=share(above["correct"], seen["correct"], NO_CORRECT),
        reference=share(above["reference"], seen["reference"], NO_REFERENCE),
        units=sum(len(unit.scored) > 1 for unit in units),
        single=single,
    )


def _acc1(groups: Sequence[tuple[int, int]]) -> Told:
    if not groups:
        return Told(None, None, NO_CANDIDATE)
    correct, n = groups[0]
    return Told(correct / n, sum(hits for hits, _ in groups) / sum(size for _, size in groups))


def _recall(groups: Sequence[tuple[int, int]], top: int) -> Told:
    every = sum(correct for correct, _ in groups)
    if not every:
        return Told(None, None, NO_CORRECT if groups else NO_CANDIDATE)
    found, places = 0.0, top
    for correct, n in groups:
        found += correct * min(places, n) / n
        places -= min(places, n)
    n = sum(size for _, size in groups)
    return Told(found / every, min(top, n) / n)


def _auc(groups: Sequence[tuple[int, int]]) -> Told:
    """Places of groups stand for scores, so that ties by rounding are ties."""
    correct = [-place for place, (hits, _) in enumerate(groups) for _ in range(hits)]
    wrong = [-place for place, (hits, n) in enumerate(groups) for _ in range(n - hits)]
    found = auc(correct, wrong)
    if found is None:
        return Told(None, None, NO_CANDIDATE if not groups else NO_CORRECT if not correct else NO_WRONG)
    return Told(found, 0.5)


def _human_win(references: Sequence[float], wrong: Sequence[float], grain: float) -> Told:
    """With several human solutions, the mean of their wins. Chance is 1/2 for scores that lie evenly round a middle."""
    if not references or not wrong:
        return Told(None, None, NO_WRONG if references else NO_REFERENCE)
    against = _mean(wrong)
    return Told(_mean([_win(score, against, grain) for score in references]), 0.5)


def _mean_win(correct: Sequence[float], wrong: Sequence[float], grain: float) -> Told:
    if not correct or not wrong:
        return Told(None, None, NO_WRONG if correct else NO_CORRECT if wrong else NO_CANDIDATE)
    return Told(_win(_mean(correct), _mean(wrong), grain), 0.5)


def _share_correct(correct: int, n: int) -> Told:
    return Told(correct / n, None) if n else Told(None, None, NO_CANDIDATE)


def _win(one: float, other: float, grain: float) -> float:
    if abs(one - other) <= grain:
        return 0.5
    return float(one > other)


def _mean(scores: Sequence[float]) -> float:
    return math.fsum(scores) / len(scores)


def _grain(unit: Unit) -> float:
    return _ROUNDING * max((abs(one.score) for one in unit.scored), default=0.0)


def _groups(ranked: Sequence[Scored], grain: float) -> list[tuple[int, int]]:
    """(correct ones, all) of each group of tied candidates, the highest scores first."""
    groups: list[tuple[int, int]] = []
    last = math.inf
    for one in sorted(ranked, key=lambda it: -it.score):
        tied = last - one.score <= grain
        correct, n = groups.pop() if tied else (0, 0)
        groups.append((correct + one.correct, n + 1))
        last = one.score
    return groups


def _one_of(variants: Sequence[Told]) -> Told:
    """What the variants of a question come to: the mean of those that are defined."""
    defined = [one for one in variants if one.value is not None]
    if not defined:
        return variants[0]
    values = [one.value for one in defined if one.value is not None]
    chances = [one.chance for one in defined if one.chance is not None]
    return Told(_mean(values), _mean(chances) if chances else None)


def _averaged(questions: Sequence[Sequence[Told]]) -> Averaged:
    """The mean over all that is told, questions being independent of each other."""
    told = [one for question in questions for one in question]
    undefined = dict(sorted(Counter(one.undefined for one in told if one.value is None).items()))
    found = mean_of_units([[one.value for one in question if one.value is not None] for question in questions])
    if found is None:
        return Averaged(None, None, None, 0, 0, None, undefined)
    chances = [one.chance for one in told if one.chance is not None]
    chance = _mean(chances) if chances else None
    return Averaged(found.value, found.low, found.high, found.n, found.clusters, chance, undefined)
