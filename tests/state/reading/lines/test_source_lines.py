"""Lines of the source itself show every character, in its place."""

from hypothesis import given
from hypothesis import strategies as st

from uq_tui.document.markup.scan import Segment
from uq_tui.state.reading.lines.source_lines import source_lines

ROWS = st.text(alphabet="ab \t日\x1b\u202e\u0301", max_size=60)


@given(st.lists(ROWS, min_size=1, max_size=5), st.integers(2, 30))
def test_every_character_has_one_place(rows: list[str], width: int) -> None:
    text = "\n".join(rows)
    lines = source_lines(text, Segment(0, len(text), 0), width)
    shown: dict[int, int] = {}
    for number, line in enumerate(lines):
        assert line.width <= max(width, 8)
        for span in line.spans:
            for at in range(span.start, span.end):
                assert shown.setdefault(at, number) == number or not text[at].isalpha()
            if len(span.text) == span.end - span.start and span.text.isalpha():
                assert span.text == text[span.start : span.end]
    assert sorted(shown) == [at for at, sign in enumerate(text.removesuffix("\n")) if sign != "\n"]


def test_tabs_reach_to_their_stops() -> None:
    (line,) = source_lines("a\tbc\td", Segment(0, 6, 0), 40)
    assert line.text == "a   bc  d"


def test_a_long_line_is_cut_and_blank_ones_stay() -> None:
    lines = source_lines("abcdef\n\ng\n", Segment(0, 10, 0), 4)
    assert [(line.text, line.start, line.end) for line in lines] == [
        ("abcd", 0, 4), ("ef", 4, 6), ("", 7, 7), ("g", 8, 9),
    ]  # fmt: skip


def test_lines_are_broken_behind_blanks_and_within_words_that_are_longer() -> None:
    for source, expected in (
        ("\\alpha and $x + y$", ["\\alpha ", "and $x ", "+ y$"]),
        ("日本 語語 ab cd", ["日本 ", "語語 ab ", "cd"]),
        ("a  abcdefghijk lm", ["a  ", "abcdefgh", "ijk lm"]),
        ("é abcdéfghijk lm", ["é ", "abcdéfgh", "ijk lm"]),
        (" " * 10 + "a", [" " * 8, "  a"]),
    ):
        lines = source_lines(source, Segment(0, len(source), 0), 8)
        assert [line.text for line in lines] == expected
        assert "".join(source[line.start : line.end] for line in lines) == source
