"""A text on the line API, laid out where it is looked at.

Only segments that are in sight are laid out, and a single one that is too long to be laid out between two keys in a
thread. The number of a line changes when something above it is laid out: what stands at the top is held in its place.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rich.style import Style
from textual import events, on, work
from textual.css.styles import RenderStyles
from textual.dom import DOMNode
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive, var
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollBar, ScrollTo
from textual.strip import Strip
from textual.timer import Timer

from uq_tui.document.drawing.lines import Line
from uq_tui.document.markup.scan import Change
from uq_tui.document.markup.units import Heading, Unit
from uq_tui.state.reading.lines.highlights import Highlights
from uq_tui.state.reading.lines.shelf import Task
from uq_tui.state.reading.lines.view import View
from uq_tui.widgets.reading import looks
from uq_tui.widgets.reading.intake import Intake
from uq_tui.widgets.reading.margin import margin_of, margin_width
from uq_tui.widgets.reading.scroll_bar import PlainScrollBar
from uq_tui.widgets.reading.strips import Strips

MEASURE = 110
"""Lines are no longer than this, in cells, however wide the view: longer ones are hard to read."""
AHEAD_AFTER = 0.01
"""Seconds between two segments that are laid out before they are in sight."""
NUMBERED_FROM = 46
"""Cells of a view that has room for numbers in the margin."""


class TextPane(Intake, can_focus=True, inherit_bindings=False):
    """Shows the lines of a text, and scrolls."""

    numbers: var[bool | None] = var[bool | None](None)
    """Whether units are numbered in the margin; `None` for where a stored text is shown and there is room."""
    unit_at: reactive[int | None] = reactive[int | None](None, repaint=False)
    """The unit that the cursor is on."""
    sideways: reactive[int] = reactive(0)
    """Cells by which wide lines are scrolled."""

    @dataclass
    class LaidOut(Message, bubble=False):
        """The thread has laid out a long segment."""

        generation: int
        task: Task
        lines: tuple[Line, ...] | None
        """`None` where that failed, which is told by itself."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.highlights = Highlights()
        self._view = View()
        self.pinned = False
        """Somebody selects by keys: a growing text is not followed to its end."""
        self._laying_out = False
        self._ahead: Timer | None = None
        self._aim: tuple[int, int] | None = None
        """A code point to be scrolled to as soon as it is scanned, and how many lines are to stay above it."""
        self._held: tuple[int, int] | None = None
        """The line that it was scrolled to, and the code point that it was to show."""
        self._marks: Mapping[int, str] = {}
        self._headings: tuple[Heading, ...] | None = ()
        self._units: tuple[Unit, ...] | None = ()
        self._strips = Strips(self._style)
        self._styles_by_name: dict[str, Style] = {}

    # The text

    @property
    def headings(self) -> tuple[Heading, ...]:
        """The headings scanned so far, their places in the source."""
        if self._headings is None:
            self._headings = self._view.headings()
        return self._headings

    @property
    def units(self) -> tuple[Unit, ...]:
        """The units scanned so far, their places in the source. The number of each is its index and one."""
        if self._units is None:
            self._units = self._view.units()
        return self._units

    @property
    def text(self) -> str:
        """All lines as they are shown, without blanks at their ends. Lays the whole text out: not for long ones."""
        self._view.last(len(self.source) + 1)
        rows = (self._view.row(y) for y in range(self._view.height))
        return "\n".join(row.line.text.rstrip() for row in rows if row is not None)

    @property
    def busy(self) -> bool:
        """Whether there is text that is not scanned yet, or not laid out where it is looked at."""
        return super().busy or self._laying_out

    def begin(self, *, same: bool) -> None:
        """Begin at the top, or stay at the place."""
        self._aim = (self.top_offset, 0) if same else (0, 0)
        self._laying_out = False
        self._view.clear()
        self._strips.clear()
        self._headings, self._units = (), ()
        self.highlights.clear()
        self._marks = {}
        self.set_reactive(TextPane.unit_at, None)
        self.set_reactive(TextPane.sideways, 0)

    def take(self, change: Change) -> None:
        """Draw what has become another text, and follow its end where it was in sight."""
        to_end = self._follow and not self.pinned and self.is_vertical_scroll_end and self._aim is None
        if self.pinned and self._aim is None:  # what is at the top may be of a segment that is cut anew
            self._aim = (self._hold(), 0)
        first = self._view.feed(self.source, change)
        self._headings = self._units = None
        if self._fit():
            first = 0
            self._aim = None if to_end else self._aim
        self._arrange(to_end=to_end)
        if self._view.width:
            top = self.scroll_offset.y
            self.refresh_lines(max(first, top), self.size.height)

    # Laying out

    @property
    def _rows(self) -> int:
        return max(1, self.scrollable_content_region.height)

    def _arrange(self, *, to_end: bool = False) -> None:
        """Lay out what is in sight, and have the scroll bar and the place follow."""
        view, rows = self._view, self._rows
        if not view.width:
            return
        top = self.scroll_offset.y
        if self._aim is not None and (not self._scanning or self._aim[0] <= self._scanned_to):
            top = self._reach(*self._aim)
        elif to_end:
            top = view.last(rows)
        top = view.prepare(top, rows)
        if top + rows >= view.height:
            top = min(top, view.last(rows))
        self._grow_to(Size(self.size.width, view.height))
        self._put(top)
        if not self._laying_out and (task := view.next_task()) is not None:
            self._laying_out = True
            self._lay_out(task, self._generation)
        if self._ahead is None and self.is_attached:
            self._ahead = self.set_timer(AHEAD_AFTER, self._look_ahead)

    def _look_ahead(self) -> None:
        """Lay out the pages on both sides while nothing else is to be done, so that the next key finds them."""
        self._ahead = None
        if self._view.width and self._view.look_ahead(self.scroll_offset.y, self._rows):
            self._ahead = self.set_timer(AHEAD_AFTER, self._look_ahead)

    @property
    def _scanned_to(self) -> int:
        return self._view.segments[-1].start if self._view.segments else 0

    def _reach(self, offset: int, above: int) -> int:
        """The line to begin with so that so many are above a code point's."""
        self._aim = None
        self._view.open(offset)
        top = self._view.line_of(offset)
        if above:
            return self._view.above(top, above)
        self._held = (top, offset)
        return top

    def _fit(self) -> bool:
        """Give the lines the width that there is; whether they have changed."""
        room = min(self.scrollable_content_region.width, MEASURE + self._margin_width)
        width = max(0, room - self._margin_width)
        if not width or width == self._view.width:
            return False
        if self._aim is None:
            self._aim = (self._hold(), 0)
        self._view.resize(width)
        self._strips.clear()
        return True

    def _hold(self) -> int:
        """The code point that the reader is at: the one scrolled to, as long as nobody has scrolled further."""
        top = self.scroll_offset.y
        return self._held[1] if self._held is not None and self._held[0] == top else self._view.offset_of(top)

    @property
    def top_offset(self) -> int:
        """The code point of the source that the top line begins with."""
        return self._aim[0] if self._aim is not None else self._hold()

    @work(thread=True, group="lay-out", exit_on_error=False)
    def _lay_out(self, task: Task, generation: int) -> None:
        lines: tuple[Line, ...] | None = None
        try:
            lines = task.work()
        finally:
            self.post_message(self.LaidOut(generation, task, lines))

    @on(LaidOut)
    def _take_laid_out(self, event: LaidOut) -> None:
        if event.generation == self._generation:
            at_end = self.is_vertical_scroll_end
            self._laying_out = False
            if event.lines is not None:
                self._view.keep(event.task, event.lines)
            self._strips.clear()
            self._arrange(to_end=self._follow and not self.pinned and at_end)
            self.refresh()

    def _grow_to(self, size: Size) -> None:
        """Take a new virtual size. While text streams in, only the scroll bar has to follow.

        Setting `virtual_size` lays the whole screen out and paints it anew: 10 ms, twenty times a second.
        """
        if size == self.virtual_size:
            return
        scrolls = size.height > self.scrollable_content_region.height
        if size.width == self.virtual_size.width and scrolls == self.show_vertical_scrollbar:
            self.set_reactive(ScrollView.virtual_size, size)
            if scrolls:
                self.vertical_scrollbar.window_virtual_size = size.height
        else:
            self.virtual_size = size

    def _put(self, top: int) -> None:
        """Be at a line without having moved: what is above it has become longer or shorter."""
        if top != self.scroll_y:
            self.set_reactive(TextPane.scroll_y, float(top))
            self.set_reactive(TextPane.scroll_target_y, float(top))
            if self.show_vertical_scrollbar:
                self.vertical_scrollbar.position = top
            self.refresh()
            self.moved()

    def on_resize(self, event: events.Resize) -> None:
        """A new width means new lines."""
        self._refit()

    def watch_numbers(self) -> None:
        """Make room for the margin, or use it."""
        self._refit()

    def _refit(self) -> None:
        self._fit()
        self._arrange()
        self.refresh()

    # Scrolling

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Lay out what comes into sight. What was in sight stays whole where one scrolls up by less than a page."""
        super().watch_scroll_y(old_value, new_value)
        old, new = round(old_value), round(new_value)
        if old == new:
            return
        self._aim = None
        if new < old <= new + self._rows and (top := self._view.above(old, old - new)) != new:
            self._put(top)
        self._arrange()
        self.moved()

    def moved(self) -> None:
        """Another line is at the top."""

    def scroll_by(self, lines: int) -> None:
        """Scroll by so many lines, whatever has to be laid out on the way."""
        top = self.scroll_offset.y
        if lines > 0:
            self.scroll_to_line(self._view.prepare(top, lines + self._rows) + lines)
        else:
            self.scroll_to_line(self._view.above(top, -lines))

    def line_of(self, offset: int) -> int | None:
        """The line that shows a place of the source, or the fold that hides it; `None` while that can't be told."""
        return self._view.line_of(offset) if self._view.width and not self.busy else None

    def scroll_to_line(self, line: int) -> None:
        """Have a line at the top, or the last page in sight."""
        self._aim = None
        self._grow_to(Size(self.size.width, self._view.height))
        self.scroll_to(y=line, animate=False, force=True)

    def on_scroll_to(self, event: ScrollTo) -> None:
        """Follow the scroll bar without an animation: that would run towards a line whose number changes."""
        event.stop()
        event.prevent_default()
        if event.y is not None:
            self.scroll_to_line(round(event.y))

    @property
    def vertical_scrollbar(self) -> ScrollBar:
        """The scroll bar, made when it is first asked for, as Textual does."""
        bar = self._vertical_scrollbar
        if bar is None:
            bar = PlainScrollBar(vertical=True, name="vertical", thickness=self.scrollbar_size_vertical)
            self._vertical_scrollbar = bar
            bar.display = False
            self.app._start_widget(self, bar)
        return bar

    # Drawing

    @property
    def _margin_width(self) -> int:
        numbered, stored = self.numbers, bool(self._readable.texts)
        if numbered is None:
            numbered = stored and self.size.width >= NUMBERED_FROM
        # A text that can be marked has the margin from the start: it must not move when its marks have been read.
        return margin_width(self._view.unit_count, numbered=numbered, marked=stored or self.unit_at is not None)

    def render_lines(self, crop: Region) -> list[Strip]:
        """As Textual draws them. It makes a new strip of every row for every frame, and cuts and filters that anew."""
        if self._fit():  # the first frame of another size is drawn before that is told
            self._arrange()
        region, (top, _, bottom, left) = self.region, self.styles.gutter
        right = region.width - left - self.size.width
        if right < 0 or not self._plain:
            return super().render_lines(crop)
        first, last = max(crop.y, top), min(crop.bottom, region.height - bottom)
        strips = self._rows_of(range(first - top, last - top), (left, right))
        background = self.background_colors[1]
        for line_filter in self.get_line_filters():
            strips = [strip.apply_filter(line_filter, background) for strip in strips]
        if crop.column_span != (0, region.width):
            strips = [strip.crop(*crop.column_span) for strip in strips]
        above, below = (
            Region(crop.x, crop.y, crop.width, first - crop.y),
            crop._replace(y=last, height=crop.bottom - last),
        )
        return [
            *(super().render_lines(above) if above.height > 0 else ()),
            *strips,
            *(super().render_lines(below) if below.height > 0 else ()),
        ]

    @property
    def _plain(self) -> bool:
        """Whether there is nothing but blanks on either side of the rows, and nothing over them."""
        styles = self.styles
        edges = styles.border_left[0], styles.border_right[0], *(edge for edge, _ in styles.outline)
        return not any(edges) and self.opacity == styles.text_opacity == 1 and not styles.tint.a

    def render_line(self, y: int) -> Strip:
        """The strip of one row of the view."""
        return self._rows_of([y], (0, 0))[0]

    def _rows_of(self, lines: Iterable[int], around: tuple[int, int]) -> list[Strip]:
        """The strips of some rows of the view, with so many blanks on the left and on the right."""
        view, width, top, margin_width = self._view, self.size.width, self.scroll_offset.y, self._margin_width
        cursor, sideways = self.unit_at, self.sideways
        blank = self._strips.blank(width + sum(around))
        strips: list[Strip] = []
        for y in lines:
            row = view.row(top + y) if view.width else None
            if row is None:
                strips.append(blank)
                continue
            margin = margin_of(row, margin_width, self._marks, cursor)
            marks = self.highlights.within(row.base + row.line.start, row.base + row.line.end)
            strips.append(self._strips.strip(row, width, margin, sideways, marks, around))
        return strips

    def _style(self, names: str) -> Style:
        style = self._styles_by_name.get(names)
        if style is None:
            visual = self.visual_style
            text_style = Style()
            for name in names.split():
                visual += self.get_visual_style(f"document--{name}", partial=True)
                text_style += self.get_component_styles(f"document--{name}").text_style  # `reverse` is only here
            if "drawn" in names.split():  # lines under or through signs would be taken for bars of fractions
                text_style += Style(underline=False, strike=False)
            style = self._styles_by_name[names] = visual.rich_style + text_style
        return style

    def get_component_styles(self, *names: str) -> RenderStyles:
        """The styles of some looks, each found when it is first drawn.

        Textual finds those of `COMPONENT_CLASSES` whenever a widget is styled: forty here, and a text has a few.
        """
        for name in names:
            if name in looks.CLASSES and name not in self._component_styles:
                node = DOMNode(classes=name)
                node._attach(self)
                self.app.stylesheet.apply(node)
                self._component_styles[name] = node.styles
        return super().get_component_styles(*names)

    def notify_style_update(self) -> None:
        """Forget what was drawn in the styles of before."""
        super().notify_style_update()
        self._component_styles.clear()
        self._styles_by_name.clear()
        self._strips.clear()
