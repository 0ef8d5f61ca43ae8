"""The reading view: Markdown with mathematics, live-appending, on the line API.

One widget for a text of any length. Only the lines on the screen are turned into strips. Long texts are laid out in
a thread, in pieces, so that the first screen stands at once and keys are answered meanwhile.
"""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events, on, work
from textual.binding import Binding, BindingType
from textual.cache import LRUCache
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.timer import Timer
from textual.worker import get_current_worker

from uq_tui.document.layout import Change, Flow
from uq_tui.document.lines import STYLES, Heading, Line

MEASURE = 110
"""Lines are no longer than this, in cells, however wide the view: longer ones are hard to read."""
AT_ONCE = 8_000
"""Characters laid out without leaving the event loop, which takes some 50 ms where they are all markup."""
PIECE = 32_000
"""Characters laid out in a thread between two reports."""
APPEND_EVERY = 0.05
"""Seconds for which appended text is gathered before it is laid out."""


class Document(ScrollView, can_focus=True, inherit_bindings=False):
    """Shows one text: `show` it whole, or `append` to it as it comes."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "move(1)", "Down", id="document.down", tooltip="One line down", show=False),
        Binding("up,k", "move(-1)", "Up", id="document.up", tooltip="One line up", show=False),
        Binding("pagedown,space", "page(1)", "Page down", id="document.page_down", tooltip="A page down", show=False),
        Binding("pageup", "page(-1)", "Page up", id="document.page_up", tooltip="A page up", show=False),
        Binding("home", "top", "Top", id="document.top", tooltip="To the beginning", show=False),
        Binding("end", "bottom", "Bottom", id="document.bottom", tooltip="To the end", show=False),
    ]
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"document--{name}" for name in STYLES}
    DEFAULT_CSS = """
    Document {
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-gutter: stable;
        scrollbar-size-vertical: 1;

        & > .document--heading { color: $text-primary; text-style: bold; }
        & > .document--strong { text-style: bold; }
        & > .document--emphasis { text-style: italic; }
        & > .document--strike { text-style: strike; }
        & > .document--code { background: $foreground 8%; }
        & > .document--math { color: $text-primary; }
        & > .document--quote { color: $secondary; }
        & > .document--link { text-style: underline; }
        & > .document--dim { color: $foreground 60%; }
        & > .document--table { color: $foreground 40%; }
    }
    """

    @dataclass
    class LaidOut(Message, bubble=False):
        """The thread has laid out one more piece."""

        generation: int
        change: Change
        done: bool

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._key = ""
        self._source: list[str] = []
        self._pending: list[str] = []
        self._flow: Flow | None = None
        self._generation = 0
        self._in_thread = False
        self._gathering: Timer | None = None
        self._follow = False
        self._return_to: tuple[int, int] | None = None
        self._lines: list[Line] = []
        self._headings: tuple[Heading, ...] = ()
        self._strips: LRUCache[tuple[int, int, tuple[int, int] | None], Strip] = LRUCache(512)
        self._styles_by_name: dict[str, Style] = {}

    @property
    def source(self) -> str:
        """All text shown or appended so far, as it was given."""
        self._source = ["".join(self._source)]
        return self._source[0]

    @property
    def headings(self) -> tuple[Heading, ...]:
        """The headings laid out so far, with their line numbers."""
        return self._headings

    @property
    def text(self) -> str:
        """What is laid out so far, as it is shown, without blanks at the ends of lines."""
        return "\n".join(line.text.rstrip() for line in self._lines)

    @property
    def busy(self) -> bool:
        """Whether there is text that is not laid out yet."""
        return self._in_thread or bool(self._pending)

    def show(self, source: str, *, key: str = "") -> None:
        """Show `source` in place of what is there.

        Args:
            source: Markdown with mathematics, hostile or not.
            key: what the text is of. With the same key as before the reader stays where they are, else the text
                begins at its top.
        """
        same = bool(key) and key == self._key
        self._key = key
        self._follow = False
        shown = self.source
        if same and source.startswith(shown):
            self._add(source[len(shown) :])
            self._lay_out_pending()
            return
        self._clear_selection()
        self._return_to = self._place() if same else (0, 0)
        self._source = [source]
        self._start_over()

    def append(self, text: str) -> None:
        """Add `text` to the end; the view follows if its end was in sight."""
        self._follow = True
        self._add(text)
        if self._gathering is None and self._flow is not None:
            self._gathering = self.set_timer(APPEND_EVERY, self._lay_out_pending)

    def clear(self) -> None:
        """Show nothing."""
        self.show("")

    # Laying out

    def _add(self, text: str) -> None:
        self._source.append(text)
        self._pending.append(text)

    def _start_over(self) -> None:
        """Lay out the whole source anew. What is on the screen stays until there is something to put in its place."""
        self.workers.cancel_group(self, "lay-out")
        self._generation += 1
        self._in_thread = False
        self._pending = [self.source]
        width = min(MEASURE, self.scrollable_content_region.width)
        self._flow = Flow(width) if width > 0 else None
        self._lay_out_pending()

    def _lay_out_pending(self) -> None:
        if self._gathering is not None:
            self._gathering.stop()
            self._gathering = None
        flow = self._flow
        if flow is None or self._in_thread:
            return
        text = "".join(self._pending)
        self._pending = []
        if len(text) + flow.unsettled <= AT_ONCE:
            self._apply(flow.feed(text), done=True)
            return
        first = 0 if flow.unsettled else text.rfind("\n", 0, AT_ONCE) + 1
        if first:
            self._apply(flow.feed(text[:first]), done=False)
        self._in_thread = True
        self._lay_out(flow, text[first:], self._generation)

    @work(thread=True, exclusive=True, group="lay-out", exit_on_error=False)
    def _lay_out(self, flow: Flow, text: str, generation: int) -> None:
        worker = get_current_worker()
        for piece, last in _pieces(flow, text):
            change = flow.feed(piece)
            if worker.is_cancelled:
                return
            self.post_message(self.LaidOut(generation, change, last))

    @on(LaidOut)
    def _take(self, event: LaidOut) -> None:
        if event.generation != self._generation:
            return
        self._in_thread = not event.done
        self._apply(event.change, done=event.done)
        if event.done and self._pending:
            self._lay_out_pending()

    def _apply(self, change: Change, *, done: bool) -> None:
        was_at_end = self.is_vertical_scroll_end
        del self._lines[change.first :]
        self._lines += change.lines
        self._headings = change.headings
        self._strips.clear()
        self._grow_to(Size(self.size.width, len(self._lines)))
        if self._return_to is not None:
            self._go_back(*self._return_to, done=done)
        elif self._follow and was_at_end:
            self._scroll(self.max_scroll_y)
        self.refresh_lines(change.first, max(self.size.height, len(self._lines)))

    def _grow_to(self, size: Size) -> None:
        """Take a new virtual size. While text streams in, only the scroll bar has to follow.

        Setting `virtual_size` lays the whole screen out and paints it anew: 10 ms, twenty times a second.
        """
        scrolls = size.height > self.scrollable_content_region.height
        if size.width == self.virtual_size.width and scrolls == self.show_vertical_scrollbar:
            self.set_reactive(ScrollView.virtual_size, size)
            if scrolls:
                self.vertical_scrollbar.window_virtual_size = size.height
        else:
            self.virtual_size = size

    def _place(self) -> tuple[int, int]:
        """Where the reader is: the source line of the top line, and how many lines they are past its first."""
        top = self.scroll_offset.y
        if top >= len(self._lines):
            return 0, 0
        line = self._lines[top].first
        return line, top - bisect_left(self._lines, line, key=lambda laid_out: laid_out.first)

    def _go_back(self, source_line: int, past: int, *, done: bool) -> None:
        line = bisect_left(self._lines, source_line, key=lambda laid_out: laid_out.first)
        if line < len(self._lines) or done:
            self._return_to = None
            self._scroll(line + past)

    def on_resize(self, event: events.Resize) -> None:
        """A new width means new lines."""
        width = min(MEASURE, self.scrollable_content_region.width)
        if width > 0 and (self._flow is None or self._flow.given_width != width):
            if self._return_to is None:
                self._return_to = self._place()
            self._start_over()

    # Drawing

    def render_line(self, y: int) -> Strip:
        """The strip of one row of the view."""
        line = self.scroll_offset.y + y
        width = self.size.width
        if line >= len(self._lines):
            return Strip.blank(width, self._style(""))
        selection = self.text_selection
        selected = selection.get_span(line) if selection else None
        key = (line, width, selected)
        strip = self._strips.get(key)
        if strip is None:
            strip = self._strips[key] = self._strip(self._lines[line], width, selected)
        return strip.apply_offsets(0, line)

    def _strip(self, line: Line, width: int, selected: tuple[int, int] | None) -> Strip:
        segments = [Segment(text, self._style(style)) for text, style, *_ in line.spans]
        strip = Strip(segments)
        if selected is not None:
            strip = self._with_selection(strip, *selected)
        return strip.adjust_cell_length(width, self._style(line.fill))

    def _with_selection(self, strip: Strip, start: int, end: int) -> Strip:
        """The strip with its characters from `start` to `end` marked as selected; -1 is its end."""
        marked = Style(bgcolor=self.screen.get_component_rich_style("screen--selection").bgcolor)
        segments: list[Segment] = []
        at = 0
        for text, style, _ in strip:
            begin = min(max(start - at, 0), len(text))
            stop = len(text) if end < 0 else min(max(end - at, begin), len(text))
            plain = style or Style()
            segments += (Segment(text[:begin], plain), Segment(text[begin:stop], plain + marked))
            segments.append(Segment(text[stop:], plain))
            at += len(text)
        return Strip([segment for segment in segments if segment.text])

    def _style(self, names: str) -> Style:
        style = self._styles_by_name.get(names)
        if style is None:
            visual = self.visual_style
            for name in names.split():
                visual += self.get_visual_style(f"document--{name}", partial=True)
            style = self._styles_by_name[names] = visual.rich_style
        return style

    def notify_style_update(self) -> None:
        """Forget what was drawn in the styles of before."""
        super().notify_style_update()
        self._styles_by_name.clear()
        self._strips.clear()

    # Selecting

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The selected text as it is shown."""
        return selection.extract(self.text), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        """Draw the selection."""
        self.refresh()

    def _clear_selection(self) -> None:
        if self.is_attached and self.text_selection is not None:
            self.screen.clear_selection()

    # Moving

    def _scroll(self, line: float) -> None:
        self.scroll_to(y=line, animate=False, force=True)

    def action_move(self, lines: int) -> None:
        """Move the view by some lines."""
        self._scroll(self.scroll_offset.y + lines)

    def action_page(self, pages: int) -> None:
        """Move the view by some pages, two lines of which stay in sight."""
        self._scroll(self.scroll_offset.y + pages * max(1, self.size.height - 2))

    def action_top(self) -> None:
        """Go to the beginning."""
        self._scroll(0)

    def action_bottom(self) -> None:
        """Go to the end."""
        self._scroll(self.max_scroll_y)


def _pieces(flow: Flow, text: str) -> Iterator[tuple[str, bool]]:
    """`text` cut after ends of lines, with whether a piece is the last.

    A piece is at least as long as what is read again with it, so that one endless block costs no more than its size.
    """
    at = 0
    while at < len(text):
        aim = at + max(PIECE, flow.unsettled)
        end = text.find("\n", aim) + 1 or len(text)
        yield text[at:end], end >= len(text)
        at = end
