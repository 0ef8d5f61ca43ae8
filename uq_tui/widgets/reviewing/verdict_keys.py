"""The keys of verdicts in a queue. Their letters are those of the form."""

from textual.binding import Binding, BindingType

from uq_tui.widgets.verdict_rows import LABELS
from uq_tui.words import Label, NotJudged

VERDICTS: tuple[Label | NotJudged, ...] = (
    Label.INCORRECT,
    Label.CORRECT,
    Label.UNSURE,
    Label.CORRECT_BORDERLINE,
    NotJudged.OUT_OF_DEPTH,
    NotJudged.TOO_TEDIOUS,
    NotJudged.FAULTY_QUESTION,
)
"""In the order in which they are printed."""
_CHOICES = {choice.value: choice for choice in LABELS}


def binding_id(verdict: Label | NotJudged) -> str:
    """`review.incorrect`."""
    return f"review.{verdict.value}"


def words_of(verdict: Label | NotJudged) -> str:
    """`out of depth`."""
    return _CHOICES[verdict.value].label


def giving(verdict: Label | NotJudged) -> str:
    """The action of the screen that gives it."""
    return f"give('{verdict.value}')"


VERDICT_BINDINGS: list[BindingType] = [
    Binding(
        _CHOICES[verdict.value].key,
        giving(verdict),
        words_of(verdict).capitalize(),
        id=binding_id(verdict),
        tooltip=f"Record “{words_of(verdict)}” and go on",
        show=False,  # the strip prints them
    )
    for verdict in VERDICTS
]
