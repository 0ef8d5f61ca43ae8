"""Having models answer and rate the questions that have passed the rules."""

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.suggester import SuggestFromList
from textual.widgets import Input, Label, Static

from uq_tui.state.curating.asking import Asked, AskingEditor
from uq_tui.state.models import known_ids
from uq_tui.state.strategy.editor import model_text
from uq_tui.text import clean_line
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.one_line_input import OneLineInput


class ModelFilterModal(TellsFailures, ModalScreen[Asked | None]):
    """Returns the run to start, or None. Enter starts it from any field."""

    CSS_PATH = "dialogs.tcss"
    AUTO_FOCUS = "#answerer"
    BINDINGS = [
        Binding("enter", "start", "Start", id="filter.start", priority=True, tooltip="Ask as is shown"),
        Binding("escape", "dismiss(None)", "Don't ask", id="filter.cancel", tooltip="Leave without asking"),
    ]

    def __init__(self, editor: AskingEditor) -> None:
        super().__init__()
        self._editor = editor

    def compose(self) -> ComposeResult:
        editor = self._editor
        app_model = f"{clean_line(model_text(editor.app_model))}, the app's"
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = "Ask models"
            yield Static("One model answers each question once, others rate question and answer.", markup=False)
            yield from self._row("answers", "answerer", editor.answerer, app_model)
            yield from self._row("rate", "raters", editor.raters, f"{app_model}; several, in turns, with commas")
            yield from self._row("questions", "limit", editor.limit, "at most so many; most votes first")
            yield from self._row("dollars", "usd", editor.usd, "the run may cost in all; nothing: as configured")
            yield from self._row("tokens", "tokens", editor.tokens, "it may use in all, in and out")
            yield Static(id="planned", classes="note", markup=False)
        yield KeyFooter()

    def _row(self, label: str, name: str, text: str, placeholder: str) -> ComposeResult:
        with Horizontal(classes="row"):
            yield Label(label, markup=False)
            yield OneLineInput(text, id=name, placeholder=placeholder, compact=True, select_on_focus=True)

    def on_mount(self) -> None:
        self._tell()
        self._learn()

    @work(exit_on_error=False)
    async def _learn(self) -> None:
        """Find ids to complete what is typed."""
        known = SuggestFromList(await known_ids())
        for name in ("answerer", "raters"):
            self.query_one(f"#{name}", Input).suggester = known

    @on(Input.Changed)
    def _entered(self, event: Input.Changed) -> None:
        self._editor.enter(event.input.id or "", event.value)
        self._tell()

    def _tell(self) -> None:
        wrong = self._editor.wrong
        said = Content.styled(wrong.words, "$text-error") if wrong else Content(clean_line(self._editor.planned))
        self.query_one("#planned", Static).update(said)

    def action_start(self) -> None:
        asked, wrong = self._editor.asked(), self._editor.wrong
        if asked is not None:
            self.dismiss(asked)
        elif wrong is not None and wrong.field:
            self.query_one(f"#{wrong.field}", Input).focus()
