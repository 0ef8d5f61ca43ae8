"""An input for one line that takes pasted text of several lines whole."""

import re

from textual import events
from textual.widgets import Input

_WHITE = re.compile(r"\s+")


class OneLineInput(Input):
    """Line breaks and tabs of what is pasted become blanks; Textual's own input keeps the first line only."""

    def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        event.stop()
        self.replace(_WHITE.sub(" ", event.text.strip("\r\n")), *self.selection)
