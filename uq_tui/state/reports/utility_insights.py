"""What the Insights screen tells of utility: selection, convergence, and utility together with a judge."""

import asyncio
from dataclasses import dataclass, replace

from store.workspace import Workspace
from uq_tui.state.reports import candidate_scores, combined, convergence, selection
from uq_tui.state.reports.combined import Combined
from uq_tui.state.reports.convergence import Convergence
from uq_tui.state.reports.labels import Against, Labels
from uq_tui.state.reports.selection import Per, Selection, Wanted
from uq_tui.state.reviewing import blind
from uq_tui.state.reviewing.blind import LeftOut

WHERE = "insights"
_NEXT = {None: Against.VERDICTS, Against.VERDICTS: Against.KNOWN, Against.KNOWN: None}


@dataclass(frozen=True, slots=True)
class UtilityFindings:
    """All of it, from one reading."""

    selection: Selection
    convergence: Convergence
    combined: Combined
    left_out: LeftOut
    """What the reader judges blind."""


class UtilityInsightsState:
    """What is asked for, and what was found last."""

    def __init__(self, workspace: Workspace, reviewer_id: str) -> None:
        self._workspace = workspace
        self._reviewer_id = reviewer_id
        self.wanted = Wanted(Labels())
        self.findings: UtilityFindings | None = None
        """`None` until they have been read."""

    def turn_borderline(self) -> None:
        """Count borderline correct answers the other way from the next reading on."""
        labels = self.wanted.labels
        self._take(replace(labels, borderline_correct=not labels.borderline_correct))

    def turn_labels(self) -> None:
        """Go by verdicts and known labels, by verdicts only, by known labels only, in turn."""
        self._take(replace(self.wanted.labels, against=_NEXT[self.wanted.labels.against]))

    def turn_unit(self) -> None:
        """Compute metrics for the next kind of unit."""
        kinds = tuple(Per)
        self.wanted = replace(self.wanted, per=kinds[(kinds.index(self.wanted.per) + 1) % len(kinds)])

    def turn_reference(self) -> None:
        """Rank reference solutions, or don't."""
        self.wanted = replace(self.wanted, reference_counts=not self.wanted.reference_counts)

    async def load(self) -> None:
        """Read again, and record what is about to be shown; nothing of a reading that is cancelled."""
        found = await asyncio.to_thread(self._read, self.wanted)
        await asyncio.to_thread(self._record, found)
        self.findings = found

    def _take(self, labels: Labels) -> None:
        self.wanted = replace(self.wanted, labels=labels)

    def _read(self, wanted: Wanted) -> UtilityFindings:
        left_out = blind.left_out(self._workspace, self._reviewer_id)
        scores = candidate_scores.read(self._workspace, labels=wanted.labels, left_out=left_out)
        return UtilityFindings(
            selection.select(scores, wanted),
            convergence.settle(scores, convergence.Wanted()),
            combined.combine(self._workspace, scores, combined.Wanted()),
            left_out,
        )

    def _record(self, found: UtilityFindings) -> None:
        for told in (found.selection.told, found.convergence.told, found.combined.told):
            candidate_scores.record_told(self._workspace, self._reviewer_id, told, WHERE)
