"""The verdict form at work: drafts kept at each pause, verdicts recorded and retracted."""

from dataclasses import dataclass

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.timer import Timer

from store.rows import Candidate, Verdict
from uq_tui.state.verdict_editor import VerdictEditor, given
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.verdict_form import Change, VerdictFormView

DRAFT_PAUSE_S = 1.0
"""Seconds without an edit before the draft is written."""


class VerdictDock(TellsFailures, Vertical):
    """Posts `Recorded` once a verdict or its retraction is on disk, `Left` when the reviewer goes back to reading."""

    DEFAULT_CSS = "VerdictDock { height: auto; }"

    @dataclass
    class Recorded(Message):
        verdict: Verdict

    class Left(Message):
        """Back to reading; what was entered is kept as a draft."""

    def __init__(self, editor: VerdictEditor, *, id: str) -> None:
        super().__init__(id=id)
        self._editor = editor
        self._form = VerdictFormView()
        self._pause: Timer | None = None
        self._recording = False

    def compose(self) -> ComposeResult:
        yield self._form

    async def on_unmount(self) -> None:
        self._take_in()
        await self._editor.save_draft()

    @work(group="verdict", exclusive=True, exit_on_error=False)
    async def judge(self, candidate: Candidate, *, focus: bool = True) -> None:
        """Show the form for a candidate, keeping what was entered for the one before as its draft."""
        self._take_in()
        await self._editor.save_draft()
        await self._editor.open(candidate)
        self._show()
        if focus:
            self._form.start()

    def _take_in(self) -> None:
        """Put what the form shows into the editor: the messages that tell it may still be on the way."""
        if self._form.shown_of:
            self._edit(self._form.shown_of, self._form.change())

    def _edit(self, candidate_id: str, change: Change) -> None:
        candidate = self._editor.candidate
        if candidate is not None and candidate.id == candidate_id:
            self._editor.edit(change)

    def _show(self) -> None:
        """Show the editor's form."""
        editor = self._editor
        if editor.candidate is None:
            return
        if editor.from_draft:
            note = "Your draft, as you left it. Ctrl+S records the verdict."
        elif editor.standing is None:
            note = "Letters choose; Tab moves on; Ctrl+S records the verdict."
        else:
            note = f"Recorded: {describe(editor.standing)}. Ctrl+S records a revision."
        self._form.border_title = Content(f"Your verdict on c{editor.candidate.number}")
        self._form.show(editor.form, note, candidate_id=editor.candidate.id)

    @on(VerdictFormView.Edited)
    def _edited(self, event: VerdictFormView.Edited) -> None:
        event.stop()
        self._edit(event.candidate_id, event.change)
        if self._pause is not None:
            self._pause.stop()
        self._pause = self.set_timer(DRAFT_PAUSE_S, self._save_draft)

    @work(group="draft", exit_on_error=False)
    async def _save_draft(self) -> None:
        if await self._editor.save_draft():
            self._form.note("Draft kept. Ctrl+S records the verdict.")

    @on(VerdictFormView.Saved)
    @work(group="record", exit_on_error=False)
    async def _save(self, event: VerdictFormView.Saved) -> None:
        if self._recording:
            return  # a key held down is one verdict
        self._recording = True
        try:
            self._edit(event.candidate_id, event.change)
            self._tell(await self._editor.save(event.candidate_id), "Recorded")
        finally:
            self._recording = False

    @on(VerdictFormView.Retracted)
    @work(group="record", exit_on_error=False)
    async def _retract(self, event: VerdictFormView.Retracted) -> None:
        verdict = await self._editor.retract(event.candidate_id)
        self._show()
        self._tell(verdict, "Retracted")

    def _tell(self, verdict: Verdict, title: str) -> None:
        if self._pause is not None:
            self._pause.stop()
        self.app.notify(describe(verdict), title=title, markup=False)
        self.post_message(self.Recorded(verdict))

    @on(VerdictFormView.Closed)
    @work(group="record", exit_on_error=False)
    async def _leave(self, event: VerdictFormView.Closed) -> None:
        self._edit(event.candidate_id, event.change)
        await self._editor.save_draft()
        self.post_message(self.Left())


def describe(verdict: Verdict) -> str:
    """`incorrect, revision 2, not blind, 2026-03-01 09:30 UTC`."""
    blind = "blind" if verdict.blind else "not blind"
    return f"{given(verdict)}, revision {verdict.revision}, {blind}, {verdict.created_at[:16].replace('T', ' ')} UTC"
