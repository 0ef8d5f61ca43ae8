"""What reports hold to be the truth of a candidate: what reviewers decided, or the label that came with it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from store import evaluation
from store.evaluation import Opinion
from store.workspace import Workspace
from uq_tui.analysis.truth import Standing, standing
from uq_tui.words import Exposure, Label


class Against(StrEnum):
    """What scores and decisions are held against."""

    VERDICTS = "verdicts"
    """The newest verdict of each person, the majority of several, or the adjudication that settles them."""
    KNOWN = "known"
    """Labels that came with candidates."""


class LabelSource(StrEnum):
    """Whose word a label is."""

    REFERENCE = "reference"
    """It is the expert's own solution, correct by definition."""
    VERDICT = "verdict"
    """Reviewers' verdicts."""
    KNOWN = "known"
    """It came with the candidate."""


TELLS = {Against.VERDICTS: Exposure.OTHER_VERDICTS, Against.KNOWN: Exposure.KNOWN_LABEL}
"""What a reviewer has seen who saw such a label."""
TELLS_OF = {LabelSource.VERDICT: Exposure.OTHER_VERDICTS, LabelSource.KNOWN: Exposure.KNOWN_LABEL}
_SOURCES = {Against.VERDICTS: LabelSource.VERDICT, Against.KNOWN: LabelSource.KNOWN}


@dataclass(frozen=True, slots=True)
class Labels:
    """What is to be held correct."""

    against: Against | None = None
    """Verdicts or known labels only; `None` takes the verdicts where they decide, else the known label."""
    borderline_correct: bool = True


@dataclass(frozen=True, slots=True)
class Held:
    """What a candidate is held to be, and on whose word."""

    standing: Standing
    labels: tuple[Label | None, ...]
    """One of each reviewer, or the known one; `None` is not judged."""
    source: LabelSource | None


_REFERENCE = Held(Standing.CORRECT, (Label.CORRECT,), LabelSource.REFERENCE)
_UNLABELLED = Held(Standing.UNLABELLED, (), None)


def opinions(ws: Workspace, against: Against) -> Mapping[str, tuple[Opinion, ...]]:
    """By candidate, each reviewer's newest opinion, or the known label as one of nobody."""
    if against is Against.VERDICTS:
        return evaluation.opinions(ws)
    return {candidate_id: (Opinion("", label),) for candidate_id, label in evaluation.known_labels(ws).items()}


class Truth:
    """What candidates are held to be, from one reading of the store."""

    def __init__(self, ws: Workspace, labels: Labels) -> None:
        self._borderline_correct = labels.borderline_correct
        wanted = tuple(Against) if labels.against is None else (labels.against,)
        self._given = [(_SOURCES[one], opinions(ws, one)) for one in wanted]
        self._references = evaluation.references(ws)

    def of(self, candidate_id: str) -> Held:
        """The first source that decides; else the first that says anything. A reference solution is correct."""
        if candidate_id in self._references:
            return _REFERENCE
        found = [self._held(own[candidate_id], source) for source, own in self._given if candidate_id in own]
        deciding = (one for one in found if one.standing in (Standing.CORRECT, Standing.INCORRECT))
        return next(deciding, found[0] if found else _UNLABELLED)

    def _held(self, given: tuple[Opinion, ...], source: LabelSource) -> Held:
        labels = tuple(one.label for one in given)
        return Held(standing(labels, borderline_correct=self._borderline_correct), labels, source)


def news(ws: Workspace, reviewer_id: str, what: Exposure, candidate_ids: Iterable[str]) -> frozenset[str]:
    """Of candidates whose `what` is shown to a reviewer, those of which it is new: one's own verdict is not."""
    shown = frozenset(candidate_ids)
    if what is not Exposure.OTHER_VERDICTS or not shown:
        return shown
    given = evaluation.opinions(ws)
    return frozenset(key for key in shown if any(one.reviewer_id != reviewer_id for one in given.get(key, ())))
