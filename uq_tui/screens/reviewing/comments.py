"""What is said of a question and its answers: comments, acceptances, one's relation and one's own note."""

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.timer import Timer
from textual.widgets import Label, OptionList, Static, TextArea

from store.review_rows import Said
from uq_tui.document.maths.readable import readable_line
from uq_tui.errors import UqError
from uq_tui.key_map import key_shown
from uq_tui.screens.reading.note import NoteModal
from uq_tui.state.desk import Desk
from uq_tui.state.reviewing.comments import HIDDEN, Comments, Entry, checked_acceptance
from uq_tui.text import clean_line, counted
from uq_tui.widgets.clean_text_area import CleanTextArea
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.finding_list import Entry as Line
from uq_tui.widgets.finding_list import FindingList
from uq_tui.widgets.keeps_words import KeepsWords
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.one_line_input import OneLineInput
from uq_tui.widgets.verdict_rows import RelationRow
from uq_tui.words import Relation, StatementKind

PAUSE_S = 1.0
"""Seconds after a key until the note is kept, however much is typed meanwhile."""
RETRY_S = 5.0
"""Seconds until a note that could not be written is tried again."""
_LONGEST = 500
"""Signs of a comment in the list; Enter shows all of it."""


class CommentsModal(KeepsWords, TellsFailures, ModalScreen[None]):
    """Each thing that is said is on disk before it is listed. The note is kept at each pause and when one leaves."""

    CSS_PATH = "comments.tcss"
    AUTO_FOCUS = "#comments"
    BINDINGS = [
        Binding("q", "comment", "On the question", id="comments.question", tooltip="Say something of the question"),
        Binding("a", "comment_answer", "On the answer", id="comments.answer", tooltip="Say something of this answer"),
        Binding("r", "reply", "Reply", id="comments.reply", tooltip="Answer this comment"),
        Binding("e", "edit", "Edit", id="comments.edit", tooltip="Other words for your comment; the old are kept"),
        Binding("d", "take_back", "Take back", id="comments.take_back", tooltip="Retract what you said; it is kept so"),
        Binding("p", "accept", "Accepted", id="comments.accept", tooltip="The poster has accepted this answer"),
        Binding("escape", "leave", "Close", id="comments.leave", tooltip="Close; your note is saved"),
    ]

    def __init__(self, desk: Desk, question_id: str, candidate_id: str = "") -> None:
        """`candidate_id` is of the answer before the reviewer; without one there are comments on the question only."""
        super().__init__()
        self._state = Comments(desk, question_id, candidate_id)
        self._pause: Timer | None = None
        self._area = CleanTextArea(id="note", tab_behavior="focus", disabled=True)
        self._written = ""
        """The note as it is on disk."""

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = "Comments and notes"
            yield Label(id="about", markup=False)
            yield FindingList(id="comments")
            yield Static(id="hidden", markup=False)
            yield RelationRow("You are", id="relation")
            yield Label("Your note on this question", markup=False)
            yield self._area
            yield Static(id="saved", markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        self._load()

    @work(group="load", exit_on_error=False)
    async def _load(self) -> None:
        await self._state.load()
        if (talk := self._state.talk) is None:
            return
        with self.prevent(TextArea.Changed):
            self._area.load_text(talk.note.body)
        self._area.disabled = False
        self._written = self._area.text
        self._show_relation()
        self._draw()

    # Drawing

    def _show_relation(self) -> None:
        relation = self._state.talk.relation if self._state.talk else None
        self.query_one(RelationRow).chosen = frozenset((relation.value,) if relation else ())

    def _draw(self, stand_on: str = "") -> None:
        talk = self._state.talk
        if talk is None:
            return
        self.query_one("#about", Label).update(
            readable_line(clean_line(talk.question.row.title)) or talk.question.row.id
        )
        listing = self.query_one("#comments", FindingList)
        self.query_one(".dialog").border_title = Content(f"Comments and notes: {counted(len(talk.entries), 'comment')}")
        lines = [Line(entry.key, _line(entry)) for entry in talk.entries]
        listing.show(lines, empty=self._empty(), stand_on=[stand_on])
        self.query_one("#hidden", Static).update(HIDDEN if talk.is_hidden else "")
        self._tell_saved()
        self.refresh_bindings()

    def _empty(self) -> str:
        on_answer = f", {key_shown(self, 'comments.answer')} on {self._state.called}" if self._state.called else ""
        return f"Nothing is said yet. {key_shown(self, 'comments.question')} comments on the question{on_answer}."

    def _tell_saved(self) -> None:
        body = self._area.text
        said = "saved" if body == self._written else "not saved yet"
        self.query_one("#saved", Static).update(f"Note: {said}" if body or self._written else "")

    @property
    def _entry(self) -> Entry | None:
        return self._state.entry(self.query_one("#comments", FindingList).key)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only what there is something for."""
        if action in ("comment_answer", "accept"):
            return bool(self._state.called)
        if action == "reply":
            entry = self._entry if self.is_mounted else None
            return entry is not None and entry.statement.stands
        if action in ("edit", "take_back"):
            entry = self._entry if self.is_mounted else None
            is_comment = entry is not None and entry.statement.kind is StatementKind.COMMENT
            return entry is not None and entry.mine and entry.statement.stands and (is_comment or action != "edit")
        return True

    @on(FindingList.Stood)
    def _stood(self) -> None:
        self.refresh_bindings()

    # Saying something

    @on(OptionList.OptionSelected, "#comments")
    @work(group="say", exclusive=True, exit_on_error=False)
    async def _selected(self) -> None:
        if (entry := self._entry) is not None:
            await self.app.push_screen_wait(ReadModal(entry))

    @work(group="say", exclusive=True, exit_on_error=False)
    async def action_comment(self) -> None:
        title = self._state.talk.question.row.title if self._state.talk else ""
        if text := await self.app.push_screen_wait(NoteModal("Comment on the question", title)):
            self._draw(await self._state.comment(text))

    @work(group="say", exclusive=True, exit_on_error=False)
    async def action_comment_answer(self) -> None:
        if text := await self.app.push_screen_wait(NoteModal("Comment on the answer", self._state.called)):
            self._draw(await self._state.comment(text, on_answer=True))

    @work(group="say", exclusive=True, exit_on_error=False)
    async def action_reply(self) -> None:
        entry = self._entry
        if entry is not None and (text := await self.app.push_screen_wait(NoteModal("Reply", entry.text))):
            self._draw(await self._state.comment(text, reply_to=entry))

    @work(group="say", exclusive=True, exit_on_error=False)
    async def action_edit(self) -> None:
        entry = self._entry
        if entry is None:
            return
        text = await self.app.push_screen_wait(NoteModal("Edit your comment", entry.head, entry.statement.text))
        if text is not None:
            await self._state.revise(entry.key, text)
            self._draw(entry.key)

    @work(group="say", exclusive=True, exit_on_error=False)
    async def action_take_back(self) -> None:
        if (entry := self._entry) is not None:
            await self._state.take_back(entry.key)
            self._draw()

    @work(group="say", exclusive=True, exit_on_error=False)
    async def action_accept(self) -> None:
        author = self._state.talk.question.author if self._state.talk else ""
        said = await self.app.push_screen_wait(AcceptanceModal(self._state.called, author))
        if said is not None:
            self._draw(await self._state.accept(said))

    @on(RelationRow.Changed)
    @work(group="relation", exit_on_error=False)
    async def _relate(self, event: RelationRow.Changed) -> None:
        if event.row.chosen:
            await self._state.relate(Relation(event.row.value))
        else:
            self._show_relation()  # what was said once can be changed, not unsaid

    def action_pane(self, by: int) -> None:
        """Go on to the next part of the dialog, or back."""
        if by > 0:
            self.focus_next()
        else:
            self.focus_previous()

    # The note

    @on(TextArea.Changed, "#note")
    def _typed(self) -> None:
        self._tell_saved()
        if self._pause is None:
            self._pause = self.set_timer(PAUSE_S, self._keep)

    @work(group="note", exit_on_error=False)
    async def _keep(self) -> None:
        self._pause = None
        if not self.has_words():
            return
        try:
            await self.keep_words()
        except UqError:
            self._pause = self._pause or self.set_timer(RETRY_S, self._keep)
            raise
        self._tell_saved()

    def has_words(self) -> bool:
        """Whether the note is not on disk as it stands here."""
        return self._area.text != self._written

    async def keep_words(self) -> None:
        """Keep the note. Raises StoreError."""
        body = self._area.text
        await self._state.keep_note(body)
        self._written = body

    @work(group="leave", exclusive=True, exit_on_error=False)
    async def action_leave(self) -> None:
        """A note that can't be saved keeps the dialog open, with the note in it."""
        if self._state.talk is not None:
            body = self._area.text
            await self._state.leave_note(body)
            self._written = body
        self.dismiss()

    async def on_unmount(self) -> None:
        """What is written stays, also when the whole app is left."""
        if self.has_words():
            try:
                await self.keep_words()
            except UqError as error:
                self.app.notify(f"Your last words in this note: {error}", title=error.title, severity="error")


class ReadModal(ModalScreen[None]):
    """One comment, whole."""

    CSS_PATH = "comments.tcss"
    BINDINGS = [Binding("escape,enter", "dismiss", "Close", id="comment.close", tooltip="Back to the list")]

    def __init__(self, entry: Entry) -> None:
        super().__init__()
        self._entry = entry

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog") as dialog:
            dialog.border_title = Content(self._entry.head)
            yield CleanTextArea(self._entry.text, id="whole", read_only=True)
        yield KeyFooter()


class AcceptanceModal(TellsFailures, ModalScreen[Said | None]):
    """Returns what was typed, checked, or None."""

    CSS_PATH = "comments.tcss"
    BINDINGS = [
        Binding("ctrl+s", "keep", "Keep", id="acceptance.keep", tooltip="Record that the answer was accepted"),
        Binding("escape", "dismiss(None)", "Cancel", id="acceptance.cancel", tooltip="Leave without recording it"),
    ]

    def __init__(self, called: str, poster: str) -> None:
        """`poster` is the question's author, as far as it is known."""
        super().__init__()
        self._called = called
        self._poster = poster

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = Content(f"{self._called} was accepted by the question's poster")
            yield Label("Who accepted it", markup=False)
            yield OneLineInput(self._poster, id="by", compact=True)
            yield Label("When, as far as you know", markup=False)
            yield OneLineInput(id="at", placeholder="2026-01-31", compact=True)
            yield Label("Where it can be seen", markup=False)
            yield OneLineInput(id="url", placeholder="https://", compact=True)
            yield Label("What the poster said", markup=False)
            yield CleanTextArea(id="said", tab_behavior="focus")
        yield KeyFooter()

    @work(group="keep", exit_on_error=False)
    async def action_keep(self) -> None:
        by, at, url = (self.query_one(f"#{name}", OneLineInput).value for name in ("by", "at", "url"))
        self.dismiss(checked_acceptance(by, at, url, self.query_one("#said", TextArea).text))


def _line(entry: Entry) -> Content:
    text = clean_line(entry.text)
    shown = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
    indent = "  " * entry.depth
    head = (f"{indent}{entry.head}", "$text-primary bold")
    return Content.assemble(head, ("  yours" if entry.mine else "", "$text-muted"), f"\n{indent}{shown}")
