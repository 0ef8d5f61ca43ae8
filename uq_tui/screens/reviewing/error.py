"""One error of a verdict: its kind, its quotes, and what is claimed, wrong and to be done about it."""

from dataclasses import dataclass, replace

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Label, OptionList, Static, TextArea
from textual.widgets.option_list import Option

from store.rows import MarkedError
from uq_tui.key_map import key_shown
from uq_tui.state.verdict.words import quote_text
from uq_tui.widgets.clean_text_area import CleanTextArea
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.verdict_rows import ErrorRow

QUOTE_CHARS = 400
FIELDS = ("claim", "problem", "fix")
NO_QUOTES = "It has no quote. Select words of the answer and quote them."


@dataclass(frozen=True, slots=True)
class Edited:
    """What the error is from now on; `None` for one that was taken out."""

    error: MarkedError | None


class ErrorModal(ModalScreen[Edited | None]):
    """Returns what became of the error, or None to leave it as it is."""

    CSS_PATH = "verdict.tcss"
    BINDINGS = [
        Binding("ctrl+s", "keep", "Keep", id="marked.keep", tooltip="Keep the error as it is here"),
        Binding("ctrl+t", "remove", "Take out", id="marked.remove", tooltip="Take this error out of the verdict"),
        Binding(
            "delete,backspace", "drop_quote", "Remove quote", id="marked.drop_quote", tooltip="Take this quote away"
        ),
        Binding("escape", "dismiss(None)", "Cancel", id="marked.cancel", tooltip="Leave the error as it was"),
    ]

    def __init__(self, number: int, error: MarkedError) -> None:
        super().__init__()
        self._number = number
        self._error = error
        self._quotes = list(error.quotes)

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = Content(f"Error {self._number}")
            yield ErrorRow("Kind", id="kind")
            yield OptionList(id="quotes", markup=False)
            for name in FIELDS:
                yield Label(name.capitalize(), markup=False)
                yield CleanTextArea(getattr(self._error, name), id=name, tab_behavior="focus")
            yield Static(f"{key_shown(self, 'marked.keep')} keeps it.", id="note", classes="note", markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        self.query_one(ErrorRow).chosen = frozenset((self._error.category,))
        self._show_quotes()
        problem = self.query_one("#problem", TextArea)
        problem.move_cursor(problem.document.end)
        problem.focus()

    def _show_quotes(self) -> None:
        listed = self.query_one(OptionList)
        at = listed.highlighted or 0
        listed.clear_options()
        listed.add_options([Option(quote_text(quote, chars=QUOTE_CHARS)) for quote in self._quotes])
        listed.highlighted = min(at, len(self._quotes) - 1) if self._quotes else None
        listed.display = bool(self._quotes)
        if not self._quotes:
            self.query_one("#note", Static).update(f"{NO_QUOTES} {key_shown(self, 'marked.keep')} keeps it.")
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Quotes are taken away where they are listed."""
        return action != "drop_quote" or (self.is_mounted and self.query_one(OptionList).has_focus)

    def action_drop_quote(self) -> None:
        """Take away the quote that is stood on."""
        at = self.query_one(OptionList).highlighted
        if at is not None:
            del self._quotes[at]
            self._show_quotes()
            if not self._quotes:
                self.query_one("#problem", TextArea).focus()

    @on(OptionList.OptionSelected)
    def action_keep(self) -> None:
        """Keep it as it stands here."""
        claim, problem, fix = (self.query_one(f"#{name}", TextArea).text.strip() for name in FIELDS)
        category = self.query_one(ErrorRow).value or self._error.category
        changed = replace(
            self._error, category=category, quotes=tuple(self._quotes), claim=claim, problem=problem, fix=fix
        )
        self.dismiss(Edited(changed))

    def action_remove(self) -> None:
        """Take the error out."""
        self.dismiss(Edited(None))
