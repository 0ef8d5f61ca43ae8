"""A question in a list: its title, what there is of it, and where a search hits it."""

from textual.content import Content
from textual.widgets.option_list import Option

from store.rows import QuestionRow
from store.snippets import Place, Snippet
from uq_tui.document.maths.readable import readable_line
from uq_tui.state.resolving import WORDS
from uq_tui.text import clean_in_place, clean_line
from uq_tui.words import Resolution


def question_option(row: QuestionRow, snippet: Snippet | None = None, resolution: Resolution | None = None) -> Option:
    """Two lines, or three with a snippet; the option's id is the question's. `None` where it is open, or hidden."""
    marks = f"{row.candidates} candidates" if row.candidates > 1 else "1 candidate" if row.candidates else ""
    if row.verdicts:
        marks += f", {row.verdicts} judged"
    votes = "" if row.score is None else f"score {row.score:,}"
    asked = (row.asked_at or "")[:10]
    stands = WORDS[resolution] if resolution else ""
    facts = (clean_line(row.site), row.status.value, stands, votes, asked, marks)
    under = ", ".join(fact for fact in facts if fact)
    shown = Content.assemble(readable_line(row.title), (f"\n  {under}", "dim"))
    if snippet is not None and snippet.place is not Place.TITLE:
        shown = Content.assemble(shown, (f"\n  {snippet.place}: ", "dim"), _snippet(snippet))
    return Option(shown, id=row.id)


def _snippet(snippet: Snippet) -> Content:
    pieces = ((clean_in_place(piece), "bold $accent" if at % 2 else "dim") for at, piece in enumerate(snippet.pieces))
    return Content.assemble(*pieces)
