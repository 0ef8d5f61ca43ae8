"""A text cut into segments as it arrives: whole top-level blocks that are read and drawn one by one.

A block is settled once another one has begun after a blank line, since nothing that comes later can change it: no
formula holds a blank line, and what goes on behind one is set in or is fenced. So it is once a heading has begun, where
no formula may still be open. Only the tail that isn't settled is read again. A long tail waits until it has grown by a
part of itself, so that all reading together is linear in the length of the text, whatever the text is; until then its
last segment is merely longer.
"""

import re
from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from markdown_it.token import Token

from uq_tui.document.markup.context import EMPTY, MAX_FOOTNOTES, Context, number_footnotes
from uq_tui.document.markup.parse import parse_blocks, parse_inline
from uq_tui.document.markup.units import Heading, Unit, headings_of, units_of
from uq_tui.document.maths.definitions import EMPTY as NO_DEFINITIONS
from uq_tui.document.maths.definitions import Definitions

FULL = 1_500
"""A segment holds several blocks up to so many characters; a longer block is a segment of its own."""
LONG_CODE = 30
"""A block of code of more lines is a segment of its own."""
PATIENCE = 1_000
"""A tail of so many characters is read again at once when text comes, a longer one when it has grown by an eighth."""
_AT_ONCE = 65_536
"""Characters that are read at once, at least; more of them only where a block is longer."""

_NEWLINE = re.compile("\n")
_OPENER = re.compile(r"\$\$|\\[\[b]")
"""What a displayed formula begins with, which may end many lines further on."""


class Segment(NamedTuple):
    """Some top-level blocks of a text, which are read and drawn together.

    Args:
        start, end: where it stands in the text. The segments of a text follow each other without gaps.
        line: the number of its first line in the text, from 0.
        headings, units: with places that count from `start`.
        kind: `code` where it is one long block of code, `spoiler` where it is one such quote, else empty.
        number: of its first unit in the text, from 1; of the next one after it where it has none.
    """

    start: int
    end: int
    line: int
    headings: tuple[Heading, ...] = ()
    units: tuple[Unit, ...] = ()
    kind: str = ""
    number: int = 1


class Change(NamedTuple):
    """What became of the segments: from the index `first` on they are now `segments`; those before are as they were.

    `context` is the same object as long as nothing was defined.
    """

    first: int
    segments: tuple[Segment, ...]
    context: Context


class _Block(NamedTuple):
    """A top-level block of the tail, up to the next one. Places and lines count from the tail's beginning."""

    start: int
    end: int
    line: int
    tokens: Sequence[Token]

    @property
    def kind(self) -> str:
        if self.tokens[0].meta.get("spoiler"):
            return "spoiler"
        return "code" if len(self.tokens) == 1 and len(self.tokens[0].meta.get("lines", ())) > LONG_CODE else ""

    @property
    def begins(self) -> bool:
        return self.tokens[0].type == "heading_open"

    @property
    def alone(self) -> bool:
        return self.end - self.start > FULL or bool(self.kind)


class _Shared:
    """What the segments read so far define, for the context."""

    def __init__(self) -> None:
        self.references: dict[str, Mapping[str, Any]] = {}
        self.used: dict[str, None] = {}
        self.defined: dict[str, None] = {}
        self.definitions: Definitions = NO_DEFINITIONS


class Scan:
    """A text that arrives in pieces, cut into segments. Not thread-safe: one thread feeds it.

    Args:
        counted_from: the first code point whose units count; what stands before it has none.
    """

    def __init__(self, counted_from: int = 0) -> None:
        self._counted_from = counted_from
        self._tail = ""
        self._more: list[str] = []
        self._behind = 0
        # Of the tail's first segment: everything before it is settled.
        self._start = self._line = self._index = self._units = 0
        self._open: tuple[Segment, ...] = ()
        self._shared = _Shared()
        self._tail_references: dict[str, Mapping[str, Any]] = {}
        self._extended: dict[tuple[Definitions, str], Definitions] = {}
        self._context = EMPTY

    @property
    def unsettled(self) -> int:
        """Characters that the next reading reads, at the end of the text."""
        return len(self._tail) + self._behind

    @property
    def behind(self) -> int:
        """Characters at the end that were not read yet: they are in the last segment."""
        return self._behind

    def feed(self, text: str) -> Change:
        """Add `text` to the end. Without any, what was put off is read: do so when no more comes, or not soon."""
        self._more.append(text)
        self._behind += len(text)
        if text and len(self._tail) > PATIENCE and self._behind * 8 < len(self._tail):
            return self._lengthen()
        first = self._index
        closed: list[Segment] = []
        more, taken = "".join(self._more), 0
        while True:
            room = max(_AT_ONCE, 3 * len(self._tail))
            self._tail += more[taken : taken + room]
            taken += room
            closed += self._read()
            if taken >= len(more):
                break
        self._more, self._behind = [], 0
        return Change(first, (*closed, *self._open), self._context)

    def _lengthen(self) -> Change:
        last = self._open[-1]
        last = last._replace(end=self._start + self.unsettled)
        self._open = (*self._open[:-1], last)
        return Change(self._index + len(self._open) - 1, (last,), self._context)

    def _read(self) -> list[Segment]:
        """Read the tail, and take off it the segments that are settled."""
        tokens, known = parse_blocks(self._tail, self._shared.references)
        starts = [0, *(newline.end() for newline in _NEWLINE.finditer(self._tail))]
        blocks = _blocks(tokens, starts, len(self._tail))
        groups = list(_groups(blocks))
        segments = self._segments(groups)
        settled = _settled(blocks, starts, self._tail)
        count = 0
        for group in groups[1:]:
            if group[0].start >= settled:
                break
            count += 1
        self._share(groups, segments, known, count)
        closed, self._open = segments[:count], tuple(segments[count:])
        if closed:
            end, line = groups[count][0].start, groups[count][0].line
            self._tail = self._tail[end:]
            self._start += end
            self._line += line
            self._index += count
            self._units += sum(len(segment.units) for segment in closed)
        return closed

    def _segments(self, groups: Sequence[Sequence[_Block]]) -> list[Segment]:
        segments: list[Segment] = []
        number = self._units + 1
        for group in groups:
            tokens = [token for block in group for token in block.tokens]
            start = group[0].start
            units = tuple(
                unit._replace(start=unit.start - start, end=unit.end - start)
                for unit in units_of(tokens)
                if self._start + unit.start >= self._counted_from
            )
            headings = tuple(heading._replace(start=heading.start - start) for heading in headings_of(tokens))
            kind = group[0].kind if len(group) == 1 else ""
            place = self._start + start, self._start + group[-1].end, self._line + group[0].line
            segments.append(Segment(*place, headings, units, kind, number))
            number += len(units)
        if not segments and self._tail:
            segments.append(Segment(self._start, self._start + len(self._tail), self._line, number=number))
        return segments

    def _share(
        self,
        groups: Sequence[Sequence[_Block]],
        segments: Sequence[Segment],
        known: ChainMap[str, Mapping[str, Any]],
        count: int,
    ) -> None:
        """Bring the context up to date, and keep what the first `count` segments define."""
        shared = self._shared
        references: dict[str, Mapping[str, Any]] = {
            label: {"href": link["href"], "title": link["title"]} for label, link in known.maps[0].items()
        }
        used, defined = dict(shared.used), dict(shared.defined)
        definitions = shared.definitions
        extended, self._extended = self._extended, {}
        for index, segment in enumerate(segments):
            start = segment.start - self._start
            text = self._tail[start : segment.end - self._start]
            if "[^" in text and groups:
                _footnotes([token for block in groups[index] for token in block.tokens], used, defined)
            if "\\" in text:
                definitions = self._extend(definitions, text, segment.start, extended)
            if index == count - 1:
                shared.used, shared.defined, shared.definitions = dict(used), dict(defined), definitions
        footnotes = number_footnotes(used, defined)
        old = self._context
        if references != self._tail_references or footnotes != old.footnotes or definitions is not old.definitions:
            both = ChainMap[str, Mapping[str, Any]](references, shared.references)
            self._context = Context(both, footnotes, definitions)
        if count:
            line = groups[count][0].line
            for label in [label for label in references if known[label]["map"][0] < line]:
                shared.references[label] = references[label]
            references = {label: link for label, link in references.items() if label not in shared.references}
        self._tail_references = references

    def _extend(
        self,
        definitions: Definitions,
        text: str,
        at: int,
        known: Mapping[tuple[Definitions, str], Definitions],
    ) -> Definitions:
        """`definitions` with those of a segment: the same object as at the last reading, where that gave the same.

        What stands behind the last blank line is read by itself, since it is what grows.
        """
        cut = text.rfind("\n\n") + 1
        for part, start in ((text[:cut], at), (text[cut:], at + cut)):
            key = definitions, part
            definitions = known.get(key) or definitions.extended(part, start)
            self._extended[key] = definitions
        return definitions


def all_units(source: str) -> tuple[Unit, ...]:
    """The units of a whole text in order, as code points of it."""
    return tuple(
        Unit(unit.start + segment.start, unit.end + segment.start, unit.kind)
        for segment in Scan().feed(source).segments
        for unit in segment.units
    )


def _blocks(tokens: Sequence[Token], starts: Sequence[int], length: int) -> list[_Block]:
    """The top-level blocks. What begins on the last line of the block before it, behind a formula, is one with it."""
    begins: list[tuple[int, int]] = []
    last_line = 0
    for index, token in enumerate(tokens):
        if token.level == 0 and token.nesting >= 0 and token.map:
            if not begins or token.map[0] >= last_line:
                begins.append((index, token.map[0]))
            last_line = token.map[1]
    blocks: list[_Block] = []
    for number, (index, line) in enumerate(begins):
        following, next_line = begins[number + 1] if number + 1 < len(begins) else (len(tokens), -1)
        end = length if next_line < 0 else starts[next_line]
        # Blank lines and definitions before the first block are its own too.
        start, line = (starts[line], line) if number else (0, 0)
        blocks.append(_Block(start, end, line, tokens[index:following]))
    return blocks


def _groups(blocks: Sequence[_Block]) -> Iterator[list[_Block]]:
    """The blocks of each segment."""
    group: list[_Block] = []
    for block in blocks:
        if group and (block.begins or block.alone or group[-1].alone or block.end - group[0].start > FULL):
            yield group
            group = []
        group.append(block)
    if group:
        yield group


def _settled(blocks: Sequence[_Block], starts: Sequence[int], text: str) -> int:
    """Where the last block begins that a blank line comes before, or that is a heading: those before it are settled.

    Its first line must be complete, since what it begins may turn on the rest of the line.
    """
    settled, formula = 0, False
    for before, block in pairwise(blocks):
        if block.line >= len(starts) - 1:
            break
        blank = not text[starts[block.line - 1] : block.start].strip(" \t\n")
        formula = not blank and (formula or _OPENER.search(text, before.start, block.start) is not None)
        if blank or (block.begins and not formula):
            settled = block.start
    return settled


class _Any:
    """Every label."""

    def __contains__(self, label: object) -> bool:
        return True


def _footnotes(tokens: Sequence[Token], used: dict[str, None], defined: dict[str, None]) -> None:
    """Add the labels of footnotes that the tokens refer to and define."""
    for token in tokens:
        if token.type == "footnote_open":
            labels, known = [str(token.meta["label"])], defined
        elif token.type == "inline" and "[^" in token.content:
            children = parse_inline(Token("inline", "", 0, content=token.content, meta=token.meta), {}, _Any())
            labels = [str(child.meta["label"]) for child in children if child.type == "footnote_ref"]
            known = used
        else:
            continue
        for label in labels:
            if len(known) < MAX_FOOTNOTES:
                known.setdefault(label)
