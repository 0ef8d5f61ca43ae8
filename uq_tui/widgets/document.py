"""The reading view: Markdown with mathematics, of any length, live-appending, searched, marked and copied from."""

from bisect import bisect_left
from collections.abc import Mapping
from typing import ClassVar, TypeAlias

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.scrollbar import ScrollDown, ScrollUp

from uq_tui.state.reading.finding import NOT_FINDING, Finding
from uq_tui.state.reading.lines.highlights import Layer
from uq_tui.widgets.reading import looks, messages
from uq_tui.widgets.reading.keys import KEYS, SELECTING
from uq_tui.widgets.reading.messages import MOVING_ON, ON_A_UNIT, ON_STORED_TEXTS, Tool
from uq_tui.widgets.reading.selecting import SelectingPane

SIDEWAYS = 8
"""Cells by which wide lines are scrolled at once."""


class Document(SelectingPane):
    """Shows one text, and has a cursor that goes from unit to unit.

    Places are code points of the source. What needs a dialog, a file or another program is asked of the app by
    `Wanted`.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*SELECTING, *KEYS]
    DEFAULT_CSS = looks.CSS

    Moved: TypeAlias = messages.Moved
    Shown: TypeAlias = messages.Shown
    Clicked: TypeAlias = messages.Clicked
    Selecting: TypeAlias = messages.Selecting
    Wanted: TypeAlias = messages.Wanted

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.finding: Finding = NOT_FINDING
        """The search in this text."""
        self._told = ""

    def begin(self, *, same: bool) -> None:
        """Nothing is searched, selected, pointed at or counted in another text."""
        super().begin(same=same)
        self.finding = NOT_FINDING
        self.tell(self._told if same else "")
        self._put_caret(None)
        self.clear_selection()

    def settled(self) -> None:
        """Search what has come, and tell that there is more."""
        if self.finding.query:
            self.finding = self.finding.again(self.source)
            self._show_finding()
        if self.is_attached:
            self.post_message(self.Shown(self))

    def selecting(self) -> None:
        """Tell that letters mean other things now."""
        self.refresh_bindings()
        if self.is_attached:
            self.post_message(self.Selecting(self))

    def moved(self) -> None:
        """Tell that another line is at the top, or the cursor elsewhere."""
        if self.is_attached:
            self.post_message(self.Moved(self))

    # Marks

    def point_at(self, start: int, end: int) -> None:
        """Mark a range of the source and have it in sight, as soon as it can be; until another text is shown."""
        self.highlight(Layer.POINTED, [(start, end)])
        self.go_to(start)

    def tell(self, words: str) -> None:
        """Say something at the foot of the view, beside the count of a search; until something else is said."""
        self._told = words
        said = [text for text in (self.finding.counts, words) if text]
        self.border_subtitle = Content(", ".join(said))
        self.set_class(bool(said), "-marked")

    def set_margin(self, marks: Mapping[int, str]) -> None:
        """Show these signs, one cell wide, beside the numbers of units, by their indexes."""
        self._marks = dict(marks)
        self.refresh()

    # Finding

    def find(self, query: str, *, at: int | None = None) -> Finding:
        """Search the source from the top line on, or from `at`, and go to the first match. No query ends it."""
        start = self.top_offset if at is None else at
        self.finding = Finding.begin(self.source, query, start) if query else NOT_FINDING
        self._show_finding()
        self._go_to_match()
        return self.finding

    def action_match(self, by: int) -> None:
        """Go to the next match, or the one before."""
        self.finding = self.finding.step(by)
        self._show_finding()
        self._go_to_match()

    def _show_finding(self) -> None:
        here = self.finding.here
        self.highlight(Layer.FOUND, self.finding.found.ranges)
        self.highlight(Layer.FOUND_HERE, [here] if here is not None else [])
        self.tell(self._told)
        self.refresh_bindings()

    def _go_to_match(self) -> None:
        here = self.finding.here
        if here is not None and not self._in_sight(here.start):
            self.go_to(here.start)

    def action_leave_off(self) -> None:
        """End the selection, or else the search."""
        if self.selected is not None:
            self.clear_selection()
        else:
            self.find("")

    # Clicking and copying

    def on_click(self, event: events.Click) -> None:
        """A click puts the cursor there, or opens a fold; a double one selects the unit, a triple one everything."""
        place = event.get_content_offset(self)
        if place is None or not self._view.segments:
            return
        event.prevent_default()  # by default two clicks select everything
        self._put_caret(None)
        y, column = self.scroll_offset.y + place.y, place.x - self._margin_width
        row = self._view.row(y)
        offset = self._view.offset_at(y, column + (self.sideways if row is not None and row.line.wide else 0))
        unit = self._view.unit_at(offset)
        if event.chain == 2 and unit is not None:
            self.select(*self._view.unit(unit)[:2])
        elif event.chain > 2:
            self.text_select_all()
        elif row is not None and row.stub:
            self._refolded(self._view.fold(offset))
        else:
            self.unit_at = unit if unit is not None else self.unit_at
            self.post_message(self.Clicked(self, offset))

    def action_copy(self) -> None:
        """Copy the source of the selection, or else of the unit at the cursor, or else at the top."""
        found = self.selected
        if found is None and (unit := self._here()) is not None:
            found = self._view.unit(unit)[:2]
        if found is not None:
            text = self.source[slice(*found)]
            self.app.copy_to_clipboard(text.encode("utf-8", "replace").decode("utf-8"))
            self._want(Tool.COPIED, text)

    # Moving

    def action_move(self, lines: int) -> None:
        """Move the view by some lines."""
        self.scroll_by(lines)

    def action_page(self, pages: int) -> None:
        """Move the view by some pages, two lines of which stay in sight."""
        self.scroll_by(pages * max(1, self._rows - 2))

    def action_half_page(self, halves: int) -> None:
        """Move the view by some halves of a page."""
        self.scroll_by(halves * max(1, self._rows // 2))

    def action_top(self) -> None:
        """Go to the beginning."""
        self.scroll_to_line(0)

    def action_bottom(self) -> None:
        """Go to the end."""
        self.scroll_to_line(self._view.last(self._rows))

    def on_scroll_up(self, event: ScrollUp) -> None:
        """A page up for a click above the scroll bar's grip."""
        event.stop()
        event.prevent_default()
        self.action_page(-1)

    def on_scroll_down(self, event: ScrollDown) -> None:
        """A page down for a click below it."""
        event.stop()
        event.prevent_default()
        self.action_page(1)

    def action_sideways(self, by: int) -> None:
        """Scroll wide tables and formulas sideways."""
        self.sideways = min(max(0, self.sideways + by * SIDEWAYS), self._most_sideways)

    @property
    def _wide(self) -> int:
        """Cells of the widest line in sight that can be scrolled sideways; 0 where there is none."""
        rows = (self._view.row(self.scroll_offset.y + y) for y in range(self._rows))
        return max((row.line.width for row in rows if row is not None and row.line.wide), default=0)

    @property
    def _most_sideways(self) -> int:
        return max(0, self._wide - (self.size.width - self._margin_width))

    # Units and headings

    def watch_unit_at(self) -> None:
        """Show the cursor, and tell that it is elsewhere."""
        self._refit()
        self.moved()

    def _here(self) -> int | None:
        """The unit of the cursor if that is in sight, else the first one that is."""
        if self.unit_at is not None and self.unit_at < self._view.unit_count:
            unit = self._view.unit(self.unit_at)
            if self._view.line_of(unit.end - 1) >= self.scroll_offset.y and self._view.line_of(unit.start) < (
                self.scroll_offset.y + self._rows
            ):
                return self.unit_at
        return self._view.unit_from(self.top_offset)

    def action_unit(self, by: int) -> None:
        """Put the cursor on the next unit, or the one before; on the first in sight if it is on none."""
        here = self._here()
        if here is None:
            here = self._view.unit_count - 1
        elif here == self.unit_at:
            here += by
        while 0 <= here < self._view.unit_count and self._view.is_folded(here):
            here += by
        if 0 <= here < self._view.unit_count:
            self.unit_at = here
            self.show_unit(here)

    def show_unit(self, index: int) -> None:
        """Have a unit in sight."""
        unit = self._view.unit(index)
        if not (self._in_sight(unit.start) and self._in_sight(unit.end - 1)):
            self.go_to(unit.start)

    def action_heading(self, by: int) -> None:
        """Go to the next heading, or the one before."""
        starts = [heading.start for heading in self.headings]
        if by > 0:
            at = bisect_left(starts, self._view.offset_of(self.scroll_offset.y + 1))
        else:
            at = bisect_left(starts, self.top_offset) - 1
        if 0 <= at < len(starts):
            self.go_to(starts[at], above=0)

    # Folding, and the source

    def action_fold(self) -> None:
        """Fold what the cursor is in, or else the top line; open it if it is folded."""
        unit = self._here()
        self._refolded(self._view.fold(self._view.unit(unit).start if unit is not None else self.top_offset))

    def action_fold_all(self) -> None:
        """Fold everything that folds, or open everything."""
        at = self.top_offset
        self._view.fold_all()
        self._refolded(at)

    def _refolded(self, offset: int | None) -> None:
        if offset is None:
            return
        self._strips.clear()
        line = self._view.line_of(offset)
        if not 0 <= line - self.scroll_offset.y < self._rows:
            self.scroll_to_line(line)
        self._arrange()
        self.refresh()

    def action_source(self) -> None:
        """Show the source, or what it reads as, at the same place."""
        at = self.top_offset
        self._view.show_source(not self._view.as_source)
        self.go_to(at, above=0)
        self.refresh_bindings()

    # Tools

    def action_quote(self) -> None:
        """Quote the selection, or begin to select by keys: at the cursor if that is in sight, else at the top."""
        if self.selected is not None:
            self._want(Tool.QUOTE)
        else:
            here = self._here() if self.unit_at is not None else None
            top = self.top_offset
            self.begin_caret(top if here is None else max(top, self._view.unit(here).start))

    def action_caret_take(self) -> None:
        """Quote what the caret has selected: its word at least."""
        if self.caret is not None:
            if self.caret.anchor is None:
                self._put_caret(self.caret.anchored())
            self._want(Tool.QUOTE)

    def action_caret_next(self) -> None:
        """Begin the selection, or quote it."""
        if self.caret is not None and self.caret.anchor is None:
            self.action_caret_extend()
        else:
            self.action_caret_take()

    def action_want(self, tool: str) -> None:
        """Ask the app for a tool."""
        wanted = Tool(tool)
        if wanted in ON_A_UNIT:
            self.unit_at = self._here()
        self._want(wanted)
        if wanted in MOVING_ON:
            self.action_unit(1)

    def _want(self, tool: Tool, argument: str = "") -> None:
        unit = self.unit_at if tool in ON_A_UNIT else None
        self.post_message(self.Wanted(self, tool, self._readable, unit, self.selected, argument))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave keys to the screen that could do nothing here."""
        if action.startswith("caret_"):
            return self.caret is not None
        match action:
            case "quote":
                return self.caret is None and bool(self._view.segments)
            case "match":
                return self.finding.current is not None
            case "leave_off":
                return bool(self.finding.query) or self.selected is not None
            case "sideways":
                return self.sideways > 0 or self._most_sideways > 0
            case "copy":
                return self._view.unit_count > 0 or self.selected is not None
            case "unit":
                return self._view.unit_count > 0
            case "heading":
                return bool(self.headings)
            case "fold" | "fold_all":
                return not self._view.as_source and self._view.foldable
            case "source":
                return bool(self._view.segments)
            case "want":
                return bool(self._readable.texts if parameters[0] in ON_STORED_TEXTS else self._view.segments)
        return True
