"""A text laid out to lines of a given width, at once or as it arrives.

The text is cut at top-level blocks. A block is settled once another one has begun after a blank line: nothing that
comes later can change it, save a link definition that it refers to. Only what is not settled is read again when more
text arrives, and the lines come out the same however the text was cut on its way.
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from markdown_it.token import Token

from uq_tui.document.blocks import block_lines
from uq_tui.document.lines import Document, Heading, Line
from uq_tui.document.parse import parse
from uq_tui.text import clean

MIN_WIDTH = 16
"""A narrower width is taken for this one, in cells."""

_LABEL = re.compile(r"\[((?:[^\[\]\\]|\\.){1,999})\]")
_LABEL_NOISE = re.compile(r"[\s>]+")


class Change(NamedTuple):
    """What became of the lines: from `first` on they are now `lines`. `headings` are all of the document's."""

    first: int
    lines: tuple[Line, ...]
    headings: tuple[Heading, ...]


def lay_out(source: str, width: int) -> Document:
    """`source`, which is Markdown with mathematics, laid out to `width` cells. Pure; never raises on any text."""
    change = Flow(width).feed(source)
    return Document(change.lines, change.headings)


class Flow:
    """A text that is laid out as it arrives. Not thread-safe: one thread feeds it.

    Args:
        width: cells per line.
    """

    def __init__(self, width: int) -> None:
        self.given_width = width
        self._width = max(MIN_WIDTH, width)
        self._settled_source: list[str] = []
        self._tail = ""
        self._tail_line = 0
        self._line_count = 0
        self._headings: list[Heading] = []
        self._references: dict[str, Any] = {}
        self._labels: set[str] = set()
        self._used: dict[str, tuple[str, str]] = {}

    @property
    def unsettled(self) -> int:
        """Characters that the next `feed` reads again."""
        return len(self._tail)

    def feed(self, text: str) -> Change:
        """Add `text` to the end."""
        self._tail += text
        blocks, references = self._parse()
        if self._used_of(references) != self._used:
            # A definition came, or changed, that settled text refers to: what was settled is open again.
            self._reopen()
            blocks, references = self._parse()
        first = self._line_count
        lines: list[Line] = []
        headings = list(self._headings)
        settled_to = self._settled_lines(blocks)
        settled_lines, settled_headings = 0, len(headings)
        for tokens, begin in blocks:
            made, found = block_lines(tokens, self._width, self._tail_line)
            if made and first + len(lines):
                at = self._tail_line + begin
                lines.append(Line((), at, at))
            headings += (heading._replace(line=heading.line + first + len(lines)) for heading in found)
            lines += made
            if begin < settled_to:
                settled_lines, settled_headings = len(lines), len(headings)
        if settled_to:
            self._settle(settled_to, settled_lines, headings[:settled_headings])
        self._used = self._used_of(references)
        return Change(first, tuple(lines), tuple(headings))

    def _parse(self) -> tuple[list[tuple[list[Token], int]], dict[str, Any]]:
        """The tail's top-level blocks, each with the line it begins on, and all link definitions known so far."""
        tokens, references = parse(clean(self._tail), self._references)
        blocks: list[tuple[list[Token], int]] = []
        for token in tokens:
            if token.level == 0 and token.nesting >= 0:
                blocks.append(([], token.map[0] if token.map else 0))
            blocks[-1][0].append(token)
        return blocks, references

    def _settled_lines(self, blocks: list[tuple[list[Token], int]]) -> int:
        """How many lines of the tail are settled: those before the last block that a blank line comes before.

        That block's first line must be complete, since what it begins may turn on the rest of the line.
        """
        lines = self._tail.split("\n")
        for _, begin in reversed(blocks):
            if 0 < begin < len(lines) - 1 and not lines[begin - 1].strip():
                return begin
        return 0

    def _settle(self, lines: int, laid_out: int, headings: list[Heading]) -> None:
        parts = self._tail.split("\n", lines)
        self._tail = parts.pop()
        settled = "\n".join(parts) + "\n"
        self._settled_source.append(settled)
        self._tail_line += lines
        self._line_count += laid_out
        self._headings = headings
        if "]:" in settled:
            _, self._references = parse(clean(settled), self._references)
        self._labels.update(map(_squash, _LABEL.findall(settled)))

    def _used_of(self, references: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
        """Address and title of each definition that settled text may refer to."""
        if not self._labels:
            return {}
        return {
            label: (link["href"], link["title"]) for label, link in references.items() if _squash(label) in self._labels
        }

    def _reopen(self) -> None:
        self._tail = "".join(self._settled_source) + self._tail
        self._settled_source = []
        self._tail_line = self._line_count = 0
        self._headings = []
        self._references = {}
        self._labels = set()
        self._used = {}


def _squash(label: str) -> str:
    return _LABEL_NOISE.sub("", label).casefold()
