"""Quotes taken over to an answer that differs in white space and composition alone."""

import unicodedata
from dataclasses import replace
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.rows import MarkedError, Quote, VerdictForm
from store.same_words import taken_over
from store.verdict_form import anchored
from uq_tui.document.anchors import cut

WORDS = st.lists(st.text(alphabet="ab$\\{}é𝔘", min_size=1, max_size=4), min_size=1, max_size=12)
GAPS = st.lists(st.text(alphabet=" \n\r\t\u00a0\u2003", min_size=1, max_size=3), min_size=13, max_size=13)


def spread(words: list[str], gaps: list[str]) -> str:
    return gaps[-1] + "".join(word + gap for word, gap in zip(words, gaps, strict=False))


def moved(quote: Quote, text: str, other: str) -> Quote:
    form = VerdictForm(errors=(MarkedError("other", (quote,)),), seconds_active=2.0, seconds_total=3.0)
    found = taken_over(form, text, other)
    assert (found.seconds_active, found.seconds_total) == (0.0, 0.0)
    ((taken,),) = (error.quotes for error in found.errors)
    return taken


@given(WORDS, GAPS, GAPS, st.data())
def test_the_same_words_are_quoted_at_the_same_place(
    words: list[str], gaps: list[str], others: list[str], data: st.DataObject
) -> None:
    text, other = spread(words, gaps), spread(words, others)
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    found = moved(Quote(*cut(text, start, end)), text, other)
    if not text[start:end].strip():
        assert found.start is None
        return
    assert found.start is not None
    assert found.end is not None
    assert other[found.start : found.end] == found.quote
    assert found.quote.split() == text[start:end].split()
    assert "".join(other[: found.start].split()) == "".join(text[:start].split())
    assert taken_over(VerdictForm(errors=(MarkedError("other", (found,)),)), other, other).errors[0].quotes == (found,)


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_words_composed_otherwise_are_known_by_their_ends(form: Literal["NFC", "NFD"]) -> None:
    text = unicodedata.normalize("NFC", "Über é and é")
    other = unicodedata.normalize("NFD", "Über é and é")
    if form == "NFD":
        text, other = other, text
    start = text.rindex(unicodedata.normalize(form, "é"))
    found = moved(Quote(*cut(text, start, len(text))), text, other)
    assert (found.start, found.end) == (other.index("and") + 4, len(other))
    inside = moved(Quote(*cut(text, 2, 3)), text, other)
    assert (inside.start, inside.quote) == (None, text[2:3])


def test_a_quote_without_a_place_or_of_another_text_keeps_its_words() -> None:
    lost = Quote("absent", None, None, "", "")
    assert moved(lost, "One two.", "One  two.") == lost
    assert moved(Quote("two", 4, 7, "", ""), "One two.", "One two three.").start is None
    assert moved(Quote("two", 40, 70, "", ""), "One two.", "One  two.").start is None


def test_what_has_lost_its_place_is_looked_for_when_it_is_recorded() -> None:
    form = VerdictForm(errors=(MarkedError("other", (Quote("two", None, None, "", ""),)),))
    found = anchored(taken_over(form, "One two.", "One  two."), "One  two.")
    assert found.errors[0].quotes == (Quote(*cut("One  two.", 5, 8)),)
    assert replace(form, errors=()) == taken_over(replace(form, errors=()), "a", "b")
