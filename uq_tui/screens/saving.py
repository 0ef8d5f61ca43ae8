"""Saving what a tab of Insights shows: which plots and tables, as what, and where to."""

import asyncio
from collections.abc import Sequence

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Label, SelectionList, Static
from textual.widgets.selection_list import Selection

from uq_tui.errors import ExportError
from uq_tui.key_map import key_shown
from uq_tui.state.files import place
from uq_tui.state.reports.figure_files import can_draw
from uq_tui.state.reports.saving import Format, Item, save
from uq_tui.text import clean, clean_line, counted
from uq_tui.widgets.choice_row import Choice, ChoiceRow, choice_keys
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.one_line_input import OneLineInput

DEFAULT = "~/uq-insights"
"""The folder that is offered."""
FORMATS = (Choice("s", Format.SVG, "SVG"), Choice("p", Format.PNG, "PNG"), Choice("c", Format.CSV, "CSV"))


class FormatRow(ChoiceRow):
    """How plots are saved; tables go out as CSV only."""

    CHOICES = FORMATS
    BINDINGS = choice_keys("format", FORMATS)


class SaveModal(TellsFailures, ModalScreen[None]):
    """Writes files to a folder. What is wrong is said in the dialog, which stays."""

    CSS_PATH = "modal.tcss"
    AUTO_FOCUS = "#path"
    BINDINGS = [
        Binding("ctrl+s", "save", "Save", id="saving.save", tooltip="Write the files that are chosen"),
        Binding("escape", "dismiss(None)", "Close", id="saving.close", tooltip="Leave; what was written stays"),
    ]

    def __init__(self, there: Sequence[Item]) -> None:
        super().__init__()
        self._there = {one.name: one for one in there}

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = "Save plots and tables"
            yield Label("To this folder; files of the same names are replaced")
            yield OneLineInput(DEFAULT, id="path", compact=True)
            yield FormatRow("Plots as", id="formats", multiple=True)
            yield SelectionList[str](*map(_selection, self._there.values()), id="items", compact=True)
            yield Static(id="note", classes="note", markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        self.query_one(FormatRow).chosen = frozenset(Format) if can_draw() else frozenset({Format.CSV})
        self._count()

    @on(SelectionList.SelectedChanged)
    @on(ChoiceRow.Changed)
    def _count(self) -> None:
        files = sum(len(self._formats.intersection(one.formats)) for one in self._wanted)
        self._say(f"{key_shown(self, 'saving.save')} writes {counted(files, 'file')}.")

    @property
    def _wanted(self) -> list[Item]:
        chosen = set(self.query_one("#items", SelectionList).selected)
        return [one for name, one in self._there.items() if name in chosen]

    @property
    def _formats(self) -> frozenset[Format]:
        return frozenset(map(Format, self.query_one(FormatRow).chosen))

    @on(Input.Submitted)
    @work(group="save", exclusive=True, exit_on_error=False)
    async def action_save(self) -> None:
        folder = place(self.query_one("#path", Input).value)
        self._say("Writing ...")
        try:
            written = await asyncio.to_thread(save, folder, self._wanted, self._formats)
        except ExportError as error:
            self.query_one("#note", Static).update(Content.styled(clean(str(error)), "$text-error"))
        else:
            self._say(f"Wrote {counted(len(written), 'file')} to {folder}")

    def _say(self, text: str) -> None:
        self.query_one("#note", Static).update(clean_line(text))


def _selection(one: Item) -> Selection[str]:
    kind = "table" if one.formats == (Format.CSV,) else "plot"
    prompt = Content.assemble(f"{kind:<5}  {clean_line(one.title)}  ", (one.name, "dim"))
    return Selection(prompt, one.name, initial_state=True)
