"""The verdict form at work: drafts kept at each pause, verdicts recorded and retracted."""

from dataclasses import dataclass

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.timer import Timer

from store.review_rows import Decision
from store.rows import Candidate, MarkedError, Verdict
from uq_tui.errors import DraftMovedError, UqError, VerdictFormError
from uq_tui.key_map import key_shown
from uq_tui.state.reviewing.completeness import gaps
from uq_tui.state.verdict.editor import Side, VerdictEditor
from uq_tui.state.verdict.errors import with_error, without_error
from uq_tui.state.verdict.words import describe
from uq_tui.text import clean, counted
from uq_tui.widgets.error_list import ErrorList
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.keeps_words import KeepsWords
from uq_tui.widgets.verdict_form import Change, VerdictFormView

DRAFT_PAUSE_S = 1.0
"""Seconds after an edit until the draft is written, however much is typed meanwhile."""
RETRY_S = 5.0
"""Seconds until a draft that could not be written is tried again."""


class VerdictDock(KeepsWords, TellsFailures, Vertical):
    """Posts `Recorded` once a verdict or its retraction is on disk, `Left` when the reviewer goes back to reading.

    It works while it isn't seen, too: quotes go through the form of what was last judged.
    """

    DEFAULT_CSS = "VerdictDock { height: auto; }"

    @dataclass
    class Recorded(Message):
        """A verdict, or its retraction, is on disk."""

        decision: Decision

        @property
        def verdict(self) -> Verdict:
            """The row that was recorded."""
            return self.decision.verdict

    class Practised(Message):
        """The form of a practice item is done with: it gives no verdict, and the screen tells the known label."""

    class Left(Message):
        """Back to reading; what was entered is kept as a draft."""

    @dataclass
    class Changed(Message):
        """The errors of the form, or their quotes, are on disk in another state."""

        dock: "VerdictDock"
        candidate: Candidate

    @dataclass
    class Torn(Message):
        """Two windows have written drafts: the app is to ask which one is gone on with, and tell by `keep`."""

        dock: "VerdictDock"

    @dataclass
    class ErrorOpened(Message):
        """An error is to be shown and changed: the app is to ask, and tell by `put_error`."""

        dock: "VerdictDock"
        candidate_id: str
        at: int
        error: MarkedError

    def __init__(self, editor: VerdictEditor, *, id: str, quiet: bool = False) -> None:
        """`quiet`: the screen itself tells what was recorded."""
        super().__init__(id=id)
        self.editor = editor
        self._quiet = quiet
        self._form = VerdictFormView()
        self._pause: Timer | None = None
        self._recording = False
        self._recorded_of = ""
        """The candidate whose form was recorded as it stands: a key held down is one verdict."""
        self._failing = False
        """The last draft could not be written, which was told."""
        self._kept_errors: tuple[MarkedError, ...] = ()

    def compose(self) -> ComposeResult:
        yield self._form

    def has_words(self) -> bool:
        """Whether the form says something that is not on disk."""
        self.take_in()
        return self.editor.unsaved

    async def keep_words(self) -> None:
        """Keep the draft. Raises StoreError."""
        try:
            await self.editor.save_draft()
        except DraftMovedError as error:  # both are kept
            self.app.notify(str(error), title=error.title, severity="warning")

    async def on_unmount(self) -> None:
        self.take_in()
        try:
            await self.editor.save_draft()
        except UqError as error:  # of two windows' drafts both are kept
            self.app.notify(f"Your last words on this verdict: {error}", title=error.title, severity="error")

    # What is judged

    @work(group="verdict", exclusive=True, exit_on_error=False)
    async def judge(self, candidate: Candidate, *, focus: bool = True) -> None:
        """Show the form for a candidate, keeping what was entered for the one before as its draft."""
        self.take_in()
        await self._keep_draft()
        try:
            await self.editor.open(candidate)
        except UqError:
            self.post_message(self.Left())
            raise
        self.show()
        if focus:
            self.start()

    def start(self) -> None:
        """Put the focus into the form, on what is missing where that has been asked for."""
        self._recorded_of = ""
        form = self.editor.form
        asked = gaps(form, self.editor.rules) if form.label or form.not_judged else ()
        self._form.start(asked[0].field if asked else "label")

    @property
    def shown_of(self) -> str:
        """The candidate whose form is seen, or was last; it may be another than the editor's."""
        return self._form.shown_of

    def take_in(self) -> None:
        """Put what the form shows into the editor: the messages that tell it may still be on the way."""
        if self._form.shown_of:
            self._edit(self._form.shown_of, self._form.change())

    def _edit(self, candidate_id: str, change: Change) -> bool:
        candidate = self.editor.candidate
        here = candidate is not None and candidate.id == candidate_id
        if here:
            self.editor.edit(change)
        return here

    def show(self, note: str = "") -> None:
        """Show the editor's form."""
        editor = self.editor
        if editor.candidate is None:
            return
        self._kept_errors = editor.form.errors
        self._form.show(
            editor.form,
            self._with_ledger(note or self._note()),
            candidate_id=editor.candidate.id,
            called=_called(editor),
            retractable=editor.standing is not None and editor.standing.status == "submitted",
        )

    def _with_ledger(self, note: str) -> str:
        return "   ".join(part for part in (note, self.editor.ledger) if part)

    @property
    def _masked(self) -> bool:
        return self.editor.candidate is not None and bool(self.editor.candidate.letter)

    def _note(self) -> str:
        editor, save = self.editor, key_shown(self._form, "verdict.save")
        if lacks := editor.missing() if editor.form.label or editor.form.not_judged else ():
            return " ".join(lacks)
        if editor.from_draft:
            return f"Your draft, as you left it. {save} records the verdict."
        if editor.standing is None:
            return f"Letters choose; Tab moves on; {save} records the verdict."
        return f"Recorded: {describe(editor.standing, masked=self._masked)}. {save} records a revision."

    # Drafts

    @on(VerdictFormView.Edited)
    def _edited(self, event: VerdictFormView.Edited) -> None:
        event.stop()
        if self._edit(event.candidate_id, event.change):
            self._save_soon(DRAFT_PAUSE_S)

    def _save_soon(self, seconds: float) -> None:
        if self._pause is None:
            self._pause = self.set_timer(seconds, self._save_draft)

    @work(group="draft", exit_on_error=False)
    async def _save_draft(self) -> None:
        self._pause = None
        if await self._keep_draft():
            words = f"Draft kept. {key_shown(self._form, 'verdict.save')} records the verdict."
            self._form.note(self._with_ledger(words))

    async def _keep_draft(self) -> bool:
        """Write the draft; tell where it can't be, and try again. Raises StoreError the first time."""
        candidate, found = self.editor.candidate, self.editor.form.errors
        try:
            kept = await self.editor.save_draft()
        except DraftMovedError:
            self.post_message(self.Torn(self))
            return False
        except UqError as error:
            self._form.note(f"Not on disk, only in this window: {clean(error.message)}")
            self._save_soon(RETRY_S)
            if self._failing:
                return False
            self._failing = True
            raise
        self._failing = False
        if kept and candidate is not None and found != self._kept_errors:
            self._kept_errors = found
            self.post_message(self.Changed(self, candidate))
        return kept

    async def keep(self, side: Side) -> None:
        """Go on with one of two drafts. Raises StoreError; then both are still to be chosen from."""
        try:
            await self.editor.keep(side)
        except DraftMovedError:
            self.post_message(self.Torn(self))
            return
        self.show("Kept. The other draft stays among your copies.")
        if self.editor.candidate is not None:
            self.post_message(self.Changed(self, self.editor.candidate))

    # Recording

    @on(VerdictFormView.Saved)
    def _save(self, event: VerdictFormView.Saved) -> None:
        event.stop()
        self._record(event.candidate_id, event.change)

    @work(group="record", exit_on_error=False)
    async def _record(self, candidate_id: str, change: Change) -> None:
        if self._recording:
            return
        self._recording = True
        try:
            self._edit(candidate_id, change)
            if candidate_id == self._recorded_of and not self.editor.unsaved:
                return
            if self.editor.practice:
                self.post_message(self.Practised())
            else:
                self._tell(await self.editor.save(candidate_id), "Recorded")
                self._recorded_of = candidate_id
        except DraftMovedError:
            self.post_message(self.Torn(self))
        except VerdictFormError as error:
            self.show(" ".join(error.problems))
            raise
        except UqError:
            self._form.note(
                f"Not recorded. {'It is only in this window.' if self.editor.unsaved else 'Your draft is kept.'}"
            )
            raise
        finally:
            self._recording = False

    @on(VerdictFormView.Retracted)
    @work(group="record", exit_on_error=False)
    async def _retract(self, event: VerdictFormView.Retracted) -> None:
        decision = await self.editor.retract(event.candidate_id)
        self.show()
        self._tell(decision, "Retracted")

    @work(group="record", exit_on_error=False)
    async def step(self, way: int) -> None:
        """Undo the last verdict, or redo what was undone last, and tell which."""
        self.take_in()
        await self._keep_draft()
        decision = await self.editor.step(way)
        if decision is None:
            words = "undo" if way < 0 else "redo"
            self.app.notify(f"There is nothing to {words}.", title="Verdicts", markup=False)
            return
        self.show()
        self._tell(decision, "Undone" if way < 0 else "Redone")

    def _tell(self, decision: Decision, title: str) -> None:
        if self._pause is not None:
            self._pause.stop()
            self._pause = None
        if not self._quiet:
            self.app.notify(describe(decision.verdict, masked=self._masked), title=title, markup=False)
        self.post_message(self.Recorded(decision))

    @on(VerdictFormView.Closed)
    @work(group="record", exit_on_error=False)
    async def _leave(self, event: VerdictFormView.Closed) -> None:
        self._edit(event.candidate_id, event.change)
        await self._keep_draft()
        self.post_message(self.Left())

    # Errors and quotes

    @on(ErrorList.Opened)
    def _error_opened(self, event: ErrorList.Opened) -> None:
        event.stop()
        self.take_in()
        found, candidate = self.editor.form.errors, self.editor.candidate
        if candidate is not None and event.at < len(found):
            self.post_message(self.ErrorOpened(self, candidate.id, event.at, found[event.at]))

    async def put_error(self, candidate_id: str, at: int, before: MarkedError, error: MarkedError | None) -> None:
        """Have an error in place of the one at a place, or none; only where that is still the one that was opened.

        Raises StoreError.
        """
        self.take_in()
        found = self.editor.form.errors
        if at >= len(found) or found[at] != before:
            raise UqError("That error has been changed meanwhile; nothing was done.", hint="Open it again.")
        self._edit(candidate_id, lambda form: without_error(form, at) if error is None else with_error(form, at, error))
        self.show()
        await self._keep_draft()

    def judges(self, candidate: Candidate) -> bool:
        """Whether the form is this candidate's."""
        return self.editor.candidate is not None and self.editor.candidate.id == candidate.id

    async def keep_quote(self) -> None:
        """Show and keep a form whose editor was given a quote. Raises StoreError; the quote stays in the form."""
        self.show()
        self._kept_errors = ()  # whatever was shown: the quote is to be seen in the text
        await self._keep_draft()


def _called(editor: VerdictEditor) -> str:
    """What the form says that it is on: `c2`, `c2, settling 2 verdicts`."""
    assert editor.candidate is not None
    settling = f", settling {counted(len(editor.between), 'verdict')}" if editor.between else ""
    return f"{editor.candidate.called}{settling}"
