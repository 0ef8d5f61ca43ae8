"""The app's input for one line: takes pasted text of several lines whole, and sends the terminal nothing it obeys."""

import re

from rich.cells import cell_len
from rich.text import Text
from textual import events
from textual.widgets import Input

from uq_tui.key_map import character_of
from uq_tui.text import clean_in_place

_WHITE = re.compile(r"\s+")
_BREAKS = str.maketrans({"\n": "\N{SYMBOL FOR LINE FEED}", "\t": "\N{SYMBOL FOR HORIZONTAL TABULATION}"})


class OneLineInput(Input):
    """Holds what is entered, and draws each harmful character of it as one that isn't; Textual's own draws all raw.

    Line breaks and tabs of what is pasted become blanks; Textual's own keeps the first line only.
    """

    @property
    def _value(self) -> Text:
        """The text as it is drawn, one character for each that is held."""
        return Text(_drawn(self.value), no_wrap=True, overflow="ignore", end="")

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """Whether the key is typed, so that whatever else it does doesn't work here."""
        return super().check_consume_key(key, character_of(key, character))

    def validate_placeholder(self, placeholder: str) -> str:
        """What stands there while nothing is entered, as it is drawn."""
        return _drawn(placeholder)

    def validate__suggestion(self, suggestion: str) -> str:
        """What can be completed; nothing where that can't be drawn as it is, since it would be entered unseen."""
        return suggestion if _drawn(suggestion) == suggestion else ""

    def _position_to_cell(self, position: int) -> int:
        return cell_len(_drawn(self.value[:position]))

    def _cell_offset_to_index(self, offset: int) -> int:
        wanted, cells = offset + self.scroll_offset.x, 0
        for index, character in enumerate(_drawn(self.value)):
            cells += cell_len(character)
            if wanted < cells:
                return index
        return len(self.value)

    async def _on_key(self, event: events.Key) -> None:
        # In its turn: as a binding it would be heard only after what is typed behind it.
        if event.key == "enter":
            event.prevent_default()
            event.stop()
            await self.action_submit()

    def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        event.stop()
        self.replace(_WHITE.sub(" ", event.text.strip("\r\n")), *self.selection)


def _drawn(text: str) -> str:
    return clean_in_place(text).translate(_BREAKS)
