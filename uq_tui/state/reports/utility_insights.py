"""What the Insights screen tells of utility: selection, convergence, and utility together with a judge."""

from dataclasses import dataclass, replace

from store.workspace import Workspace
from uq_tui.state.reports import candidate_scores, combined, convergence, selection
from uq_tui.state.reports.combined import Combined
from uq_tui.state.reports.convergence import Convergence
from uq_tui.state.reports.labels import Against, Labels
from uq_tui.state.reports.selection import Per, Selection, Wanted
from uq_tui.state.reviewing.blind import LeftOut

_NEXT = {None: Against.VERDICTS, Against.VERDICTS: Against.KNOWN, Against.KNOWN: None}


@dataclass(frozen=True, slots=True)
class UtilityFindings:
    """All of it, from one reading."""

    selection: Selection
    convergence: Convergence
    combined: Combined
    left_out: LeftOut
    """What the reader judges blind."""


def at_first() -> Wanted:
    """What is asked for until something else is."""
    return Wanted(Labels())


def read(ws: Workspace, wanted: Wanted, left_out: LeftOut) -> UtilityFindings:
    """Read everything and reckon. Takes seconds: not for an event loop.

    Args:
        ws: where to look.
        wanted: what selection is to be on; whose labels count holds for all of it.
        left_out: the candidates that whoever reads it judges blind.
    """
    scores = candidate_scores.read(ws, labels=wanted.labels, left_out=left_out)
    return UtilityFindings(
        selection.select(scores, wanted),
        convergence.settle(scores, convergence.Wanted()),
        combined.combine(ws, scores, combined.Wanted()),
        left_out,
    )


def record_shown(ws: Workspace, reviewer_id: str, found: UtilityFindings, where: str) -> None:
    """Record what it gives away of single candidates as shown to a reviewer."""
    for told in (found.selection.told, found.convergence.told, found.combined.told):
        candidate_scores.record_told(ws, reviewer_id, told, where)


def other_borderline(wanted: Wanted, _found: UtilityFindings | None) -> Wanted:
    """Count borderline correct answers the other way."""
    return replace(wanted, labels=replace(wanted.labels, borderline_correct=not wanted.labels.borderline_correct))


def next_labels(wanted: Wanted, _found: UtilityFindings | None) -> Wanted:
    """Go by verdicts and known labels, by verdicts only, by known labels only, in turn."""
    return replace(wanted, labels=replace(wanted.labels, against=_NEXT[wanted.labels.against]))


def next_unit(wanted: Wanted, _found: UtilityFindings | None) -> Wanted:
    """Compute metrics for the next kind of unit."""
    kinds = tuple(Per)
    return replace(wanted, per=kinds[(kinds.index(wanted.per) + 1) % len(kinds)])


def other_reference(wanted: Wanted, _found: UtilityFindings | None) -> Wanted:
    """Rank reference solutions, or don't."""
    return replace(wanted, reference_counts=not wanted.reference_counts)
