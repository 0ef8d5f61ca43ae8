"""Choosing which verdicts Insights is on: of what sites, fields, queues, versions and people, and since when."""

from collections.abc import Sequence

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from uq_tui.key_map import key_shown
from uq_tui.state.desk import Desk
from uq_tui.state.reports import subset
from uq_tui.state.reports.subset import Chosen, Value
from uq_tui.text import clean_line
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.one_line_input import OneLineInput


class ValueList(OptionList):
    """What there is to choose from, with its own name for Enter in the footer."""

    BINDINGS = [Binding("enter,space", "select", "Choose", id="subset.choose", tooltip="Only those, or let go of it")]


class SubsetModal(TellsFailures, ModalScreen[Chosen | None]):
    """Returns what is chosen, or None where that stays as it was."""

    CSS_PATH = ["modal.tcss", "subset.tcss"]
    VERTICAL_BREAKPOINTS = [(0, "-short"), (40, "-tall")]
    AUTO_FOCUS = "#values"
    BINDINGS = [
        Binding("ctrl+s", "take", "Take", id="subset.take", tooltip="Read the tab again on what is chosen"),
        Binding("escape", "dismiss(None)", "Cancel", id="subset.cancel", tooltip="Leave; what was chosen before stays"),
    ]

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._chosen = desk.subset
        self._there: Sequence[Value] | None = None
        """`None` until it has been read."""
        self._values: Sequence[Value] = ()

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = "Only some verdicts"
            yield Label("Verdicts that have all that is chosen; of reviewers, those of any")
            yield ValueList(id="values", markup=False, compact=True)
            yield Label("Since this day, or this UTC time")
            hint = "2026-01-31, or 2026-01-31T12:00:00Z"
            yield OneLineInput(self._chosen.shown_since, id="since", placeholder=hint, compact=True)
            yield Static("Reading ...", id="note", classes="note", markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        self._read()

    @work(group="load", exclusive=True, exit_on_error=False)
    async def _read(self) -> None:
        self._there = await subset.load(self._desk.workspace, self._desk.reviewer.id)
        self._show()

    def _show(self) -> None:
        if self._there is None:
            return
        listing = self.query_one(ValueList)
        stood_on = listing.highlighted
        self._values = subset.listed(self._there, self._chosen)
        options: list[Option] = []
        for at, value in enumerate(self._values):
            if at == 0 or self._values[at - 1].by is not value.by:
                options.append(Option(Content.styled(value.by, "bold"), disabled=True))
            options.append(_option(value, holds=value in self._chosen.values, at=at))
        listing.set_options(options)
        listing.highlighted = (1 if options else None) if stood_on is None else min(stood_on, len(options) - 1)
        self._say()

    @on(OptionList.OptionSelected)
    def _turn(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self._chosen = self._chosen.turned(self._values[int(event.option.id or 0)])
        self._show()

    @on(Input.Changed)
    def _say(self) -> None:
        if self._there is None:
            return
        if not self._values:
            self._note("No verdict stands yet.")
        elif self._dated():
            words = self._chosen.words
            self._note(f"Only: {words}." if words else f"All verdicts. {key_shown(self, 'subset.take')} takes it so.")

    def _dated(self) -> bool:
        """Whether what is typed is a date or nothing; else says what is."""
        try:
            self._chosen = self._chosen.dated(self.query_one("#since", Input).value)
        except ValueError as error:
            self.query_one("#note", Static).update(Content.styled(clean_line(f"{error}."), "$text-error"))
            return False
        return True

    @on(Input.Submitted)
    def action_take(self) -> None:
        if self._dated():
            self.dismiss(self._chosen)
        else:
            self.query_one("#since", Input).focus()

    def _note(self, text: str) -> None:
        self.query_one("#note", Static).update(clean_line(text))


def _option(value: Value, *, holds: bool, at: int) -> Option:
    prompt = Content.assemble("● " if holds else "  ", f"{value.n:>7,}  ", clean_line(value.name))
    return Option(prompt, id=str(at))
