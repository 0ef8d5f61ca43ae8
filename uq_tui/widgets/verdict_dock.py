"""The verdict form at work: drafts kept at each pause, verdicts recorded and retracted."""

from dataclasses import dataclass

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.timer import Timer

from store.rows import Candidate, Verdict
from uq_tui.state.verdict_editor import VerdictEditor, given
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.verdict_form import VerdictFormView

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
        self._pause: Timer | None = None

    def compose(self) -> ComposeResult:
        yield VerdictFormView()

    async def on_unmount(self) -> None:
        await self._editor.save_draft()

    @property
    def _form(self) -> VerdictFormView:
        return self.query_one(VerdictFormView)

    @work(group="verdict", exclusive=True, exit_on_error=False)
    async def judge(self, candidate: Candidate, *, focus: bool = True) -> None:
        """Show the form for a candidate, keeping what was entered for the one before as its draft."""
        await self._editor.save_draft()
        await self._editor.open(candidate)
        self._form.border_title = f"Your verdict on c{candidate.number}"
        self._show()
        if focus:
            self._form.start()

    def _show(self) -> None:
        editor = self._editor
        if editor.from_draft:
            note = "Your draft, as you left it. Ctrl+S records the verdict."
        elif editor.standing is None:
            note = "Letters choose; Tab moves on; Ctrl+S records the verdict."
        else:
            note = f"Recorded: {describe(editor.standing)}. Ctrl+S records a revision."
        self._form.show(editor.form, note)

    @on(VerdictFormView.Edited)
    def _edited(self, event: VerdictFormView.Edited) -> None:
        event.stop()
        self._editor.edit(event.change)
        if self._pause is not None:
            self._pause.stop()
        self._pause = self.set_timer(DRAFT_PAUSE_S, self._save_draft)

    @work(group="draft", exit_on_error=False)
    async def _save_draft(self) -> None:
        await self._editor.save_draft()
        if not self._editor.unsaved:
            self._form.note("Draft kept. Ctrl+S records the verdict.")

    @on(VerdictFormView.Saved)
    @work(group="verdict", exclusive=True, exit_on_error=False)
    async def _save(self, event: VerdictFormView.Saved) -> None:
        self._editor.edit(event.change)
        self._tell(await self._editor.save(), "Recorded")

    @on(VerdictFormView.Retracted)
    @work(group="verdict", exclusive=True, exit_on_error=False)
    async def _retract(self) -> None:
        self._tell(await self._editor.retract(), "Retracted")

    def _tell(self, verdict: Verdict, title: str) -> None:
        if self._pause is not None:
            self._pause.stop()
        self.app.notify(describe(verdict), title=title, markup=False)
        self.post_message(self.Recorded(verdict))

    @on(VerdictFormView.Closed)
    @work(group="verdict", exclusive=True, exit_on_error=False)
    async def _leave(self, event: VerdictFormView.Closed) -> None:
        self._editor.edit(event.change)
        await self._editor.save_draft()
        self.post_message(self.Left())


def describe(verdict: Verdict) -> str:
    """`incorrect, revision 2, not blind, 2026-03-01 09:30 UTC`."""
    blind = "blind" if verdict.blind else "not blind"
    return f"{given(verdict)}, revision {verdict.revision}, {blind}, {verdict.created_at[:16].replace('T', ' ')} UTC"
