"""One or several choices in one line, each option with its key printed before it."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.app import RenderResult
from textual.binding import Binding
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget

TITLE_WIDTH = 11


@dataclass(frozen=True, slots=True)
class Choice:
    """An option: the key that chooses it, its value, and the words shown."""

    key: str
    value: str
    label: str


class ChoiceRow(Widget, can_focus=True):
    """Focused, an option's key chooses it, arrows move where one is chosen, backspace clears; a click chooses too."""

    DEFAULT_CSS = """
    ChoiceRow {
        height: auto;
        padding: 0 1;
    }
    ChoiceRow:focus { background: $foreground 6%; }
    """

    BINDINGS = [
        Binding("left", "move(-1)", "Previous", id="choice.previous", show=False),
        Binding("right", "move(1)", "Next", id="choice.next", show=False),
        Binding("backspace,delete", "clear", "Clear", id="choice.clear", tooltip="Take the choice back", show=False),
    ]

    chosen: reactive[frozenset[str]] = reactive(frozenset())

    @dataclass
    class Changed(Message):
        row: "ChoiceRow"

        @property
        def control(self) -> "ChoiceRow":
            return self.row

    def __init__(
        self,
        title: str,
        choices: Sequence[Choice],
        *,
        id: str,
        multiple: bool = False,
    ) -> None:
        super().__init__(id=id)
        self.title = title
        self.choices = tuple(choices)
        self.multiple = multiple

    @property
    def value(self) -> str:
        """The one chosen value, "" when nothing is chosen."""
        return next(iter(self.chosen), "")

    def choose(self, value: str) -> None:
        """Choose a value, or take it back where several can be chosen; tells the parent of a change."""
        if self.multiple:
            self._set(self.chosen ^ {value})
        else:
            self._set(frozenset((value,)))

    def _set(self, chosen: frozenset[str]) -> None:
        if chosen != self.chosen:
            self.chosen = chosen
            self.post_message(self.Changed(self))

    def action_move(self, by: int) -> None:
        if self.multiple:
            return
        values = [choice.value for choice in self.choices]
        at = values.index(self.value) if self.value in values else (-1 if by > 0 else 0)
        self.choose(values[(at + by) % len(values)])

    def action_clear(self) -> None:
        self._set(frozenset())

    def on_key(self, event: events.Key) -> None:
        for choice in self.choices:
            if event.character == choice.key:
                event.stop()
                self.choose(choice.value)

    def on_click(self, event: events.Click) -> None:
        if (value := event.style.meta.get("choice")) is not None:
            self.choose(value)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._lines(width))

    def render(self) -> RenderResult:
        return Content("\n").join(self._lines(self.content_size.width))

    def _lines(self, width: int) -> list[Content]:
        """The row broken between options only, later lines indented under the first option."""
        lines = [Content.styled(f"{self.title:<{TITLE_WIDTH}}", "dim")]
        for choice in self.choices:
            option = self._option(choice)
            if lines[-1].cell_length + option.cell_length > width and lines[-1].cell_length > TITLE_WIDTH:
                lines.append(Content(" " * TITLE_WIDTH))
            lines[-1] = lines[-1] + option
        return lines

    def _option(self, choice: Choice) -> Content:
        chosen = choice.value in self.chosen
        label = f" {choice.label}" if choice.label else ""
        text = Content.assemble("●" if chosen else " ", (choice.key, "bold underline"), f"{label} ")
        text = text.stylize(Style.from_meta({"choice": choice.value}))
        return text.stylize("reverse") if chosen else text
