"""Where the content of a token stands in the text that it was read from."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from markdown_it.common.utils import MD_TRIM_CHARS
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token


class Places(NamedTuple):
    """Content made of pieces of a text: the piece that begins at `contents[i]` stands at `offsets[i]` of the text."""

    contents: Sequence[int]
    offsets: Sequence[int]

    def at(self, position: int) -> int:
        """Where the sign at `position` of the content stands in the text."""
        piece = max(0, bisect_right(self.contents, position) - 1)
        return self.offsets[piece] + position - self.contents[piece]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """What `content[start:end]` stands for in the text: from its first sign to behind its last."""
        first = self.at(start)
        return (first, self.at(end - 1) + 1 if end > start else first)

    def stretches(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The parts of `content[start:end]` that are one stretch of the text each."""
        cuts = [cut for cut in self.contents if start < cut < end]
        return pairwise([start, *cuts, end])

    def without(self, count: int) -> "Places":
        """The same for content that lacks its first `count` signs."""
        return Places([content - count for content in self.contents], self.offsets) if count else self


class PlacedBlocks(StateBlock):
    """markdown-it's state of reading blocks, which also knows where the lines that it hands out stand in the text."""

    taken = Places((0,), (0,))
    """Places of what `getLines` gave last. Blanks that it put in place of a part of a tab count as signs."""
    trimmed = 0
    """How many blanks the same begins with."""

    def getLines(self, begin: int, end: int, indent: int, keepLastLF: bool) -> str:  # noqa: N802, N803
        """See `StateBlock`. Each line that it gives is the end of a line of the text."""
        text = super().getLines(begin, end, indent, keepLastLF)
        contents: list[int] = []
        offsets: list[int] = []
        at = 0
        for mark, line in zip(self.eMarks[begin:end], text.split("\n"), strict=False):
            contents.append(at)
            offsets.append(mark - len(line))
            at += len(line) + 1
        self.taken = Places(contents, offsets)
        self.trimmed = len(text) - len(text.lstrip(MD_TRIM_CHARS))
        return text

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        """See `StateBlock`. A paragraph's content is taken to be the lines given last, without the blanks around."""
        token = super().push(ttype, tag, nesting)
        if ttype == "inline":
            token.meta["places"] = self.taken.without(self.trimmed)
        return token
