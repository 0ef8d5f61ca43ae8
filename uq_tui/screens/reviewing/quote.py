"""What kind of error the selected words are: one letter, or a letter and a few words more."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from store.rows import MarkedError
from uq_tui.key_map import key_shown
from uq_tui.state.verdict.words import error_text, plain
from uq_tui.text import clean_line
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.one_line_input import OneLineInput
from uq_tui.widgets.verdict_rows import ERRORS
from uq_tui.words import ErrorCategory

QUOTED_CHARS = 300
"""Characters of the words that are shown."""
MAX_LISTED = 9
"""Errors that can be given one more quote from here: as many as there are digits."""
FIELDS = ("claim", "problem", "fix")
HINTS = {
    "claim": "what the answer claims there",
    "problem": "what is wrong with it",
    "fix": "what would put it right",
}


@dataclass(frozen=True, slots=True)
class Quoted:
    """What the selected words are: an error of a kind, or one more quote of the error at `to`."""

    category: ErrorCategory
    to: int | None = None
    claim: str = ""
    problem: str = ""
    fix: str = ""


class QuoteModal(ModalScreen[Quoted | None]):
    """Returns what was chosen. A letter chooses and closes; Tab or Enter goes on to claim, problem and fix."""

    CSS_PATH = "verdict.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Cancel", id="quote.cancel", tooltip="Quote nothing"),
        Binding("ctrl+s", "keep", "Keep", id="quote.keep", tooltip="Keep the quote with these words"),
        *(
            Binding(
                one.key,
                f"category('{one.value}')",
                one.label,
                id=f"quote.{one.value}",
                tooltip=f"Quote it as {one.label}",
                show=False,
            )
            for one in ERRORS
        ),
        *(
            Binding(
                str(number),
                f"one_more({number})",
                f"Error {number}",
                id=f"quote.to_{number}",
                tooltip=f"One more quote of error {number}",
                show=False,
            )
            for number in range(1, MAX_LISTED + 1)
        ),
    ]

    def __init__(self, words: str, errors: Sequence[tuple[int, MarkedError]] = ()) -> None:
        """`errors` can be given one more quote; each comes with its place in the form's list."""
        super().__init__()
        line = clean_line(words)
        self._words = line if len(line) <= QUOTED_CHARS else f"{line[:QUOTED_CHARS]}…"
        self._errors = tuple(errors)[:MAX_LISTED]
        self._choices: tuple[Quoted, ...] = (
            *(Quoted(ErrorCategory(one.value)) for one in ERRORS),
            *(Quoted(ErrorCategory.OTHER, to=at) for at, _ in self._errors),
        )

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = "Quote in your verdict"
            yield Label(f"“{self._words}”", classes="quoted", markup=False)
            yield OptionList(*self._options(), id="kinds", markup=False)
            for name in FIELDS:
                yield OneLineInput(id=name, placeholder=f"{name}: {HINTS[name]}")
            yield Static(
                f"A letter chooses and closes. {key_shown(self, 'quote.keep')} or Enter in a field keeps all of it.",
                classes="note",
                markup=False,
            )
        yield KeyFooter()

    def _options(self) -> list[Option]:
        kinds = [Option(f"{key_shown(self, f'quote.{one.value}')}  {one.label}") for one in ERRORS]
        more = [
            Option(f"{key_shown(self, f'quote.to_{number}')}  one more quote of: {error_text(error)}")
            for number, (_, error) in enumerate(self._errors, start=1)
        ]
        return [*kinds, *more]

    def on_mount(self) -> None:
        self.query_one(OptionList).highlighted = 0
        self.query_one(OptionList).focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Digits stand for the errors that there are; letters are written while a field has the focus."""
        if action == "one_more":
            return isinstance(parameters[0], int) and parameters[0] <= len(self._errors)
        return True

    def action_category(self, value: str) -> None:
        """Quote it as this kind."""
        self.dismiss(Quoted(ErrorCategory(value)))

    def action_one_more(self, number: int) -> None:
        """Quote it in an error that there is."""
        self.dismiss(Quoted(ErrorCategory.OTHER, to=self._errors[number - 1][0]))

    @on(OptionList.OptionSelected)
    def _go_on(self) -> None:
        self.query_one(f"#{FIELDS[0]}", Input).focus()

    @on(Input.Submitted)
    def action_keep(self) -> None:
        """Keep it as the kind that is stood on, with what was written."""
        at = self.query_one(OptionList).highlighted or 0
        claim, problem, fix = (self.query_one(f"#{name}", Input).value.strip() for name in FIELDS)
        chosen = self._choices[at]
        self.dismiss(Quoted(chosen.category, chosen.to, claim, problem, fix))


def kept_words(quoted: Quoted) -> str:
    """What is told once it is kept: `Quoted as incorrect reasoning`."""
    return "One more quote of that error." if quoted.to is not None else f"Quoted as {plain(quoted.category)}."
