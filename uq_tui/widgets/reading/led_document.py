"""A document that tells when the wheel moves it: of panes that scroll together one has to lead."""

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

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Beside the scrolling itself, which Textual does."""
        self.post_message(self.Wheeled(self))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Beside the scrolling itself, which Textual does."""
        self.post_message(self.Wheeled(self))
