"""What a key that gives a verdict does, and what it makes of a form."""

from dataclasses import dataclass, replace
from enum import Enum, auto

from store.rows import KnownLabel, VerdictForm
from uq_tui.words import Label, NotJudged

STEP_KEYS = {Label.CORRECT: "c", Label.INCORRECT: "x", Label.UNSURE: "v", Label.CORRECT_BORDERLINE: "b"}
"""What the keys of labels mean where two steps are asked; see `two_steps.CHOICES`."""


class Given(Enum):
    """What a key that gives a verdict did."""

    NOTHING = auto()
    """It came too soon, was held down, or there is nothing to decide."""
    STEP = auto()
    """It answered the first of two steps."""
    INCOMPLETE = auto()
    """The queue's rules want more; the form says what, and has the label chosen."""
    PRACTISED = auto()
    """The known label is told now."""
    RECORDED = auto()
    PASSED = auto()
    """Another window had decided this item."""
    WENT_ON = auto()
    """From a practice item whose known label was told."""


@dataclass(frozen=True, slots=True)
class Feedback:
    """What a practice item was given, and what it should have been; `known` is `None` where nothing is known."""

    given: Label
    known: KnownLabel | None

    @property
    def agrees(self) -> bool:
        """Whether the label is the known one."""
        return self.known is not None and self.known.label is self.given


def chosen(form: VerdictForm, verdict: Label | NotJudged) -> VerdictForm:
    """The form with this verdict chosen, and nothing else changed."""
    if isinstance(verdict, Label):
        return replace(form, label=verdict, not_judged=None)
    return replace(form, label=None, not_judged=verdict, final_answer=None, derivation=None)
