"""A note on a unit of a text, or on words of it."""

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Label, Static, TextArea

from uq_tui.key_map import key_shown
from uq_tui.text import clean_line
from uq_tui.widgets.clean_text_area import CleanTextArea
from uq_tui.widgets.key_footer import KeyFooter

ABOUT_CHARS = 300
"""Characters of the words that a note is on which are shown."""


class NoteModal(ModalScreen[str | None]):
    """Returns the note, which may be empty, or None to leave things as they are."""

    CSS_PATH = "marking.tcss"
    BINDINGS = [
        Binding("ctrl+s", "keep", "Keep", id="note.keep", tooltip="Keep this note"),
        Binding("escape", "dismiss(None)", "Cancel", id="note.cancel", tooltip="Leave without keeping"),
    ]

    def __init__(self, title: str, about: str, note: str = "") -> None:
        super().__init__()
        self._title = title
        self._about = clean_line(about)
        self._note = note

    def compose(self) -> ComposeResult:
        about = self._about
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = Content(self._title)
            yield Label(about if len(about) <= ABOUT_CHARS else f"{about[:ABOUT_CHARS]}…", markup=False)
            yield CleanTextArea(self._note, id="text", tab_behavior="focus")
            keep, cancel = key_shown(self, "note.keep"), key_shown(self, "note.cancel")
            yield Static(f"{keep} keeps it, {cancel} leaves things as they are.", classes="note", markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        area = self.query_one(TextArea)
        area.move_cursor(area.document.end)
        area.focus()

    def action_keep(self) -> None:
        self.dismiss(self.query_one(TextArea).text.strip())
