"""The source itself as lines: what the reading view shows on request in place of what it reads as."""

from bisect import bisect_right
from collections.abc import Iterator

from uq_tui.document.drawing.lines import Line, Span, as_one, fill
from uq_tui.document.markup.scan import Segment
from uq_tui.text import clean_parts

TAB = 4
"""Cells from one tab stop to the next."""


def source_lines(text: str, segment: Segment, width: int) -> tuple[Line, ...]:
    """A segment's source, line by line, broken behind blanks where it is wider than `width` cells, else within words.

    Args:
        text: the segment's part of the source. Places in the lines count from its beginning.
        segment: says where its units are.
        width: cells per line, at least 2.
    """
    starts = [unit.start for unit in segment.units]
    lines: list[Line] = []
    at = 0
    for row in text.removesuffix("\n").split("\n"):
        unit = bisect_right(starts, at + len(row) - len(row.lstrip())) - 1
        if not row.strip() or (unit >= 0 and at >= segment.units[unit].end):
            unit = -1
        for spans in fill(_spans(row, at), width):
            placed = [span for span in spans if span.start >= 0]
            start, end = (placed[0].start, placed[-1].end) if placed else (at, at)
            lines.append(Line(spans, start, end, unit=unit))
        at += len(row) + 1
    return tuple(lines)


def _spans(row: str, at: int) -> Iterator[Span]:
    cells = 0
    for shown, start, end in clean_parts(row):
        if end - start != len(shown):
            yield from as_one(shown, "dim", at + start, at + end)
            cells += len(shown)
            continue
        for piece in shown.split("\t"):
            if piece:
                yield Span(piece, "", at + start, at + start + len(piece))
                start, cells = start + len(piece), cells + len(piece)
            if start < end:
                blanks = TAB - cells % TAB
                yield from as_one(" " * blanks, "", at + start, at + start + 1)
                start, cells = start + 1, cells + blanks
