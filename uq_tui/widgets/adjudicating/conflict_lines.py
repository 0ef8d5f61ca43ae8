"""Conflicts as lines of a list."""

from textual.content import Content

from store.conflicts import Conflict
from uq_tui.state.adjudicating.words import standing, title, told
from uq_tui.text import clean_line
from uq_tui.widgets.finding_list import Entry
from uq_tui.words import ConflictState

_GLYPHS = {ConflictState.OPEN: "○", ConflictState.STALE: "!", ConflictState.SETTLED: "✓"}
_STYLES = {
    ConflictState.OPEN: "$text-warning",
    ConflictState.STALE: "$text-warning bold",
    ConflictState.SETTLED: "$text-success",
}


def entries(conflicts: tuple[Conflict, ...]) -> tuple[Entry, ...]:
    """One entry of two lines each: what is said of which answer, and how far it is settled."""
    return tuple(Entry(one.candidate_id, _prompt(one)) for one in conflicts)


def _prompt(one: Conflict) -> Content:
    here = "" if one.readable else "   text not here"
    return Content.assemble(
        (f"{_GLYPHS[one.state]} ", _STYLES[one.state]),
        (f"{one.called}  {title(one)}", "bold"),
        (f"\n  {clean_line(told(one))}", ""),
        (f"   {clean_line(standing(one))}{here}", "$text-muted"),
    )
