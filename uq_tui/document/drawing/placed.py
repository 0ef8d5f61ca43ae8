"""Pieces of a text into spans that know their places, clean for the terminal."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from uq_tui.document.drawing.lines import Span, as_one
from uq_tui.document.markup.context import Context
from uq_tui.document.maths.readable import one_line
from uq_tui.text import clean_line, clean_parts

_TAB = 4
_TABBED = re.compile(r"\t|[^\t]+")
_BLANKS = re.compile(r"[ \t\n]{2,}")
_BLANK = str.maketrans("\t\n", "  ")


class Setting(NamedTuple):
    """What a piece of text is drawn from, beside its tokens.

    Places count in `text`, which begins at code point `start` of all that is read.
    """

    text: str
    start: int
    context: Context

    def formula(self, latex: str, at: int) -> str:
        """The formula that stands at `at`, in one line."""
        return one_line(latex, definitions=self.context.definitions, at=self.start + at)

    def pieces(self, content: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
        r"""Content in pieces with their places: that of a cell lacks the backslash of any `\|` in it.

        A piece is as long as its place where it stands there sign for sign. What isn't so explained is one piece.
        """
        source = self.text[start:end]
        if len(source) == len(content) or source.replace(r"\|", "|") != content:
            yield content, start, end
            return
        for number, piece in enumerate(source.split(r"\|")):
            if number:
                yield "|", start, start + 2
                start += 2
            if piece:
                yield piece, start, start + len(piece)
                start += len(piece)

    def found(self, shown: str, style: str, start: int, end: int) -> list[Span]:
        """`shown`, sign for sign where it stands so between `start` and `end`, else for all of that as one."""
        at = self.text.find(shown, start, end) if shown else -1
        if at >= 0:
            return list(prose(shown, at, style))
        return as_one(clean_line(shown), style, start, end)


def prose(text: str, start: int, style: str = "") -> Iterator[Span]:
    """Text that stands at `start` sign for sign: each run of blanks, tabs and line ends becomes a blank."""
    if text.isascii() and text.isprintable() and "  " not in text:
        yield Span(text, style, start, start + len(text))
        return
    for shown, begin, end in clean_parts(text):
        if shown != text[begin:end]:
            yield from as_one(shown if shown != "\n" else " ", style, start + begin, start + end)
            continue
        at = begin
        for blanks in _BLANKS.finditer(text, begin, end):
            yield Span(text[at : blanks.start()].translate(_BLANK), style, start + at, start + blanks.start())
            yield Span(" ", style, start + blanks.start(), start + blanks.end())
            at = blanks.end()
        yield Span(text[at:end].translate(_BLANK), style, start + at, start + end)


def code(text: str, start: int, style: str, column: int = 0) -> Iterator[Span]:
    """A stretch of a line of code that stands at `start` sign for sign: blanks stay, tabs become blanks.

    `column` is the one it begins in, in characters: a tab reaches to the next multiple of four.
    """
    if text.isascii() and text.isprintable():
        yield Span(text, style, start, start + len(text))
        return
    for shown, begin, end in clean_parts(text):
        if shown != text[begin:end]:
            yield from as_one(shown, style, start + begin, start + end)
            column += len(shown)
            continue
        at = start + begin
        for piece in _TABBED.findall(shown):
            tab = piece == "\t"
            drawn = " " * (_TAB - column % _TAB) if tab else piece
            yield Span(drawn, style, at, at + len(piece))
            column += len(drawn)
            at += len(piece)
