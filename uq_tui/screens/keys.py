"""The keys that work here."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from uq_tui.widgets.reading.keys import SECTIONS

ELSE = "This screen"
"""The section of keys that are no text's."""

Line = tuple[str, str, str]
"""Keys, what they are called, what they do."""


class KeysModal(ModalScreen[None]):
    """A sheet of keys; any of the usual keys closes it."""

    CSS_PATH = "modal.tcss"
    BINDINGS = [Binding("escape,question_mark,q", "dismiss", "Close", id="keys.close")]

    def __init__(self, place: str, sections: Mapping[str, Iterable[Line]]) -> None:
        super().__init__()
        self._place = place
        self._sections = sections

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog") as dialog:
            dialog.border_title = Content(f"Keys in {self._place}   ↓ further, esc closes")
            for at, (name, lines) in enumerate(self._sections.items()):
                if len(self._sections) > 1:
                    yield Static(Text(f"\n{name}" if at else name, "bold underline"), markup=False)
                yield Static(_table(lines), markup=False)


def key_lines(bindings: Iterable[Binding], display: Callable[[Binding], str]) -> dict[str, list[Line]]:
    """What a sheet shows of the keys that work now: by sections, those of a text with the focus first.

    `display` gives a key as it is shown. What has no tooltip is the toolkit's own moving about.
    """
    keys: dict[str, dict[tuple[str, str], list[str]]] = {section: {} for section in (*SECTIONS.values(), ELSE)}
    for one in bindings:
        if one.tooltip:
            named = keys[SECTIONS.get(one.id or "", ELSE)].setdefault((one.description, one.tooltip), [])
            named.append(display(replace(one, key_display=None)))
    return {
        section: [(" ".join(dict.fromkeys(shown)), *words) for words, shown in lines.items()]
        for section, lines in keys.items()
        if lines
    }


def _table(lines: Iterable[Line]) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(min_width=12, max_width=16)
    table.add_column(min_width=14)
    table.add_column(ratio=1)
    for key, name, explanation in lines:
        table.add_row(Text(key, "bold"), Text(name), Text(explanation, "dim"))
    return table
