"""The one header of every screen: place, subject, model, spend, runs."""

from textual.app import RenderResult
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from uq_tui.text import clean_line


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

    def render(self) -> RenderResult:
        left = Content.assemble((" uq-tui ", "bold"), " ", (self.place, "bold $text-accent"), "  ")
        right = Content(f"  {clean_line(self.status)} ")
        room = self.size.width - left.cell_length - right.cell_length
        subject = Content(clean_line(self.subject))
        if room < 4:
            return Content.assemble(left, right).truncate(self.size.width, ellipsis=True)
        subject = subject.truncate(room, ellipsis=True, pad=True)
        return Content.assemble(left, subject, right)
