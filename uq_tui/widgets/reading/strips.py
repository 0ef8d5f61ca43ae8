"""Rows of a reading view as strips of the terminal, kept while they look the same."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual.cache import LRUCache
from textual.geometry import Offset
from textual.strip import Strip

from uq_tui.document.drawing.lines import Span
from uq_tui.state.reading.lines.highlights import Mark, paint
from uq_tui.state.reading.lines.sideways import cut_sideways
from uq_tui.state.reading.lines.view import Row

FAR = 1 << 24
"""Columns from here on say that a cell stands for the code point `y`, else it shows the code point `y + x`."""


class Margin(NamedTuple):
    """What stands before a row, each with its style."""

    parts: tuple[tuple[str, str], ...] = ()


NO_MARGIN = Margin()


def offset_of(place: Offset) -> int:
    """The code point of the source that the mouse was at. Textual hands back what the strips told it."""
    return place.y if place.x >= FAR else place.y + place.x


def place_of(offset: int) -> Offset:
    """What stands for a code point where Textual wants a place."""
    return Offset(FAR, offset)


class Strips:
    """Draws rows. `style` gives a style by its names, with blanks between."""

    def __init__(self, style: Callable[[str], Style]) -> None:
        self._style = style
        self._kept: LRUCache[object, Strip] = LRUCache(256)

    def clear(self) -> None:
        """Forget what was drawn."""
        self._kept.clear()

    def blank(self, width: int) -> Strip:
        """A row of nothing."""
        return Strip.blank(width, self._style(""))

    def strip(
        self,
        row: Row,
        width: int,
        margin: Margin,
        sideways: int,
        marks: Sequence[Mark],
        around: tuple[int, int] = (0, 0),
    ) -> Strip:
        """A row, `width` cells wide and what is `around`.

        Args:
            row: the line and where it stands.
            width: cells, the margin's included.
            margin: what stands before the line.
            sideways: cells by which wide lines are scrolled.
            marks: what is marked of the line, in code points of the source.
            around: blanks on the left and on the right.
        """
        left = sideways if row.line.wide else 0
        key = (row.key, row.fold, row.nth, width, margin, left, tuple(marks), around)
        strip = self._kept.get(key)
        if strip is None:
            strip = self._draw(row, width, margin, left, marks)
            if any(around):
                before, behind = (Segment(" " * blanks, self._style("")) for blanks in around)
                strip = Strip([before, *strip, behind], width + sum(around))
            self._kept[key] = strip
        return strip

    def _draw(self, row: Row, width: int, margin: Margin, left: int, marks: Sequence[Mark]) -> Strip:
        line, base = row.line, row.base
        begin, end = base + line.start, base + line.end
        segments = [Segment(text, self._placed(style, FAR, begin)) for text, style in margin.parts]
        spans = paint(line.spans, [mark._replace(start=mark.start - base, end=mark.end - base) for mark in marks])
        if line.wide:
            spans = cut_sideways(spans, left, width - sum(len(text) for text, _ in margin.parts))
        behind = begin
        for number, span in enumerate(spans):
            if span.start < 0:
                after = next((one.start for one in spans[number:] if one.start >= 0), None)
                segments.append(
                    Segment(span.text, self._placed(span.style, FAR, behind if after is None else base + after))
                )
            else:
                segments += self._shown(span, base)
                behind = base + span.end
        cells = sum(segment.cell_length for segment in segments)
        if cells < width:
            segments.append(Segment(" " * (width - cells), self._placed(line.fill, FAR, end)))
        return Strip(segments).adjust_cell_length(width, self._style(line.fill))

    def _shown(self, span: Span, base: int) -> list[Segment]:
        text, style, start, end = span
        if len(text) <= end - start:
            # Of a formula the signs count from its beginning: a place within it stands for all of it.
            return [Segment(text, self._placed(style, 0, base + start))]
        half = len(text) // 2
        return [
            Segment(text[:half], self._placed(style, FAR, base + start)),
            Segment(text[half:], self._placed(style, FAR, base + end)),
        ]

    def _placed(self, style: str, x: int, y: int) -> Style:
        return self._style(style) + Style.from_meta({"offset": (x, y)})
