"""Laid-out lines, and the wrapping of styled text to a width in terminal cells.

A span knows which code points of the text it shows, and keeps knowing it however it is wrapped, cut and merged.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import NamedTuple

from rich.cells import cell_len, split_graphemes

STYLES = (
    "heading", "strong", "emphasis", "strike", "code", "math", "drawn", "quote", "link", "dim", "table", "label",
    "keyword", "string", "comment", "number", "name", "punctuation",
)  # fmt: skip
"""Every style name. A span's style is any number of these with blanks between; none is plain text."""

_PIECE = re.compile(r" +|[^ ]+")
_SHORT_ROOM = 8
"""A word longer than a line begins on the line before it where at least this many cells are left."""
_NARROW = re.compile(
    "[ -~\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f\u1e00-\u200a\u2010-\u2027\u2070-\u20cf\u2100-\u2319"
    "\u232b-\u23e8\u2500-\u25fc\u27c0-\u2b1a\U0001d400-\U0001d7ff]*"
)
"""Text whose every character is one cell wide and a grapheme of its own: what proofs are mostly made of."""


class Span(NamedTuple):
    """A stretch of text in one style, and which code points of the text laid out it shows.

    Where `end - start` is the length of `text` it shows them sign for sign, else it stands for all of them as one: a
    formula, a mark in place of a control character. Bullets, rules and bars show nothing of the text: -1 and -1.
    """

    text: str
    style: str = ""
    start: int = -1
    end: int = -1


class Line(NamedTuple):
    """One line as it is shown, and where in the text it comes from.

    `start` and `end` are the code points that the line shows; a blank line has both the same. `fill` is the style of
    the rest of the row. `unit` is the index of the unit of the text that it belongs to, -1 where it is none. A line
    that is `wide` may be wider than the width asked for: it is to be scrolled sideways.
    """

    spans: tuple[Span, ...]
    start: int
    end: int
    fill: str = ""
    unit: int = -1
    wide: bool = False

    @property
    def text(self) -> str:
        """The line without styles."""
        return "".join(span.text for span in self.spans)

    @property
    def width(self) -> int:
        """Width in terminal cells."""
        return cells(self.spans)

    def shifted(self, by: int) -> "Line":
        """The line with all its places `by` code points further on."""
        spans = tuple(
            span if span.start < 0 else span._replace(start=span.start + by, end=span.end + by) for span in self.spans
        )
        return self._replace(spans=spans, start=self.start + by, end=self.end + by)


def cells(spans: Iterable[Span]) -> int:
    """Width of the spans together, in terminal cells."""
    return sum(cell_len(span.text) for span in spans)


def as_one(text: str, style: str, start: int, end: int) -> list[Span]:
    """`text` standing for all of `start` to `end` at once.

    Two spans where it happens to be as long as what it stands for, so that its length doesn't say otherwise.
    """
    if len(text) != end - start or len(text) < 2:
        return [Span(text, style, start, end)]
    return [Span(text[:-1], style, start, end), Span(text[-1], style, start, end)]


def merge(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The spans without empty ones, and with neighbours of the same style joined.

    Only those are joined that show neighbouring code points sign for sign, or nothing of the text.
    """
    merged: list[Span] = []
    for span in spans:
        text, style, start, end = span
        if not text:
            continue
        if merged:
            before, kind, begin, stop = merged[-1]
            if kind == style and (
                (begin < 0 and start < 0)
                or (0 <= stop == start and stop - begin == len(before) and end - start == len(text))
            ):
                merged[-1] = Span(before + text, style, begin, end)
                continue
        merged.append(span)
    return tuple(merged)


def chop(spans: Iterable[Span], room: int, width: int) -> list[tuple[Span, ...]]:
    """The spans cut into lines, blanks and all: the first at most `room` cells wide, the others `width`.

    Graphemes stay whole. The first is empty where not even one fits into `room`; `width` is at least 2.
    """
    text = _Text(spans)
    return text.cut(_chopped(text, max(0, room), width))


def fill(spans: Iterable[Span], width: int) -> list[tuple[Span, ...]]:
    """The spans as lines at most `width` cells wide, broken behind their last blanks, and within words without any.

    All blanks are shown. Graphemes stay whole; `width` is at least 2.
    """
    text = _Text(spans)
    return text.cut(_filled(text, width))


def wrap(spans: Iterable[Span], width: int, *, room: int | None = None) -> list[tuple[Span, ...]]:
    """The spans as lines at most `width` cells wide, broken at blanks, and within a word only if it is longer.

    Blanks at the ends of lines are left out. A run of them is shown as one, save in code.

    Args:
        spans: the text; a newline in it is a forced break.
        width: cells per line, at least 2.
        room: cells of the first line, where it differs from `width`.
    """
    text = _Text(_squeezed(spans))
    return text.cut(_broken(text, max(0, width if room is None else room), width))


class _Text:
    """Spans as one string that can be cut anywhere."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self.spans = [span for span in spans if span.text]
        self.text = "".join(span.text for span in self.spans)
        self._ends = list(accumulate(len(span.text) for span in self.spans))
        self.narrow = _NARROW.fullmatch(self.text.replace("\n", "")) is not None

    def cut(self, ranges: Iterable[tuple[int, int]]) -> list[tuple[Span, ...]]:
        """The spans of each of the ranges, which rise."""
        lines: list[tuple[Span, ...]] = []
        spans = self.spans
        number, begin = 0, 0
        for start, end in ranges:
            line: list[Span] = []
            while number < len(spans):
                span = spans[number]
                stop = begin + len(span.text)
                if stop > start:
                    line += _part(span, max(start - begin, 0), min(stop, end) - begin)
                if stop > end:
                    break
                number, begin = number + 1, stop
            lines.append(merge(line))
        return lines

    def runs(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The stretches of one style from `start` to `end`."""
        number = bisect_right(self._ends, start)
        while start < end:
            stop = min(end, self._ends[number])
            yield start, stop
            start, number = stop, number + 1

    def graphemes(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Where each grapheme begins, and its cells. One that changes its style within counts as two."""
        for at, stop in self.runs(start, end):
            for first, _, wide in split_graphemes(self.text[at:stop])[0]:
                yield at + first, wide


def _part(span: Span, first: int, last: int) -> list[Span]:
    """The characters `first` to `last` of a span, with their place in the text."""
    text, style, start, end = span
    if first <= 0 and last >= len(text):
        return [span]
    if start < 0:
        return [Span(text[first:last], style)]
    if end - start == len(text):
        return [Span(text[first:last], style, start + first, start + last)]
    return as_one(text[first:last], style, start, end)


def _squeezed(spans: Iterable[Span]) -> Iterator[Span]:
    """The spans with every run of blanks as one blank that stands for them all; those in code stay."""
    after_blank = False
    for span in spans:
        text, style, start, end = span
        if not text:
            continue
        if not style.endswith("code") and ("  " in text or (after_blank and text[0] == " ")):
            at = 0
            exact = end - start == len(text)
            for piece in _PIECE.findall(text):
                stop = at + len(piece)
                if piece[0] != " ":
                    yield from _part(span, at, stop)
                elif not (at == 0 and after_blank):
                    place = (start + at, start + stop) if exact and start >= 0 else (start, end)
                    yield Span(" ", style, *place)
                at = stop
        else:
            yield span
        after_blank = text[-1] == " "


def _broken(text: _Text, room: int, width: int) -> Iterator[tuple[int, int]]:
    begin = 0
    broken = _broken_narrow if text.narrow else _broken_wide
    while True:
        end = text.text.find("\n", begin)
        if end < 0:
            yield from broken(text, begin, len(text.text), room, width)
            return
        yield from broken(text, begin, end, room, width)
        begin, room = end + 1, width


def _broken_narrow(text: _Text, at: int, end: int, room: int, width: int) -> Iterator[tuple[int, int]]:
    """Lines of text where characters are cells: a line's end is looked for from the last place it may have."""
    signs = text.text
    while True:
        while at < end and signs[at] == " ":
            at += 1
        limit = at + room
        if limit >= end:
            yield at, _without_blanks(signs, at, end)
            return
        cut = limit if signs[limit] == " " else signs.rfind(" ", at, limit)
        # The word that reaches over the end of the line goes to the next one, unless it is longer than that.
        if cut < 0 or (limit - cut > _SHORT_ROOM and _word_end(signs, limit, end) - cut - 1 > width):
            yield at, limit
            at, room = limit, width
            continue
        yield at, _without_blanks(signs, at, cut)
        at, room = cut + 1, width


def _word_end(signs: str, at: int, end: int) -> int:
    stop = signs.find(" ", at, end)
    return end if stop < 0 else stop


def _without_blanks(signs: str, at: int, end: int) -> int:
    while end > at and signs[end - 1] == " ":
        end -= 1
    return end


def _broken_wide(text: _Text, at: int, end: int, room: int, width: int) -> Iterator[tuple[int, int]]:
    """Lines of text where characters have widths of their own: they are filled word by word."""
    begin = stop = at
    begun = False
    for first, last, wide in _words(text, at, end):
        left = room - (first - stop) if begun else room
        if begun and wide > left and (wide <= width or left < _SHORT_ROOM):
            yield begin, stop
            begun, left = False, width
        if not begun:
            begin = first
        begun, stop = True, last
        if wide <= left:
            room = left - wide
            continue
        for cut, size in text.graphemes(first, last):
            if size > left:
                yield begin, cut
                begin, left = cut, width
            left -= size
        room = left
    yield begin, stop


def _words(text: _Text, at: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Each word between the two characters: where it begins and ends, and its cells. It may change style within."""
    begin, last, wide = -1, -1, 0
    for start, stop in text.runs(at, end):
        for found in _PIECE.finditer(text.text, start, stop):
            piece = found[0]
            if piece[0] == " ":
                continue
            if found.start() == last:
                last = found.end()
                wide += cell_len(piece)
                continue
            if last >= 0:
                yield begin, last, wide
            begin, last = found.span()
            wide = cell_len(piece)
    if last >= 0:
        yield begin, last, wide


def _filled(text: _Text, width: int) -> Iterator[tuple[int, int]]:
    begin, end = 0, len(text.text)
    if text.narrow:
        while end - begin > width:
            cut = text.text.rfind(" ", begin, begin + width) + 1 or begin + width
            yield begin, cut
            begin = cut
    else:
        behind = 0  # the last blank
        used = word = 0  # cells of the line, and of what stands behind that blank
        for at, size in text.graphemes(0, end):
            if used + size > width:
                cut, used = (behind, word) if begin < behind else (at, 0)
                yield begin, cut
                begin = cut
            used, word = used + size, word + size
            if text.text[at] == " ":
                behind, word = at + 1, 0
    yield begin, end


def _chopped(text: _Text, room: int, width: int) -> Iterator[tuple[int, int]]:
    begin, left = 0, room
    end = len(text.text)
    if text.narrow:
        for cut in range(room, end, width):
            yield begin, cut
            begin = cut
    else:
        for cut, size in text.graphemes(0, end):
            if size > left:
                yield begin, cut
                begin, left = cut, width
            left -= size
    yield begin, end
