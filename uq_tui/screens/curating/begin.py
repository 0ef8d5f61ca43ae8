"""Beginning a curation: what it is called, and the rules it goes by."""

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Static

from uq_tui.errors import UqError
from uq_tui.state.curating.funnel import FunnelState
from uq_tui.text import clean
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.one_line_input import OneLineInput


class BeginCurationModal(TellsFailures, ModalScreen[bool]):
    """Returns whether one was begun; `state` then looks at it. What is wrong is said in the dialog, which stays."""

    CSS_PATH = "dialogs.tcss"
    AUTO_FOCUS = "#name"
    BINDINGS = [
        Binding("enter", "begin", "Begin", id="begin.begin", priority=True, tooltip="Begin it; nothing is applied yet"),
        Binding("escape", "dismiss(False)", "Cancel", id="begin.cancel", tooltip="Leave without beginning one"),
    ]

    def __init__(self, state: FunnelState) -> None:
        super().__init__()
        self._state = state

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = "Begin a pass of the funnel"
            yield Label("Name")
            yield OneLineInput(id="name", placeholder="for instance the month", compact=True)
            yield Label("Rules: a TOML file of your own, or nothing for the paper's")
            yield OneLineInput(id="rules", placeholder="the paper's", compact=True)
            yield Label("Sites, with commas between, or nothing for all")
            yield OneLineInput(id="sites", placeholder="all", compact=True)
            yield Static(
                "It keeps a copy of its rules, and counts ages from now. The paper's: `uq-tui curate thresholds`.",
                classes="note",
                id="note",
                markup=False,
            )
        yield KeyFooter()

    @work(group="begin", exclusive=True, exit_on_error=False)
    async def action_begin(self) -> None:
        entered = [self.query_one(f"#{field}", Input).value for field in ("name", "rules", "sites")]
        try:
            await self._state.begin(*entered)
        except UqError as error:
            self._say(Content.styled(clean(str(error)), "$text-error"))
        else:
            self.dismiss(True)

    def _say(self, said: Content) -> None:
        self.query_one("#note", Static).update(said)
