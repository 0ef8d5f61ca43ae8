"""One or several choices in one line, each option with its key printed before it.

A row whose keys the user can change is a class of its own: `BINDINGS = choice_keys("label", LABELS)`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.app import RenderResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget

from uq_tui.key_map import bindings_of, key_shown

TITLE_WIDTH = 11


@dataclass(frozen=True, slots=True)
class Choice:
    """An option: the key that chooses it, its value, and the words shown."""

    key: str
    value: str
    label: str


def choice_keys(name: str, choices: Sequence[Choice]) -> list[BindingType]:
    """The bindings of a row's options; their ids are `NAME.VALUE`."""
    return [
        Binding(
            one.key,
            _choosing(one.value),
            one.label or one.value,
            id=f"{name}.{one.value}",
            tooltip=f"Choose: {one.label or one.value}",
            show=False,
        )
        for one in choices
    ]


def _choosing(value: str) -> str:
    return f"choose({str(value)!r})"


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
        Binding("left", "move(-1)", "Previous", id="choice.previous", tooltip="The choice before", show=False),
        Binding("right", "move(1)", "Next", id="choice.next", tooltip="The next choice", show=False),
        Binding("backspace,delete", "clear", "Clear", id="choice.clear", tooltip="Take the choice back", show=False),
    ]

    CHOICES: ClassVar[Sequence[Choice]] = ()
    """What there is to choose, unless a row is given others."""

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
        choices: Sequence[Choice] = (),
        *,
        id: str,
        multiple: bool = False,
    ) -> None:
        super().__init__(id=id)
        self.title = title
        self.choices = tuple(choices or self.CHOICES)
        self._ids = {one.action: one.id for one in bindings_of(type(self)) if one.id}
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

    def action_choose(self, value: str) -> None:
        self.choose(value)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Let the keys of options that this row doesn't have go on to the screen."""
        return action != "choose" or any(choice.value == parameters[0] for choice in self.choices)

    def action_clear(self) -> None:
        self._set(frozenset())

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
        key = key_shown(self, self._ids[_choosing(choice.value)])
        text = Content.assemble("●" if chosen else " ", (key, "bold underline"), f"{label} ")
        text = text.stylize(Style.from_meta({"choice": choice.value}))
        return text.stylize("reverse") if chosen else text
