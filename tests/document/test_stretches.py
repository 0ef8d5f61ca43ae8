"""What is pointed at in the source is found among the laid-out lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.document.material import hostile_text
from uq_tui.document.layout import lay_out
from uq_tui.document.stretches import LONGEST, Stretch, find_stretch

ANSWER = """\
# An answer

Let $p$ be a **prime**. Then $p^2 \\le 4$, so $p = 2$, and by
Lemma 4 of [12] we are done. We are done.

- first, by Gauss
- then, by Gauss
"""


def marked(source: str, wanted: str, *, width: int = 30, nth: int = 0) -> str:
    """What is marked for the nth place of `wanted` in the source, on one line."""
    start = -1
    for _ in range(nth + 1):
        start = source.index(wanted, start + 1)
    lines = lay_out(source, width).lines
    found = find_stretch(lines, source, start, start + len(wanted))
    assert found is not None
    return " ".join(text_of([line.text for line in lines], found).split())


def text_of(lines: list[str], found: Stretch) -> str:
    taken = lines[found.first : found.last + 1]
    taken[-1] = taken[-1][: found.end]
    taken[0] = taken[0][found.begin :]
    return "\n".join(taken)


@pytest.mark.parametrize(
    ("wanted", "shown"),
    [
        ("An answer", "An answer"),
        ("a **prime**", "a prime"),
        ("Then $p^2 \\le 4$, so", "Then p² ≤ 4, so"),
        ("by\nLemma 4 of [12]", "by Lemma 4 of [12]"),
        ("first, by Gauss\n- then", "first, by Gauss • then"),
    ],
)
def test_a_stretch_is_marked_as_it_is_shown(wanted: str, shown: str) -> None:
    assert marked(ANSWER, wanted) == shown
    assert marked(ANSWER, wanted, width=16) == shown


def test_of_several_equal_stretches_the_right_one_is_marked() -> None:
    source = "We are done. And so\nwe are done."
    lines = lay_out(source, 40).lines
    second = source.index("are done", 8)
    assert find_stretch(lines, source, second, second + 8) == Stretch(0, 23, 0, 31)
    assert find_stretch(lines, source, 3, 11) == Stretch(0, 3, 0, 11)


def test_equal_stretches_in_items_of_a_list_are_told_apart_by_their_lines() -> None:
    lines = lay_out(ANSWER, 30).lines
    starts = [ANSWER.index("by Gauss"), ANSWER.rindex("by Gauss")]
    first, second = (find_stretch(lines, ANSWER, start, start + 8) for start in starts)
    assert first is not None
    assert second is not None
    assert second.first == first.first + 1


def test_what_begins_within_a_formula_means_its_whole_block() -> None:
    assert marked(ANSWER, "^2 \\le 4$, so").startswith("Let p be a prime.")
    assert marked(ANSWER, "^2 \\le 4$, so").endswith("We are done.")


def test_a_very_long_stretch_means_its_whole_blocks() -> None:
    source = f"Before.\n\n{'word ' * LONGEST}\n\nAfter."
    shown = marked(source, source[11:-12], width=80)
    assert shown.startswith("word word")
    assert "After" not in shown


def test_nothing_laid_out_is_found_nowhere() -> None:
    assert find_stretch((), "text", 0, 4) is None


@given(hostile_text, st.integers(0, 200), st.integers(0, 200), st.integers(16, 60))
def test_any_stretch_of_any_text_is_found_within_the_lines(source: str, start: int, length: int, width: int) -> None:
    start = min(start, len(source))
    end = min(start + length, len(source))
    lines = lay_out(source, width).lines
    found = find_stretch(lines, source, start, end)
    if found is not None:
        assert 0 <= found.first <= found.last < len(lines)
        assert found.begin >= 0
        assert found.end <= len(lines[found.last].text)
