"""A list in a dialog that gets shorter as one types."""

from collections.abc import Sequence
from typing import ClassVar, Generic, TypeVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList

from uq_tui.text import counted
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.one_line_input import OneLineInput

MOST = 1_000
"""Entries that are listed at once; typing brings others up."""

Entry = TypeVar("Entry")


class FilteredList(ModalScreen[Entry | None], Generic[Entry]):
    """Returns the entry that was chosen, or None."""

    CSS_PATH = "tools.tcss"
    AUTO_FOCUS = "#typed"
    BINDINGS: ClassVar[list[BindingType]] = [
        # A footer leaves out what the input has too, such as arrows.
        Binding("ctrl+n,down", "step(1)", "Next", id="list.next", key_display="↓↑", tooltip="The next entry"),
        Binding("ctrl+p,up", "step(-1)", "Previous", id="list.previous", tooltip="The entry before", show=False),
        Binding("pagedown", "step(10)", "Further", id="list.further", tooltip="Ten entries on", show=False),
        Binding("pageup", "step(-10)", "Back", id="list.back", tooltip="Ten entries back", show=False),
        Binding("escape", "dismiss(None)", "Close", id="list.close", tooltip="Leave without choosing"),
    ]

    def __init__(self, title: str, noun: str, entries: Sequence[Entry], *, first: int = 0) -> None:
        """`noun` is what an entry is called; the list begins with the entry of index `first` chosen."""
        super().__init__()
        self._title = title
        self._noun = noun
        self._entries = entries
        self._first = first
        self._listed: Sequence[Entry] = ()

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog") as dialog:
            dialog.border_title = Content(self._title)
            yield OneLineInput(id="typed", placeholder="type to make the list shorter", compact=True)
            yield OptionList(id="entries", markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        self._list_all()

    def _list_all(self) -> None:
        start = max(0, self._first - MOST // 2)
        self._list(self._entries[start:], self._first - start)

    def matching(self, typed: str) -> Sequence[Entry]:
        """The entries that hold what was typed."""
        raise NotImplementedError

    def shown(self, entry: Entry) -> Content:
        """An entry as it is listed, cleaned."""
        raise NotImplementedError

    def _list(self, found: Sequence[Entry], chosen: int) -> None:
        self._listed = found[:MOST]
        entries = self.query_one("#entries", OptionList)
        entries.clear_options()
        entries.add_options([self.shown(entry) for entry in self._listed])
        entries.highlighted = chosen if self._listed else None
        part = len(self._listed), len(self._entries)
        told = counted(part[0], self._noun, of=part[1]) if part[0] < part[1] else counted(part[1], self._noun)
        self.query_one(".dialog").border_subtitle = Content(told)

    @on(Input.Changed)
    def _shorten(self, event: Input.Changed) -> None:
        if event.value.strip():
            self._list(self.matching(event.value), 0)
        else:
            self._list_all()

    def action_step(self, by: int) -> None:
        entries = self.query_one("#entries", OptionList)
        if self._listed:
            entries.highlighted = min(max(0, (entries.highlighted or 0) + by), len(self._listed) - 1)

    @on(Input.Submitted)
    @on(OptionList.OptionSelected)
    def _choose(self) -> None:
        chosen = self.query_one("#entries", OptionList).highlighted
        if chosen is not None:
            self.dismiss(self._listed[chosen])
