"""The line at the bottom in which one types what to find in a document."""

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Static

from uq_tui.widgets.document import Document
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.one_line_input import OneLineInput


class FindPrompt(ModalScreen[None]):
    """Searches as one types. What is found stays marked when it is kept; else the document is as it was before."""

    CSS_PATH = "find.tcss"
    AUTO_FOCUS = "#query"
    BINDINGS = [
        # A footer leaves out Enter and the arrows, which the input has too; so each has a second key to stand for it.
        Binding(
            "ctrl+j",
            "keep",
            "Keep",
            id="find.keep",
            key_display="⏎",
            tooltip="Read on here; what was found stays marked",
        ),
        Binding("ctrl+n,down", "step(1)", "Next", id="find.next", key_display="↓↑", tooltip="The next match"),
        Binding("ctrl+p,up", "step(-1)", "Previous", id="find.previous", tooltip="The match before", show=False),
        Binding("escape", "give_up", "Back", id="find.cancel", tooltip="Back to where you were"),
    ]

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self._place = document.top_offset
        self._before = document.finding
        self._is_over = False
        """What is typed ahead, after Enter and before this has gone, is no part of the query."""

    def compose(self) -> ComposeResult:
        with Horizontal(id="find"):
            yield Label("Find in the source:")
            yield OneLineInput(id="query", placeholder="text, as it stands in the source", compact=True)
            yield Static(id="count", markup=False)
        yield KeyFooter()

    @on(Input.Changed)
    def _search(self, event: Input.Changed) -> None:
        event.stop()
        if not self._is_over:
            self._tell(self._document.find(event.value, at=self._place).counts)

    def _tell(self, counts: str) -> None:
        self.query_one("#count", Static).update(counts)

    def action_step(self, by: int) -> None:
        self._document.action_match(by)
        self._tell(self._document.finding.counts)

    @on(Input.Submitted)
    def action_keep(self) -> None:
        self._is_over = True
        self.dismiss()

    def action_give_up(self) -> None:
        self._is_over = True
        self._document.find(self._before.query, at=self._before.here.start if self._before.here is not None else None)
        self._document.go_to(self._place, above=0)
        self.dismiss()
