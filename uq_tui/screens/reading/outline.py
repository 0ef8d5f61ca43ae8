"""The headings of a text, to go to one."""

from collections.abc import Sequence

from textual.content import Content

from uq_tui.screens.reading.filtered_list import FilteredList
from uq_tui.state.reading.outline import Entry, matching


class OutlineModal(FilteredList[Entry]):
    """Returns the heading to go to, or None."""

    def __init__(self, entries: Sequence[Entry], *, first: int) -> None:
        super().__init__("Outline", "heading", entries, first=first)

    def matching(self, typed: str) -> Sequence[Entry]:
        return matching(self._entries, typed)

    def shown(self, entry: Entry) -> Content:
        share = f"{entry.share:>4.0%}  "
        return Content.assemble((share, "dim"), "  " * (entry.level - 1), entry.text or "–")
