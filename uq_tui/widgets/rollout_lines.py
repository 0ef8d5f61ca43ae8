"""How rollouts look in a list, and what is said of the one stood on."""

from collections.abc import Sequence

from textual.content import Content

from store.rows import Neighbour
from store.run_rows import Rollout
from uq_tui.document.maths.readable import readable_line
from uq_tui.state.utility.rollouts import UNDECIDED, Around, Kind, key_of, kind_of, told_by
from uq_tui.text import clean_line
from uq_tui.widgets.finding_list import Entry
from uq_tui.words import DecidedBy

GLYPHS = {Kind.SOLVED: "✓", Kind.NOT_SOLVED: "✗", Kind.NO_ANSWER: "✗", Kind.FAILED: "!"}
"""Of the kinds that have one of their own; the others have `?`."""
_STYLES = {Kind.SOLVED: "$text-success", Kind.NOT_SOLVED: "$text-error", Kind.NO_ANSWER: "$text-error"}
ANSWER_CELLS, STATEMENT_CELLS = 24, 78
"""Cells of an answer in a list, and of a neighbour's statement."""


def entries(groups: Sequence[Around]) -> tuple[Entry, ...]:
    """A heading for each neighbour and each kind, and under it the rollouts."""
    listed: list[Entry] = []
    for group in groups:
        listed.append(Entry("", _heading(group)))
        for kind, rollouts in group.by_kind:
            listed.append(Entry("", Content.assemble("  ", kind_text(kind), f" {len(rollouts)}")))
            listed += [Entry(key_of(one), _line(one)) for one in rollouts]
    return tuple(listed)


def kind_text(kind: Kind) -> Content:
    """`✓ solved` in its colour."""
    return Content.styled(f"{GLYPHS.get(kind, '?')} {kind}", _STYLES.get(kind, "$text-warning"))


def _heading(group: Around) -> Content:
    undecided = f", {group.undecided} undecided" if group.undecided else ""
    solved = f"{group.solved}/{group.decided} solved{undecided}"
    statement = Content(clean_line(readable_line(group.neighbour.statement))).truncate(STATEMENT_CELLS, ellipsis=True)
    return Content.assemble((f"N{group.neighbour.number}  {solved}", "bold"), f"\n{statement.plain}")


def _line(rollout: Rollout) -> Content:
    said = rollout.reason if kind_of(rollout) in UNDECIDED and not rollout.answer else rollout.answer
    answer = Content(clean_line(said) or "–").truncate(ANSWER_CELLS, ellipsis=True)
    told = told_by(rollout) if rollout.decided_by is not DecidedBy.EXACT else ""
    return Content.assemble(f"   {rollout.sample + 1:>3}  {answer.plain}", (f"  {told}".rstrip(), "dim"))


def about(rollout: Rollout, neighbour: Neighbour) -> Content:
    """What came of a rollout, the answer beside the expected one, and how they were compared."""
    kind = kind_of(rollout)
    compared = f", {told_by(rollout)}" if told_by(rollout) else ""
    answer = clean_line(rollout.answer)
    parts: list[Content | str | tuple[str, str]] = [
        (f"N{neighbour.number} rollout {rollout.sample + 1}  ", "bold"),
        kind_text(kind),
        f"{compared}   answer {answer}" if answer else "   no answer in a box",
        f"   expected {clean_line(neighbour.answer)}",
    ]
    if rollout.reason:
        parts.append((f"\n{clean_line(rollout.reason)}", "dim"))
    return Content.assemble(*parts)
