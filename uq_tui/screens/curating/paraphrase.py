"""A question in other words: title, text, and why. What is written is kept until it is recorded."""

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.timer import Timer
from textual.widgets import Input, Label, Static, TextArea

from store.curation_drafts import ParaphraseDraft
from uq_tui.errors import UqError
from uq_tui.key_map import key_shown
from uq_tui.state.curating.question_review import QuestionReview
from uq_tui.text import clean
from uq_tui.widgets.clean_text_area import CleanTextArea
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.keeps_words import KeepsWords
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.one_line_input import OneLineInput
from uq_tui.words import QuestionDecision

PAUSE_S = 1.0
"""Seconds after a key until what is written is kept, however much is typed meanwhile."""


class ParaphraseModal(KeepsWords, TellsFailures, ModalScreen[bool]):
    """Returns whether it was recorded. Begins with the draft there is, else with the question's own words."""

    CSS_PATH = "dialogs.tcss"
    AUTO_FOCUS = "#body"
    VERTICAL_BREAKPOINTS = [(0, "-short"), (32, "-tall")]
    BINDINGS = [
        Binding("ctrl+s", "record", "Record", id="paraphrase.record", tooltip="Keep the question in these words"),
        Binding("escape", "leave", "Leave", id="paraphrase.leave", tooltip="Leave; what is written stays as a draft"),
    ]

    def __init__(self, state: QuestionReview) -> None:
        super().__init__()
        self._state = state
        assert state.shown is not None
        question, draft = state.shown.question, state.turn.draft
        self._of = state.shown
        self._own = ParaphraseDraft(question.row.title, question.body.markdown)
        self._title = OneLineInput(draft.title or self._own.title, id="title", compact=True, select_on_focus=False)
        self._body = CleanTextArea(draft.body or self._own.body, id="body", tab_behavior="focus")
        self._reason = OneLineInput(draft.reason, id="why", compact=True, select_on_focus=False)
        self._pause: Timer | None = None

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = "In other words"
            yield Label("Title")
            yield self._title
            yield Label("Text: Markdown with mathematics, complete in itself")
            yield self._body
            yield Label("Why it can't stay as it is")
            yield self._reason
            yield Static(classes="note", id="note", markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        record, leave = key_shown(self, "paraphrase.record"), key_shown(self, "paraphrase.leave")
        self._say(Content(f"{record} records it, {leave} keeps it as a draft."))

    def _say(self, said: Content) -> None:
        self.query_one("#note", Static).update(said)

    @work(group="record", exclusive=True, exit_on_error=False)
    async def action_record(self) -> None:
        if self._state.busy:
            return
        words = (self._reason.value, self._title.value, self._body.text)
        try:
            await self._state.decide(QuestionDecision.PARAPHRASE, *words)
        except UqError as error:
            self._say(Content.styled(clean(str(error)), "$text-error"))
            if not self._reason.value.strip():
                self._reason.focus()
        else:
            self.dismiss(True)

    @property
    def _written(self) -> ParaphraseDraft:
        """What is a draft of what stands here: words that are still the question's own are none."""
        title, body = self._title.value, self._body.text
        own = (title, body) == (self._own.title, self._own.body)
        return ParaphraseDraft("" if own else title, "" if own else body, self._reason.value)

    @on(TextArea.Changed)
    @on(Input.Changed)
    def _typed(self) -> None:
        if self._pause is None:
            self._pause = self.set_timer(PAUSE_S, self._keep)

    @work(group="draft", exit_on_error=False)
    async def _keep(self) -> None:
        self._pause = None
        if self.is_current and not self._state.busy:
            await self.keep_words()

    def has_words(self) -> bool:
        """Whether there are words here that are not on disk."""
        return self._state.shown is self._of and self._written != self._state.turn.draft

    async def keep_words(self) -> None:
        """Keep the draft. Raises StoreError."""
        if self.has_words():
            await self._state.keep_draft(self._written)

    @work(group="leave", exclusive=True, exit_on_error=False)
    async def action_leave(self) -> None:
        """Words that can't be saved keep the dialog open."""
        await self.keep_words()
        self.dismiss(False)
