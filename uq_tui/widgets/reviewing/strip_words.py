"""What the strip says of a queue's state."""

from collections.abc import Callable

from uq_tui.state.reviewing.giving import STEP_KEYS, Feedback
from uq_tui.state.reviewing.pace import pace_words, progress_words
from uq_tui.state.reviewing.review import ReviewState
from uq_tui.state.reviewing.two_steps import CHOICES, Step
from uq_tui.text import clean_line
from uq_tui.widgets.reviewing.verdict_keys import VERDICTS, binding_id, giving, words_of
from uq_tui.widgets.reviewing.verdict_strip import StripKey, Told
from uq_tui.words import Label, NotJudged

UNDO = ("review.undo", "undo", "undo")
OTHERS = (
    ("document.quote", "quote", "quote"),
    ("review.form", "form", "form"),
    ("review.later", "later", "later"),
    UNDO,
)
"""Keys besides those of verdicts: their bindings, words, and actions of the screen."""
KeyOf = Callable[[str], str]
"""Gives the key of a binding as it is shown."""


def told(state: ReviewState, key_of: KeyOf, *, writing: bool = False) -> Told:
    """What the strip shows now; no keys while somebody is `writing`, who has letters mean other things."""
    recorded = f"recorded: {state.recorded}" if state.recorded else ""
    if recorded and not writing:
        recorded += f", {key_of('review.undo')} undoes"
    note = state.note
    if state.second_pass_of and not writing:
        note = "   ".join(filter(None, (note, f"{key_of('review.second_pass')} second pass")))
    progress = ""
    if state.counted is not None:
        progress = ", ".join(filter(None, (progress_words(state.counted.progress), pace_words(state.counted.pace))))
    if writing:
        return Told((), "", recorded, note, progress)
    if state.shown is None:
        return Told((_key(UNDO, key_of),) if state.at_the_end else (), "", recorded, note, progress)
    if state.feedback is not None:
        return Told((), f"{feedback_words(state.feedback)} Any verdict key goes on.", "", note, progress)
    keys = [StripKey(key_of(binding_id(one)), words, giving(one)) for one, words in _verdicts(state)]
    others = [_key(one, key_of) for one in OTHERS]
    return Told((*keys, *others), _asked(state), recorded, note, progress)


def _key(one: tuple[str, str, str], key_of: KeyOf) -> StripKey:
    binding, words, action = one
    return StripKey(key_of(binding), words, action)


def _verdicts(state: ReviewState) -> list[tuple[Label | NotJudged, str]]:
    """What can be given, with what it means at the step that is asked."""
    if state.steps is None:
        return [(one, words_of(one)) for one in VERDICTS]
    step = state.steps.step if state.steps.step is not Step.DONE else Step.FINAL_ANSWER
    labels = {letter: label for label, letter in STEP_KEYS.items()}
    keys: list[tuple[Label | NotJudged, str]] = [(labels[choice.key], choice.words) for choice in CHOICES[step]]
    return keys + [(one, words_of(one)) for one in VERDICTS if isinstance(one, NotJudged)]


def _asked(state: ReviewState) -> str:
    """What the keys answer: nothing is said where each is a verdict by itself."""
    practice = "Practice: you are told the known label.  " if state.is_practice else ""
    if state.steps is None:
        return practice.rstrip()
    if state.steps.step is Step.DERIVATION:
        return f"{practice}2 of 2: is the derivation valid?"
    before = f"So far {_words(state.steps.label)}.  " if state.steps.label is not None else ""
    opinion = state.opinion
    said = f"  {opinion.words}" if opinion is not None and opinion.words else ""
    return f"{practice}{before}1 of 2: does the final answer agree with the reference's?{said}"


def feedback_words(feedback: Feedback) -> str:
    """`Practice: you said incorrect, and so does the known label. Flaw: ...`"""
    given = _words(feedback.given)
    known = feedback.known
    if known is None:
        return f"Practice: you said {given}. No label is known for this answer."
    marks = f" ({known.marks_text})" if known.marks_text else ""
    if feedback.agrees:
        said = f"Practice: you said {given}, and so does the known label{marks}."
    else:
        said = f"Practice: you said {given}; the known label is {_words(known.label)}{marks}."
    return f"{said} Flaw: {clean_line(known.flaw)}" if known.flaw else said


def _words(label: Label) -> str:
    return label.value.replace("_", " ")
