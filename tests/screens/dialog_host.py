"""An app that shows one dialog, and keeps what it returns and what goes wrong in it."""

from textual.app import App
from textual.screen import ModalScreen

from uq_tui.widgets.failures import WorkFailed


class DialogHost(App[None]):
    def __init__(self, dialog: ModalScreen[bool]) -> None:
        super().__init__()
        self._dialog = dialog
        self.results: list[bool | None] = []
        self.errors: list[str] = []

    def on_mount(self) -> None:
        self.push_screen(self._dialog, self.results.append)

    def on_work_failed(self, failure: WorkFailed) -> None:
        self.errors.append(str(failure.error))
