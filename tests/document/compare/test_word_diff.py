"""Two texts compared word by word."""

import random
import re
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from uq_tui.document.compare.word_diff import diff
from uq_tui.document.compare.words import words
from uq_tui.document.ranges import Range

LEFT = """We count pairs.

The sum $a+b$ is even, so it holds.

Hence $8 = 3 + 5$."""
RIGHT = """We count pairs.

The sum $a + b$ is odd, so it never holds.

A remark of its own.

Hence $8 = 5 + 3$."""

PIECES = ("one", "two", "two", "$a$", "$ a $", ".", "**", " ", " ", "\n", "\n\n", "\n\n", "é", "\x1b", "$")
TEXTS = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


def pieces(source: str, ranges: Sequence[Range]) -> list[str]:
    return [source[one.start : one.end] for one in ranges]


def kept(source: str, ranges: Sequence[Range]) -> list[str]:
    """The words outside of all ranges."""
    return [word.key for word in words(source) if not any(one.start <= word.start < one.end for one in ranges)]


def test_words_are_compared_within_paragraphs_that_belong_together() -> None:
    found = diff(LEFT, RIGHT)
    assert pieces(LEFT, found.removed) == ["even", "$8 = 3 + 5$"]
    assert pieces(RIGHT, found.added) == ["odd", "never", "A remark of its own.", "$8 = 5 + 3$"]
    assert (found.words_removed, found.words_added, found.paragraphs) == (2, 9, 3)


def test_changes_are_places_in_both_texts() -> None:
    changes = [
        (LEFT[left.start : left.end], RIGHT[right.start : right.end]) for left, right in diff(LEFT, RIGHT).changes
    ]
    assert changes == [
        ("even", "odd"),
        ("", "never"),
        ("", "A remark of its own."),
        ("$8 = 3 + 5$", "$8 = 5 + 3$"),
    ]


def test_the_place_of_what_is_missing_is_behind_the_word_before() -> None:
    (change,) = diff("a b c d", "a b x c d").changes
    assert change == ((3, 3), (4, 5))


def test_pairs_are_the_paragraphs_that_belong_together() -> None:
    pairs = diff(LEFT, RIGHT).pairs
    starts = [
        (LEFT[left.start : left.end].split()[0], RIGHT[right.start : right.end].split()[0]) for left, right in pairs
    ]
    assert starts == [("We", "We"), ("The", "The"), ("Hence", "Hence")]


def test_words_in_a_row_are_one_range_within_a_paragraph() -> None:
    found = diff("", "One two.\n\nThree four.")
    assert pieces("One two.\n\nThree four.", found.added) == ["One two.", "Three four."]
    assert found.changes == (((0, 0), (0, 21)),)
    assert (found.paragraphs, found.pairs) == (2, ())


def test_paragraphs_in_place_of_one_another_count_once() -> None:
    assert diff("One one.\n\n$$a$$\n\nTwo two.", "One one.\n\n$$b$$\n\nTwo two.").paragraphs == 1
    assert diff("One one.\n\nTwo two.", "One one.\n\nx\n\ny\n\nTwo two.\n\nz").paragraphs == 3
    assert diff("One one.\n\na\n\nTwo two.", "One one.\n\nx\n\ny\n\nTwo two!").paragraphs == 3


def test_a_moved_paragraph_shows_as_removed_and_added() -> None:
    left, right = "moved words here\n\none\n\ntwo\n\nthree", "one\n\ntwo\n\nthree\n\nmoved words here"
    found = diff(left, right)
    assert pieces(left, found.removed) == pieces(right, found.added) == ["moved words here"]


def test_a_paragraph_that_was_only_cut_in_two_has_not_changed() -> None:
    left = "First.\n\nWe take a prime and then we square it.\n\nLast one here."
    right = "First!\n\nWe take a prime\n\nand then we square it.\n\nLast one there."
    found = diff(left, right)
    assert pieces(left, found.removed) == [".", "here"]
    assert pieces(right, found.added) == ["!", "there"]


@given(TEXTS, TEXTS)
def test_without_what_differs_the_words_are_the_same(left: str, right: str) -> None:
    found = diff(left, right)
    assert kept(left, found.removed) == kept(right, found.added)
    assert kept(left, [one.left for one in found.changes]) == kept(right, [one.right for one in found.changes])


@given(TEXTS)
def test_a_text_does_not_differ_from_itself(source: str) -> None:
    found = diff(source, source)
    assert (found.removed, found.added, found.changes, found.paragraphs) == ((), (), (), 0)


@given(TEXTS, st.randoms(use_true_random=False))
def test_white_space_never_counts(source: str, chance: random.Random) -> None:
    if "$" not in source:  # a blank line would end a formula
        other = re.sub(r"\s+", lambda _: chance.choice((" ", "\n", "\n\n", " \t ")), source)
        assert diff(source, other).changes == ()


@given(TEXTS, TEXTS)
def test_the_other_way_round_says_the_same(left: str, right: str) -> None:
    found, other = diff(left, right), diff(right, left)
    assert (found.removed, found.added) == (other.added, other.removed)
    assert [(a, b) for b, a in found.changes] == list(other.changes)
    assert [(a, b) for b, a in found.pairs] == list(other.pairs)
    assert (found.words_removed, found.paragraphs) == (other.words_added, other.paragraphs)


@given(TEXTS, TEXTS)
def test_everything_rises_on_both_sides(left: str, right: str) -> None:
    found = diff(left, right)
    for source, ranges in (
        (left, found.removed),
        (right, found.added),
        (left, [one for one, _ in found.pairs]),
        (right, [one for _, one in found.pairs]),
    ):
        ends = [at for one in ranges for at in one]
        assert ends == sorted(ends)
        assert all(0 <= one.start < one.end <= len(source) for one in ranges)


def test_hostile_texts_come_to_an_end() -> None:
    assert diff("a " * 60_000, "a b " * 30_000).words_removed > 0
    assert diff("a\n\n" * 20_000, "b\n\n" * 20_000).words_added == 20_000
    assert diff("\\[" * 50_000, "\\(\n\n" * 20_000).pairs == ()
