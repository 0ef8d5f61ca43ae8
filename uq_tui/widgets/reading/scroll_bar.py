"""A scroll bar that is drawn fast: the one beside a text is drawn anew for every line that the text is scrolled by."""

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region
from textual.scrollbar import ScrollBar, ScrollBarRender
from textual.strip import Strip


class PlainScrollBar(ScrollBar):
    """Textual's vertical one, without edges. Each of its rows would be composed, cut and filtered by itself."""

    def render_lines(self, crop: Region) -> list[Strip]:
        """As Textual draws it."""
        bar, (width, height) = self.render(), self.size
        if not isinstance(bar, ScrollBarRender) or not isinstance(bar.style, Style):
            return super().render_lines(crop)
        back, grip = bar.style.bgcolor, bar.style.color
        assert back is not None
        assert grip is not None
        rows = bar.render_bar(
            size=height, virtual_size=bar.virtual_size, window_size=bar.window_size, position=bar.position,
            thickness=width, vertical=True, back_color=back, bar_color=grip,
        ).segments  # fmt: skip
        ground = self.visual_style.rich_style
        drawn: dict[int, Strip] = {}  # most rows are one and the same segment
        filters, background = self.get_line_filters(), self.background_colors[1]
        for segment in rows:
            if id(segment) not in drawn:
                strip = Strip([Segment(segment.text, ground + segment.style)], width)
                for line_filter in filters:
                    strip = strip.apply_filter(line_filter, background)
                drawn[id(segment)] = strip.crop(*crop.column_span)
        return [drawn[id(segment)] for segment in list(rows)[crop.y : crop.bottom]]
