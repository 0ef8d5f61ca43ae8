"""The tour's line under the header."""

from textual.app import RenderResult
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from uq_tui.key_map import with_keys


class TourBar(Widget):
    """Says what to do next; hidden while its text is empty."""

    DEFAULT_CSS = """
    TourBar {
        height: auto;
        max-height: 2;
        padding: 0 1;
        background: $accent-muted;
        color: $text;
        display: none;
    }
    TourBar.-on { display: block; }
    """

    text = reactive("", layout=True)

    def watch_text(self, text: str) -> None:
        self.set_class(bool(text), "-on")

    def render(self) -> RenderResult:
        return Content(with_keys(self.app, self.text))
