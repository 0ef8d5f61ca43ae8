"""The line at the bottom in which one types where to go in a document."""

from collections.abc import Callable

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Static

from uq_tui.state.reading.going import FORMS, NoSuchPlaceError
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.one_line_input import OneLineInput


class GoToPrompt(ModalScreen[int | None]):
    """Returns the place in the source, or None. What is no place is said, and can be mended."""

    CSS_PATH = "tools.tcss"
    AUTO_FOCUS = "#place"
    BINDINGS = [Binding("escape", "dismiss(None)", "Back", id="go_to.cancel", tooltip="Stay where you are")]

    def __init__(self, place_of: Callable[[str], int]) -> None:
        """`place_of` says what is meant by something typed, or raises NoSuchPlaceError."""
        super().__init__()
        self._place_of = place_of

    def compose(self) -> ComposeResult:
        with Horizontal(id="go"):
            yield Label("Go to:")
            yield OneLineInput(id="place", compact=True)
            yield Static(FORMS, id="said", markup=False)
        yield KeyFooter()

    @on(Input.Submitted)
    def _go(self, event: Input.Submitted) -> None:
        try:
            self.dismiss(self._place_of(event.value))
        except NoSuchPlaceError as error:
            self.query_one("#said", Static).update(error.message)
