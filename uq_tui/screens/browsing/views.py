"""Saved views of the question list: choose one, keep what is shown now, forget one."""

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Label, OptionList
from textual.widgets.option_list import Option

from store.saved_views import SavedView
from uq_tui.state.browsing import view_words
from uq_tui.state.questions import QuestionsState
from uq_tui.text import clean_line
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.one_line_input import OneLineInput


class ViewsModal(TellsFailures, ModalScreen[SavedView | None]):
    """Returns the view to show, or None."""

    CSS_PATH = "views.tcss"
    AUTO_FOCUS = "#views"
    BINDINGS = [
        Binding("n", "name", "Keep this", id="views.keep", tooltip="Keep what is shown now under a name"),
        Binding("d,delete", "drop", "Forget", id="views.drop", tooltip="Forget the highlighted view"),
        Binding("escape", "dismiss(None)", "Close", id="views.close", tooltip="Leave without choosing"),
    ]

    def __init__(self, state: QuestionsState) -> None:
        super().__init__()
        self._state = state

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = "Saved views"
            yield OptionList(id="views", markup=False)
            yield Label("keep what is shown now as (Enter keeps it)")
            yield OneLineInput(id="view_name", compact=True)
        yield KeyFooter()

    def on_mount(self) -> None:
        self._read()

    @work(exit_on_error=False)
    async def _read(self) -> None:
        await self._state.read_views()
        self._show()

    def _show(self) -> None:
        listing = self.query_one("#views", OptionList)
        listing.set_options(map(_option, self._state.views))
        if self._state.views:
            listing.highlighted = 0
        else:
            listing.add_option(Option(Content.styled("No views yet.", "dim"), disabled=True))
            self.action_name()

    def action_name(self) -> None:
        self.query_one("#view_name", Input).focus()

    @on(Input.Submitted, "#view_name")
    def _keep(self, event: Input.Submitted) -> None:
        if event.value.strip():
            self._save(event.value)

    @work(exit_on_error=False)
    async def _save(self, name: str) -> None:
        await self._state.save_view(name)
        self.notify(f"Kept as {clean_line(name)}.", markup=False)
        self.dismiss(None)

    def action_drop(self) -> None:
        at = self.query_one("#views", OptionList).highlighted
        if at is not None and at < len(self._state.views):
            self._drop(self._state.views[at].name)

    @work(exit_on_error=False)
    async def _drop(self, name: str) -> None:
        await self._state.drop_view(name)
        self._show()

    @on(OptionList.OptionSelected, "#views")
    def _choose(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._state.views[event.option_index])


def _option(view: SavedView) -> Option:
    return Option(Content.assemble((clean_line(view.name), "bold"), (f"\n  {clean_line(view_words(view))}", "dim")))
