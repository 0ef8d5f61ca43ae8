"""Selecting in a text, with the mouse or by a caret that keys move. Selections are code points of the source."""

from collections.abc import Iterable

from textual.selection import Selection

from uq_tui.state.reading.lines.caret import Caret, caret_from, column_of
from uq_tui.state.reading.lines.highlights import Layer
from uq_tui.widgets.reading.pane import TextPane
from uq_tui.widgets.reading.strips import offset_of, place_of

ABOVE = 3
"""Lines that stay in sight above what is gone to."""
BESIDE = 10
"""Cells that stay in sight beside the caret in lines that scroll sideways."""


class SelectingPane(TextPane, inherit_bindings=False):
    """A text of which a range can be selected. What is selected with the caret is selected as with the mouse."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.caret: Caret | None = None
        """Where keys select from; `None` while they do other things."""

    def highlight(self, layer: Layer, ranges: Iterable[tuple[int, int]]) -> None:
        """Have a layer mark these ranges of the source and no others, until another text is shown."""
        self.highlights.put(layer, ranges)
        self.refresh()

    def go_to(self, offset: int, *, above: int = ABOVE) -> None:
        """Have a place of the source in sight, as soon as it can be, with so many lines above it."""
        self._aim = (offset, above)
        self._arrange()
        self.refresh()

    def _in_sight(self, offset: int) -> bool:
        line = self._view.line_of(offset) - self.scroll_offset.y
        return 0 <= line < self._rows

    # The selection

    @property
    def selected(self) -> tuple[int, int] | None:
        """The range of the source that is selected, formulas as a whole."""
        selection = self.text_selection if self.is_attached else None
        return None if selection is None else self._range_of(selection)

    def _range_of(self, selection: Selection) -> tuple[int, int] | None:
        ends = (
            0 if selection.start is None else offset_of(selection.start),
            len(self.source) if selection.end is None else offset_of(selection.end),
        )
        start, end = self._view.whole(min(ends), min(max(ends), len(self.source)))
        return (start, end) if start < end else None

    def select(self, start: int, end: int) -> None:
        """Select a range of the source."""
        self.screen.selections = {self: Selection(place_of(start), place_of(end))}

    def clear_selection(self) -> None:
        """Select nothing."""
        if self.is_attached and self.text_selection is not None:
            self.screen.clear_selection()

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The source of what is selected."""
        found = self._range_of(selection)
        return None if found is None else (self.source[slice(*found)], "\n")

    def selection_updated(self, selection: Selection | None) -> None:
        """Draw the selection as it is now: it is told late. One that is not the caret's ends selecting by keys."""
        found = self.selected
        before = bool(self.highlights.ranges(Layer.SELECTED))
        self.highlight(Layer.SELECTED, [] if found is None else [found])
        if self.caret is not None and found != (self.caret.range if self.caret.anchor else None):
            self._put_caret(None)
        elif before != (found is not None):
            self.refresh_bindings()

    # The caret

    def begin_caret(self, offset: int) -> None:
        """Select by keys from now on, beginning with the word at a place of the source, or the next one."""
        self._put_caret(caret_from(self._view, offset))

    def _put_caret(self, caret: Caret | None) -> None:
        """Have the caret there, in sight, and the selection follow it; `None` ends selecting by keys."""
        began = (self.caret is None) != (caret is None)
        self.caret = caret
        self.pinned = caret is not None
        self.highlight(Layer.CARET, [] if caret is None else [caret.here])
        if caret is not None and caret.anchor is not None:
            self.select(*caret.range)
        if caret is not None:
            self._keep_in_sight(caret)
        if began:
            self.selecting()

    def selecting(self) -> None:
        """Selecting by keys has begun or ended."""

    def _keep_in_sight(self, caret: Caret) -> None:
        y, column = column_of(self._view, caret)
        top, rows = self.scroll_offset.y, self._rows
        if not 0 <= y - top < rows:
            self.go_to(caret.here[0], above=ABOVE if y < top else max(0, rows - 1 - ABOVE))
        row = self._view.row(y)
        if row is not None and row.line.wide:
            room = self.size.width - self._margin_width
            if not self.sideways <= column <= self.sideways + room - BESIDE:
                self.sideways = max(0, min(column - BESIDE, row.line.width - room))

    def action_caret_words(self, by: int) -> None:
        """To the next word, or back."""
        if self.caret is not None:
            self._put_caret(self.caret.by_words(self._view, by))

    def action_caret_lines(self, by: int) -> None:
        """A line down, or up."""
        if self.caret is not None:
            self._put_caret(self.caret.by_lines(self._view, by))

    def action_caret_pages(self, by: int) -> None:
        """A page down, or up."""
        self.action_caret_lines(by * max(1, self._rows - 2))

    def action_caret_edge(self, way: int) -> None:
        """To the first word of the line, or the last."""
        if self.caret is not None:
            self._put_caret(self.caret.to_edge(self._view, way))

    def action_caret_extend(self) -> None:
        """Begin the selection here; then have it go on to the end of the sentence."""
        if self.caret is not None:
            begun = self.caret.anchor is not None
            self._put_caret(self.caret.to_sentence_end(self._view) if begun else self.caret.anchored())

    def action_caret_swap(self) -> None:
        """Move the other end from now on."""
        if self.caret is not None:
            self._put_caret(self.caret.swapped())

    def action_caret_leave(self) -> None:
        """End selecting by keys; nothing is selected then."""
        self._put_caret(None)
        self.clear_selection()
