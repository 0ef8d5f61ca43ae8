"""Searching a source."""

import unicodedata
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.document.find import Found, find
from uq_tui.document.ranges import Range
from uq_tui.text import clean


def found(source: str, query: str) -> list[str]:
    """What stands at the places found."""
    return [source[one.start : one.end] for one in find(source, query).ranges]


def test_every_match_is_given_in_order() -> None:
    assert find("one two one", "one").ranges == ((0, 3), (8, 11))


def test_matches_never_overlap() -> None:
    assert find("aaaa", "aa").ranges == ((0, 2), (2, 4))


def test_small_letters_find_capitals_and_a_capital_finds_only_itself() -> None:
    assert found("Lemma lemma LEMMA Ärger", "lemma") == ["Lemma", "lemma", "LEMMA"]
    assert found("Lemma lemma LEMMA", "Lemma") == ["Lemma"]
    assert found("Ärger", "ärger") == ["Ärger"]


@pytest.mark.parametrize("query", ["is  compact", "is compact", "is\ncompact"])
def test_white_space_finds_any_run_of_it(query: str) -> None:
    assert found("It is\n  compact, is compact.", query) == ["is\n  compact", "is compact"]


def test_blanks_at_the_ends_of_a_query_count() -> None:
    assert found("a, an  a", " a") == [" a", "  a"]
    assert found("a, an  a", "an ") == ["an  "]


@pytest.mark.parametrize("query", ["", " ", "\n\t", " " * 500 + "a"])
def test_a_blank_query_finds_nothing(query: str) -> None:
    assert find("a b", query) == Found()


def test_a_query_is_never_a_pattern() -> None:
    assert found(r"\sum_{k} a.*b [x] $x^2$", ".*") == [".*"]
    assert found(r"\sum_{k}", r"\sum_{k}") == [r"\sum_{k}"]


def test_slashes_are_signs_like_others() -> None:
    assert found("a // b /x/", "//") == ["//"]
    assert found("a // b /x/", "/x/") == ["/x/"]
    assert found("a // b /x/", "/./") == []


def test_controls_are_found_by_the_marks_they_are_drawn_as() -> None:
    source = "a\x1b[2J \u202eb\u2069 \x7f"
    assert found(source, "␛[2j") == ["\x1b[2J"]
    assert found(source, "‹U+202E›B") == []
    assert found(source, "‹U+202E›b") == ["\u202eb"]
    assert found(source, "␡") == ["\x7f"]
    assert found("‹U+202E› ␛", "␛") == ["␛"]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_an_accent_is_found_in_both_spellings(form: Literal["NFC", "NFD"]) -> None:
    both = unicodedata.normalize("NFC", "café") + " " + unicodedata.normalize("NFD", "café")
    assert len(found(both, unicodedata.normalize(form, "fé"))) == 2


def test_of_too_many_matches_it_says_that_there_are_more() -> None:
    assert find("a" * 5, "a", limit=5) == Found(tuple(Range(at, at + 1) for at in range(5)))
    assert find("a" * 6, "a", limit=5) == Found(tuple(Range(at, at + 1) for at in range(5)), capped=True)


def test_a_megabyte_of_blanks_is_searched_in_one_go() -> None:
    assert find("a" + " " * 1_000_000, "a b").ranges == ()
    assert find(" " * 1_000_000, " b").ranges == ()


@given(st.text(), st.integers(min_value=0))
def test_every_visible_sign_can_be_found(source: str, at: int) -> None:
    visible = [place for place, sign in enumerate(source) if not sign.isspace()]
    if visible:
        place = visible[at % len(visible)]
        assert any(one.start <= place < one.end for one in find(source, source[place]).ranges)


@given(st.text(min_size=1, max_size=40), st.text(max_size=20), st.text(max_size=20))
def test_every_stretch_can_be_found(query: str, before: str, behind: str) -> None:
    if query.strip():
        source = f"{before}|{query}|{behind}"
        assert find(source, query).ranges


@given(st.text(max_size=20))
def test_what_is_drawn_can_be_found(source: str) -> None:
    drawn = clean(source)
    if drawn.strip() and "‹marks cut›" not in drawn and "\r" not in source:
        assert find(source, drawn.strip()).ranges
