"""Rows as they go to the terminal: nothing in them is obeyed, and each is as wide as the view, whatever the text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.style import Style
from textual.strip import Strip

from tests.document.sources import hostile_text
from uq_tui.document.markup.scan import Scan
from uq_tui.state.reading.lines.highlights import Layer, Mark
from uq_tui.state.reading.lines.view import View
from uq_tui.text import clean
from uq_tui.widgets.reading.strips import Margin, Strips

MARGIN = Margin(((" 12 ", "dim"), ("✓", "")))
LATEX = [
    "$$\\frac{a}{b}$$",
    "\\[\\sum_{i=1}^{n} x_i\\]",
    "$\\text{\x1b[2J}$",
    "| a | b |\n|---|---|\n| \x9b | c |\n",
    "```\n\x07\n```\n",
]
any_text = st.lists(hostile_text | st.sampled_from(LATEX), max_size=6).map("\n\n".join)


def strips_of(
    source: str,
    width: int,
    *,
    margin: Margin = MARGIN,
    sideways: int = 0,
    marks: tuple[Mark, ...] = (),
    plain: bool = False,
) -> list[Strip]:
    """All rows of a text, drawn to `width` cells with the margin's."""
    view = View()
    view.resize(width - sum(len(text) for text, _ in margin.parts))
    view.feed(source, Scan().feed(source))
    view.show_source(plain)
    view.last(1_000_000)
    strips = Strips(lambda _: Style.null())
    rows = (view.row(y) for y in range(view.height))
    return [strips.strip(row, width, margin, sideways, marks) for row in rows if row is not None]


def check(strips: list[Strip], width: int) -> None:
    for strip in strips:
        assert strip.cell_length == width
        for segment in strip:
            assert segment.control is None
            text = segment.text.replace("\u200d", "").replace("\ufe0f", "")  # a mark may begin within an emoji
            assert "\n" not in text
            assert clean(text) == text


@given(
    any_text,
    st.integers(24, 90),
    st.integers(0, 12),
    st.lists(st.tuples(st.integers(0, 60), st.integers(1, 30), st.sampled_from(list(Layer))), max_size=3),
    st.booleans(),
)
def test_any_row_is_harmless_and_as_wide_as_the_view(
    source: str, width: int, sideways: int, marked: list[tuple[int, int, Layer]], plain: bool
) -> None:
    marks = tuple(Mark(start, start + chars, layer) for start, chars, layer in marked)
    check(strips_of(source, width, sideways=sideways, marks=marks, plain=plain), width)


@pytest.mark.parametrize("plain", [False, True], ids=["rendered", "source"])
@pytest.mark.parametrize(
    ("source", "rows"),
    [
        (">" * 3_000 + " deep", 300),
        ("> " * 3_000 + "deep", 550),
        ("x" * 200_000, 2_800),
        ("日本" * 100_000, 6_000),
        ("\u11a8" * 100_000, 1_400),
        ("e" + "\u0301" * 200, 1),
        ("\u0903" * 100_000, 1_400),
        ("🏽" * 20_000, 3_000),
        ("👨" + "\u200d👩" * 35_000, 1_000),
        ("\x1b" * 100_000, 1_500),
        ("\u202e" * 20_000, 3_000),
    ],
    ids=[
        *("quotes", "spaced quotes", "one word", "wide signs", "parts of syllables", "accents", "spacing marks"),
        *("skin tones", "joined emoji", "escapes", "overrides"),
    ],
)
def test_what_is_hostile_by_its_size_takes_few_rows(source: str, rows: int, plain: bool) -> None:
    strips = strips_of(source, 80, plain=plain)
    assert 0 < len(strips) <= rows
    check(strips[:200], 80)
