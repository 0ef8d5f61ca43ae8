"""Blocks of code, and text too deep to be read, to rows of spans."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from markdown_it.token import Token

from uq_tui.document.drawing.code import Stretch, language_of, stretches
from uq_tui.document.drawing.lines import Span, cells, chop, wrap
from uq_tui.document.drawing.placed import Setting, code
from uq_tui.document.markup.parse import PROSE

_BAR = Span("│ ", "dim")
_CONTINUED = Span("↪ ", "dim code")
_ENDLESS = 1 << 40


class Row(NamedTuple):
    """A row of spans, where the line of text that it is of begins, and whether it is filled as code is."""

    spans: tuple[Span, ...]
    start: int
    filled: bool = True


def code_rows(token: Token, room: int, setting: Setting) -> Iterator[Row]:
    """The rows of a block of code in `room` cells, its language before it."""
    info = token.info.strip()
    if info and info != PROSE:
        start, end = token.meta["info"]
        label = setting.found(info, "dim", start, end)
        for part in chop(label, room - cells([_BAR]), room - cells([_BAR])):
            yield Row((_BAR, *part), start, filled=False)
    content = token.content.removesuffix("\n")
    parts = stretches(content, language_of(info))
    lines = _lines(content, token.meta["lines"] or [token.meta["at"][0]], parts)
    for spans, start in lines:
        for number, row in enumerate(_broken(spans, room - cells([_BAR]), at_blanks=info == PROSE)):
            yield Row((_BAR, _CONTINUED, *row) if number else (_BAR, *row), start)


def plain_rows(token: Token, room: int) -> Iterator[Row]:
    """The rows of plain text in `room` cells."""
    content = token.content.removesuffix("\n")
    for spans, start in _lines(content, token.meta["lines"], (Stretch(0, len(content), ""),), style=""):
        for row in wrap(spans, room):
            yield Row(row, start)


def _broken(spans: Sequence[Span], room: int, *, at_blanks: bool) -> Iterable[tuple[Span, ...]]:
    width = room - cells([_CONTINUED])
    if not at_blanks:
        return chop(spans, room, width)
    text = "".join(span.text for span in spans)
    indent = min(len(text) - len(text.lstrip(" ")), room // 2)
    before, *rest = chop(spans, indent, _ENDLESS)
    first, *others = wrap((span for part in rest for span in part), width, room=room - indent)
    return [(*before, *first), *others]


def _lines(
    content: str, places: Sequence[int], parts: Iterable[Stretch], style: str = "code"
) -> Iterator[tuple[list[Span], int]]:
    """Each line of the content as spans in their styles, and where it begins in the text."""
    ends = iter(parts)
    part = next(ends, Stretch(0, len(content), ""))
    begin = 0
    for number, line in enumerate(content.split("\n")):
        start = places[number]
        end = begin + len(line)
        spans: list[Span] = []
        at, column = begin, 0
        while at < end:
            while part.end <= at:
                part = next(ends)
            stop = min(part.end, end)
            name = f"{part.style} {style}".strip()
            drawn = list(code(content[at:stop], start + at - begin, name, column))
            column += sum(len(span.text) for span in drawn)
            spans += drawn
            at = stop
        yield spans, start
        begin = end + 1
