"""What two sequences have in common."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.document.compare import sequences
from uq_tui.document.compare.sequences import Match, anchors, common

SHORT = st.lists(st.integers(0, 4), max_size=14)
LONG = st.lists(st.integers(0, 30), max_size=60)


def is_common(left: list[int], right: list[int], found: list[Match]) -> bool:
    """Whether these are pairs of equal elements that rise on both sides."""
    rising = all(i < e and j < f for (i, j), (e, f) in pairwise(found))
    return rising and all(left[i] == right[j] for i, j in found)


def longest(left: list[int], right: list[int]) -> int:
    """The length of a longest common subsequence, by the book."""
    above = [0] * (len(right) + 1)
    for one in left:
        row = [0]
        for j, other in enumerate(right):
            row.append(above[j] + 1 if one == other else max(above[j + 1], row[-1]))
        above = row
    return above[-1]


@given(SHORT, SHORT)
def test_what_is_common_is_the_longest(left: list[int], right: list[int]) -> None:
    found = common(left, right)
    assert is_common(left, right, found)
    assert len(found) == longest(left, right)


@given(LONG, LONG)
def test_of_long_sequences_what_is_found_is_common(left: list[int], right: list[int]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sequences, "MOST_CELLS", 20)
        assert is_common(left, right, common(left, right))
        assert common(left, left) == [(n, n) for n in range(len(left))]


def test_long_sequences_are_parted_at_unique_elements(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sequences, "MOST_CELLS", 4)
    left, right = "xabacMabacy", "zzaMaabw"
    assert (5, 3) in common(left, right)


@given(LONG, LONG)
def test_anchors_are_common(left: list[int], right: list[int]) -> None:
    assert is_common(left, right, anchors(left, right))


def test_anchors_stand_once_on_either_side_or_beside_one_that_does() -> None:
    assert anchors("xaabMbaay", "aMaab") == [(4, 1)]
    assert anchors("abMab", "cbMac") == [(1, 1), (2, 2), (3, 3)]


def test_anchors_reach_in_from_both_ends() -> None:
    assert anchors("aabbaa", "aacaa") == [(0, 0), (1, 1), (4, 3), (5, 4)]
