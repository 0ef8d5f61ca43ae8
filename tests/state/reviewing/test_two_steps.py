"""Labelling in two steps."""

from dataclasses import replace

import pytest

from store.rows import Candidate, MarkedError, Text, VerdictForm
from uq_tui.state.reviewing.two_steps import (
    CHOICES,
    Step,
    TwoSteps,
    compared,
    label_of,
    stated_answer,
)
from uq_tui.words import Derivation, ErrorCategory, FinalAnswer, Label, NotJudged, TextFormat

WRONG = MarkedError(ErrorCategory.WRONG_FINAL_ANSWER)


def answered(text: str, *, cut_off: bool = False) -> Candidate:
    return Candidate("c", "q", 1, Text("0", TextFormat.MARKDOWN, text, text), "", cut_off, (), "")


@pytest.mark.parametrize(
    ("keys", "label"),
    [
        ("x", Label.INCORRECT),
        ("cc", Label.CORRECT),
        ("cb", Label.CORRECT_BORDERLINE),
        ("cx", Label.INCORRECT),
        ("cv", Label.UNSURE),
        ("vc", Label.UNSURE),
        ("vb", Label.UNSURE),
        ("vv", Label.UNSURE),
        ("vx", Label.INCORRECT),
    ],
)
def test_the_keys_of_both_steps_come_to_a_label(keys: str, label: Label) -> None:
    two = TwoSteps()
    for key in keys:
        assert two.label is None
        two = two.press(key)
    assert (two.step, two.label) == (Step.DONE, label)
    assert two.filled(VerdictForm()).label is label


def test_every_step_has_a_key_for_each_answer_to_it() -> None:
    assert {choice.value for choice in CHOICES[Step.FINAL_ANSWER]} == set(FinalAnswer)
    assert {choice.value for choice in CHOICES[Step.DERIVATION]} == set(Derivation)
    for choices in CHOICES.values():
        assert len({choice.key for choice in choices}) == len(choices)


def test_no_label_before_the_last_step() -> None:
    assert label_of(None, None) is label_of(None, Derivation.INVALID) is None
    assert label_of(FinalAnswer.AGREES, None) is label_of(FinalAnswer.UNCLEAR, None) is None


@pytest.mark.parametrize("key", ["b", "z", "", "C"])
def test_a_key_that_means_nothing_here_changes_nothing(key: str) -> None:
    assert TwoSteps().press(key) == TwoSteps()
    assert TwoSteps(FinalAnswer.DIFFERS).press("c") == TwoSteps(FinalAnswer.DIFFERS)


def test_going_back_takes_one_answer_at_a_time() -> None:
    done = TwoSteps().press("c").press("x")
    assert done.back() == TwoSteps(FinalAnswer.AGREES)
    assert done.back().back() == done.back().back().back() == TwoSteps()


def test_a_draft_keeps_the_step_it_stopped_at() -> None:
    form = TwoSteps().press("c").filled(VerdictForm(rationale="So far.", not_judged=NotJudged.TOO_TEDIOUS))
    assert (form.label, form.not_judged, form.rationale) == (None, None, "So far.")
    assert TwoSteps.of(form).step is Step.DERIVATION


def test_a_wrong_final_answer_is_marked_once_and_unmarked_while_nothing_is_written_on_it() -> None:
    differs = TwoSteps(FinalAnswer.DIFFERS)
    form = differs.filled(differs.filled(VerdictForm()))
    assert form.errors == (WRONG,)
    assert TwoSteps(FinalAnswer.AGREES).filled(form).errors == ()
    written = replace(form, errors=(replace(WRONG, problem="It is 43."),))
    assert differs.filled(written).errors == TwoSteps(FinalAnswer.AGREES).filled(written).errors == written.errors


@pytest.mark.parametrize(
    ("text", "expected", "opinion"),
    [
        (r"So $\boxed{42}$.", "42", FinalAnswer.AGREES),
        (r"So $\boxed{\frac{84}{2}}$.", "$42$", FinalAnswer.AGREES),
        (r"So $\boxed{43}$.", r"By this, \boxed{42}.", FinalAnswer.DIFFERS),
        ("42", "42.0", FinalAnswer.AGREES),
        (r"So $\boxed{x^2}$.", "42", None),
        (r"So $\boxed{41}$ or $\boxed{42}$.", "42", None),
        ("A long way.\n\nAnd so it is 42.", "42", None),
        (r"So $\boxed{42}$.", "", None),
        ("", "", None),
        (r"So $\boxed{42}$.", "It is this.\n\nOr that.", None),
    ],
)
def test_a_machine_says_only_what_exact_reading_shows(text: str, expected: str, opinion: FinalAnswer | None) -> None:
    assert compared(answered(text), expected).opinion is opinion


def test_a_reply_that_was_cut_states_no_final_answer() -> None:
    assert compared(answered(r"So $\boxed{42}$.", cut_off=True), "42").opinion is None


def test_what_a_machine_says_is_marked_as_such_and_clean() -> None:
    agrees = compared(answered(r"\boxed{42}"), "42").words
    differs = compared(answered("\\boxed{7\x1b[2J" + "1" * 500 + "}"), "42").words
    assert agrees == "By machine, exact comparison: agrees, 42 and the expected 42. Look yourself."
    assert "\x1b" not in differs
    assert len(differs) < 160
    assert "no final answer to compare with" in compared(answered("42"), "").words
    assert "no single final answer" in compared(answered("One.\n\nTwo."), "42").words
    assert "differs, 43 for the expected 42" in compared(answered("43"), "42").words
    assert "can't tell x from the expected 42" in compared(answered(r"\boxed{x}"), "42").words


def test_what_states_a_final_answer() -> None:
    assert stated_answer(" 42\n") == "42"
    assert stated_answer("1\n2") == ""
    assert stated_answer("4" * 201) == ""
    assert stated_answer(r"\boxed{ }") == ""
    assert stated_answer(r"\boxed{42}" + " and so on." * 1_000) == "42"
    assert stated_answer(r"\boxed{42}" + " and so on." * 2_000) == ""
    assert stated_answer("words " * 50_000 + r"\boxed{42}") == "42"
