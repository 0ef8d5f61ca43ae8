"""A document in a pane that scrolls together with others: it follows, and tells when the wheel makes it lead."""

from dataclasses import dataclass

from textual import events
from textual.message import Message

from uq_tui.widgets.document import Document


class LedDocument(Document):
    """Moves by keys are those of the pane with the focus; the wheel goes by where the mouse is."""

    @dataclass
    class Wheeled(Message):
        """The wheel was turned over it."""

        document: "LedDocument"

    def follow(self, offset: int) -> None:
        """Have a place of the source at the top, or the line of the fold that hides it."""
        if self._view.width and not self.busy:
            self.scroll_to_line(self._view.line_of(offset))
        else:
            self.go_to(offset, above=0)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Beside the scrolling itself, which Textual does."""
        self.post_message(self.Wheeled(self))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Beside the scrolling itself, which Textual does."""
        self.post_message(self.Wheeled(self))
