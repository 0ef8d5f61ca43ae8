"""Stored texts within what is read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.html import html_to_markdown
from store.identity import text_sha256
from store.rows import Question, QuestionRow, Text
from tests.document.sources import hostile_text
from uq_tui.state.question_text import question_head
from uq_tui.state.reading.readable import (
    Readable,
    fenced_readable,
    joined,
    own_words,
    readable_question,
    readable_text,
    readable_words,
)
from uq_tui.words import QuestionStatus, TextFormat

HTML = "<p>If $a &lt; b$, then <b>all</b> is well.</p>"


def text(raw: str, text_format: TextFormat = TextFormat.MARKDOWN) -> Text:
    markdown = html_to_markdown(raw) if text_format is TextFormat.HTML else raw.replace("\r\n", "\n")
    return Text(text_sha256(raw), text_format, raw, markdown)


def question(body: Text) -> Question:
    row = QuestionRow(1, "x:1", "So?", "x", QuestionStatus.UNANSWERED, 3, ("a",), None, 0, 0)
    return Question(row, body, "http://x/1", "An author", "CC", "", "", None, None, {})


def raw_of(readable: Readable, shown: str) -> str | None:
    """What is stored of `shown` where it first stands in a source."""
    at = readable.source.index(shown)
    found = readable.to_raw(at, at + len(shown))
    return found and found[0].raw[found[1] : found[2]]


@pytest.mark.parametrize(
    ("shown", "stored"),
    [("a < b", "a &lt; b"), ("**all** is", "all</b> is"), ("well", "well"), ("then **all", "then <b>all")],
)
def test_places_of_html_lead_to_what_is_stored_and_back(shown: str, stored: str) -> None:
    read = readable_text(text(HTML, TextFormat.HTML), "key")

    assert (read.source, read.key) == (html_to_markdown(HTML), "key")
    assert raw_of(read, shown) == stored
    start = HTML.index(stored)
    place = read.to_source(text_sha256(HTML), start, start + len(stored))
    assert place
    assert read.source[slice(*place)] in shown


def test_markdown_of_another_converter_has_no_places() -> None:
    read = readable_text(Text(text_sha256(HTML), TextFormat.HTML, HTML, "If $a < b$, then all is well."))

    assert read.to_raw(0, 9) is None
    assert read.to_source(text_sha256(HTML), 0, 9) is None


def test_line_ends_of_two_signs_count_as_one() -> None:
    read = readable_words("a\r\nb")

    assert read.source == "a\nb"
    assert read.texts[0].sha256 == text_sha256("a\r\nb")
    assert raw_of(read, "\nb") == "\r\nb"


def test_a_text_keeps_its_name_whatever_is_put_around_it() -> None:
    read = readable_words("a", "k", name="c2-reasoning")

    assert fenced_readable(read).name == "c2-reasoning"
    assert joined([read, read]).name == "text"
    assert readable_question(question(text("Body.", TextFormat.MARKDOWN))).name == "question"


def test_no_text_has_no_place() -> None:
    assert readable_words("") == readable_text(Text("", TextFormat.HTML, "", "")) == own_words("") == Readable("")


def test_only_the_body_of_a_question_is_a_stored_text() -> None:
    asked = question(text(HTML, TextFormat.HTML))
    read = readable_question(asked)

    assert read.source == f"{question_head(asked)}\n\n{asked.body.markdown}"
    assert read.key == "question x:1"
    assert raw_of(read, "An author") is None
    assert raw_of(read, "then") == "then"
    assert raw_of(read, read.source) == "If $a &lt; b$, then <b>all</b> is well."


def test_a_question_without_a_body_is_its_head() -> None:
    read = readable_question(question(text("")))

    assert read.source == question_head(question(text("")))
    assert read.to_raw(0, len(read.source)) is None


def test_a_range_over_two_texts_is_of_none() -> None:
    read = joined([own_words("one:"), readable_words("first"), own_words("two:"), readable_words("second")])

    assert read.source == "one:\n\nfirst\n\ntwo:\n\nsecond"
    assert raw_of(read, ":\n\nfirst\n\nt") == "first"
    assert raw_of(read, "first\n\ntwo:\n\ns") is None


def test_of_a_text_that_stands_twice_the_first_place_that_shows_it_counts() -> None:
    read = joined([readable_words("again"), readable_words("again")])

    assert read.to_source(text_sha256("again"), 1, 3) == (1, 3)
    assert read.to_source(text_sha256("other"), 1, 3) is None
    assert raw_of(Readable(read.source, texts=read.texts[1:]), "again\n\nagain") == "again"


@given(hostile_text)
def test_a_text_in_a_fence_is_all_there(words: str) -> None:
    read = fenced_readable(readable_words(words))
    assert words.replace("\r\n", "\n") in read.source
    for placed in read.texts:
        assert read.to_raw(0, len(read.source)) == (placed, 0, len(words))


@given(st.lists(st.text(alphabet="ab\r\n", min_size=1), min_size=1, max_size=4), st.data())
def test_a_sign_of_a_joined_text_leads_to_itself(parts: list[str], data: st.DataObject) -> None:
    read = joined([readable_words(part) for part in parts])
    which = data.draw(st.integers(0, len(parts) - 1))
    at = data.draw(st.integers(0, len(parts[which]) - 1))

    placed = read.texts[which]
    start, end = placed.to_source(at, at + 1) or (0, 0)
    assert parts[which][at : at + 1] in {read.source[start:end], "\r"}
    owner, raw_start, raw_end = read.to_raw(start, end) or (placed, 0, 0)
    assert owner.raw == parts[which]
    assert raw_start <= at < raw_end
