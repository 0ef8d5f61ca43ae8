"""Choosing another curation."""

from collections.abc import Sequence

from textual.content import Content

from store.curation_rows import Curation
from uq_tui.screens.reading.filtered_list import FilteredList
from uq_tui.text import clean_line


class ChooseCurationModal(FilteredList[Curation]):
    """Returns the one that was chosen, or None."""

    CSS_PATH = "../reading/tools.tcss"

    def __init__(self, curations: Sequence[Curation], now: Curation | None) -> None:
        first = next((at for at, one in enumerate(curations) if now is not None and one.id == now.id), 0)
        super().__init__("Passes of the funnel", "funnel", curations, first=first)

    def matching(self, typed: str) -> Sequence[Curation]:
        wanted = typed.casefold().strip()
        return [one for one in self._entries if wanted in one.name.casefold()]

    def shown(self, entry: Curation) -> Content:
        return Content.assemble(clean_line(entry.name), (f"   begun {entry.created_at[:10]}", "dim"))
