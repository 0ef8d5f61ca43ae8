"""Review of questions: one after the other, kept, rejected or put in other words by a person."""

import time
from collections.abc import Awaitable, Callable

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Input

from store.curation_drafts import ParaphraseDraft
from store.curation_rows import Curation
from uq_tui.document.maths.readable import readable_line
from uq_tui.errors import UqError
from uq_tui.key_map import key_shown
from uq_tui.screens.curating.head import begin_head, head
from uq_tui.screens.curating.paraphrase import ParaphraseModal
from uq_tui.state.curating.answers import Answers
from uq_tui.state.curating.facts import facts
from uq_tui.state.curating.question_review import QuestionReview
from uq_tui.state.curating.reviewed import Reviewed
from uq_tui.state.desk import Desk
from uq_tui.state.reading.readable import own_words, readable_question
from uq_tui.text import clean_line
from uq_tui.widgets.curating.review_strip import told
from uq_tui.widgets.document import Document
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.keeps_words import KeepsWords
from uq_tui.widgets.key_footer import PANE_KEYS, KeyFooter
from uq_tui.widgets.one_line_input import OneLineInput
from uq_tui.widgets.reviewing.verdict_strip import VerdictStrip
from uq_tui.widgets.title_bar import TitleBar
from uq_tui.words import QuestionDecision

PANES = ("question", "facts", "answer")
PAUSE_S = 1.0
"""Seconds after a key until a reason is kept, however much is typed meanwhile."""
RECORDS = ("decide", "paraphrase", "later")
"""Actions that need a question."""


class QuestionReviewScreen(KeepsWords, TellsFailures, Screen[None]):
    """Drawn from `QuestionReview` after each key.

    Args:
        desk: of the reviewer.
        curation: the one whose questions are gone through.
        clock: counts the seconds for which keys that record do nothing.
    """

    CSS_PATH = "curating.tcss"
    AUTO_FOCUS = "#question"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-medium"), (170, "-wide")]
    BINDINGS = [
        Binding("y", "decide('keep')", "Keep", id="question.keep", tooltip="Keep this question, go on", show=False),
        Binding("x", "decide('reject')", "Reject", id="question.reject", tooltip="Reject it with a reason", show=False),
        Binding("p", "paraphrase", "Paraphrase", id="question.paraphrase", tooltip="In other words", show=False),
        Binding("r", "reason", "Reason", id="question.reason", tooltip="Why: goes with the decision", show=False),
        Binding("l", "later", "Later", id="question.later", tooltip="Put it off: it comes again", show=False),
        Binding("u", "undo", "Undo", id="question.undo", tooltip="Take back what was decided last", show=False),
        Binding("a", "answer", "Answers", id="question.answer", tooltip="The candidate answers, one after the other"),
        Binding("f", "facts", "Facts", id="question.facts", tooltip="Engagement, ratings, comments"),
        Binding("left", "pane(-1)", "Panes", id="question.previous", group=PANE_KEYS, tooltip="Previous pane"),
        Binding("right", "pane(1)", "Panes", id="question.next", group=PANE_KEYS, tooltip="Next pane"),
        Binding("escape", "leave", "Back", id="question.leave", tooltip="Leave the reason, or go back to the funnel"),
    ]

    def __init__(self, desk: Desk, curation: Curation, *, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._state = QuestionReview(desk, curation, clock=clock)
        self._reason = OneLineInput(id="reason", placeholder="why", compact=True, select_on_focus=False)
        self._answers = Answers(())
        self._drawn: Reviewed | None = None
        self._pending: QuestionDecision | None = None
        """What Enter in the reason records."""
        self._pause: Timer | None = None
        self._paraphrasing = False
        """A dialog has the words on this question now, the reason among them."""

    def compose(self) -> ComposeResult:
        yield TitleBar()
        with Horizontal(id="columns"):
            for pane in PANES:
                yield Document(id=pane)
        yield self._reason
        yield VerdictStrip(id="strip")
        yield KeyFooter()

    def on_mount(self) -> None:
        begin_head(self)
        self.query_one("#question", Document).border_title = "Question"
        self.query_one("#facts", Document).border_title = "What is known of it"
        self._turn_to("question")
        self._go(self._state.open)

    # Drawing

    def _draw(self) -> None:
        state, shown = self._state, self._state.shown
        if shown is not self._drawn:
            self._drawn = shown
            self._pending = None
            self._draw_texts(shown)
            self._put_reason()
        title = f" · {readable_line(shown.question.row.title)}" if shown is not None else ""
        head(self, f"{state.curation.name}{title}")
        self._reason.display = bool(self._reason.value) or self._reason.has_focus
        self.query_one(VerdictStrip).told = told(
            state, lambda name: key_shown(self, name), pending=self._pending, writing=self._reason.has_focus
        )
        self.refresh_bindings()

    def _draw_texts(self, shown: Reviewed | None) -> None:
        question, known, answer = (self.query_one(f"#{pane}", Document) for pane in PANES)
        if shown is None:
            self._answers = Answers(())
            question.show("*No question waits for a person in this pass.*", key="end")
            known.clear()
            answer.clear()
            return
        question_id = shown.question.row.id
        self._answers = Answers(shown.candidates, rated=shown.rated)
        question.read(readable_question(shown.question))
        known.read(own_words(facts(shown, self._state.limits), f"facts {question_id}", name="question-facts"))
        self._draw_answer()
        self._turn_to("question")

    def _draw_answer(self) -> None:
        answer = self.query_one("#answer", Document)
        answer.border_title = Content(clean_line(self._answers.title))
        answer.read(self._answers.readable())
        self._note_answer()

    @property
    def _answer_in_sight(self) -> bool:
        if self.has_class("-narrow"):
            return self.has_class("-at-answer")
        return self.has_class("-wide") or self.has_class("-answers")

    @work(group="exposures", exit_on_error=False)
    async def _note_answer(self) -> None:
        """Log that an answer is read, where its pane is in sight."""
        if self._answers.chosen is not None and self._answer_in_sight:
            await self._state.note_answer(self._answers.chosen.id)

    def on_resize(self) -> None:
        """More room may bring the answer into sight."""
        self._note_answer()

    # Decisions

    @work(group="decide", exit_on_error=False)
    async def _go(self, step: Callable[[], Awaitable[None]]) -> None:
        """Take a step and show what is before the reviewer then; a key that comes meanwhile does nothing."""
        if self._state.busy:
            return
        try:
            await step()
        finally:
            if self.is_mounted:
                self._draw()

    def action_decide(self, decision: str) -> None:
        wanted = QuestionDecision(decision)
        if not self._state.guard.lets(decision):
            return
        if wanted is QuestionDecision.REJECT and not self._reason.value.strip():
            self._pending = wanted
            self.action_reason()
        else:
            self._decide(wanted)

    def _decide(self, wanted: QuestionDecision) -> None:
        reason = self._reason.value
        self._state.guard.recorded(wanted.value)
        self._go(lambda: self._state.decide(wanted, reason))

    def action_later(self) -> None:
        if self._state.guard.lets("later"):
            self._state.guard.recorded("later")
            self._go(self._put_off)

    async def _put_off(self) -> None:
        await self.keep_words()
        await self._state.put_off()

    def action_undo(self) -> None:
        if self._state.guard.lets("undo", at_once=True):
            self._state.guard.recorded("undo")
            self._go(self._undo)

    async def _undo(self) -> None:
        await self.keep_words()
        await self._state.undo()

    @work(group="paraphrase", exclusive=True, exit_on_error=False)
    async def action_paraphrase(self) -> None:
        if self._state.shown is None or self._state.busy or not self._state.guard.lets("paraphrase"):
            return
        await self.keep_words()
        self._paraphrasing = True
        try:
            await self.app.push_screen_wait(ParaphraseModal(self._state))
        finally:
            self._paraphrasing = False
        self._put_reason()
        self._draw()

    # The reason

    def action_reason(self) -> None:
        self._reason.display = True
        self._reason.focus()

    @on(Input.Submitted, "#reason")
    def _submitted(self) -> None:
        pending = self._pending
        self.query_one("#question").focus()
        if pending is not None and self._reason.value.strip():
            self._decide(pending)
        self._pending = None

    @on(Input.Blurred, "#reason")
    def _left(self) -> None:
        self._keep()
        self._draw()

    def on_descendant_focus(self) -> None:
        self._draw()

    @on(Input.Changed, "#reason")
    def _typed(self) -> None:
        if self._pause is None:
            self._pause = self.set_timer(PAUSE_S, self._keep)

    def _put_reason(self) -> None:
        with self.prevent(Input.Changed):
            self._reason.value = self._state.turn.draft.reason

    @work(group="reason", exit_on_error=False)
    async def _keep(self) -> None:
        self._pause = None
        if not self._state.busy:  # else they go with what is recorded just now
            await self.keep_words()

    def has_words(self) -> bool:
        """Whether a reason is not on disk as it stands here."""
        shown = self._state.shown is not None and not self._paraphrasing
        return shown and self._reason.value != self._state.turn.draft.reason

    async def keep_words(self) -> None:
        """Keep the reason. Raises StoreError."""
        if self.has_words():
            draft = self._state.turn.draft
            await self._state.keep_draft(ParaphraseDraft(draft.title, draft.body, self._reason.value))

    # Reading

    def action_answer(self) -> None:
        if self.focused is not None and self.focused.id == "answer":
            self._answers = self._answers.next()
        self._turn_to("answer")
        self._draw_answer()

    def action_facts(self) -> None:
        self._turn_to("facts")

    def action_pane(self, by: int) -> None:
        at = PANES.index(self.focused.id) if self.focused is not None and self.focused.id in PANES else 0
        self._turn_to(PANES[(at + by) % len(PANES)])

    def _turn_to(self, pane: str) -> None:
        """Have a pane in sight: alone where there is little room, else the question stays beside it."""
        for one in PANES:
            self.set_class(one == pane, f"-at-{one}")
        if pane != "question":
            self.set_class(pane == "answer", "-answers")
        self.query_one(f"#{pane}", Document).focus()
        if pane == "answer":
            self._note_answer()

    @work(group="leave", exclusive=True, exit_on_error=False)
    async def action_leave(self) -> None:
        if self._reason.has_focus:
            self._pending = None
            self.query_one("#question").focus()
            return
        await self.keep_words()
        self.dismiss()

    async def on_unmount(self) -> None:
        """What is written stays, also when the whole app is left."""
        try:
            await self.keep_words()
        except UqError as error:
            self.app.notify(f"Your last words on this question: {error}", title=error.title, severity="error")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what can be done with what is before the reviewer."""
        if action in RECORDS or action in ("reason", "facts"):
            return self._state.shown is not None
        if action == "answer":
            return bool(self._answers.candidates)
        if action == "undo":
            return self._state.can_undo
        return True
