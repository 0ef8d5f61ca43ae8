"""Wrapping by cells."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from uq_tui.document.lines import Span, chop, merge, wrap
from uq_tui.text import clean

visible = st.text(st.characters(exclude_categories=["C", "Z"]) | st.sampled_from(" 日👨‍é"), max_size=60).map(clean)
spans = st.lists(st.builds(Span, visible, st.sampled_from(["", "code", "strong math"])), max_size=6)


def texts(lines: list[tuple[Span, ...]]) -> list[str]:
    return ["".join(span.text for span in line) for line in lines]


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


def test_merging() -> None:
    assert merge([Span("a"), Span(""), Span("b"), Span("c", "code")]) == (Span("ab"), Span("c", "code"))


@given(spans, st.integers(2, 40))
def test_no_line_is_too_wide(text: list[Span], width: int) -> None:
    for line in wrap(text, width):
        assert sum(cell_len(span.text) for span in line) <= width


@given(spans, st.integers(2, 40))
def test_no_character_is_lost(text: list[Span], width: int) -> None:
    whole = "".join(span.text for span in text).replace(" ", "")
    assert "".join(texts(wrap(text, width))).replace(" ", "") == whole


@given(visible, st.integers(0, 10), st.integers(2, 10))
def test_chopped_parts_make_the_whole(text: str, room: int, width: int) -> None:
    parts = list(chop(text, room, width))
    assert "".join(parts) == text
    assert cell_len(parts[0]) <= room
    assert all(cell_len(part) <= width for part in parts[1:])
