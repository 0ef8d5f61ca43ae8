"""A neighbour written by hand: its statement, its answer, and what speaks against it while it is typed."""

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.timer import Timer
from textual.widgets import Input, Label, Static, TextArea

from uq_tui.key_map import key_shown
from uq_tui.state.neighbours.draft import NeighbourDraft
from uq_tui.text import clean_line
from uq_tui.widgets import neighbour_lines
from uq_tui.widgets.clean_text_area import CleanTextArea
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.one_line_input import OneLineInput

PAUSE_S = 0.2
"""Seconds without a key before advice follows what is typed."""


class NeighbourModal(TellsFailures, ModalScreen[bool]):
    """Returns whether what the draft then holds is to be kept."""

    CSS_PATH = ["modal.tcss", "neighbour_form.tcss"]
    VERTICAL_BREAKPOINTS = [(0, "-short"), (32, "-tall")]
    BINDINGS = [
        Binding("ctrl+s", "keep", "Keep", id="neighbour.keep", tooltip="Add this neighbour"),
        Binding(
            "escape", "leave", "Cancel", id="neighbour.cancel", tooltip="Leave; asks first when something was written"
        ),
    ]

    def __init__(self, draft: NeighbourDraft) -> None:
        super().__init__()
        self._draft = draft
        self._asked = False
        """It has been said that leaving loses what is entered."""
        self._pause: Timer | None = None

    @property
    def _keep(self) -> str:
        return key_shown(self, "neighbour.keep")

    @property
    def _leave(self) -> str:
        return key_shown(self, "neighbour.cancel")

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = Content(self._draft.title)
            yield Label("Statement, complete in itself: Markdown with mathematics")
            yield CleanTextArea(self._draft.statement, id="statement", tab_behavior="focus")
            yield Label("Its answer, as short as can be checked: 2024, \\frac{3}{4}, \\{1, 2\\}")
            yield OneLineInput(self._draft.answer, id="answer", compact=True, select_on_focus=False)
            yield Static(id="advice", classes="note", markup=False)
            yield Static(id="note", classes="note", markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        self.query_one("#statement", TextArea).focus()
        self._say(self._draft.about or f"{self._keep} keeps it, {self._leave} leaves without keeping.")
        self._advise()

    @on(TextArea.Changed)
    @on(Input.Changed)
    def _entered(self) -> None:
        self._draft.statement = self.query_one("#statement", TextArea).text
        self._draft.answer = self.query_one("#answer", Input).value
        self._asked = False
        if self._pause is not None:
            self._pause.stop()
        self._pause = self.set_timer(PAUSE_S, self._advise)

    @work(group="advice", exclusive=True, exit_on_error=False)
    async def _advise(self) -> None:
        found = await self._draft.advise()
        lines = [Content.assemble(neighbour_lines.advice_mark(one), f"  {clean_line(one.text)}") for one in found]
        advice = self.query_one("#advice", Static)
        advice.update(Content("\n").join(lines))
        advice.display = bool(lines)

    def _say(self, text: str) -> None:
        self.query_one("#note", Static).update(Content(text))

    @on(Input.Submitted)
    def action_keep(self) -> None:
        if self._draft.problem:
            self._say(self._draft.problem)
        else:
            self.dismiss(True)

    def action_leave(self) -> None:
        if self._draft.changed and not self._asked:
            self._asked = True
            self._say(f"Nothing is kept yet. {self._leave} again leaves without keeping, {self._keep} keeps it.")
        else:
            self.dismiss(False)
