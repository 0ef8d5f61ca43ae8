"""A document that points at a stretch of its source: scrolled into sight and marked, as a selection is."""

from textual.geometry import Offset
from textual.selection import Selection

from uq_tui.document.layout import Change
from uq_tui.document.stretches import find_stretch
from uq_tui.widgets.document import Document

ABOVE = 3
"""Lines that stay in sight above what is pointed at."""


class PointedDocument(Document):
    """`point_at` holds until another text is shown, also when the width changes."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._pointed: tuple[int, int] | None = None

    def show(self, source: str, *, key: str = "") -> None:
        """As `Document.show`; points at nothing then."""
        self._pointed = None
        super().show(source, key=key)
        self._clear_selection()

    def point_at(self, start: int, end: int) -> None:
        """Point at the code points `start` to `end` of the source, as soon as they are laid out."""
        self._pointed = start, end
        if not self.busy:
            self._point()

    def _apply(self, change: Change, *, done: bool) -> None:
        super()._apply(change, done=done)
        if done and self._pointed is not None:
            self._point()

    def _point(self) -> None:
        if self._pointed is None or not self._lines:
            return
        found = find_stretch(self._lines, self.source, *self._pointed)
        if found is None:
            self._clear_selection()
            return
        marked = Selection(Offset(found.begin, found.first), Offset(found.end, found.last))
        self.screen.selections = {self: marked}
        self._scroll(found.first - ABOVE)
