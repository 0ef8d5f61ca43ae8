"""The links of a text, and the question before one is followed."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Label, Static

from uq_tui.document.links import Link
from uq_tui.key_map import key_shown
from uq_tui.screens.reading.filtered_list import FilteredList
from uq_tui.state.reading.other_programs import is_followed
from uq_tui.text import clean_line
from uq_tui.widgets.key_footer import KeyFooter


class LinksModal(FilteredList[Link]):
    """Returns the link that was chosen, or None."""

    def __init__(self, links: Sequence[Link]) -> None:
        super().__init__("Links", "link", links)

    def matching(self, typed: str) -> Sequence[Link]:
        words = typed.casefold().split()
        return [
            link for link in self._entries if all(word in f"{link.words} {link.address}".casefold() for word in words)
        ]

    def shown(self, entry: Link) -> Content:
        kind = "image: " if entry.image else ""
        words = f"{kind}{entry.words}\n" if entry.words or kind else ""
        closed = "" if is_followed(entry.address) else "  (not opened from here)"
        return Content.assemble((words, "bold"), clean_line(entry.address), (closed, "dim"))


class FollowModal(ModalScreen[bool]):
    """Shows an address in full. Returns whether to open it."""

    CSS_PATH = "tools.tcss"
    BINDINGS = [
        Binding("enter", "dismiss(True)", "Open", id="follow.open", tooltip="Open the address in your browser"),
        Binding("escape", "dismiss(False)", "Back", id="follow.back", tooltip="Open nothing"),
    ]

    def __init__(self, address: str) -> None:
        super().__init__()
        self._address = address

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog") as dialog:
            dialog.border_title = "Open this address?"
            yield Static(clean_line(self._address), id="address", markup=False)
            yield Label(f"It is at {clean_line(_host(self._address))}, and will see that somebody came.", markup=False)
            go, back = key_shown(self, "follow.open"), key_shown(self, "follow.back")
            yield Static(f"{go} opens it in your browser, {back} opens nothing.", classes="note", markup=False)
        yield KeyFooter()


def _host(address: str) -> str:
    try:
        return urlsplit(address).hostname or "an unknown place"
    except ValueError:
        return "an unknown place"
