"""The neighbours of one question: those it has, those that models proposed, and the runs that propose more.

Neighbours tell nothing about candidates, so nothing here is an exposure.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, replace

from store import neighbours, proposals, runs
from store.rows import Neighbour, Question
from uq_tui.engine.protocol import (
    AttemptRead,
    CallFinished,
    CallStarted,
    Event,
    EventsLost,
    NeighbourProposed,
    ProposalDecided,
    RunFinished,
    RunProgress,
    RunStarted,
    WorkerLost,
)
from uq_tui.engine.requests import NeighboursRequest
from uq_tui.errors import UqError
from uq_tui.state.desk import Desk
from uq_tui.state.neighbours import neighbourhood
from uq_tui.state.neighbours.draft import NeighbourDraft
from uq_tui.state.neighbours.neighbourhood import Advised
from uq_tui.state.neighbours.proposed import Proposed
from uq_tui.words import NeighbourUse, RunKind, RunState

BY_HAND = "set aside by hand"
LONGEST_EDITED = 20_000
"""Characters of a statement that can be edited: with a million in a text area, each key takes seconds."""


@dataclass(frozen=True, slots=True)
class Going:
    """A run under way that proposes neighbours."""

    run_id: str
    done: int = 0
    """Proposals that are decided."""
    total: int = 0
    call_key: str = ""
    """The call in which they are written; empty before it went out."""
    solving: bool = False
    """They are written, and solvers are asked."""
    followed: bool = False
    """Its events have been heard from the start."""


class NeighboursState:
    """`load` reads the store and `apply` takes events; the verbs write, and read again."""

    def __init__(self, desk: Desk, question: Question) -> None:
        self.desk = desk
        self.question = question
        self.loaded = False
        """The store has been read once."""
        self.stale = False
        """The store holds something that has not been read."""
        self.running: dict[str, Going] = {}
        """Runs under way that propose neighbours of this question, by id."""
        self.came_to_nothing = ""
        """Why the run that ended last brought no proposals; empty where it did."""
        self._advised: tuple[Advised, ...] = ()
        self._proposed: tuple[Proposed, ...] = ()
        self._notes: dict[str, str] = {}
        """Why neighbours were set aside that have been taken back into use, by id."""
        self._tickets: set[str] = set()
        self._alone = asyncio.Lock()
        """Held while the store is read or written, so that what is read last is newest."""

    async def load(self) -> None:
        """Read the store. Raises StoreError."""
        async with self._alone:
            await self._load()

    async def _load(self) -> None:
        self.stale = False
        suspected = [run_id for run_id in self.desk.active if run_id not in self.running]
        self._advised, self._proposed, begun = await asyncio.to_thread(self._read, suspected)
        for going in begun:
            if going.run_id in self.desk.active:
                self.running.setdefault(going.run_id, going)
        self.loaded = True

    def _read(self, suspected: Iterable[str]) -> tuple[tuple[Advised, ...], tuple[Proposed, ...], list[Going]]:
        ws, question_id = self.desk.workspace, self.question.row.id
        found = proposals.of_question(ws, question_id)
        attempts = {run_id: proposals.attempts(ws, run_id) for run_id in dict.fromkeys(one.run_id for one in found)}
        proposed = tuple(Proposed.of(one, attempts[one.run_id]) for one in found)
        working = [runs.get(ws, run_id) for run_id in suspected if self.desk.kinds.get(run_id) is RunKind.NEIGHBOURS]
        begun = [
            Going(run.id, run.done, run.total, solving=run.id in attempts)
            for run in working
            if run.spec["question_id"] == question_id
        ]
        return neighbourhood.load(ws, question_id), proposed, begun

    # What there is

    @property
    def in_use(self) -> tuple[Advised, ...]:
        """The neighbours that utilities are measured on, in order of arrival."""
        return tuple(one for one in self._advised if one.neighbour.use is NeighbourUse.IN_USE)

    @property
    def set_aside(self) -> tuple[Advised, ...]:
        """The others, in order of arrival."""
        return tuple(one for one in self._advised if one.neighbour.use is NeighbourUse.SET_ASIDE)

    @property
    def proposals(self) -> tuple[Proposed, ...]:
        """Proposals of which no neighbour was made, those of the newest run first."""
        return tuple(one for one in self._proposed if not one.proposal.neighbour_id)

    @property
    def empty(self) -> bool:
        """There is nothing, and nothing on its way."""
        return not (self._advised or self._proposed or self.running)

    def neighbour(self, neighbour_id: str) -> Advised | None:
        """One of the question's neighbours."""
        return next((one for one in self._advised if one.neighbour.id == neighbour_id), None)

    def proposal(self, key: str) -> Proposed | None:
        """A proposal of which no neighbour was made."""
        return next((one for one in self.proposals if one.key == key), None)

    def origin(self, neighbour_id: str) -> Proposed | None:
        """The proposal that a neighbour was made of."""
        return next((one for one in self._proposed if one.proposal.neighbour_id == neighbour_id), None)

    def made_by(self, run_id: str) -> tuple[str, ...]:
        """What a run has brought: ids of neighbours, then keys of proposals of which none was made."""
        found = [one.neighbour.id for one in (*self.in_use, *self.set_aside) if one.run_id == run_id]
        return (*found, *(one.key for one in self.proposals if one.proposal.run_id == run_id))

    def taken_over(self, proposed: Proposed) -> Neighbour | None:
        """The neighbour with a proposal's statement, where somebody has given it an answer by hand."""
        statement = proposed.proposal.statement
        return next((one.neighbour for one in self._advised if one.neighbour.statement == statement), None)

    # Writing

    def draft(self, replaces: Neighbour | None = None, proposed: Proposed | None = None) -> NeighbourDraft:
        """A neighbour to be written: from nothing, from one that it is to replace, or from a proposal.

        Raises:
            UqError: the one to replace is longer than `LONGEST_EDITED`.
        """
        if replaces is not None and len(replaces.statement) > LONGEST_EDITED:
            raise UqError(
                f"N{replaces.number} has {len(replaces.statement):,} characters, too many to be edited here.",
                hint="Import the new one from a file, and set this one aside.",
            )
        others = [one.neighbour for one in self._advised]
        return NeighbourDraft(self.question, others, self.desk.reviewer.handle, replaces=replaces, proposed=proposed)

    async def keep(self, draft: NeighbourDraft) -> str:
        """Store what was written, and set aside what it replaces. Returns its id. Raises StoreError."""
        async with self._alone:
            key = await asyncio.to_thread(self._keep, draft)
            await self._load()
        return key

    def _keep(self, draft: NeighbourDraft) -> str:
        ws, question_id, old = self.desk.workspace, self.question.row.id, draft.replaces
        if old is not None:
            return neighbours.replace(ws, question_id, old.id, draft.neighbour())
        (key,) = neighbours.add(ws, question_id, [draft.neighbour()])
        return key

    async def toggle(self, neighbour_id: str) -> Neighbour | None:
        """Set a neighbour aside, or take it back into use; what stood before comes back by doing it again.

        Returns:
            the neighbour as it is now; `None` when there is no such neighbour.

        Raises:
            StoreError: it could not be written.
        """
        async with self._alone:
            found = self.neighbour(neighbour_id)
            return await self._toggle(found.neighbour) if found is not None else None

    async def _toggle(self, old: Neighbour) -> Neighbour:
        if old.use is NeighbourUse.IN_USE:
            new = replace(old, use=NeighbourUse.SET_ASIDE, note=self._notes.get(old.id, BY_HAND))
        else:
            new = replace(old, use=NeighbourUse.IN_USE, note="")
            self._notes[old.id] = old.note
        await asyncio.to_thread(
            neighbours.set_use, self.desk.workspace, self.question.row.id, old.id, new.use, new.note
        )
        await self._load()
        return new

    # Runs

    def start(self, request: NeighboursRequest) -> None:
        """Have neighbours proposed and solved. Raises EngineLostError."""
        self.came_to_nothing = ""
        self._tickets.add(self.desk.start(request))

    def cancel(self) -> None:
        """Stop the runs that propose neighbours of this question."""
        for run_id in self.running:
            self.desk.engine.cancel(run_id)

    def apply(self, event: Event) -> bool:
        """Take one event; True when what is shown may have changed."""
        match event:
            case RunStarted(kind=RunKind.NEIGHBOURS) if event.ticket in self._tickets:
                self._tickets.discard(event.ticket)
                self.running[event.run_id] = Going(event.run_id, followed=True)
                return True
            case RunStarted(kind=RunKind.NEIGHBOURS):  # resumed, or started elsewhere: perhaps for this question
                self.stale = True
            case RunProgress() if event.run_id in self.running:
                return self._move(replace(self.running[event.run_id], done=event.done, total=event.total))
            case CallStarted() | CallFinished() if event.run_id in self.running:
                return self._hear(event)
            case NeighbourProposed() | AttemptRead() | ProposalDecided() if event.question_id == self.question.row.id:
                self.stale = True
                going = self.running.get(event.run_id)
                return going is not None and self._move(replace(going, solving=True))
            case RunFinished() if event.run_id in self.running:
                del self.running[event.run_id]
                self.came_to_nothing = event.message if event.state is RunState.FAILED else ""
                self.stale = True
                return True
            case RunFinished():  # it may have measured on these neighbours
                self.stale = True
            case WorkerLost() | EventsLost():
                still = self.desk.active if isinstance(event, EventsLost) else {}
                self.running = {run_id: going for run_id, going in self.running.items() if run_id in still}
                self.stale = True
                return True
        return False

    def _hear(self, event: CallStarted | CallFinished) -> bool:
        """The calls of solvers have paths that begin with the number of a proposal; others write the proposals."""
        going = self.running[event.run_id]
        if "/" in event.path:
            return self._move(replace(going, solving=True))
        return self._move(replace(going, call_key=event.call_key))

    def _move(self, going: Going) -> bool:
        before = self.running[going.run_id]
        self.running[going.run_id] = going
        return going != before
