"""A report of the question on the workbench, as a file for others to read."""

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Static

from uq_tui.errors import ExportError
from uq_tui.state.desk import Desk
from uq_tui.state.question_report import QuestionReportDesk
from uq_tui.text import clean_line
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.one_line_input import OneLineInput

DEFAULT = "~/question.html"


class QuestionReportModal(TellsFailures, ModalScreen[None]):
    """Writes the report on Enter. Not for a problem that is judged blind."""

    CSS_PATH = "modal.tcss"
    AUTO_FOCUS = "#path"
    BINDINGS = [
        Binding(
            "escape", "dismiss(None)", "Close", id="question_report.close", tooltip="Leave; what was written stays"
        ),
    ]

    def __init__(self, desk: Desk, question_id: str) -> None:
        super().__init__()
        self._state = QuestionReportDesk(desk, question_id)

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = Content("Report of this question")
            yield Label("Write it to", markup=False)
            yield OneLineInput(DEFAULT, id="path", compact=True)
            yield Static(
                "It has the question, its answers with their authors, verdicts, stages and utilities. A name that ends"
                " in .html is a page for a browser, with formulas drawn; one in .md is Markdown. A file of that name is"
                " replaced. Enter writes it.",
                classes="note",
                markup=False,
            )
            yield Static(id="note", classes="note", markup=False)
        yield KeyFooter()

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self._write()

    @work(group="write", exclusive=True, exit_on_error=False)
    async def _write(self) -> None:
        note = self.query_one("#note", Static)
        try:
            written = await self._state.write(self.query_one("#path", Input).value)
        except ExportError as error:
            note.update(clean_line(str(error)))
        else:
            note.update(clean_line(f"Wrote {written}"))
