"""What the strip below a queue says."""

from store.rows import KnownLabel
from store.workspace import Workspace
from tests.engine.runs.scripted import QUESTION
from tests.state.reviewing.laid_out import add_problem, desk_of, make_queue, reviewing
from uq_tui.state.reviewing.giving import Feedback
from uq_tui.widgets.reviewing.strip_words import feedback_words, told
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
    marked = feedback_words(Feedback(Label.CORRECT, KnownLabel(Label.INCORRECT, "", "s", 5.0, 7.0)))
    assert marked == "Practice: you said correct; the known label is incorrect (5 of 7)."


def test_every_verdict_has_a_key_of_its_own() -> None:
    assert set(VERDICTS) == {*Label, *NotJudged}
    assert len({str(binding) for binding in VERDICT_BINDINGS}) == len(VERDICTS)


async def test_no_key_is_offered_to_somebody_who_writes(workspace: Workspace) -> None:
    desk = await desk_of(workspace)
    state, _ = await reviewing(desk, make_queue(workspace, desk, add_problem(workspace, QUESTION, "It is 1.", "2")))
    await state.give(Label.INCORRECT)
    reads, writes = (told(state, lambda name: f"<{name}>", writing=writing) for writing in (False, True))
    assert reads.recorded == "recorded: incorrect, <review.undo> undoes"
    assert writes.recorded == "recorded: incorrect"
    assert reads.keys
    assert not writes.keys
    assert "<" not in f"{writes.asked}{writes.note}{writes.progress}"
    await state.settled()
