"""Which paragraphs of one text became which of another: equal ones first, then those that share most of their words."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from uq_tui.document.compare.sequences import anchors

ALIKE = 0.5
"""Paragraphs are held for the same from this share of common words (Dice's coefficient) on."""
_MOST_CELLS = 40_000
"""Pairs of paragraphs compared between two that are equal. Where there are more, only those in like places are."""
_MOST_WORK = 4_000_000
"""Words compared for that."""

Paragraph = Sequence[str]
"""The keys of its words."""


class Group(NamedTuple):
    """Paragraphs `left_start` up to `left_end` became `right_start` up to `right_end`; mostly one became one."""

    left_start: int
    left_end: int
    right_start: int
    right_end: int


def paired(left: Sequence[Paragraph], right: Sequence[Paragraph]) -> list[Group]:
    """The groups, strictly rising on both sides. What stands in none has no counterpart in its place.

    A paragraph that was cut in two, or joined with the next, is one group with both parts. One that was moved has no
    counterpart unless more of the others moved past it.
    """
    equal = anchors([tuple(one) for one in left], [tuple(one) for one in right])
    groups: list[Group] = []
    i, j = 0, 0
    for a, c in [*equal, (len(left), len(right))]:
        groups += _between(left, right, (i, a), (j, c))
        if a < len(left):
            groups.append(Group(a, a + 1, c, c + 1))
        i, j = a + 1, c + 1
    return groups


def _between(
    left: Sequence[Paragraph], right: Sequence[Paragraph], rows: tuple[int, int], columns: tuple[int, int]
) -> Iterator[Group]:
    """Groups among paragraphs `rows` of the left and `columns` of the right."""
    (i, a), (j, c) = rows, columns
    if i >= a or j >= c:
        return
    chain = [(i + e, j + f) for e, f in _heaviest(_alike(left[i:a], right[j:c]))]
    behind = (i, j)
    for (e, f), ahead in zip(chain, [*chain[1:], (a, c)], strict=bool(chain)):
        group = _widened(left, right, Group(e, e + 1, f, f + 1), behind, ahead)
        behind = group.left_end, group.right_end
        yield group


def _alike(left: Sequence[Paragraph], right: Sequence[Paragraph]) -> Iterator[tuple[int, int, int]]:
    """Pairs that are alike, with the number of words they share; by row, and in each from the last column."""
    ids: dict[tuple[str, int], int] = {}
    bags, others = [_bag(one, ids) for one in left], [_bag(one, ids) for one in right]
    rows, columns = len(left), len(right)
    reach = columns if rows * columns <= _MOST_CELLS else _MOST_CELLS // (2 * rows)
    reach = min(reach, _MOST_WORK // (2 * sum(map(len, bags)) + 1))
    for i, bag in enumerate(bags):
        middle = i * columns // rows
        for j in range(min(columns - 1, middle + reach), max(0, middle - reach) - 1, -1):
            both, other = len(bag) + len(others[j]), others[j]
            if 2 * min(len(bag), len(other)) >= ALIKE * both and 2 * (shared := len(bag & other)) >= ALIKE * both:
                yield i, j, shared


def _bag(paragraph: Paragraph, ids: dict[tuple[str, int], int]) -> frozenset[int]:
    """The words as a set in which the second `the` is another than the first."""
    met: Counter[str] = Counter()
    bag = set()
    for word in paragraph:
        met[word] += 1
        bag.add(ids.setdefault((word, met[word]), len(ids)))
    return frozenset(bag)


def _heaviest(found: Iterator[tuple[int, int, int]]) -> list[tuple[int, int]]:
    """The rising chain of pairs that share most words altogether."""
    pairs: list[tuple[int, int]] = []
    before: list[int] = []
    columns: list[int] = []
    weights: list[int] = []
    ends: list[int] = []
    # Of chains that end at a column, only those are kept that weigh more than all that end before it.
    for i, j, weight in found:
        at = bisect_left(columns, j)
        total = weight + (weights[at - 1] if at else 0)
        pairs.append((i, j))
        before.append(ends[at - 1] if at else -1)
        stop = at
        while stop < len(columns) and weights[stop] <= total:
            stop += 1
        if at < len(columns) and columns[at] == j and stop == at:
            continue
        columns[at:stop], weights[at:stop], ends[at:stop] = [j], [total], [len(pairs) - 1]
    chain: list[tuple[int, int]] = []
    number = ends[-1] if ends else -1
    while number >= 0:
        chain.append(pairs[number])
        number = before[number]
    return chain[::-1]


def _widened(
    left: Sequence[Paragraph],
    right: Sequence[Paragraph],
    group: Group,
    behind: tuple[int, int],
    ahead: tuple[int, int],
) -> Group:
    """The group with the free paragraphs around it that hold what one side of it lacks."""
    own, other = left[group.left_start], right[group.right_start]
    start, end = _taken(left, group.left_start, behind[0], ahead[0], Counter(other) - Counter(own))
    first, last = _taken(right, group.right_start, behind[1], ahead[1], Counter(own) - Counter(other))
    return Group(start, end, first, last)


def _taken(
    paragraphs: Sequence[Paragraph], at: int, lowest: int, highest: int, lacking: Counter[str]
) -> tuple[int, int]:
    """From where to where paragraphs around `at` consist mostly of words that are `lacking` on the other side."""
    start, end = at, at + 1
    while end < highest and _takes(paragraphs[end], lacking):
        end += 1
    while start > lowest and _takes(paragraphs[start - 1], lacking):
        start -= 1
    return start, end


def _takes(paragraph: Paragraph, lacking: Counter[str]) -> bool:
    shared = Counter(paragraph) & lacking
    if not shared or 2 * shared.total() < len(paragraph):
        return False
    lacking.subtract(shared)
    return True
