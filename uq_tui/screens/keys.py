"""The keys that work here."""

from collections.abc import Iterable

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static


class KeysModal(ModalScreen[None]):
    """A sheet of keys; any of the usual keys closes it."""

    CSS_PATH = "modal.tcss"
    BINDINGS = [Binding("escape,question_mark,q", "dismiss", "Close", id="keys.close")]

    def __init__(self, place: str, lines: Iterable[tuple[str, str, str]]) -> None:
        super().__init__()
        self._place = place
        self._lines = tuple(lines)

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog") as dialog:
            dialog.border_title = Content(f"Keys in {self._place}")
            yield Static(Content("\n").join([_line(*line) for line in self._lines]), markup=False)


def _line(key: str, name: str, explanation: str) -> Content:
    return Content.assemble((f"{key:<14}", "bold"), f"{name:<20}", (explanation, "dim"))
