"""A document in a pane that scrolls together with others: it follows, and tells when the mouse makes it lead."""

from dataclasses import dataclass

from textual import events
from textual.message import Message
from textual.scrollbar import ScrollDown, ScrollTo, ScrollUp

from uq_tui.widgets.document import Document


class LedDocument(Document):
    """Moves by keys are those of the pane with the focus; wheel and scroll bar go by where the mouse is."""

    @dataclass
    class Taken(Message):
        """The mouse has begun to move it."""

        document: "LedDocument"

    def follow(self, offset: int) -> None:
        """Have a place of the source at the top, or the line of the fold that hides it."""
        line = self.line_of(offset)
        if line is None:
            self.go_to(offset, above=0)
        else:
            self.scroll_to_line(line)

    # Beside the scrolling itself, which goes on in the classes that this one is made of.

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel is turned over it."""
        self.post_message(self.Taken(self))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The wheel is turned over it."""
        self.post_message(self.Taken(self))

    def on_scroll_to(self, event: ScrollTo) -> None:
        """Its scroll bar is dragged."""
        self.post_message(self.Taken(self))

    def on_scroll_down(self, event: ScrollDown) -> None:
        """Its scroll bar is clicked."""
        self.post_message(self.Taken(self))

    def on_scroll_up(self, event: ScrollUp) -> None:
        """Its scroll bar is clicked."""
        self.post_message(self.Taken(self))
