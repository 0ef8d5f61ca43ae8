"""A text area for text that may come from elsewhere: what is edited stays as it is, what is shown is harmless."""

from rich.text import Text
from textual.widgets import TextArea

from uq_tui.key_map import character_of
from uq_tui.text import clean_in_place


class CleanTextArea(TextArea):
    """Shows marks for what a terminal would obey; Textual's own sends such characters to it."""

    DEFAULT_CSS = "CleanTextArea .text-area--placeholder { color: $text-disabled; }"  # as in a field for one line

    def check_consume_key(self, key: str, character: str | None = None) -> bool:
        """Whether the key is typed, so that whatever else it does doesn't work here."""
        return super().check_consume_key(key, character_of(key, character))

    def get_line(self, line_index: int) -> Text:
        """The line as it is drawn."""
        return Text(clean_in_place(self.document.get_line(line_index)), end="", no_wrap=True)
