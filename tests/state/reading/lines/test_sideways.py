"""What is in sight of a wide line."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from uq_tui.document.drawing.lines import Span
from uq_tui.state.reading.lines.sideways import cut_sideways

WIDE = (Span("│ "), Span("one two", "", 10, 17), Span(" │ "), Span("x²+日", "math", 20, 40))


def shown(left: int, width: int) -> str:
    return "".join(span.text for span in cut_sideways(WIDE, left, width))


def test_a_line_that_fits_stays() -> None:
    assert cut_sideways(WIDE, 0, 17) == WIDE


def test_signs_tell_where_there_is_more() -> None:
    assert shown(0, 8) == "│ one t›"
    assert shown(4, 8) == "‹ two │›"
    assert shown(9, 8) == "‹│ x²+日"


def test_a_wide_character_at_the_edge_is_a_blank() -> None:
    assert shown(0, 16) == "│ one two │ x²+›"
    assert shown(15, 2) == "‹ "


def test_places_move_with_the_cut() -> None:
    one = next(span for span in cut_sideways(WIDE, 3, 8) if "two" in span.text)
    assert (one.text, one.start, one.end) == ("e two", 12, 17)
    formula = cut_sideways(WIDE, 12, 5)[-1]
    assert (formula.text, formula.start, formula.end) == ("²+日", 20, 40)


@given(st.integers(0, 30), st.integers(2, 30))
def test_it_never_takes_more_room_than_there_is(left: int, width: int) -> None:
    assert cell_len(shown(left, width)) <= width
