"""What a run may use from now on."""

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.validation import Integer, Number
from textual.widgets import Input, Label, Static

from uq_tui.state.runs import Allowance
from uq_tui.text import clean_line
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.one_line_input import OneLineInput


class BudgetModal(ModalScreen[Allowance | None]):
    """Returns the budget with which to go on, or None to leave the run as it is."""

    CSS_PATH = "modal.tcss"
    BINDINGS = [Binding("escape", "dismiss(None)", "Leave it", id="budget.cancel", tooltip="Leave the budget as it is")]

    def __init__(self, title: str, used: str) -> None:
        super().__init__()
        self._title = title
        self._used = used

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = "Resume with a budget"
            yield Static(clean_line(f"{self._title}: {self._used} so far."), markup=False)
            yield Label("US dollars the run may cost in all (Enter resumes it)")
            yield OneLineInput(id="usd", placeholder="2.50", compact=True, validators=Number(0), valid_empty=True)
            yield Label("tokens it may use in all, in and out")
            yield OneLineInput(id="tokens", placeholder="500000", compact=True, validators=Integer(0), valid_empty=True)
            yield Static(id="note", classes="note", markup=False)
        yield KeyFooter()

    @on(Input.Submitted)
    def _typed(self) -> None:
        usd, tokens = self.query_one("#usd", Input), self.query_one("#tokens", Input)
        for field in (usd, tokens):
            if not field.is_valid:
                self.query_one("#note", Static).update("Dollars are a number, tokens a whole number, 0 or more.")
                field.focus()
                return
        if usd.value or tokens.value:
            self.dismiss(
                Allowance(float(usd.value) if usd.value else None, int(tokens.value) if tokens.value else None)
            )
