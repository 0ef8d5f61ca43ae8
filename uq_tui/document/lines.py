"""Laid-out lines, and the wrapping of styled text to a width in terminal cells."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rich.cells import cell_len, split_graphemes

STYLES = ("heading", "strong", "emphasis", "strike", "code", "math", "quote", "link", "dim", "table")
"""Every style name. A span's style is any number of these with blanks between; none is plain text."""

_PIECE = re.compile(r" +|[^ ]+")
_SHORT_ROOM = 8
"""A word longer than a line begins on the line before it where at least this many cells are left."""


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
    """One line as it is shown, and where in the source it comes from.

    `first` and `last` are source line numbers from 0, `last` not included. `fill` is the style of the rest of the row.
    """

    spans: tuple[Span, ...]
    first: int
    last: int
    fill: str = ""

    @property
    def text(self) -> str:
        """The line without styles."""
        return "".join(span.text for span in self.spans)

    @property
    def width(self) -> int:
        """Width in terminal cells."""
        return sum(cell_len(span.text) for span in self.spans)


class Heading(NamedTuple):
    """A heading and the number of the laid-out line it begins on."""

    level: int
    text: str
    line: int


class Document(NamedTuple):
    """A laid-out text."""

    lines: tuple[Line, ...]
    headings: tuple[Heading, ...]


def merge(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The spans with neighbours of the same style joined and empty ones left out."""
    merged: list[Span] = []
    for text, style, *_ in spans:
        if not text:
            continue
        if merged and merged[-1].style == style:
            merged[-1] = Span(merged[-1].text + text, style)
        else:
            merged.append(Span(text, style))
    return tuple(merged)


def chop(text: str, room: int, width: int) -> Iterator[str]:
    """`text` cut into parts: the first at most `room` cells wide, the others `width`; graphemes stay whole.

    A part is empty where not even one grapheme fits into `room`; `width` is at least 2.
    """
    room = max(0, room)
    if text.isascii():
        cuts = [0, *range(room, len(text), width)] if room < len(text) else [0]
        yield from (text[start:end] for start, end in zip(cuts, [*cuts[1:], len(text)], strict=True))
        return
    start, used = 0, 0
    for begin, _, cells in split_graphemes(text)[0]:
        if used + cells > room:
            yield text[start:begin]
            start, used, room = begin, 0, width
        used += cells
    yield text[start:]


def wrap(spans: Iterable[Span], width: int, *, room: int | None = None) -> list[tuple[Span, ...]]:
    """The spans as lines at most `width` cells wide, broken at blanks, and within a word only if it is longer.

    Args:
        spans: the text; a newline in it is a forced break.
        width: cells per line, at least 2.
        room: cells of the first line, where it differs from `width`.
    """
    wrapper = _Wrapper(width, width if room is None else room)
    for text, style, *_ in spans:
        for number, line in enumerate(text.split("\n")):
            if number:
                wrapper.break_line()
            for piece in _PIECE.findall(line):
                if piece[0] == " ":
                    wrapper.add_blank(piece, style)
                else:
                    wrapper.add_word(piece, style)
    return wrapper.finish()


class _Wrapper:
    def __init__(self, width: int, room: int) -> None:
        self._width = width
        self._room = room
        self._lines: list[tuple[Span, ...]] = []
        self._line: list[Span] = []
        self._word: list[Span] = []
        self._word_cells = 0
        self._blank: Span | None = None

    def add_word(self, text: str, style: str) -> None:
        """Add to the word that is being put together: it may change style in its middle."""
        self._word.append(Span(text, style))
        self._word_cells += cell_len(text)

    def add_blank(self, text: str, style: str) -> None:
        self._place_word()
        self._blank = Span(text if style.endswith("code") else " ", style)

    def break_line(self) -> None:
        self._place_word()
        self._lines.append(merge(self._line))
        self._line, self._room, self._blank = [], self._width, None

    def finish(self) -> list[tuple[Span, ...]]:
        self.break_line()
        return self._lines

    def _place_word(self) -> None:
        if not self._word:
            return
        word, cells = self._word, self._word_cells
        self._word, self._word_cells = [], 0
        blank = self._blank if self._line and self._blank else None
        self._blank = None
        room = self._room - (len(blank.text) if blank else 0)
        if cells > room and self._line and (cells <= self._width or room < _SHORT_ROOM):
            self.break_line()
            blank, room = None, self._width
        if blank:
            self._line.append(blank)
        if cells <= room:
            self._line += word
            self._room = room - cells
            return
        self._room = room
        for text, style, *_ in word:
            for number, part in enumerate(chop(text, self._room, self._width)):
                if number:
                    self.break_line()
                self._line.append(Span(part, style))
                self._room -= cell_len(part)
