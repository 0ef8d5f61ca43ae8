"""What a verdict needs, and where its quotes are placed."""

import json
import math
from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.rows import MarkedError, Quote, VerdictForm
from store.verdict_form import anchored, check, form_from_plain
from tests.store.records.samples import ANSWER, form
from uq_tui.document.anchors import cut
from uq_tui.errors import EXIT_USAGE, VerdictFormError
from uq_tui.words import Derivation, FinalAnswer, Label, NotJudged, QuestionFlag


def test_a_label_alone_is_enough() -> None:
    assert check(VerdictForm(label=Label.CORRECT)) == ()


def test_a_reason_for_not_judging_alone_is_enough() -> None:
    assert check(VerdictForm(not_judged=NotJudged.OUT_OF_DEPTH)) == ()


def test_an_empty_form_lacks_its_label() -> None:
    assert check(VerdictForm()) == ("Choose a label, or say why the answer was not judged.",)


def test_label_and_reason_exclude_each_other() -> None:
    (problem,) = check(VerdictForm(label=Label.UNSURE, not_judged=NotJudged.TOO_TEDIOUS))
    assert "not both" in problem


@pytest.mark.parametrize(
    ("field", "value", "word"),
    [
        ("score_0_7", 8, "score"),
        ("score_0_7", -1, "score"),
        ("score_0_7", True, "score"),
        ("score_0_7", 2.5, "score"),
        ("confidence", 0, "confidence"),
        ("confidence", 6, "confidence"),
        ("seconds_active", -0.1, "active"),
        ("seconds_total", math.inf, "total"),
        ("seconds_total", math.nan, "total"),
    ],
)
def test_figures_have_their_ranges(field: str, value: Any, word: str) -> None:
    (problem,) = check(form(**{field: value}))
    assert word in problem


@pytest.mark.parametrize(("field", "ends"), [("score_0_7", (0, 7)), ("confidence", (1, 5))])
def test_the_ends_of_the_ranges_belong_to_them(field: str, ends: tuple[int, int]) -> None:
    assert [check(form(**{field: end})) for end in ends] == [(), ()]


def test_everything_that_is_wrong_is_listed() -> None:
    bad_error = MarkedError("bad luck", (Quote("", None, None, "", ""),) * 4)
    problems = check(form(label=None, score_0_7=9, errors=(form().errors[0], bad_error)))
    assert len(problems) == 5
    assert all(problem.startswith("Error 2: ") for problem in problems[2:])


def test_the_error_carries_each_problem_and_is_a_fault_of_usage() -> None:
    error = VerdictFormError(("One.", "Two."))
    assert (error.problems, error.exit_code) == (("One.", "Two."), EXIT_USAGE)
    assert str(error).endswith("One. Two.")


def placed(quote: Quote, raw: str = ANSWER) -> Quote:
    """The quote as a saved form has it."""
    (error,) = anchored(form(errors=(MarkedError("other", (quote,)),)), raw).errors
    return error.quotes[0]


def test_a_placed_quote_takes_the_context_that_the_answer_has() -> None:
    start = ANSWER.index("bounded")
    assert placed(Quote("bounded", 0, 7, "", "")) == Quote(*cut(ANSWER, start, start + 7))


def test_a_quote_without_a_place_keeps_its_words_and_context_and_no_offsets() -> None:
    lost = placed(Quote("uniform", 2, 9, "unknown words ", ""))
    assert lost == Quote("uniform", None, None, "unknown words ", "")


def test_a_quote_found_by_a_bridge_takes_the_words_of_the_answer() -> None:
    start = ANSWER.index("uniform.")
    found = placed(Quote("“uniform. Step 2.”", None, None, "", ""))
    assert found == Quote(*cut(ANSWER, start, start + 17))
    assert found.quote == "uniform.\r\nStep 2."


def test_all_quotes_of_a_form_are_placed() -> None:
    errors = (MarkedError("other", (Quote("bounded", None, None, "", ""), Quote("absent", 0, 6, "", ""))),)
    (error,) = anchored(form(errors=errors), ANSWER).errors
    assert [quote.start for quote in error.quotes] == [ANSWER.index("bounded"), None]


@given(
    st.text(alphabet="ab\u00a0𝔘\ud800\r\n", max_size=30),
    st.text(alphabet="ab\u00a0𝔘\ud800\r\n", max_size=4),
    st.none() | st.integers(-5, 40),
    st.none() | st.integers(-5, 40),
    st.text(alphabet="ab", max_size=2),
)
def test_offsets_always_name_the_quote_or_are_absent(
    raw: str, words: str, start: int | None, end: int | None, prefix: str
) -> None:
    found = placed(Quote(words, start, end, prefix, ""), raw)
    if found.start is None:
        assert (found.quote, found.end) == (words, None)
    else:
        assert raw[found.start : found.end] == found.quote != ""
        assert placed(found, raw) == found


def test_flags_on_a_question_are_among_those_there_are() -> None:
    assert check(form(question_flags=tuple(QuestionFlag))) == ()
    (problem,) = check(form(question_flags=("duplicate", "dull")))
    assert "needs_image" in problem


def test_a_form_of_an_earlier_version_has_no_steps_and_none_of_the_flags_it_does_not_know() -> None:
    entered = form(final_answer=FinalAnswer.AGREES, derivation=Derivation.BORDERLINE)
    plain = json.loads(json.dumps(asdict(entered)))
    assert form_from_plain(plain) == entered
    for name in ("final_answer", "derivation"):
        del plain[name]
    plain["question_flags"] = ["ambiguous", "duplicate"]
    assert form_from_plain(plain) == form(question_flags=("duplicate",))
