"""Asks whether a problem that is judged blind is to be revealed before its last item is decided."""

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from uq_tui.text import clean_line
from uq_tui.widgets.key_footer import KeyFooter

SAID = (
    "It shows who wrote each answer, and what validators, judges, audits, utilities and other people made of them.",
    "That you asked is recorded and can't be taken back. Verdicts that you give on this problem after it say that they"
    " are not blind, as soon as you have seen any of this.",
)


class RevealModal(ModalScreen[bool]):
    """Returns whether to reveal the problem."""

    CSS_PATH = "../modal.tcss"
    BINDINGS = [
        Binding("y", "reveal", "Reveal", id="reveal.yes", tooltip="Show all there is of this problem; recorded"),
        Binding("n,escape", "leave", "Stay blind", id="reveal.no", tooltip="Leave it hidden"),
    ]

    def __init__(self, title: str) -> None:
        """`title` is the problem's."""
        super().__init__()
        self._title = title

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog") as dialog:
            dialog.border_title = "Reveal this problem?"
            yield Static(Content.styled(clean_line(self._title), "bold"))
            yield Static("\n".join(SAID), classes="note", markup=False)
        yield KeyFooter()

    def action_reveal(self) -> None:
        self.dismiss(True)

    def action_leave(self) -> None:
        self.dismiss(False)
