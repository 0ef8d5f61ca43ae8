"""Sums of heights against plain addition."""

from hypothesis import given
from hypothesis import strategies as st

from uq_tui.state.reading.lines.heights import Heights

HEIGHTS = st.lists(st.integers(0, 9), max_size=40)


def test_an_empty_text_has_no_lines() -> None:
    heights = Heights()
    assert heights.total == 0
    assert heights.locate(0) == (0, 0)


@given(HEIGHTS)
def test_tops_are_sums(given_heights: list[int]) -> None:
    heights = Heights(given_heights)
    assert [heights.top(part) for part in range(len(heights) + 1)] == [
        sum(given_heights[:part]) for part in range(len(given_heights) + 1)
    ]


@given(HEIGHTS)
def test_a_line_is_in_the_part_that_spans_it(given_heights: list[int]) -> None:
    heights = Heights(given_heights)
    lines = [(part, line) for part, height in enumerate(given_heights) for line in range(height)]
    assert [heights.locate(line) for line in range(heights.total)] == lines
    assert heights.locate(-3) == heights.locate(0)
    assert heights.locate(heights.total + 2) == (len(heights), 2)


@given(HEIGHTS, st.data())
def test_changes_are_as_if_it_had_been_so_from_the_beginning(given_heights: list[int], data: st.DataObject) -> None:
    heights, plain = Heights(given_heights), list(given_heights)
    for _ in range(data.draw(st.integers(1, 6))):
        if data.draw(st.booleans()) and plain:
            part, height = data.draw(st.integers(0, len(plain) - 1)), data.draw(st.integers(0, 9))
            heights.set(part, height)
            plain[part] = height
        else:
            keep, more = data.draw(st.integers(0, len(plain))), data.draw(HEIGHTS)
            heights.truncate(keep)
            for height in more:
                heights.append(height)
            plain = plain[:keep] + more
    fresh = Heights(plain)
    assert [heights[part] for part in range(len(heights))] == plain
    assert [heights.top(part) for part in range(len(plain) + 1)] == [fresh.top(part) for part in range(len(plain) + 1)]
