"""How tall the parts of a long text are, and which part a line is in, in logarithmic time.

A Fenwick tree (Fenwick 1994, A new data structure for cumulative frequency tables): node i, counted from 1, holds the
sum of the heights that end with the i-th, as many of them as the lowest set bit of i says.
"""

from collections.abc import Iterable

from uq_tui.document.markup.scan import Segment


class Heights:
    """Heights in lines, none below 0. Parts are appended and cut off at the end, and changed anywhere."""

    def __init__(self, heights: Iterable[int] = ()) -> None:
        self._heights: list[int] = []
        self._tree: list[int] = [0]
        for height in heights:
            self.append(height)

    def __len__(self) -> int:
        return len(self._heights)

    def __getitem__(self, part: int) -> int:
        return self._heights[part]

    @property
    def total(self) -> int:
        """Lines of all parts together."""
        return self.top(len(self._heights))

    def append(self, height: int) -> None:
        """Add a part at the end."""
        self._heights.append(height)
        node = len(self._heights)
        below, step = height, 1
        while step < node & -node:
            below += self._tree[node - step]
            step *= 2
        self._tree.append(below)

    def truncate(self, parts: int) -> None:
        """Keep only the first `parts`."""
        del self._heights[parts:]
        del self._tree[parts + 1 :]

    def set(self, part: int, height: int) -> None:
        """Give a part another height."""
        change = height - self._heights[part]
        self._heights[part] = height
        node = part + 1
        while change and node < len(self._tree):
            self._tree[node] += change
            node += node & -node

    def top(self, part: int) -> int:
        """The first line of a part; that of the part behind the last is the total."""
        lines, node = 0, part
        while node:
            lines += self._tree[node]
            node &= node - 1
        return lines

    def locate(self, line: int) -> tuple[int, int]:
        """The part that a line is in, and which line of it. Parts without lines are never found.

        A line below 0 is taken for the first one. One behind the end is in the part behind the last.
        """
        line = max(0, line)
        part, step = 0, 1 << len(self._heights).bit_length()
        while step:
            after = part + step
            if after < len(self._tree) and self._tree[after] <= line:
                part = after
                line -= self._tree[after]
            step //= 2
        return part, line


def estimated_height(source: str, segment: Segment, width: int, *, as_source: bool) -> int:
    """About how many lines a segment takes that has not been laid out; at least 1."""
    signs, rows = segment.end - segment.start, source.count("\n", segment.start, segment.end)
    width = max(1, width)
    if as_source or segment.kind == "code":
        return max(1, rows, signs // width)
    paragraphs = source.count("\n\n", segment.start, segment.end) + 1
    return paragraphs + max(paragraphs, signs // width + paragraphs // 2)
