"""All texts there are to read of a question, to choose one."""

from collections.abc import Sequence

from textual.content import Content

from uq_tui.screens.reading.filtered_list import FilteredList
from uq_tui.state.reading.beside.choices import Choice, matching


class TextPickerModal(FilteredList[Choice]):
    """Returns the text that was chosen, or None."""

    def __init__(self, choices: Sequence[Choice], present: str) -> None:
        """`present` is the key of what is read now."""
        first = next((at for at, one in enumerate(choices) if one.key == present), 0)
        super().__init__("What to read here", "text", choices, first=first)

    def matching(self, typed: str) -> Sequence[Choice]:
        return matching(self._entries, typed)

    def shown(self, entry: Choice) -> Content:
        whose = entry.candidate.called if entry.candidate is not None else ""
        return Content.assemble((f"{whose:<5}", "bold"), entry.label)
