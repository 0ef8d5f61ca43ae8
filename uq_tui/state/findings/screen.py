"""What machines found about one candidate beyond stages and utilities: scores, claims of audits, references.

And all that runs elsewhere found of it.
"""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum

from store import blindness, elsewhere, exposures, scores
from store.elsewhere import FoundElsewhere
from store.judge_rows import Scoring
from store.rows import Candidate
from uq_tui.citations.checking import Checked
from uq_tui.citations.reference import Reference
from uq_tui.engine.protocol import (
    AuditRead,
    CallStarted,
    Event,
    EventsLost,
    RunFinished,
    RunStarted,
    ScoreRead,
    WorkerLost,
)
from uq_tui.engine.requests import AuditRequest, JudgeRequest
from uq_tui.plugins import citation_checks
from uq_tui.state.desk import Desk
from uq_tui.state.findings import audited, judging
from uq_tui.state.findings.audited import Audited, read_audits
from uq_tui.state.findings.citing import Citation, citations_of
from uq_tui.state.reviewing import blind
from uq_tui.words import Exposure, RunKind

WHERE = "findings"


class Section(StrEnum):
    """The parts of the place. What is plain to see in the answer comes first: reading it is no exposure."""

    CITATIONS = "citations"
    AUDIT = "audit"
    JUDGES = "judges"
    ELSEWHERE = "elsewhere"


_TOLD_HERE = (Exposure.MODEL, Exposure.CLAIMS, Exposure.SCORES, Exposure.OUTCOMES, Exposure.UTILITY)
_STARTED_HERE = (RunKind.JUDGE, RunKind.AUDIT)


class FindingsState:
    """`load` reads the store and `apply` takes events; `uncover` lets a section be seen, once that is recorded."""

    def __init__(self, desk: Desk, candidate: Candidate) -> None:
        self.desk = desk
        self.candidate = candidate
        self.citations: tuple[Citation, ...] | None = None
        """`None` until they have been looked for."""
        self.checkers: tuple[str, ...] = ()
        """Names of the citation checkers that are installed."""
        self.checks: dict[Reference, Mapping[str, Checked]] = {}
        """What checkers have said, by reference and name of the checker."""
        self.looking_up = False
        """Checkers are being asked."""
        self.running: dict[str, RunKind] = {}
        """Runs under way that judge or audit this candidate, by id."""
        self.stale = False
        """The store holds something that has not been read."""
        self.hidden = bool(candidate.letter)
        """The reviewer judges the problem blind: only what the answer refers to is shown."""
        self._scorings: tuple[Scoring, ...] = ()
        self._audits: tuple[Audited, ...] = ()
        self._elsewhere: tuple[FoundElsewhere, ...] = ()
        self._recorded: set[Exposure] = set()
        self._tickets: set[str] = set()

    async def load(self) -> None:
        """Read the store. Raises StoreError."""
        self.stale = False
        if self.citations is None:
            self.checkers, self.citations = await asyncio.to_thread(self._read_citations)
        self.hidden, self._scorings, self._audits, self._elsewhere = await asyncio.to_thread(self._read)
        for one in self._scorings:
            if not one.finished and one.run_id in self.desk.active:
                self.running.setdefault(one.run_id, RunKind.JUDGE)

    def _read_citations(self) -> tuple[tuple[str, ...], tuple[Citation, ...]]:
        checkers = tuple(info.name for info in citation_checks.installed_checkers())
        return checkers, citations_of(self.candidate.answer, datetime.now(UTC).date())

    def _read(self) -> tuple[bool, tuple[Scoring, ...], tuple[Audited, ...], tuple[FoundElsewhere, ...]]:
        ws, candidate = self.desk.workspace, self.candidate
        if blindness.is_masked(ws, self.desk.reviewer.id, candidate.question_id):
            blind.note_read(ws, self.desk.reviewer.id, [candidate.id])
            return True, (), (), ()
        scorings = judging.standing(scores.of_candidate(ws, candidate.id))
        audits = read_audits(ws, candidate.id, candidate.answer)
        return False, scorings, audits, elsewhere.of_candidate(ws, candidate.id)

    # What may be seen

    async def uncover(self, section: Section) -> None:
        """Record that a section is seen, if it tells anything; only then does it hold anything. Raises StoreError.

        To be called whenever the section is shown and whenever more has been read for it. Who wrote the candidate
        stands above every section.
        """
        shown = self._names() | self._tells(section)
        new = [what for what in _TOLD_HERE if what in shown - self._recorded]
        await asyncio.to_thread(self._record, new)
        self._recorded.update(new)

    def _record(self, new: Sequence[Exposure]) -> None:
        ws, reviewer, candidate = self.desk.workspace, self.desk.reviewer, self.candidate
        for what in new:
            exposures.record(ws, reviewer.id, candidate.question_id, candidate.id, what, WHERE)

    def _names(self) -> frozenset[Exposure]:
        """Whether it is known who wrote the candidate."""
        named = any(origin.model or origin.system or origin.person for origin in self.candidate.origins)
        return frozenset((Exposure.MODEL,) if named else ())

    def _tells(self, section: Section) -> frozenset[Exposure]:
        """What a section has of the kinds of things that are recorded."""
        match section:
            case Section.JUDGES if judging.telling(self._scorings):
                return frozenset((Exposure.SCORES,))
            case Section.AUDIT if audited.telling(self._audits):
                return frozenset((Exposure.CLAIMS,))
            case Section.ELSEWHERE:
                return frozenset[Exposure]().union(*(one.exposes for one in self._elsewhere))
        return frozenset()

    def _may_be_seen(self, section: Section) -> bool:
        return self._tells(section) <= self._recorded

    @property
    def authors(self) -> str:
        """Who wrote the candidate; empty before it is recorded that this is seen."""
        names = dict.fromkeys(origin.name for origin in self.candidate.origins)
        return ", ".join(names) if self._names() <= self._recorded else ""

    @property
    def scorings(self) -> tuple[Scoring, ...]:
        """What judges made of the candidate, by judge and model; none before it is recorded that they are seen."""
        return self._scorings if self._may_be_seen(Section.JUDGES) else ()

    @property
    def audits(self) -> tuple[Audited, ...]:
        """Audits, the newest first; none before it is recorded that they are seen."""
        return self._audits if self._may_be_seen(Section.AUDIT) else ()

    @property
    def elsewhere(self) -> tuple[FoundElsewhere, ...]:
        """What runs elsewhere found, in the order in which they ended; none before it is recorded that it is seen."""
        return self._elsewhere if self._may_be_seen(Section.ELSEWHERE) else ()

    # Events

    def apply(self, event: Event) -> bool:
        """Take one event; True when what is shown may have changed."""
        match event:
            case RunStarted(kind=RunKind.JUDGE | RunKind.AUDIT) if event.ticket in self._tickets:
                self._tickets.discard(event.ticket)
                self.running[event.run_id] = event.kind
                return True
            case CallStarted() if event.candidate_id == self.candidate.id:
                return self._meet(event.run_id)
            case ScoreRead() | AuditRead() if event.candidate_id == self.candidate.id:
                self.stale = True
                return True
            case RunFinished() if event.run_id in self.running:
                del self.running[event.run_id]
                self.stale = True
                return True
            case WorkerLost() | EventsLost():
                still = self.desk.active if isinstance(event, EventsLost) else {}
                self.running = {run_id: kind for run_id, kind in self.running.items() if run_id in still}
                self.stale = True
                return True
        return False

    def _meet(self, run_id: str) -> bool:
        """A run that was started elsewhere works on this candidate."""
        kind = self.desk.kinds.get(run_id)
        if kind not in _STARTED_HERE or run_id in self.running:
            return False
        self.running[run_id] = kind
        return True

    def runs(self, kind: RunKind) -> int:
        """How many runs of this kind are under way."""
        return sum(running is kind for running in self.running.values())

    # Runs

    def judge(self, request: JudgeRequest) -> None:
        """Have a judge score the candidate. Raises EngineLostError, BlindError."""
        self.require_open()
        self._tickets.add(self.desk.start(request))

    def audit(self) -> None:
        """Have the desk's model look for flaws in the candidate. Raises EngineLostError, BlindError."""
        self.require_open()
        self._tickets.add(self.desk.start(AuditRequest((self.candidate.id,), self.desk.model)))

    def require_open(self) -> None:
        """Refuse what would find something that is hidden. Raises BlindError while the problem is judged blind."""
        if self.hidden:
            raise blind.refusal(self.candidate.question_id)

    def cancel(self) -> None:
        """Stop the runs that judge or audit this candidate."""
        for run_id in self.running:
            self.desk.engine.cancel(run_id)

    # Looking references up

    @property
    def askable(self) -> tuple[Reference, ...]:
        """The references that checkers would be told of."""
        return citation_checks.worth_asking([one.reference for one in self.citations or ()])

    async def look_up(self) -> None:
        """Ask all checkers. They may go on-line; so only ever called because the user said so."""
        asked = self.askable
        found: dict[Reference, dict[str, Checked]] = {reference: {} for reference in asked}
        self.looking_up = True
        try:
            for name in self.checkers:
                said = await citation_checks.check(name, asked)
                for reference, checked in zip(asked, said, strict=True):
                    found[reference][name] = checked
        finally:
            self.looking_up = False
        self.checks = dict(found)
