"""What the labels of several people come to: by majority, or by what is likeliest given how each one labels."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from uq_tui.analysis.dawid_skene import Estimated, dawid_skene
from uq_tui.analysis.truth import Standing
from uq_tui.words import Label

DECIDING = (Label.CORRECT, Label.CORRECT_BORDERLINE, Label.INCORRECT)
"""The labels that say something of the answer, the best first."""
_ROUNDING = 1e-6
"""Weights this close to each other are equal."""


class Method(StrEnum):
    """How labels are put together."""

    MAJORITY = "majority"
    """Everybody counts the same."""
    DAWID_SKENE = "dawid-skene"
    """Everybody counts by how reliable they are, as far as agreement with others tells."""


@dataclass(frozen=True, slots=True)
class Consensus:
    """What labels come to."""

    standing: Standing
    label: Label | None
    """The one that weighs most on the side that weighs more; `None` where `tied`, or nothing decides."""
    tied: tuple[Label, ...]
    """The labels that weigh the same, where no single one weighs most."""
    weights: Mapping[Label, float]
    """Share of votes, or chance, of each label that decides; empty where nothing does."""


def is_correct(label: Label, *, borderline_correct: bool) -> bool:
    """Whether a label that decides counts as correct."""
    return label is Label.CORRECT or (label is Label.CORRECT_BORDERLINE and borderline_correct)


def weighed(weights: Mapping[Label, float], *, borderline_correct: bool = True) -> Consensus:
    """What weights of labels come to: first which side, correct or incorrect, then which label on it.

    Args:
        weights: votes or chances, of labels that decide; those left out weigh nothing.
        borderline_correct: on which side borderline correct stands.
    """
    whole = sum(weights.values())
    if whole == 0:
        return Consensus(Standing.UNSURE, None, (), {})
    shares = {label: weights.get(label, 0.0) / whole for label in DECIDING}
    right = [label for label in DECIDING if is_correct(label, borderline_correct=borderline_correct)]
    wrong = [label for label in DECIDING if label not in right]
    lead = sum(shares[label] for label in right) - sum(shares[label] for label in wrong)
    if abs(lead) < _ROUNDING:
        return Consensus(Standing.TIED, None, tuple(label for label in DECIDING if shares[label] > 0), shares)
    side = right if lead > 0 else wrong
    most = max(shares[label] for label in side)
    heaviest = tuple(label for label in side if most - shares[label] < _ROUNDING)
    standing = Standing.CORRECT if lead > 0 else Standing.INCORRECT
    if len(heaviest) > 1:
        return Consensus(standing, None, heaviest, shares)
    return Consensus(standing, heaviest[0], (), shares)


def majority(labels: Iterable[Label | None], *, borderline_correct: bool = True) -> Consensus:
    """What opinions come to where everybody counts the same. Unsure and not judged (`None`) don't decide."""
    votes = Counter(label for label in labels if label in DECIDING and label is not None)
    return weighed(votes, borderline_correct=borderline_correct)


def estimate(units: Sequence[Mapping[str, Label | None]]) -> tuple[Estimated[Label] | None, list[dict[Label, float]]]:
    """Dawid and Skene's estimate over the labels that decide; without any, `None`.

    Args:
        units: opinions by person, those that don't decide too.

    Returns:
        The estimate, and of every unit the chance of each label; empty where nobody decides.
    """
    deciding = [
        {who: label for who, label in unit.items() if label in DECIDING and label is not None} for unit in units
    ]
    labelled = [unit for unit in deciding if unit]
    found = dawid_skene(labelled, DECIDING) if labelled else None
    chances = iter(found.chances if found else ())
    return found, [dict(next(chances)) if unit else {} for unit in deciding]
