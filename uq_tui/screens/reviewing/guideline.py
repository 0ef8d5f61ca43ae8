"""The guideline of a queue, to be read at any time."""

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen

from store.review_rows import Queue
from uq_tui.state.reading.readable import own_words
from uq_tui.text import clean_line
from uq_tui.widgets.document import Document
from uq_tui.widgets.key_footer import KeyFooter


class GuidelineModal(ModalScreen[None]):
    """Shows a queue's guideline in a reading view of its own."""

    CSS_PATH = "review.tcss"
    AUTO_FOCUS = "#guideline"
    BINDINGS = [
        Binding("escape,i", "dismiss", "Close", id="guideline.close", tooltip="Back to the queue"),
    ]

    def __init__(self, queue: Queue) -> None:
        super().__init__()
        self._queue = queue

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog") as dialog:
            dialog.border_title = Content(f"Guideline of {clean_line(self._queue.name)}")
            yield Document(id="guideline")
        yield KeyFooter()

    def on_mount(self) -> None:
        self.query_one(Document).read(own_words(self._queue.guideline, f"guideline {self._queue.id}"))
