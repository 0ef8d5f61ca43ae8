"""What the strip below a queue says."""

from store.rows import KnownLabel
from uq_tui.state.reviewing.giving import Feedback
from uq_tui.widgets.reviewing.strip_words import feedback_words
from uq_tui.widgets.reviewing.verdict_keys import VERDICT_BINDINGS, VERDICTS
from uq_tui.words import Label, NotJudged


def test_practice_tells_what_is_known() -> None:
    borderline = Label.CORRECT_BORDERLINE
    agrees = feedback_words(Feedback(Label.CORRECT, KnownLabel(Label.CORRECT, "", "s")))
    differs = feedback_words(Feedback(borderline, KnownLabel(Label.INCORRECT, "divides\nby \x1b[2J0", "s")))
    unknown = feedback_words(Feedback(Label.UNSURE, None))
    assert agrees == "Practice: you said correct, and so does the known label."
    assert differs == ("Practice: you said correct borderline; the known label is incorrect. Flaw: divides by ␛[2J0")
    assert unknown == "Practice: you said unsure. No label is known for this answer."


def test_every_verdict_has_a_key_of_its_own() -> None:
    assert set(VERDICTS) == {*Label, *NotJudged}
    assert len({str(binding) for binding in VERDICT_BINDINGS}) == len(VERDICTS)
