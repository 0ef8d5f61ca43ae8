"""A text laid out for standard output: lines of the reading view, with numbers of units and marks where asked for."""

import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rich.console import Console
from rich.text import Text

from uq_tui.document.drawing.layout import lay_out_segment
from uq_tui.document.drawing.lines import Line
from uq_tui.document.markup.scan import Scan
from uq_tui.document.ranges import Range

MEASURE = 110
"""Columns of a text on a terminal that is wider, as in the app."""
ELSEWHERE = 80
"""Columns of a text in a file or pipe."""
NARROWEST, WIDEST = 20, 400

_STYLES = {
    "heading": "bold blue",
    "strong": "bold",
    "emphasis": "italic",
    "strike": "strike",
    "code": "cyan",
    "math": "blue",
    "quote": "magenta",
    "link": "underline",
    "dim": "dim",
    "table": "dim",
    "label": "dim",
    "keyword": "bold cyan",
    "string": "green",
    "comment": "dim",
    "number": "yellow",
    "name": "cyan",
    "punctuation": "cyan",
}
_FOUND = "reverse"


class Laid(NamedTuple):
    """A line, its place in the source, and the number of its unit: 0 where it is of none."""

    line: Line
    start: int
    end: int
    unit: int


def width_of(given: int | None) -> int:
    """The width asked for, else that of the terminal up to `MEASURE`, else that of files."""
    if given is not None:
        return given
    if not sys.stdout.isatty():
        return ELSEWHERE
    return max(NARROWEST, min(MEASURE, Console(file=sys.stdout, markup=False).width))


def laid_out(source: str, width: int) -> Iterator[Laid]:
    """The lines of a text, as they are shown; a blank one between segments."""
    change = Scan().feed(source)
    lines: tuple[Line, ...] = ()
    for segment in change.segments:
        if lines:
            yield Laid(Line((), 0, 0), segment.start, segment.start, 0)
        lines = lay_out_segment(source[segment.start : segment.end], segment, width, change.context)
        for line in lines:
            number = segment.number + line.unit if line.unit >= 0 else 0
            yield Laid(line, segment.start + line.start, segment.start + line.end, number)


def touching(start: int, end: int, found: Sequence[Range]) -> Sequence[Range]:
    """The ranges, in order and apart from each other, that have something between two places of the source."""
    first = bisect_right(found, start, key=lambda one: one.end)
    return found[first : bisect_left(found, end, lo=first, key=lambda one: one.start)]


def as_text(laid: Laid, found: Sequence[Range] = ()) -> Text:
    """A line with its styles; what shows something of the ranges is reversed."""
    text = Text(no_wrap=True)
    base = laid.start - laid.line.start
    for span in laid.line.spans:
        style = " ".join(_STYLES[name] for name in span.style.split() if name in _STYLES)
        start, end = base + span.start, base + span.end
        at = len(text)
        text.append(span.text, style or None)
        for one in found if span.start >= 0 else ():
            if one.start < end and start < one.end:
                exact = span.end - span.start == len(span.text)
                text.stylize(
                    _FOUND,
                    at + (max(0, one.start - start) if exact else 0),
                    at + (min(end, one.end) - start if exact else len(span.text)),
                )
    return text


def write_lines(lines: Iterator[Text]) -> None:
    """Lines on standard output, each as long as it is; styles on a terminal only."""
    console = Console(file=sys.stdout, markup=False, highlight=False, emoji=False, soft_wrap=True)
    for line in lines:
        line.rstrip()
        console.print(line)
