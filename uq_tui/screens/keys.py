"""The keys that work here."""

from collections.abc import Iterable, Mapping

from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from uq_tui.key_map import key_shown
from uq_tui.screens.works_here import Here
from uq_tui.widgets.reading.keys import SECTIONS

Line = tuple[str, str, str]
"""Keys, what they are called, what they do."""


class KeysModal(ModalScreen[None]):
    """A sheet of keys; any of the usual keys closes it."""

    CSS_PATH = "modal.tcss"
    BINDINGS = [
        Binding("escape,question_mark,f1,q", "dismiss", "Close", id="keys.close", tooltip="Back to what is behind it")
    ]

    def __init__(self, place: str, sections: Mapping[str, Iterable[Line]]) -> None:
        super().__init__()
        self._place = place
        self._sections = sections

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog") as dialog:
            close = key_shown(self, "keys.close")
            dialog.border_title = Content(f"Keys in {self._place}   ↓ further, {close} closes")
            for at, (name, lines) in enumerate(self._sections.items()):
                if len(self._sections) > 1:
                    yield Static(Text(f"\n{name}" if at else name, "bold underline"), markup=False)
                yield Static(_table(lines), markup=False)


def key_lines(actions: Iterable[Here]) -> dict[str, list[Line]]:
    """What a sheet shows of the keys that work now: by sections, those of a text with the focus first."""
    lines: dict[str, list[Line]] = {section: [] for section in SECTIONS.values()}
    for one in actions:
        if one.heard:
            named = lines.setdefault(one.section, [])
            named.append((" ".join(one.heard), one.binding.description, one.binding.tooltip))
    return {section: named for section, named in lines.items() if named}


def _table(lines: Iterable[Line]) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(min_width=12, max_width=16)
    table.add_column(min_width=14)
    table.add_column(ratio=1)
    for key, name, explanation in lines:
        table.add_row(Text(key, "bold"), Text(name), Text(explanation))
    return table
