"""Foreign text in Markdown of ours: it stays in its place, and places in HTML are found in what is shown."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.html import html_to_markdown, text_in_place
from store.rows import Text
from tests.document.material import hostile_text
from uq_tui.document.layout import lay_out
from uq_tui.state.quoting import inline_code, one_line, place_in_markdown, quoted
from uq_tui.words import TextFormat

OURS = "END OF QUOTE"


def answer(raw: str, markdown: str | None = None) -> Text:
    return Text("0", TextFormat.HTML, raw, raw if markdown is None else markdown)


@pytest.mark.parametrize("text", ["2024", "`", "a``b`", "$x$ and *y*", "a\n\n# b", "\\`", "<b>", "&amp;"])
def test_inline_code_is_shown_as_it_is_and_ends_where_it_is_ended(text: str) -> None:
    assert [line.text for line in lay_out(f"said {inline_code(text)}, *so*", 60).lines] == [
        f"said {one_line(text)}, so"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "a\n\n# Not ours",
        "```\nnever closed",
        "$$\nx = 1",
        "\\begin{align}\nx",
        "a\r\n\r\nb",
        "- a\n\nb",
        "<!--",
        "a\rb\r\rc",
    ],
)
def test_nothing_ends_its_quotation(text: str) -> None:
    lines = lay_out(f"{quoted(text)}\n\n{OURS}", 60).lines
    assert lines[-1].text == OURS
    assert all(line.text.startswith("▌") for line in lines[:-2])


@given(hostile_text)
def test_what_follows_a_quotation_stands_on_its_own(text: str) -> None:
    assert lay_out(f"{quoted(text)}\n\n{OURS}", 60).lines[-1].text == OURS


@given(st.text(st.characters(exclude_categories=[])))
def test_one_line_has_no_line_breaks(text: str) -> None:
    assert len(one_line(text).splitlines()) <= 1


def test_markdown_is_shown_as_it_came() -> None:
    assert place_in_markdown(answer("a b a"), 4, 5) == (4, 5)


def test_in_html_the_same_text_is_looked_for() -> None:
    raw = "<p>by Gauss</p><p>by Gauss</p>"
    shown = answer(raw, "by Gauss\n\nby Gauss")
    assert place_in_markdown(shown, 3, 11) == (0, 8)
    assert place_in_markdown(shown, 18, 26) == (10, 18)


@pytest.mark.parametrize(
    ("raw", "wanted", "places"),
    [
        ('<p><em class="x">em</em></p><p>em</p>', "em", [1, 6]),
        ('<p title="Gauss">by Gauss</p><p>and Gauss</p>', "Gauss", [3, 14]),
        ("<!-- Gauss --><p>by Gauss</p><p>and Gauss</p>", "Gauss", [3, 14]),
        ("<p>x &amp; amp</p><p>amp</p>", "amp", [4, 9]),
        ('<a href="https://gauss.example/a">gauss</a> and gauss', "gauss", [1, 37]),
        ('<a href="/gauss_(a)">gauss</a> and gauss', "gauss", [1, 26]),
        ("<p>$a[i](x) x$</p>", "x", [6, 9]),
        ("<p>aaaa aaa</p><p>aaa</p>", "aa", [0, 2, 5, 10]),
    ],
)
def test_in_html_each_place_of_a_text_is_found_in_its_turn(raw: str, wanted: str, places: list[int]) -> None:
    shown = answer(raw, html_to_markdown(raw))
    in_turn = [found.span() for found in re.finditer(wanted, text_in_place(raw))]
    assert [place_in_markdown(shown, *span) for span in in_turn] == [(at, at + len(wanted)) for at in places]


def test_in_html_one_that_is_shown_once_is_found_from_both_its_places() -> None:
    raw = '<a href="https://e.org">https://e.org</a>'
    shown = answer(raw, "<https://e.org>")
    for start in (9, 24):
        assert raw[start : start + 13] == "https://e.org"
        assert place_in_markdown(shown, start, start + 13) == (1, 14)


def test_what_is_not_shown_has_no_place() -> None:
    assert place_in_markdown(answer("<b>1 &lt; 2</b>", "**1 < 2**"), 3, 11) is None
    assert place_in_markdown(answer("<b>x</b>", "**x**"), 3, 3) is None
