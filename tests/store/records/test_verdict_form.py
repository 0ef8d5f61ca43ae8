"""What a verdict needs, and where its quotes are placed."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.rows import MarkedError, Quote, VerdictForm
from store.verdict_form import CONTEXT, anchor, anchored, check
from tests.store.records.samples import ANSWER, form
from uq_tui.errors import EXIT_USAGE, VerdictFormError
from uq_tui.words import Label, NotJudged


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


def test_right_offsets_are_kept_even_when_the_words_stand_elsewhere_too() -> None:
    start = ANSWER.rindex("uniform")
    placed = anchor(Quote("uniform", start, start + 7, "", ""), ANSWER)
    assert (placed.start, placed.end) == (start, start + 7)
    assert placed.prefix == ANSWER[start - CONTEXT : start]
    assert placed.suffix == ANSWER[start + 7 : start + 7 + CONTEXT]


def test_wrong_offsets_are_mended_when_the_words_stand_once() -> None:
    placed = anchor(Quote("bounded", 0, 7, "", ""), ANSWER)
    assert ANSWER[placed.start : placed.end] == "bounded"


def test_offsets_counted_in_utf_16_are_mended() -> None:
    start = ANSWER.index("done")
    placed = anchor(Quote("done", start + 1, start + 5, "", ""), ANSWER)
    assert placed.start == start


def test_context_decides_between_several_places() -> None:
    placed = anchor(Quote("uniform", None, None, "limit is ", ""), ANSWER)
    assert placed.start == ANSWER.rindex("uniform")


def test_words_that_stand_several_times_are_not_placed_by_guess() -> None:
    lost = anchor(Quote("uniform", 2, 9, "unknown words ", ""), ANSWER)
    assert lost == Quote("uniform", None, None, "unknown words ", "")


def test_overlapping_places_are_several_places() -> None:
    assert anchor(Quote("aa", None, None, "", ""), "xaaax").start is None


def test_words_that_are_not_there_keep_no_offsets() -> None:
    assert anchor(Quote("“uniform”", 31, 40, "", ""), ANSWER).start is None


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
    placed = anchor(Quote(words, start, end, prefix, ""), raw)
    assert placed.quote == words
    if placed.start is None:
        assert placed.end is None
    else:
        assert raw[placed.start : placed.end] == words != ""
        assert anchor(placed, raw) == placed
