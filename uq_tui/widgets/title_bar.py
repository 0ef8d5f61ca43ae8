"""The one header of every screen: place, subject, model, spend, runs."""

from textual.app import RenderResult
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from uq_tui.text import clean_line

SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
SPINNER_S = 0.1
"""Seconds a spinner frame stands."""


class TitleBar(Widget):
    """One line. What doesn't fit is cut from the subject, never from model or spend."""

    DEFAULT_CSS = """
    TitleBar {
        height: 1;
        background: $panel;
        color: $text;
    }
    """

    place = reactive("")
    subject = reactive("")
    status = reactive("")
    busy = reactive(False)
    """Whether a run is under way: a spinner moves after the status."""
    _frame = reactive(0)

    def on_mount(self) -> None:
        self.set_interval(SPINNER_S, self._turn)

    def _turn(self) -> None:
        if self.busy and self.screen.is_current:  # a change behind another screen repaints all of that one
            self._frame = (self._frame + 1) % len(SPINNER)

    def render(self) -> RenderResult:
        left = Content.assemble((" uq-tui ", "bold"), " ", (self.place, "bold $text-accent"), "  ")
        spin = SPINNER[self._frame] if self.busy else " "
        right = Content(f"  {clean_line(self.status)} {spin} ")
        room = self.size.width - left.cell_length - right.cell_length
        subject = Content(clean_line(self.subject))
        if room < 4:
            return Content.assemble(left, right).truncate(self.size.width, ellipsis=True)
        subject = subject.truncate(room, ellipsis=True, pad=True)
        return Content.assemble(left, subject, right)
