"""What the strip below a question says: its keys, what was recorded, how far the curation is."""

from collections.abc import Callable

from uq_tui.state.curating.question_review import REASON_NEEDED, QuestionReview
from uq_tui.widgets.reviewing.verdict_strip import StripKey, Told
from uq_tui.words import QuestionDecision

KEYS = (
    ("question.keep", "keep", "decide('keep')"),
    ("question.reject", "reject", "decide('reject')"),
    ("question.paraphrase", "paraphrase", "paraphrase"),
    ("question.reason", "reason", "reason"),
    ("question.later", "later", "later"),
)
UNDO = ("question.undo", "undo", "undo")
"""Bindings, words, and actions of the screen."""
KeyOf = Callable[[str], str]
"""Gives the key of a binding as it is shown."""


def told(state: QuestionReview, key_of: KeyOf, *, pending: QuestionDecision | None, writing: bool) -> Told:
    """What the strip shows now; no keys while somebody is `writing`, for whom letters are letters."""
    recorded = state.told
    if recorded.startswith("recorded") and not writing:
        recorded += f", {key_of(UNDO[0])} undoes"
    if writing:
        asked = f"{REASON_NEEDED} Enter records: {pending}." if pending else "Enter keeps the reason for the decision."
        return Told((), asked, "", "", state.progress_words)
    keys = (*(KEYS if state.shown is not None else ()), *((UNDO,) if state.can_undo else ()))
    shown = tuple(StripKey(key_of(binding), words, action) for binding, words, action in keys)
    return Told(shown, "", recorded, "", state.progress_words)
