"""All that the reviewer has recorded on one candidate, and what changed from one revision to the next."""

import asyncio

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from store.rows import Candidate
from uq_tui.errors import BlindError
from uq_tui.state.desk import Desk
from uq_tui.state.verdict.history import Step, history
from uq_tui.state.verdict.words import ROLES, describe
from uq_tui.text import clean
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.key_footer import KeyFooter

NOTHING_YET = "You have recorded nothing on this answer."


class HistoryModal(TellsFailures, ModalScreen[None]):
    """The newest revision first; all of what the one that is stood on changed is shown below."""

    CSS_PATH = "verdict.tcss"
    BINDINGS = [Binding("escape,h", "dismiss(None)", "Close", id="history.close", tooltip="Back to where you were")]

    def __init__(self, desk: Desk, candidate: Candidate) -> None:
        super().__init__()
        self._desk = desk
        self._candidate = candidate
        self._steps: tuple[Step, ...] = ()

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = Content(f"Your verdicts on {self._candidate.called}")
            yield OptionList(id="revisions", markup=False)
            yield Static(id="changes", classes="note", markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        self._load()

    @work(group="history", exit_on_error=False)
    async def _load(self) -> None:
        listed, below = self.query_one(OptionList), self.query_one("#changes", Static)
        try:
            found = await asyncio.to_thread(history, self._desk.workspace, self._desk.reviewer.id, self._candidate.id)
        except BlindError as error:
            listed.display = False
            below.update(str(error))
            return
        self._steps = found[::-1]
        listed.display = bool(found)
        below.update(NOTHING_YET)
        listed.add_options([Option(_line(step, masked=bool(self._candidate.letter))) for step in self._steps])
        listed.highlighted = 0 if found else None
        listed.focus()

    @on(OptionList.OptionHighlighted)
    def _stood(self, event: OptionList.OptionHighlighted) -> None:
        step = self._steps[event.option_index]
        self.query_one("#changes", Static).update(changes_text(step))

    @on(OptionList.OptionSelected)
    def _close(self) -> None:
        self.dismiss(None)


def _line(step: Step, *, masked: bool) -> str:
    return f"{describe(step.verdict, masked=masked)}{ROLES[step.role]}"


def changes_text(step: Step) -> Content:
    """What a revision changed: each field with what it was and what it is."""
    if not step.changes:
        return Content("It was taken back." if step.verdict.status == "retracted" else "It says the same as before.")
    parts: list[str | tuple[str, str]] = []
    for change in step.changes:
        parts.append((f"{change.field}\n", "bold"))
        if step.verdict.revision > 1:
            parts.append(f"  was  {_indented(change.before)}\n")
        parts.append(f"  is   {_indented(change.after)}\n")
    return Content.assemble(*parts)


def _indented(text: str) -> str:
    return clean(text).replace("\n", "\n       ")
