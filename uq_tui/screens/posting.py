"""An answer for posting: what its site says to that first, then the file."""

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Static

from store.rows import Candidate
from uq_tui.errors import ExportError
from uq_tui.key_map import key_shown
from uq_tui.state.desk import Desk
from uq_tui.state.posting import PostingDesk, policy_lines
from uq_tui.text import clean, clean_line
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.one_line_input import OneLineInput

DEFAULT = "~/answer.md"


class PostingModal(TellsFailures, ModalScreen[None]):
    """Writes an answer as Markdown. Not for a problem that is judged blind."""

    CSS_PATH = "modal.tcss"
    AUTO_FOCUS = "#path"
    BINDINGS = [
        Binding(
            "ctrl+o", "anyway", "Write anyway", id="posting.anyway", tooltip="Write it although its site forbids it"
        ),
        Binding("escape", "dismiss(None)", "Close", id="posting.close", tooltip="Leave; what was written stays"),
    ]

    def __init__(self, desk: Desk, candidate: Candidate) -> None:
        super().__init__()
        self._state = PostingDesk(desk, candidate.id)
        self._called = candidate.called

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = Content(clean_line(f"Post {self._called} on its site"))
            yield Static(id="policy", classes="note", markup=False)
            yield Label("Write it as Markdown to", markup=False)
            yield OneLineInput(DEFAULT, id="path", compact=True)
            yield Static(id="note", classes="note", markup=False)
            yield Label("It will say", markup=False)
            yield Static(id="text", markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        self._load()

    @work(group="load", exit_on_error=False)
    async def _load(self) -> None:
        await self._state.load()
        posting = self._state.posting
        if posting is None:
            return
        lines = list(policy_lines(posting))
        anyway = f"Nothing is written on Enter; {key_shown(self, 'posting.anyway')} writes it nevertheless."
        lines.append(anyway if posting.is_forbidden else "Enter writes it.")
        self.query_one("#policy", Static).update("\n".join(clean_line(line) for line in lines))
        self.query_one("#text", Static).update(clean(posting.text.rpartition("\n---\n")[2].strip()))
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """It is written anyway only where it would else not be."""
        return action != "anyway" or (self._state.posting is not None and self._state.posting.is_forbidden)

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self._write(anyway=False)

    def action_anyway(self) -> None:
        self._write(anyway=True)

    @work(group="write", exclusive=True, exit_on_error=False)
    async def _write(self, *, anyway: bool) -> None:
        note = self.query_one("#note", Static)
        try:
            written = await self._state.write(self.query_one("#path", Input).value, anyway=anyway)
        except ExportError as error:
            note.update(clean_line(str(error)))
        else:
            note.update(clean_line(f"Wrote {written}"))
