"""What two sequences have in common, in order: exactly where that is affordable, else by what is unique in both."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from math import isqrt

MOST_CELLS = 16_000_000
"""Product of two lengths up to which the longest common subsequence is computed: one bit each, 2 MB, 10 ms."""
_MOST_DEPTH = 8
"""How often what lies between unique elements is looked through for further ones."""

Match = tuple[int, int]
"""Index on the left, index on the right."""


def common(left: Sequence[Hashable], right: Sequence[Hashable]) -> list[Match]:
    """Pairs of equal elements, strictly rising on both sides: as many as possible while the sequences are short.

    Long ones are parted at elements that stand once on either side (Bram Cohen's patience diff), and where there are
    none into equally many pieces; so the time is near linear whatever the input.
    """
    return list(_common(left, right, 0, len(left), 0, len(right), _MOST_DEPTH))


def anchors(left: Sequence[Hashable], right: Sequence[Hashable]) -> list[Match]:
    """Elements that stand once on either side, with those equal next to them and at both ends, in rising order."""
    return _grown(left, right, _unique(left, right, 0, len(left), 0, len(right)))


def _common(
    left: Sequence[Hashable], right: Sequence[Hashable], a: int, b: int, c: int, d: int, depth: int
) -> Iterator[Match]:
    while a < b and c < d and left[a] == right[c]:
        yield a, c
        a, c = a + 1, c + 1
    ends = 0
    while a < b - ends and c < d - ends and left[b - ends - 1] == right[d - ends - 1]:
        ends += 1
    b, d = b - ends, d - ends
    if a < b and c < d:
        if (b - a) * (d - c) <= MOST_CELLS:
            yield from _longest(left, right, a, b, c, d)
        else:
            yield from _parted(left, right, a, b, c, d, depth)
    yield from ((b + n, d + n) for n in range(ends))


def _parted(
    left: Sequence[Hashable], right: Sequence[Hashable], a: int, b: int, c: int, d: int, depth: int
) -> Iterator[Match]:
    cuts = _unique(left, right, a, b, c, d) if depth else []
    if not cuts:
        pieces = isqrt((b - a) * (d - c) // MOST_CELLS) + 1
        for n in range(pieces):
            own = a + (b - a) * n // pieces, a + (b - a) * (n + 1) // pieces
            yield from _longest(left, right, *own, c + (d - c) * n // pieces, c + (d - c) * (n + 1) // pieces)
        return
    for i, j in cuts:
        yield from _common(left, right, a, i, c, j, depth - 1)
        yield i, j
        a, c = i + 1, j + 1
    yield from _common(left, right, a, b, c, d, depth - 1)


def _unique(left: Sequence[Hashable], right: Sequence[Hashable], a: int, b: int, c: int, d: int) -> list[Match]:
    """The longest rising chain of elements that stand once on either side."""
    counts, others = Counter(left[a:b]), Counter(right[c:d])
    places = {element: j for j, element in enumerate(right[c:d], c) if others[element] == 1}
    pairs = [(i, places[left[i]]) for i in range(a, b) if counts[left[i]] == 1 and left[i] in places]
    ends: list[int] = []
    chains: list[int] = []
    before: list[int] = []
    for number, (_, j) in enumerate(pairs):
        at = bisect_left(ends, j)
        before.append(chains[at - 1] if at else -1)
        ends[at : at + 1] = [j]
        chains[at : at + 1] = [number]
    rising: list[Match] = []
    number = chains[-1] if chains else -1
    while number >= 0:
        rising.append(pairs[number])
        number = before[number]
    return rising[::-1]


def _grown(left: Sequence[Hashable], right: Sequence[Hashable], found: list[Match]) -> list[Match]:
    grown: list[Match] = []
    i, j = 0, 0
    for a, c in [*found, (len(left), len(right))]:
        while i < a and j < c and left[i] == right[j]:
            grown.append((i, j))
            i, j = i + 1, j + 1
        behind: list[Match] = []
        while a - len(behind) > i and c - len(behind) > j:
            e, f = a - len(behind) - 1, c - len(behind) - 1
            if left[e] != right[f]:
                break
            behind.append((e, f))
        grown += behind[::-1]
        if a < len(left):
            grown.append((a, c))
        i, j = a + 1, c + 1
    return grown


def _longest(left: Sequence[Hashable], right: Sequence[Hashable], a: int, b: int, c: int, d: int) -> list[Match]:
    """A longest common subsequence, a whole row of the usual table at a time.

    The bit-parallel recurrence of Crochemore, Iliopoulos, Pinzon and Reid (Information Processing Letters 80, 2001):
    in row i a bit is 0 where the table's value rises at that column.
    """
    width = d - c
    full = (1 << width) - 1
    where: dict[Hashable, int] = {}
    for n in range(width):
        where[right[c + n]] = where.get(right[c + n], 0) | 1 << n
    rows = [full]
    for i in range(a, b):
        row = rows[-1]
        shared = row & where.get(left[i], 0)
        rows.append((row + shared | row - shared) & full)
    found: list[Match] = []
    i, n = b, width - 1
    while i > a and n >= 0:
        bit = 1 << n
        if rows[i - a] & bit:  # the value doesn't rise here: this column is not needed
            n -= 1
        elif not rows[i - a - 1] & bit:  # it rose here a row before: this row is not needed
            i -= 1
        else:
            found.append((i - 1, c + n))
            i, n = i - 1, n - 1
    return found[::-1]
