"""Which marks touch a line, and what they do to its spans."""

from hypothesis import given
from hypothesis import strategies as st

from uq_tui.document.drawing.lines import Span
from uq_tui.state.reading.lines.highlights import Highlights, Layer, Mark, paint

RANGES = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=12)


@given(RANGES, st.integers(0, 30), st.integers(1, 30))
def test_marks_within_are_those_that_share_a_sign(ranges: list[tuple[int, int]], start: int, length: int) -> None:
    highlights = Highlights()
    highlights.put(Layer.CLAIM, ranges)
    end = start + length
    touching = sorted((begin, stop) for begin, stop in ranges if begin < stop and begin < end and stop > start)
    assert highlights.within(start, end) == tuple(Mark(*one, Layer.CLAIM) for one in touching)


def test_layers_come_in_their_order() -> None:
    highlights = Highlights()
    highlights.put(Layer.FOUND, [(0, 4)])
    highlights.put(Layer.REMARK, [(2, 6)])
    assert [mark.layer for mark in highlights.within(3, 4)] == [Layer.REMARK, Layer.FOUND]
    highlights.put(Layer.FOUND, [])
    assert [mark.layer for mark in highlights.within(3, 4)] == [Layer.REMARK]
    highlights.clear()
    assert highlights.within(0, 9) == ()
    assert highlights.ranges(Layer.REMARK) == ()


def test_what_is_shown_sign_for_sign_is_cut_at_the_mark() -> None:
    painted = paint([Span("one two", "strong", 10, 17)], [Mark(14, 99, Layer.FOUND)])
    assert painted == (Span("one ", "strong", 10, 14), Span("two", "strong found", 14, 17))


def test_a_formula_is_marked_whole() -> None:
    formula = Span("x₁", "math", 4, 9)
    assert paint([formula], [Mark(5, 6, Layer.CLAIM)]) == (Span("x₁", "math claim", 4, 9),)
    assert paint([formula], [Mark(0, 4, Layer.CLAIM), Mark(9, 12, Layer.CLAIM)]) == (formula,)


def test_bullets_are_never_marked() -> None:
    assert paint([Span("• ")], [Mark(0, 99, Layer.CLAIM)]) == (Span("• "),)


def test_layers_over_each_other() -> None:
    marks = [Mark(0, 3, Layer.REMARK), Mark(2, 5, Layer.FOUND), Mark(2, 3, Layer.FOUND)]
    assert [(span.text, span.style) for span in paint([Span("abcdef", "", 0, 6)], marks)] == [
        ("ab", "remark"), ("c", "remark found"), ("de", "found"), ("f", ""),
    ]  # fmt: skip


@given(RANGES)
def test_no_text_is_lost_or_moved(ranges: list[tuple[int, int]]) -> None:
    text = "abcdefghijklmnopqrstuvwxyz"
    painted = paint([Span(text, "", 2, 28)], [Mark(min(one), max(one), Layer.CLAIM) for one in ranges])
    assert "".join(span.text for span in painted) == text
    assert all(span.text == text[span.start - 2 : span.end - 2] for span in painted)
    marked = {at for span in painted if span.style for at in range(span.start, span.end)}
    assert marked == {at for one in ranges for at in range(*sorted(one)) if 2 <= at < 28}
