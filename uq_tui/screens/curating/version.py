"""Making a version of a dataset of what a pass has kept: its name, and how many questions to develop on."""

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Static

from store.curation_rows import Curation
from store.dataset_rows import Version
from store.workspace import Workspace
from uq_tui.curation import paper
from uq_tui.errors import UqError
from uq_tui.state.curating.pinning import make_version
from uq_tui.text import clean
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.one_line_input import OneLineInput

ABOUT = (
    "It pins what was kept, in the words it was kept in. Those that meet the diamond thresholds of the pass are diamond"
    " questions. `uq-tui dataset` shows, changes and writes it."
)


class MakeVersionModal(TellsFailures, ModalScreen[Version | None]):
    """Returns the version that was made. What is wrong is said in the dialog, which stays."""

    CSS_PATH = "dialogs.tcss"
    AUTO_FOCUS = "#name"
    BINDINGS = [
        Binding("enter", "make", "Make", id="version.make", priority=True, tooltip="Make the version"),
        Binding("escape", "dismiss(None)", "Cancel", id="version.cancel", tooltip="Leave without making one"),
    ]

    def __init__(self, workspace: Workspace, curation: Curation) -> None:
        super().__init__()
        self._workspace = workspace
        self._curation = curation

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = "Make a version of what was kept"
            yield Label("Name of the version")
            yield OneLineInput(id="name", placeholder="for instance 2026-12", compact=True)
            yield Label("Questions with known answers to develop on, at most")
            yield OneLineInput(id="development", placeholder=f"none; the paper has {paper.DEVELOPMENT}", compact=True)
            yield Static(ABOUT, classes="note", id="note", markup=False)
        yield KeyFooter()

    @work(group="make", exclusive=True, exit_on_error=False)
    async def action_make(self) -> None:
        name, development = (self.query_one(f"#{field}", Input).value for field in ("name", "development"))
        try:
            version = await make_version(self._workspace, self._curation.id, name, development)
        except UqError as error:
            self.query_one("#note", Static).update(Content.styled(clean(str(error)), "$text-error"))
        else:
            self.dismiss(version)
