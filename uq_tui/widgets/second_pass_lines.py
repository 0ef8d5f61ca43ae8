"""How a second pass looks in a list: who claims or judged, and what was decided, by glyph and word."""

from collections.abc import Mapping
from itertools import groupby

from textual.content import Content

from uq_tui.document.maths.readable import readable_line
from uq_tui.state.reviewing.claims import ClaimItem
from uq_tui.state.reviewing.second_pass import Decision, Item, Matter
from uq_tui.text import clean_line, counted
from uq_tui.widgets.finding_list import Entry
from uq_tui.words import GLYPHS, ClaimDecision, Soundness

_LONGEST = 160
"""Signs of a foreign text in a list; all of it stands below."""
_WIDTH = 10
_DECIDED: Mapping[str, tuple[str, str]] = {
    ClaimDecision.CONFIRM: ("✓ confirmed", "$text-success"),
    ClaimDecision.REFUTE: ("✗ refuted", "$text-error"),
    ClaimDecision.UNSURE: ("? unsure", "$text-warning"),
    Soundness.SOUND: ("✓ sound", "$text-success"),
    Soundness.UNSOUND: ("✗ unsound", "$text-error"),
}
_OPEN = ("· open", "$text-muted")


def entries(matter: Matter) -> tuple[Entry, ...]:
    """Claims and judgements under who made them."""
    lines: list[Entry] = []
    made = matter.decisions
    for source, group in groupby(matter.items, key=_source):
        own = list(group)
        noun = "claim" if isinstance(own[0], ClaimItem) else "judgement"
        lines.append(
            Entry("", Content.styled(f"{clean_line(source)} ({counted(len(own), noun)})", "$text-primary bold"))
        )
        lines += [Entry(item.key, _line(item, made.get(item.key))) for item in own]
    return tuple(lines)


def _source(item: Item) -> str:
    return item.source if isinstance(item, ClaimItem) else f"{item.source}, run {item.run_id[:13]}"


def _line(item: Item, decision: Decision | None) -> Content:
    mark, style = _DECIDED[decision] if decision is not None else _OPEN
    line = clean_line(item.title)
    shown = line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
    outcome = "" if isinstance(item, ClaimItem) else f": {GLYPHS[item.outcome]} {item.outcome}"
    return Content.assemble("  ", (f"{mark:<{_WIDTH + 2}}", style), f"{readable_line(shown)}{outcome}")
