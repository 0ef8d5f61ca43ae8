"""Wrapping by cells, with every sign in its place."""

import re
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len, split_graphemes

from uq_tui.document.drawing.lines import _NARROW as NARROW
from uq_tui.document.drawing.lines import Line, Span, as_one, cells, chop, merge, wrap
from uq_tui.text import clean

visible = st.text(st.characters(exclude_categories=["C", "Z"]) | st.sampled_from(" 日👨‍é∈"), max_size=60).map(clean)
styles = st.sampled_from(["", "code", "strong math"])


@st.composite
def placed(draw: st.DrawFn) -> list[Span]:
    """Spans of a text: some show it sign for sign, some stand for more or less than their length, some for nothing."""
    spans: list[Span] = []
    at = 0
    for text, style, kind in draw(st.lists(st.tuples(visible, styles, st.integers(0, 3)), max_size=6)):
        if kind == 0:
            spans.append(Span(text, style))
            continue
        length = draw(st.integers(1, 9)) if kind == 1 else len(text)
        spans += as_one(text, style, at, at + length) if kind == 1 else [Span(text, style, at, at + length)]
        at += length
    return spans


def texts(lines: list[tuple[Span, ...]]) -> list[str]:
    return ["".join(span.text for span in line) for line in lines]


def signs(spans: Iterable[Span]) -> list[tuple[str, int, int]]:
    """Every sign that isn't a blank, with the place that it shows."""
    found: list[tuple[str, int, int]] = []
    for text, _, start, end in spans:
        exact = start >= 0 and end - start == len(text)
        for number, sign in enumerate(text):
            if sign != " ":
                found.append((sign, start + number, start + number + 1) if exact else (sign, start, end))
    return found


def test_words_go_to_the_next_line() -> None:
    assert texts(wrap([Span("one two three")], 7)) == ["one two", "three"]


def test_a_word_may_change_style() -> None:
    assert wrap([Span("one t"), Span("w", "strong"), Span("o")], 6) == [
        (Span("one"),),
        (Span("t"), Span("w", "strong"), Span("o")),
    ]


def test_a_long_word_is_cut() -> None:
    assert texts(wrap([Span("abcdefghij")], 4)) == ["abcd", "efgh", "ij"]


def test_a_long_word_begins_where_there_is_room() -> None:
    assert texts(wrap([Span("see abcdefghijklmnopqrstuvwxyz")], 16)) == ["see abcdefghijkl", "mnopqrstuvwxyz"]


def test_wide_characters_count_twice() -> None:
    assert texts(wrap([Span("日本語日本語")], 5)) == ["日本", "語日", "本語"]


def test_forced_breaks() -> None:
    assert texts(wrap([Span("a\nb\n\nc")], 9)) == ["a", "b", "", "c"]


def test_the_first_line_may_have_less_room() -> None:
    assert texts(wrap([Span("aa bb cc")], 8, room=5)) == ["aa bb", "cc"]


def test_blanks_collapse_save_in_code() -> None:
    assert texts(wrap([Span("a   b "), Span("c   d", "code")], 20)) == ["a b c   d"]


def test_nothing_is_one_empty_line() -> None:
    assert wrap([], 10) == [()]


def test_a_wrapped_line_keeps_its_places() -> None:
    spans = [Span("one two ", "", 10, 18), Span("three", "strong", 20, 25)]
    assert wrap(spans, 8) == [(Span("one two", "", 10, 17),), (Span("three", "strong", 20, 25),)]


def test_a_collapsed_blank_stands_for_all_of_its_blanks() -> None:
    assert wrap([Span("a   b", "", 0, 5)], 9) == [(Span("a", "", 0, 1), Span(" ", "", 1, 4), Span("b", "", 4, 5))]


def test_each_piece_of_what_stands_as_one_stands_for_all_of_it() -> None:
    assert wrap(as_one("ab cd", "math", 3, 20), 3) == [(Span("ab", "math", 3, 20),), (Span("cd", "math", 3, 20),)]


def test_what_stands_as_one_is_never_as_long_as_its_place() -> None:
    assert as_one("abc", "math", 0, 3) == [Span("ab", "math", 0, 3), Span("c", "math", 0, 3)]
    assert wrap([Span("abc def", "math", 0, 3)], 3) == [
        (Span("ab", "math", 0, 3), Span("c", "math", 0, 3)),
        (Span("de", "math", 0, 3), Span("f", "math", 0, 3)),
    ]


def test_merging_joins_what_is_joined_in_the_text() -> None:
    assert merge([Span("a"), Span(""), Span("b"), Span("c", "code")]) == (Span("ab"), Span("c", "code"))
    assert merge([Span("a", "", 0, 1), Span("b", "", 1, 2)]) == (Span("ab", "", 0, 2),)
    apart = (Span("a", "", 0, 1), Span("b", "", 2, 3), Span("x²", "", 3, 8), Span("y", "", 8, 9), Span(" "))
    assert merge(apart) == apart


def test_a_line_can_be_shifted() -> None:
    line = Line((Span("• "), Span("a", "", 2, 3)), 2, 3, unit=1)
    assert line.shifted(10) == Line((Span("• "), Span("a", "", 12, 13)), 12, 13, unit=1)


def test_signs_held_to_be_one_cell_wide_are() -> None:
    narrow = [chr(code) for code in range(0x11_0000) if NARROW.fullmatch(chr(code))]
    assert len(narrow) > 4_000
    assert all(cell_len(sign) == 1 for sign in narrow)
    assert len(split_graphemes("".join(narrow))[0]) == len(narrow)


@given(placed(), st.integers(2, 40), st.integers(0, 40))
def test_no_line_is_too_wide(text: list[Span], width: int, room: int) -> None:
    for line in (*wrap(text, width), *chop(text, width, width)):
        assert cells(line) <= width
    assert cells(wrap(text, width, room=room)[0]) <= room
    assert cells(chop(text, room, width)[0]) <= room


@given(placed(), st.integers(2, 40), st.integers(0, 40))
def test_no_sign_is_lost_or_moved(text: list[Span], width: int, room: int) -> None:
    for lines in (wrap(text, width, room=room), chop(text, room, width)):
        assert signs(span for line in lines for span in line) == signs(text)
    assert "".join(texts(chop(text, room, width))) == "".join(span.text for span in text)


@given(placed(), st.integers(2, 40), st.integers(0, 40))
def test_text_of_narrow_signs_is_wrapped_as_any_other(text: list[Span], width: int, room: int) -> None:
    """A wide sign on a line of its own decides by which of two ways the lines before it are found."""
    wide = [*text, Span("\n日")]
    assert wrap(wide, width, room=room)[:-1] == wrap(text, width, room=room)


@pytest.mark.parametrize("width", [2, 7, 30])
def test_words_are_only_cut_when_they_are_longer_than_a_line(width: int) -> None:
    text = " ".join("abcdefghijkl"[: 1 + number % 12] for number in range(60))
    words = set(text.split())
    for line in texts(wrap([Span(text)], width)):
        assert all(word in words or len(word) <= width for word in re.findall(r"[^ ]+", line))
    assert {word for word in words if len(word) <= width} <= set(" ".join(texts(wrap([Span(text)], width))).split())
