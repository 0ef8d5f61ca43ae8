"""The list of errors, and what of a text can be quoted in it."""

import pytest

from store.identity import text_sha256
from store.rows import MarkedError, Quote, VerdictForm
from store.verdict_form import MAX_QUOTES
from tests.state.reading.test_readable import text
from uq_tui.state.reading.readable import Readable, joined, own_words, readable_text, readable_words
from uq_tui.state.verdict.errors import (
    QuoteError,
    open_errors,
    raw_place,
    with_error,
    with_quote,
    without_error,
)
from uq_tui.words import ErrorCategory, TextFormat

RAW = "One **two** three."


def test_a_quote_makes_an_error_of_its_kind_or_joins_one() -> None:
    form = with_quote(VerdictForm(), RAW, 4, 11, category=ErrorCategory.MISREAD_QUESTION, problem="p")
    assert form.errors == (MarkedError("misread_question", (Quote("**two**", 4, 11, "One ", " three."),), problem="p"),)
    both = with_quote(form, RAW, 0, 3, to=0, fix="f")
    assert [quote.quote for quote in both.errors[0].quotes] == ["**two**", "One"]
    assert (both.errors[0].problem, both.errors[0].fix) == ("p", "f")


def test_an_error_takes_three_quotes_and_one_that_is_gone_none() -> None:
    form = VerdictForm()
    for _ in range(MAX_QUOTES):
        form = with_quote(form, RAW, 0, 3, to=0 if form.errors else None)
    assert open_errors(form) == ()
    with pytest.raises(QuoteError, match="3 quotes already"):
        with_quote(form, RAW, 0, 3, to=0)
    with pytest.raises(QuoteError, match="not there any more"):
        with_quote(form, RAW, 0, 3, to=1)


def test_errors_are_changed_and_taken_out_by_their_place() -> None:
    one, two = MarkedError("other"), MarkedError("misread_question")
    form = VerdictForm(errors=(one, two))
    assert without_error(form, 0).errors == (two,)
    assert with_error(form, 1, one).errors == (one, one)
    assert without_error(form, 2) is form
    assert with_error(form, -1, two) is form


def answer(raw: str, form: TextFormat = TextFormat.MARKDOWN) -> Readable:
    return readable_text(text(raw, form), "c")


def test_only_words_of_the_answer_itself_can_be_quoted() -> None:
    read = answer(RAW)
    own = text_sha256(RAW)
    assert raw_place(read, (4, 11), own) == (4, 11)
    with pytest.raises(QuoteError, match="not the question, nor its reasoning"):
        raw_place(readable_words("thinking"), (0, 3), own)
    with pytest.raises(QuoteError, match="Only a candidate's stored answer"):
        raw_place(own_words("ours"), (0, 3), own)
    with pytest.raises(QuoteError, match="no words"):
        raw_place(read, (3, 4), own)
    two = joined([read, readable_words("thinking")])
    with pytest.raises(QuoteError, match="several texts"):
        raw_place(two, (0, len(two.source)), own)
    assert raw_place(two, (0, 3), own) == (0, 3)


def test_marks_that_stand_for_nothing_stored_are_refused() -> None:
    read = answer("<p>a</p><hr><p>b</p>", TextFormat.HTML)
    rule = read.source.index("-")
    with pytest.raises(QuoteError, match="Nothing of what is selected is in the stored answer"):
        raw_place(read, (rule, rule + 2), read.texts[0].sha256)
