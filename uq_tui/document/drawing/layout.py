"""A segment of a text laid out to lines of a given width."""

from uq_tui.document.drawing.blocks import block_lines
from uq_tui.document.drawing.lines import Line
from uq_tui.document.drawing.placed import Setting
from uq_tui.document.markup.context import Context
from uq_tui.document.markup.parse import parse
from uq_tui.document.markup.scan import Segment

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
