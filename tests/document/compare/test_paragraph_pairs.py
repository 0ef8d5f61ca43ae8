"""Paragraphs of one text that became those of another."""

import pytest

from uq_tui.document.compare import paragraph_pairs
from uq_tui.document.compare.paragraph_pairs import Group, paired


def groups(left: list[str], right: list[str]) -> list[Group]:
    return paired([one.split() for one in left], [one.split() for one in right])


def one(i: int, j: int) -> Group:
    return Group(i, i + 1, j, j + 1)


def test_equal_paragraphs_belong_together() -> None:
    assert groups(["a b", "c d", "e f"], ["c d", "a x", "e f"]) == [one(1, 0), one(2, 2)]


def test_a_changed_paragraph_belongs_to_what_it_shares_half_of_its_words_with() -> None:
    assert groups(["a b c d"], ["a b x y"]) == [one(0, 0)]
    assert groups(["a b c d"], ["a x y z"]) == []


def test_words_count_as_often_as_they_stand() -> None:
    assert groups(["a a a a b"], ["a x y z b"]) == []


def test_the_pairs_are_those_that_share_most_altogether() -> None:
    left = ["a b c d e f g h", "k l m n"]
    right = ["k l m x", "a b c d e f g x"]
    assert groups(left, right) == [one(0, 1)]


def test_a_paragraph_that_was_cut_is_one_group_with_both_parts() -> None:
    assert groups(["a b c d e f g"], ["a b c d", "e f g"]) == [(0, 1, 0, 2)]
    assert groups(["x", "a b c", "d e f g", "y"], ["x", "a b c d e f g", "y"]) == [one(0, 0), (1, 3, 1, 2), one(3, 2)]


def test_of_two_paragraphs_that_changed_places_the_longer_chain_stays() -> None:
    assert groups(["a", "b", "c"], ["c", "a", "b"]) == [one(0, 1), one(1, 2)]


def test_nothing_belongs_to_nothing() -> None:
    assert groups([], ["a"]) == groups(["a"], []) == groups([], []) == []


def test_among_very_many_only_those_in_like_places_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paragraph_pairs, "_MOST_CELLS", 8)
    left = [f"p{n} q{n} left" for n in range(4)]
    shifted = ["x", "y", *(f"p{n} q{n} right" for n in range(4))]
    near = [f"p{n} q{n} right" for n in range(4)]
    assert groups(left, near) == [one(n, n) for n in range(4)]
    assert len(groups(left, shifted)) < 4
