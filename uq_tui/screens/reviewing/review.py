"""Review: a queue, gone through one answer after the other; one key decides and goes on."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.events import DescendantFocus
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from uq_tui.document.maths.readable import readable_line
from uq_tui.errors import DraftMovedError, UqError
from uq_tui.key_map import key_shown, with_keys
from uq_tui.screens.reviewing.comments import CommentsModal
from uq_tui.screens.reviewing.guideline import GuidelineModal
from uq_tui.screens.reviewing.history import HistoryModal
from uq_tui.screens.reviewing.reveal import RevealModal
from uq_tui.screens.reviewing.second_pass import SecondPassScreen
from uq_tui.state.desk import Desk
from uq_tui.state.reading.readable import readable_question
from uq_tui.state.reviewing.giving import Given
from uq_tui.state.reviewing.loading import Loaded, Problem
from uq_tui.state.reviewing.review import ReviewState
from uq_tui.state.verdict.editor import VerdictEditor
from uq_tui.text import clean_line
from uq_tui.widgets.candidate_text import Shown
from uq_tui.widgets.document import Document
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.key_footer import PANE_KEYS, KeyFooter
from uq_tui.widgets.reviewing.answer_list import AnswerList
from uq_tui.widgets.reviewing.review_text import ReviewText
from uq_tui.widgets.reviewing.strip_words import told
from uq_tui.widgets.reviewing.verdict_keys import VERDICT_BINDINGS
from uq_tui.widgets.reviewing.verdict_strip import SHORT, Told, VerdictStrip
from uq_tui.widgets.title_bar import TitleBar
from uq_tui.widgets.tour_bar import TourBar
from uq_tui.widgets.verdict_dock import VerdictDock
from uq_tui.words import Label, NotJudged

ORDER = ("answers", "question", "text", "reference")
"""Panes in the order of the arrow keys."""

OFFERED = ("give", "later", "undo", "guideline", "reveal", "second_pass")
"""Actions that are offered at times."""
Gone = TypeVar("Gone")


class ReviewScreen(TellsFailures, Screen[None]):
    """Drawn from `ReviewState` after each key. Posts `Closed` when it is left, or there is nothing to show.

    Args:
        desk: of the reviewer.
        queue_id: the queue to go on with.
        clock: counts the seconds for which keys that record do nothing.
    """

    CSS_PATH = "review.tcss"
    AUTO_FOCUS = "#text"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-medium"), (170, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-short"), (SHORT, "-tall")]
    BINDINGS = [  # In the order in which a narrow footer should show them.
        *VERDICT_BINDINGS,
        Binding("enter", "form", "Form", id="review.form", tooltip="All else that a verdict can say"),
        Binding("l", "later", "Later", id="review.later", tooltip="Put this answer off: it comes again at the end"),
        Binding("u", "undo", "Undo", id="review.undo", tooltip="Take back what was recorded last in this queue"),
        Binding("U", "redo", "Redo", id="review.redo", tooltip="Record what was undone once more"),
        Binding("a", "text", "Text", id="review.text", tooltip="Answer, question, or the reasoning"),
        Binding("r", "reference", "Reference", id="review.reference", tooltip="Reference solution and neighbours"),
        Binding("i", "guideline", "Guideline", id="review.guideline", tooltip="What to go by in this queue"),
        Binding(
            "colon",
            "comments",
            "Comments",
            id="review.comments",
            tooltip="Comments, your note, acceptance, what you are to the question",
        ),
        Binding("w", "full", "Full width", id="review.full", tooltip="Read at full width, or with all panes"),
        Binding("h", "history", "History", id="review.history", tooltip="All you have recorded on this answer"),
        Binding(
            "p", "second_pass", "Second pass", id="review.second_pass", tooltip="Claims of machines on what is revealed"
        ),
        Binding(
            "ctrl+r",
            "reveal",
            "Reveal",
            id="review.reveal",
            tooltip="Show what is hidden of this problem, after asking",
        ),
        Binding("left", "pane(-1)", "Panes", id="review.previous", group=PANE_KEYS, tooltip="Previous pane"),
        Binding("right", "pane(1)", "Panes", id="review.next", group=PANE_KEYS, tooltip="Next pane"),
        Binding("escape", "queues", "Queues", id="review.queues", tooltip="Back to all queues; a draft stays"),
    ]

    @dataclass
    class Closed(Message):
        """The reviewer leaves the queue, or it could not be opened and the error was told."""

    @dataclass
    class Reads(Message):
        """Another problem is before the reviewer."""

        question_id: str

    def __init__(self, desk: Desk, queue_id: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._desk = desk
        self._queue_id = queue_id
        self._editor = VerdictEditor(desk, clock=clock)
        self._state = ReviewState(desk, self._editor, clock=clock)
        self._dock = VerdictDock(self._editor, id="verdict", quiet=True)
        self._text = ReviewText(id="text")
        self._drawn: Loaded | None = None
        self._read_of: Problem | None = None
        """The problem whose question and reference can be read."""
        self._offered: tuple[bool, ...] = ()

    def compose(self) -> ComposeResult:
        yield TitleBar()
        yield TourBar()
        with Horizontal(id="columns"):
            yield AnswerList(id="answers")
            yield Document(id="question")
            with Vertical(id="middle"):
                yield Static(id="asked", markup=False)
                yield self._text
                yield self._dock
            yield Document(id="reference")
        yield VerdictStrip(id="strip")
        yield KeyFooter()

    def on_mount(self) -> None:
        self.query_one("#question", Document).border_title = "Question"
        self.query_one("#reference", Document).border_title = "Reference and neighbours"
        self._open()

    @work(group="review", exit_on_error=False)
    async def _open(self) -> None:
        try:
            await self._state.open(self._queue_id)
        except UqError:
            self.post_message(self.Closed())
            raise
        if self._state.steps is not None and self.has_class("-wide"):
            self.add_class("-reference")  # final answers are held against it
        await self._moved()

    # Drawing

    async def _moved(self) -> None:
        """Draw what is before the reviewer now, and once more when all is counted."""
        self._draw()
        await self._state.settled()
        self._draw()

    def _draw(self) -> None:
        state = self._state
        self.query_one(AnswerList).show(state.lines)
        self.query_one(VerdictStrip).told = self._told()
        if state.shown is not self._drawn or state.at_the_end:
            self._drawn = state.shown
            self._draw_texts()
        offered = tuple(bool(self.check_action(action, ())) for action in OFFERED)
        if offered != self._offered:  # the footer is made anew for that, which takes as long as all else
            self._offered = offered
            self.refresh_bindings()

    def _told(self) -> Told:
        """What the strip says, without keys that don't work now."""
        return told(self._state, lambda name: key_shown(self._text, name), writing=self._is_writing)

    @property
    def _is_writing(self) -> bool:
        """The form is open, or a caret selects words: letters are theirs, and one that isn't must not record."""
        focused = self.focused
        return self.has_class("-judging") or (isinstance(focused, Document) and focused.caret is not None)

    def _draw_texts(self) -> None:
        state, shown = self._state, self._state.shown
        text, bar, asked = self._text, self.query_one(TitleBar), self.query_one("#asked", Static)
        question, reference = self.query_one("#question", Document), self.query_one("#reference", Document)
        name = clean_line(state.queue.name) if state.queue is not None else ""
        if shown is None:
            self.remove_class("-judging")
            bar.subject, self._read_of = name, None
            asked.update("")
            question.clear()
            reference.clear()
            text.tell_end(with_keys(self.app, state.summary))
            return
        if shown.problem is not self._read_of:
            self._read_of = shown.problem
            self.post_message(self.Reads(shown.item.question_id))
            title = readable_line(shown.problem.question.row.title)
            bar.subject = f"{name} · {title}"
            key = key_shown(self, "review.text")
            asked.update(Content.assemble((key, "bold underline"), f" question: {title}"))
            question.read(readable_question(shown.problem.question))
            reference.read(shown.problem.reference.readable())
        text.read_item(shown)
        if self.has_class("-judging") or self._dock.shown_of == shown.candidate.id:
            self._dock.show()  # else once it is opened: nothing is taken in from the form of another one

    # Verdicts

    @work(group="verdict", exit_on_error=False)
    async def action_give(self, verdict: str) -> None:
        wanted = Label(verdict) if verdict in set(Label) else NotJudged(verdict)
        if await self._go(lambda: self._state.give(wanted)) is Given.INCOMPLETE:
            self._open_form()

    @work(group="verdict", exit_on_error=False)
    async def action_later(self) -> None:
        await self._go(self._state.put_off)

    @work(group="verdict", exit_on_error=False)
    async def action_undo(self) -> None:
        await self._go(self._state.undo)

    @work(group="verdict", exit_on_error=False)
    async def action_redo(self) -> None:
        await self._go(self._state.redo)

    @on(AnswerList.Chosen)
    @work(group="verdict", exit_on_error=False)
    async def _go_to(self, event: AnswerList.Chosen) -> None:
        await self._go(lambda: self._state.go_to(event.item_id))
        self._turn_to("text")

    async def _go(self, step: Callable[[], Awaitable[Gone]]) -> Gone | None:
        """Take a step with all that the form shows, and show what is before the reviewer then.

        A key that comes while another one is at work does nothing: what the form shows isn't of what it was meant for.
        """
        if self._state.busy:
            return None
        self._dock.take_in()
        before = self._state.shown
        try:
            gone = await step()
        except DraftMovedError:
            self.post_message(VerdictDock.Torn(self._dock))
            return None
        finally:
            self._draw()
        await self._arrived(before)
        return gone

    async def _arrived(self, before: Loaded | None) -> None:
        """Have another item than `before` read first."""
        if self._state.shown is not before or self._state.feedback is not None:
            self.remove_class("-judging")
            self._turn_to("text")
        await self._moved()

    # The form

    @work(group="verdict", exit_on_error=False)
    async def action_form(self) -> None:
        if self._state.feedback is not None:
            await self._go(self._state.go_on)
        elif self._state.shown is not None:
            self._open_form()

    def _open_form(self) -> None:
        self.remove_class("-answers")
        if self.has_class("-narrow"):
            self.remove_class("-reference")
        self.add_class("-judging")
        self._draw()
        self._dock.show()
        self._dock.start()
        self.call_after_refresh(self._show_field)

    def _show_field(self) -> None:
        """Have the field in sight that has the focus: it got that before the form had a place."""
        if self.focused is not None:
            self.focused.scroll_visible(animate=False)

    @on(VerdictDock.Recorded)
    @work(group="verdict", exit_on_error=False)
    async def _recorded(self, event: VerdictDock.Recorded) -> None:
        before = self._state.shown
        await self._state.took(event.decision)
        await self._arrived(before)

    @on(VerdictDock.Practised)
    @work(group="verdict", exit_on_error=False)
    async def _practised(self) -> None:
        await self._go(self._state.practise)

    @on(VerdictDock.Left)
    def _close_form(self) -> None:
        self.remove_class("-judging")
        self._draw()
        self._text.focus()

    # Reading

    @on(Document.Moved)
    def _reads(self) -> None:
        """Count the time for reading as active: nothing else tells that somebody is here."""
        self._editor.touch()

    @on(Document.Selecting)
    @on(DescendantFocus)
    def _told_anew(self) -> None:
        self._draw()

    def action_queues(self) -> None:
        self.post_message(self.Closed())

    def action_text(self) -> None:
        self._text.turn()
        self._turn_to("text")
        if self._text.shown is Shown.REASONING:
            self.run_worker(self._state.note_reasoning(), group="exposures", exit_on_error=False)

    def action_reference(self) -> None:
        self.remove_class("-answers")
        self.toggle_class("-reference")
        self._turn_to("reference" if self.has_class("-reference") else "text")

    def action_full(self) -> None:
        self.toggle_class("-full")
        if self.focused is None or not self.focused.display:
            self._turn_to("text")

    def action_pane(self, by: int) -> None:
        there = self._panes()
        at = there.index(self.focused.id) if self.focused is not None and self.focused.id in there else 0
        self._turn_to(there[(at + by) % len(there)])

    def _panes(self) -> list[str]:
        """Those that can be turned to."""
        if self.has_class("-narrow"):
            return ["answers", "text", "reference"]
        return [name for name in ORDER if self.query_one(f"#{name}", Widget).display]

    def _turn_to(self, pane: str) -> None:
        if self.has_class("-narrow"):
            self.set_class(pane == "answers", "-answers")
            self.set_class(pane == "reference", "-reference")
        self.query_one(f"#{pane}", Widget).focus()

    def action_quote(self) -> None:
        """What a click on the key of quotes does."""
        self._text.focus()
        self._text.action_quote()

    # What else there is

    def action_guideline(self) -> None:
        if self._state.queue is not None:
            self.app.push_screen(GuidelineModal(self._state.queue))

    def action_history(self) -> None:
        if self._state.shown is not None:
            self.app.push_screen(HistoryModal(self._desk, self._state.shown.candidate))

    def action_second_pass(self) -> None:
        if candidate_id := self._state.second_pass_of:
            self.app.push_screen(SecondPassScreen(self._desk, candidate_id, self.query_one(TitleBar)))

    def action_comments(self) -> None:
        if (item := self._state.item) is not None:
            self.app.push_screen(CommentsModal(self._desk, item.question_id, item.candidate_id))

    @work(group="reveal", exclusive=True, exit_on_error=False)
    async def action_reveal(self) -> None:
        shown = self._state.shown
        if shown is None or shown.problem.mask is None:
            return
        if await self.app.push_screen_wait(RevealModal(readable_line(shown.problem.question.row.title))):
            await self._go(self._state.reveal)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what can be done with what is before the reviewer."""
        state = self._state
        match action:
            case "guideline":
                return state.queue is not None and bool(state.queue.guideline)
            case "reveal":
                return state.shown is not None and state.shown.problem.mask is not None
            case "second_pass":
                return bool(state.second_pass_of) and not self._is_writing
            case "give":
                return state.shown is not None and not self._is_writing
            case "later":
                return state.shown is not None and state.feedback is None and not self._is_writing
            case "undo" | "redo":
                return not self._is_writing
            case "form" | "history" | "text" | "comments":
                return state.shown is not None
        return True
