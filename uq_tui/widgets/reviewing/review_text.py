"""The text that is read in a queue: an answer, its question, or the reasoning behind it."""

from textual.content import Content

from store.rows import Candidate
from uq_tui.state.reading.readable import own_words, readable_question, readable_words
from uq_tui.state.reviewing.blind import NAMES_AUTHOR
from uq_tui.state.reviewing.loading import Loaded
from uq_tui.text import clean_line
from uq_tui.widgets.candidate_text import Shown
from uq_tui.widgets.document import Document

ORDER = (Shown.ANSWER, Shown.QUESTION, Shown.REASONING)
NO_REASONING = "*No reasoning was kept with this answer.*"


class ReviewText(Document):
    """Each item begins with its answer."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.shown = Shown.ANSWER
        self._loaded: Loaded | None = None

    def read_item(self, loaded: Loaded) -> None:
        """Show the answer of an item; one that is shown already stays as it is read."""
        before = self._loaded
        self._loaded = loaded
        if before is None or before.item.id != loaded.item.id:
            self.shown = Shown.ANSWER
        self._show_text()

    def tell_end(self, words: str) -> None:
        """Show words of ours, in Markdown, in place of an item."""
        self._loaded = None
        self.border_title = ""
        self.read(own_words(words, "end of the queue"))

    def turn(self) -> None:
        """Show the next of answer, question and reasoning."""
        if self._loaded is not None:
            self.shown = ORDER[(ORDER.index(self.shown) + 1) % len(ORDER)]
            self._show_text()

    def _show_text(self) -> None:
        loaded = self._loaded
        if loaded is None:
            return
        candidate = loaded.candidate
        match self.shown:
            case Shown.QUESTION:
                self.border_title = "Question"
                self.read(readable_question(loaded.problem.question))
            case Shown.REASONING:
                self.border_title = Content(f"Reasoning  {candidate.called}")
                key, name = f"r{candidate.id}", f"{candidate.called}-reasoning"
                words = candidate.reasoning
                self.read(readable_words(words, key, name=name) if words else own_words(NO_REASONING, key))
            case Shown.ANSWER:
                self.border_title = Content("  ".join(_title(candidate, names_author=loaded.names_author)))
                self.read(loaded.answer)


def _title(candidate: Candidate, *, names_author: bool) -> list[str]:
    parts = [f"Answer  {candidate.called}", *dict.fromkeys(clean_line(origin.name) for origin in candidate.origins)]
    if candidate.cut_off:
        parts.append("cut off at the length limit")
    if names_author:
        parts.append(NAMES_AUTHOR)
    return parts
