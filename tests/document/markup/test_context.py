"""What the segments of a text share."""

from uq_tui.document.markup.context import EMPTY, MAX_FOOTNOTES, Context, number_footnotes


def test_footnotes_that_are_used_come_first() -> None:
    assert number_footnotes(["b", "x", "a", "b"], ["a", "b", "c"]) == {"b": 1, "a": 2, "c": 3}
    assert number_footnotes(["x"], []) == {}


def test_footnotes_without_end_are_not_all_numbered() -> None:
    labels = [str(number) for number in range(MAX_FOOTNOTES + 5)]
    numbers = number_footnotes(reversed(labels), labels)
    assert len(numbers) == MAX_FOOTNOTES
    assert numbers[labels[-1]] == 1


def test_contexts_are_compared_by_identity() -> None:
    assert Context() != EMPTY
    assert not EMPTY.footnotes
    assert EMPTY.definitions.tags == {}
