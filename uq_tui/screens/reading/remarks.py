"""All that is anchored in the text being read, as a list: to jump to, to edit, to take away."""

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from uq_tui.key_map import key_shown, with_keys
from uq_tui.screens.reading.note import NoteModal
from uq_tui.state.reading.marks.entries import Entry, Kind
from uq_tui.state.reading.marks.remarks import Remarks
from uq_tui.text import clean_line, counted
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.key_footer import KeyFooter

EMPTY = "Nothing is marked in this text. Select words and press {document.remark:M} to remark on them."
QUOTE_CHARS = 120


class RemarksModal(TellsFailures, ModalScreen[Entry | None]):
    """Returns the entry to go to, or None."""

    CSS_PATH = "marking.tcss"
    BINDINGS = [
        Binding("e", "edit", "Edit", id="remarks.edit", tooltip="Change the note of this remark"),
        Binding("d", "remove", "Remove", id="remarks.remove", tooltip="Take this remark away; it can be brought back"),
        Binding("u", "undo", "Undo", id="remarks.undo", tooltip="Undo the last change of a remark"),
        Binding("c", "claims", "Claims", id="remarks.claims", tooltip="Show or hide what audits claim; recorded"),
        Binding("escape", "dismiss(None)", "Close", id="remarks.close", tooltip="Back to the text"),
    ]

    def __init__(self, remarks: Remarks, *, stand_on: Entry | None = None) -> None:
        super().__init__()
        self._remarks = remarks
        self._shown: tuple[Entry, ...] = ()
        self._stand_on = stand_on

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = "Remarks"
            yield OptionList(id="entries", markup=False)
            yield Static(id="note", classes="note", markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        self._show()
        self.query_one(OptionList).focus()

    def _show(self) -> None:
        entries, listed = self._remarks.entries, self.query_one(OptionList)
        at = listed.highlighted or 0
        listed.clear_options()
        listed.add_options([Option(_prompt(entry)) for entry in entries])
        self._shown = entries
        if self._stand_on in entries:
            at, self._stand_on = entries.index(self._stand_on), None
        listed.highlighted = min(at, len(entries) - 1) if entries else None
        self.query_one("#note", Static).update(self._note())
        self.refresh_bindings()

    def _note(self) -> str:
        said = [] if self._shown else [with_keys(self.app, EMPTY)]
        if self._remarks.answer is not None:
            key = key_shown(self, "remarks.claims")
            claims = sum(entry.kind is Kind.CLAIM for entry in self._shown)
            said.append(
                f"{counted(claims, 'claim')} by audits, and each may be wrong; {key} leaves them out."
                if self._remarks.claims_shown
                else f"{key} shows what audits claim. That is recorded: your verdict is then not blind."
            )
        return " ".join(said)

    @property
    def entry(self) -> Entry | None:
        """The entry that is stood on."""
        at = self.query_one(OptionList).highlighted
        return self._shown[at] if at is not None and at < len(self._shown) else None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only remarks can be changed here, and only answers have claims."""
        if action in ("edit", "remove"):
            return self.is_mounted and self.entry is not None and self.entry.kind is Kind.REMARK
        return action != "claims" or self._remarks.answer is not None

    @on(OptionList.OptionHighlighted)
    def _stood(self) -> None:
        self.refresh_bindings()

    @on(OptionList.OptionSelected)
    def _chosen(self) -> None:
        if self.entry is not None and self.entry.place is None:
            self.query_one("#note", Static).update(f"It can't be shown: {self.entry.why}.")
        else:
            self.dismiss(self.entry)

    @work(group="change", exit_on_error=False)
    async def action_edit(self) -> None:
        entry = self.entry
        if entry is None:
            return
        note = await self.app.push_screen_wait(NoteModal("Remark", entry.quote, entry.said))
        if note is not None:
            await self._remarks.edit(entry.key, note)
            self._show()

    @work(group="change", exit_on_error=False)
    async def action_remove(self) -> None:
        if self.entry is not None:
            await self._remarks.remove(self.entry.key)
            self._show()

    @work(group="change", exit_on_error=False)
    async def action_undo(self) -> None:
        said = await self._remarks.undo()
        self._show()
        self.query_one("#note", Static).update(said or "There is nothing to undo.")

    @work(group="change", exit_on_error=False)
    async def action_claims(self) -> None:
        await self._remarks.show_claims(not self._remarks.claims_shown)
        self._show()


def _prompt(entry: Entry) -> Content:
    quote = clean_line(entry.quote)
    quote = quote if len(quote) <= QUOTE_CHARS else f"{quote[:QUOTE_CHARS]}…"
    parts: list[str | tuple[str, str]] = [(f"{entry.kind}  ", "bold"), f"“{quote}”"]
    if entry.said.strip():
        parts.append(f"\n  {clean_line(entry.said)}")
    if entry.place is None:
        parts.append((f"\n  unanchored: {entry.why}", "dim"))
    return Content.assemble(*parts)
