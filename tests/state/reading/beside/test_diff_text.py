"""A word diff as one running text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.document.compare.word_diff import diff
from uq_tui.document.compare.words import words
from uq_tui.state.reading.beside.diff_text import Side, differences_text, running_paragraphs

TEXTS = st.lists(st.sampled_from(("one", "two", "$a$", ".", " ", "\n", "\n\n")), max_size=30).map("".join)


def told(left: str, right: str) -> list[str]:
    """The paragraphs, with `-` and `+` before what one side has alone."""
    marks = {Side.BOTH: "{}", Side.LEFT: "[-{}]", Side.RIGHT: "[+{}]"}
    paragraphs = running_paragraphs(left, right, diff(left, right))
    return ["".join(marks[side].format(text) for side, text in pieces) for pieces in paragraphs]


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("It is even.", "It is odd.", ["It is [-even][+odd]."]),
        ("a b c d", "a b x c d", ["a b [+x] c d"]),
        ("a b x c d", "a b c d", ["a b [-x] c d"]),
        ("x a b c d", "a b c d", ["[-x] a b c d"]),
        ("One.\n\nTwo.", "One.", ["One.", "[-Two.]"]),
        ("Two.\n\nOne one one.", "One one one.", ["[-Two.]", "One one one."]),
        ("One.", "One.\n\nTwo.", ["One.", "[+Two.]"]),
        ("a\n\nb", "c", ["[-a]", "[-b]", "[+c]"]),
        ("same\n\nsame", "same same", ["same same"]),
    ],
)
def test_what_differs_stands_in_its_place(left: str, right: str, expected: list[str]) -> None:
    assert told(left, right) == expected


@given(TEXTS, TEXTS)
def test_either_text_can_be_read_out_of_it(left: str, right: str) -> None:
    paragraphs = running_paragraphs(left, right, diff(left, right))
    for source, side in ((left, Side.LEFT), (right, Side.RIGHT)):
        own = "\n\n".join("".join(text for at, text in pieces if at in (Side.BOTH, side)) for pieces in paragraphs)
        assert [word.key for word in words(own)] == [word.key for word in words(source)]


def test_what_differs_is_counted_in_words() -> None:
    assert differences_text(diff("It is even.", "It is odd.")) == (
        "2 words differ in 1 paragraph: 1 only on the left, 1 only on the right"
    )
    assert differences_text(diff("It is so.", "It is so")) == (
        "1 word differs in 1 paragraph: 1 only on the left, 0 only on the right"
    )
    assert differences_text(diff("It is even.", "Quite another thing!")).endswith(
        "; no paragraph has a like on the other side"
    )
    assert differences_text(diff("It  is.", "It is.")) == "Not one word differs"
