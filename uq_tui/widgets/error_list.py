"""The errors of a verdict as a list below the kinds of them: added by a letter, opened, taken out."""

from dataclasses import dataclass

from textual import events
from textual.binding import Binding
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.style import Style

from store.rows import MarkedError
from uq_tui.state.verdict.words import error_text
from uq_tui.text import counted
from uq_tui.widgets.choice_row import TITLE_WIDTH
from uq_tui.widgets.verdict_rows import ErrorRow

CURSOR = "▸"


class ErrorList(ErrorRow):
    """A kind's letter adds an error of it; arrows go from error to error, Enter opens one, backspace takes it out."""

    BINDINGS = [
        Binding("up", "go(-1)", "Error before", id="errors.up", tooltip="The error before", show=False),
        Binding("down", "go(1)", "Next error", id="errors.down", tooltip="The next error", show=False),
        Binding("enter", "open", "Open error", id="errors.open", tooltip="All of this error, to change it"),
        Binding("backspace,delete", "remove", "Remove error", id="errors.remove", tooltip="Take this error out"),
    ]

    errors: reactive[tuple[MarkedError, ...]] = reactive((), layout=True)
    at: reactive[int] = reactive(0)
    """The error stood on."""

    @dataclass
    class Opened(Message):
        """Somebody wants to see and change all of an error."""

        at: int

    def watch_errors(self) -> None:
        """Mark the kinds that there are, and stand on one of them."""
        self.chosen = frozenset(error.category for error in self.errors)
        self.at = max(0, min(self.at, len(self.errors) - 1))
        self.refresh_bindings()

    def choose(self, value: str) -> None:
        """One more error of this kind."""
        self.errors = (*self.errors, MarkedError(value))
        self.at = len(self.errors) - 1
        self.post_message(self.Changed(self))

    def action_go(self, by: int) -> None:
        """To the next error, or the one before."""
        self.at = max(0, min(self.at + by, len(self.errors) - 1))

    def action_open(self) -> None:
        """Have the error opened."""
        self.post_message(self.Opened(self.at))

    def action_remove(self) -> None:
        """Take the error out."""
        self.errors = (*self.errors[: self.at], *self.errors[self.at + 1 :])
        self.post_message(self.Changed(self))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Without errors only kinds can be chosen."""
        if action in ("go", "open", "remove"):
            return bool(self.errors)
        return super().check_action(action, parameters)

    def on_click(self, event: events.Click) -> None:
        """A click on an error opens it."""
        if (at := event.style.meta.get("error")) is not None:
            self.at = int(at)
            self.post_message(self.Opened(self.at))

    def on_focus(self) -> None:
        """The kinds are listed while one can be chosen."""
        self.refresh(layout=True)

    def on_blur(self) -> None:
        """The room is needed for what else the form asks."""
        self.refresh(layout=True)

    def _lines(self, width: int) -> list[Content]:
        if self.has_focus or not width:
            lines = super()._lines(width)
        else:
            count = counted(len(self.errors), "error") if self.errors else "none"
            lines = [Content.assemble((f"{self.title:<{TITLE_WIDTH}}", "dim"), f" {count}")]
        for at, error in enumerate(self.errors):
            mark = CURSOR if at == self.at and self.has_focus else " "
            line = Content(f"{' ' * (TITLE_WIDTH - 1)}{mark}{at + 1} {error_text(error)}")
            lines.append(line.stylize(Style.from_meta({"error": at})))
        return [line.truncate(width, ellipsis=True) if line.cell_length > width else line for line in lines]
