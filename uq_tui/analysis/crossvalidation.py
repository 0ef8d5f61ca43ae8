"""What judges' scores, utilities, and both together say of correctness, on questions that weren't learnt from.

Consequence-Based Utility (arXiv 2602.06291v1, Table 3) fits one classifier to the scores of a judge (J), to utilities
(U), and to both, and gives its accuracy; how it split candidates it doesn't say. Here folds hold whole questions: those
of one question share its difficulty, and a classifier that has seen some of them would look better than it is.

All sets of features are held against each other on the same candidates: those that have every feature of every set.
"""

import math
import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from uq_tui.analysis.classification import Confusion, Figure, quality, share
from uq_tui.analysis.logistic import fit, log_loss
from uq_tui.analysis.ranks import auc
from uq_tui.analysis.unit_means import UnitMean, mean_of_units

NO_ROWS = "no labelled candidate has all features"
ONE_QUESTION = "all candidates are of one question"
ONE_KIND = "candidates are all correct or all wrong, of all questions or of those outside a fold"

_EVEN = 0.5
"""From this chance on a candidate is taken for correct."""


@dataclass(frozen=True, slots=True)
class Row:
    """A labelled candidate and its features by name; `None` is a score it doesn't have."""

    candidate_id: str
    question_id: str
    correct: bool
    features: Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class Result:
    """How well a set of features predicts, each candidate by the model of the fold that left its question out."""

    features: tuple[str, ...]
    confusion: Confusion
    """Accepted is a chance of 1/2 or more."""
    accuracy: Figure
    """With Wilson's interval, which takes candidates as independent; `clustered` doesn't."""
    clustered: UnitMean | None
    """The same accuracy with an interval over questions; it has none for few of them."""
    balanced_accuracy: Figure
    auc: float | None
    """Over all pairs. A model that was fitted without the correct ones of a fold expects fewer there, so that pairs of
    different folds come out low: for features that say nothing .40 on 10 questions of 8, .44 on 30 (40 draws each)."""
    auc_within: UnitMean | None
    """The mean of each question's own, over the questions with correct and wrong candidates: what selection needs."""
    log_loss: float
    """Mean, in nats. Giving everyone the base rate p costs -p log p - (1 - p) log(1 - p)."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Accuracy of one set less that of another on the same candidates, -1 to 1, with an interval over questions."""

    features: tuple[str, ...]
    over: tuple[str, ...]
    accuracy: UnitMean


@dataclass(frozen=True, slots=True)
class Comparison:
    """Sets of features held against each other on `n` candidates of `questions`, `correct` of them correct."""

    n: int
    questions: int
    correct: int
    folds: int
    """As many as questions: each was left out alone."""
    missing: int
    """Candidates left out of all sets because a feature of one of them is missing."""
    missing_by_feature: Mapping[str, int]
    """Candidates without each feature; one can lack several."""
    base_rate: Figure
    """Correct ones of all."""
    majority: Figure
    """The accuracy of calling all of them what most of them are."""
    results: tuple[Result, ...]
    """One a set, in order; none where `undefined` says why."""
    differences: tuple[Difference, ...]
    """Of each two sets, the later one less the earlier."""
    undefined: str = ""


def compare(
    rows: Sequence[Row], sets: Sequence[tuple[str, ...]], *, folds: int = 10, l2: float = 1.0, seed: int = 0
) -> Comparison:
    """Sets of features by grouped cross-validation.

    Args:
        rows: the labelled candidates.
        sets: names of features, such as `("judge",)`, `("utility",)` and both.
        folds: how many, or one a question where there are fewer.
        l2: the penalty, as in `logistic.fit`.
        seed: which questions share a fold.
    """
    wanted = list(dict.fromkeys(name for names in sets for name in names))
    lacking = [{name for name in wanted if row.features.get(name) is None} for row in rows]
    kept = [row for row, absent in zip(rows, lacking, strict=True) if not absent]
    sizes = Counter(row.question_id for row in kept)
    correct = sum(row.correct for row in kept)
    fold_of = folds_of(sizes, folds, seed)
    undefined = _undefined(kept, fold_of)
    chances = {} if undefined else {names: _chances(kept, names, fold_of, l2) for names in sets}
    return Comparison(
        n=len(kept),
        questions=len(sizes),
        correct=correct,
        folds=len(set(fold_of.values())),
        missing=len(rows) - len(kept),
        missing_by_feature={name: sum(name in absent for absent in lacking) for name in wanted},
        base_rate=share(correct, len(kept), NO_ROWS),
        majority=share(max(correct, len(kept) - correct), len(kept), NO_ROWS),
        results=tuple(_result(names, kept, found) for names, found in chances.items()),
        differences=tuple(_difference(kept, one, other) for other, one in combinations(chances.items(), 2)),
        undefined=undefined,
    )


def folds_of(sizes: Mapping[str, int], count: int, seed: int) -> dict[str, int]:
    """The fold, from 0, of each question: whole questions, folds as even in candidates as they allow.

    Args:
        sizes: candidates of each question. Their order means nothing.
        count: folds; with fewer questions each has its own.
        seed: the same seed gives the same folds.
    """
    drawn = sorted(sizes)
    random.Random(seed).shuffle(drawn)
    filled = [0] * min(count, len(drawn))
    found = {}
    for question in sorted(drawn, key=lambda it: -sizes[it]):
        emptiest = filled.index(min(filled))
        filled[emptiest] += sizes[question]
        found[question] = emptiest
    return found


def _undefined(rows: Sequence[Row], fold_of: Mapping[str, int]) -> str:
    if not rows:
        return NO_ROWS
    folds = set(fold_of.values())
    if len(folds) < 2:
        return ONE_QUESTION
    kinds = [{row.correct for row in rows if fold_of[row.question_id] != fold} for fold in folds]
    return ONE_KIND if any(len(kind) < 2 for kind in kinds) else ""


def _chances(rows: Sequence[Row], names: Sequence[str], fold_of: Mapping[str, int], l2: float) -> list[float]:
    """Of each row the chance to be correct, by the model of the rows outside its fold."""
    table = [[value for name in names if (value := row.features[name]) is not None] for row in rows]
    fold_of_row = [fold_of[row.question_id] for row in rows]
    models = {}
    for fold in set(fold_of_row):
        outside = [place for place, its_fold in enumerate(fold_of_row) if its_fold != fold]
        models[fold] = fit([table[place] for place in outside], [rows[place].correct for place in outside], l2=l2)
    return [models[fold].chance(values) for fold, values in zip(fold_of_row, table, strict=True)]


def _result(names: tuple[str, ...], rows: Sequence[Row], chances: Sequence[float]) -> Result:
    counts = Counter((chance >= _EVEN, row.correct) for row, chance in zip(rows, chances, strict=True))
    confusion = Confusion(counts[True, True], counts[True, False], counts[False, True], counts[False, False])
    rates = quality(confusion)
    return Result(
        features=names,
        confusion=confusion,
        accuracy=rates.accuracy,
        clustered=mean_of_units(_by_question(rows, [float(hit) for hit in _right(rows, chances)])),
        balanced_accuracy=rates.balanced_accuracy,
        auc=_auc(list(zip(rows, chances, strict=True))),
        auc_within=_auc_within(rows, chances),
        log_loss=math.fsum(log_loss(chance, row.correct) for row, chance in zip(rows, chances, strict=True))
        / len(rows),
    )


def _difference(
    rows: Sequence[Row], one: tuple[tuple[str, ...], list[float]], other: tuple[tuple[str, ...], list[float]]
) -> Difference:
    (names, chances), (over, its_chances) = one, other
    hits = zip(_right(rows, chances), _right(rows, its_chances), strict=True)
    found = mean_of_units(_by_question(rows, [float(hit) - its_hit for hit, its_hit in hits]), lowest=-1.0)
    assert found is not None  # there are rows, or there would be no chances
    return Difference(names, over, found)


def _right(rows: Sequence[Row], chances: Sequence[float]) -> list[bool]:
    return [(chance >= _EVEN) == row.correct for row, chance in zip(rows, chances, strict=True)]


def _by_question(rows: Sequence[Row], values: Sequence[float]) -> list[list[float]]:
    found = defaultdict[str, list[float]](list)
    for row, value in zip(rows, values, strict=True):
        found[row.question_id].append(value)
    return list(found.values())


def _auc(rated: Sequence[tuple[Row, float]]) -> float | None:
    return auc([chance for row, chance in rated if row.correct], [chance for row, chance in rated if not row.correct])


def _auc_within(rows: Sequence[Row], chances: Sequence[float]) -> UnitMean | None:
    of_question = defaultdict[str, list[tuple[Row, float]]](list)
    for row, chance in zip(rows, chances, strict=True):
        of_question[row.question_id].append((row, chance))
    areas = [_auc(rated) for rated in of_question.values()]
    return mean_of_units([[area] for area in areas if area is not None])
