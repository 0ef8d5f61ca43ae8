"""A segment of a text laid out to lines of a given width; a short text at once."""

from uq_tui.document.drawing.blocks import block_lines
from uq_tui.document.drawing.lines import Document, Line
from uq_tui.document.drawing.placed import Setting
from uq_tui.document.markup.context import Context
from uq_tui.document.markup.parse import parse
from uq_tui.document.markup.scan import Scan, Segment

MIN_WIDTH = 16
"""A narrower width is taken for this one, in cells."""


def lay_out_segment(text: str, segment: Segment, width: int, context: Context) -> tuple[Line, ...]:
    """The lines of a segment, with a blank one between any two of its blocks. Pure; never raises on any text.

    Args:
        text: the segment's, from `segment.start` to `segment.end`. Places in the lines count in it.
        segment: which segment it is.
        width: cells per line.
        context: of the whole text.
    """
    tokens, _ = parse(text, context.references, context.footnotes)
    setting = Setting(text, segment.start, context)
    return tuple(block_lines(tokens, max(MIN_WIDTH, width), setting, segment.units))


def lay_out(source: str, width: int) -> Document:
    """`source`, which is Markdown with mathematics, laid out to `width` cells: for texts that are short.

    Places count in `source`. A line's unit is the index among the units of all segments.
    """
    change = Scan().feed(source)
    lines: list[Line] = []
    units = 0
    for segment in change.segments:
        drawn = lay_out_segment(source[segment.start : segment.end], segment, width, change.context)
        if lines and drawn:
            at = max(lines[-1].start, segment.start)
            lines.append(Line((), at, at))
        for line in drawn:
            unit = line.unit + units if line.unit >= 0 else -1
            lines.append(line.shifted(segment.start)._replace(unit=unit))
        units += len(segment.units)
    headings = tuple(
        heading._replace(start=heading.start + segment.start)
        for segment in change.segments
        for heading in segment.headings
    )
    return Document(tuple(lines), headings)
