"""Reading fields of foreign rows."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.ingest import fields
from store.ingest.report import RowError
from uq_tui.words import QuestionStatus, TextFormat


def test_the_first_text_that_says_something_counts() -> None:
    row = {"a": None, "b": "", "c": "x", "d": "y"}
    assert fields.text(row, "a", "b", "c", "d") == "x"
    assert fields.text(row, "a", "none") == ""


@pytest.mark.parametrize("value", [1, True, ["x"], {"x": 1}])
def test_what_is_no_text_is_refused(value: object) -> None:
    with pytest.raises(RowError, match="`title` is not text"):
        fields.text({"title": value}, "title")


@pytest.mark.parametrize(("value", "found"), [(12, "12"), ("12", "12"), (" 12 ", "12"), ("q-7", "q-7"), (None, "")])
def test_ids_may_be_numbers_or_text(value: object, found: str) -> None:
    assert fields.identifier({"id": value}, "id") == found


@pytest.mark.parametrize("value", [1.5, True, ["1"]])
def test_other_ids_are_refused(value: object) -> None:
    with pytest.raises(RowError, match="`id`"):
        fields.identifier({"id": value}, "id")


@pytest.mark.parametrize(
    ("value", "found"), [(3, 3), (-3, -3), ("42", 42), (" -7 ", -7), (5.0, 5), (None, None), ("", None), (0, 0)]
)
def test_whole_numbers(value: object, found: int | None) -> None:
    assert fields.integer({"score": value}, "score") == found


@pytest.mark.parametrize("value", [1.5, "many", True, [], 2**63, -(2**63), "9" * 20, "9" * 5000])
def test_other_numbers_are_refused(value: object) -> None:
    with pytest.raises(RowError, match="`score`"):
        fields.integer({"score": value}, "score")


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (["a", " b ", "", "a"], ("a", "b")),
        ("<a-b><c>", ("a-b", "c")),
        ("|a-b|c|", ("a-b", "c")),
        ("a-b c", ("a-b", "c")),
        ("number theory, graphs", ("number theory", "graphs")),
        ("['a', 'b']", ("a", "b")),
        ('["a", "b"]', ("a", "b")),
        ("c++", ("c++",)),
        ("", ()),
        ([], ()),
        (None, ()),
    ],
)
def test_tags_in_every_spelling(value: object, found: tuple[str, ...]) -> None:
    assert fields.tags({"tags": value}) == found


@pytest.mark.parametrize("value", [7, {"a": 1}, ["a", 1]])
def test_other_tags_are_refused(value: object) -> None:
    with pytest.raises(RowError, match="`tags`"):
        fields.tags({"tags": value})


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("2018-03-12T17:00:45.567", "2018-03-12T17:00:45.567Z"),
        ("2018-03-12T17:00:45Z", "2018-03-12T17:00:45.000Z"),
        ("2018-03-12T17:00:45+02:00", "2018-03-12T15:00:45.000Z"),
        ("2018-03-12", "2018-03-12T00:00:00.000Z"),
        (0, "1970-01-01T00:00:00.000Z"),
        (1520874045.5, "2018-03-12T17:00:45.500Z"),
        ("yesterday", None),
        ("", None),
        (None, None),
        (True, None),
        (10**30, None),
        ("0001-01-01T00:00:00+14:00", None),
        ([], None),
    ],
)
def test_times(value: object, found: str | None) -> None:
    assert fields.moment(value) == found


@given(st.one_of(st.text(), st.integers(), st.floats(), st.none(), st.lists(st.integers())))
def test_no_value_for_a_time_is_an_error(value: Any) -> None:
    moment = fields.moment(value)
    assert moment is None or moment.endswith("Z")


@pytest.mark.parametrize(
    ("title", "found"),
    [
        ("a &lt; b &amp;&amp; c", "a < b && c"),
        ("&amp;lt;", "&lt;"),
        ("it&#39;s &quot;it&quot; &#x3C;", 'it\'s "it" <'),
        ("AT&T and a & b", "AT&T and a & b"),
        ("&copy without an end", "&copy without an end"),
        ("&nosuchentity;", "&nosuchentity;"),
    ],
)
def test_entities_are_decoded_once(title: str, found: str) -> None:
    assert fields.unescaped(title) == found


def test_a_title_is_made_of_the_first_line() -> None:
    assert fields.title_of("\n \n## Is it so?\nMore.") == "Is it so?"
    assert fields.title_of("") == ""
    long = fields.title_of("word " * 100)
    assert len(long) <= 120
    assert long.endswith("word…")


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("<p>x</p>", TextFormat.HTML),
        ("a<br/>b", TextFormat.HTML),
        ("if $a<b$ and $c>d$", TextFormat.MARKDOWN),
        ("a < p > b", TextFormat.MARKDOWN),
        ("plain", TextFormat.MARKDOWN),
    ],
)
def test_html_is_told_by_its_tags(body: str, found: TextFormat) -> None:
    assert fields.format_of(body) is found


def test_formats_have_names() -> None:
    assert fields.text_format("html") is TextFormat.HTML
    with pytest.raises(RowError, match="'latex', not one of markdown, html, plain"):
        fields.text_format("latex")


@pytest.mark.parametrize(
    ("accepted", "closed", "answers", "status"),
    [
        (False, False, 0, QuestionStatus.UNANSWERED),
        (False, False, 2, QuestionStatus.ANSWERED),
        (False, True, 0, QuestionStatus.CLOSED),
        (False, True, 2, QuestionStatus.CLOSED),
        (True, False, 2, QuestionStatus.ACCEPTED),
        (True, True, 2, QuestionStatus.ACCEPTED),
    ],
)
def test_where_a_question_stands(accepted: bool, closed: bool, answers: int, status: QuestionStatus) -> None:
    assert fields.status_of(accepted=accepted, closed=closed, answers=answers) is status
