"""Which place of one text goes with which of another, for panes that scroll together."""

from bisect import bisect_right
from collections.abc import Iterable

from uq_tui.document.ranges import Range


class Tie:
    """Places that go together, rising on both sides; between two of them, shares of the way do."""

    def __init__(self, left: int, right: int, pairs: Iterable[tuple[Range, Range]] = ()) -> None:
        """`left` and `right` are the lengths of the texts, `pairs` stretches of them that belong together, rising."""
        points = [(0, 0), *((one[0].start, one[1].start) for one in pairs), (left, right)]
        self._own = [own for own, _ in points]
        self._others = [other for _, other in points]

    def across(self, offset: int) -> int:
        """The place on the right that goes with `offset` on the left. At the beginning of one, the other begins."""
        if offset <= 0:
            return 0
        after = min(bisect_right(self._own, offset), len(self._own) - 1)
        start, end = self._own[after - 1], self._own[after]
        other_start, other_end = self._others[after - 1], self._others[after]
        if end <= start:
            return other_start
        share = min(max(offset - start, 0), end - start) / (end - start)
        return other_start + int(share * (other_end - other_start))
