"""From labels to what a candidate counts as: correct, incorrect, or neither, with why."""

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum

from uq_tui.words import Label


class Standing(StrEnum):
    """What the labels of a candidate come to. Only the first two enter a metric; the others are counted."""

    CORRECT = "correct"
    INCORRECT = "incorrect"
    TIED = "tied"
    """As many reviewers hold it correct as incorrect."""
    UNSURE = "unsure"
    """It was looked at, but nobody gave a label that decides."""
    UNLABELLED = "unlabelled"


def standing(opinions: Iterable[Label | None], *, borderline_correct: bool = True) -> Standing:
    """What several opinions on one candidate come to: the majority of those that decide.

    Args:
        opinions: one of each reviewer, or the one that came with the candidate; `None` is not judged.
        borderline_correct: borderline correct counts as correct, else as incorrect. Unsure doesn't decide.
    """
    given = tuple(opinions)
    if not given:
        return Standing.UNLABELLED
    deciding = Counter(
        label is Label.CORRECT or (label is Label.CORRECT_BORDERLINE and borderline_correct)
        for label in given
        if label is not None and label is not Label.UNSURE
    )
    if not deciding:
        return Standing.UNSURE
    if deciding[True] == deciding[False]:
        return Standing.TIED
    return Standing.CORRECT if deciding[True] > deciding[False] else Standing.INCORRECT
