"""What the utility screen shows: candidates ranked, and the rollouts of the one that is read."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from store import candidates, exposures, judgements, neighbours
from store.rows import Candidate, Neighbour, Question
from store.run_rows import Rollout, Utility
from uq_tui.engine.protocol import (
    CandidateAdded,
    Event,
    EventsLost,
    RolloutDecided,
    RunFinished,
    RunStarted,
    UtilityUpdated,
    WorkerLost,
)
from uq_tui.errors import StoreError
from uq_tui.state.desk import Desk
from uq_tui.state.reviewing import blind
from uq_tui.state.utility import measured, other_scores
from uq_tui.state.utility.measured import Measured
from uq_tui.state.utility.other_scores import Column
from uq_tui.state.utility.ranking import Ranking, ranking
from uq_tui.state.utility.rollouts import Around, Filter, grouped, key_of
from uq_tui.words import Exposure, RunKind

WHERE = "utility"
"""Where exposures are recorded as having happened."""
CONTROL, PLACEBO = "control", "placebo"
"""What the arms without this question's candidates go by beside candidate ids."""


class Beside(StrEnum):
    """What stands beside a rollout."""

    ANSWER = "answer"
    CONTROL = "control"
    PLACEBO = "placebo"
    NEIGHBOUR = "neighbour"


@dataclass(frozen=True, slots=True)
class _Loaded:
    candidates: tuple[Candidate, ...]
    neighbours: tuple[Neighbour, ...]
    measured: dict[str, Measured]
    rollouts: tuple[Rollout, ...]


class UtilityState:
    """The candidates of one question. `apply` takes events, `load` reads the store; texts of rollouts are not here."""

    def __init__(self, desk: Desk, question: Question, candidates: Sequence[Candidate], chosen: str) -> None:
        self.desk = desk
        self.question = question
        self.candidates = tuple(candidates)
        self.chosen = chosen if any(one.id == chosen for one in candidates) else ""
        """The candidate whose rollouts are listed, or `CONTROL` or `PLACEBO`; at first the best when it is empty."""
        self.neighbours: tuple[Neighbour, ...] = ()
        self.measured: dict[str, Measured] = {}
        """Utilities, by candidate."""
        self.ranking: Ranking = ranking((), {})
        self.others: tuple[Column, ...] = ()
        """What judges, validators and outside scorers gave."""
        self.filter = Filter.ALL
        self.beside = Beside.ANSWER
        self.loaded = False
        self.stale = False
        """The store holds something that has not been read."""
        self._rollouts: tuple[Rollout, ...] = ()
        """Of the chosen arm and of the arms without a candidate, in the same run."""
        self._others_stale = True
        self._candidates_stale = False
        self._recorded: set[str] = set()
        """Candidates whose utility is recorded as seen."""

    async def load(self) -> None:
        """Read what is new, and record that it is seen before it can be. Raises StoreError."""
        self.stale = False
        others, afresh = self._others_stale, self._candidates_stale
        self._others_stale = self._candidates_stale = False
        try:
            await self._load(others=others, afresh=afresh)
        except StoreError:  # what was not read now is to be read next
            self._others_stale |= others
            self._candidates_stale |= afresh
            raise

    async def _load(self, *, others: bool, afresh: bool) -> None:
        running, chosen = self.desk.running(RunKind.CBU), self.chosen
        found = await asyncio.to_thread(self._read, running, chosen, None if afresh else self.candidates)
        new = [one for one in found.measured if one not in self._recorded]
        await asyncio.to_thread(self._record, new)
        self._recorded.update(new)
        if others:
            self.others = await asyncio.to_thread(self._read_others)
        self.candidates = found.candidates
        self.neighbours, self.measured, self.loaded = found.neighbours, found.measured, True
        self.ranking = ranking(self.candidates, found.measured)
        if chosen == self.chosen:
            self._rollouts = found.rollouts
        else:
            self.stale = True
        if not self.chosen:
            await self.choose(self._first())

    async def choose(self, key: str) -> None:
        """Read the rollouts of another arm. Raises StoreError."""
        self.chosen = key
        found = await asyncio.to_thread(self._read_rollouts, dict(self.measured), key)
        if key == self.chosen:
            self._rollouts = found

    def _first(self) -> str:
        return next((one.candidate.id for one in self.ranking.ranked), self.candidates[0].id if self.candidates else "")

    def _read(self, running: tuple[str, ...], chosen: str, known: tuple[Candidate, ...] | None) -> _Loaded:
        ws, question_id = self.desk.workspace, self.question.row.id
        blind.require(ws, self.desk.reviewer.id, question_id)
        around = neighbours.of_question(ws, question_id)
        there = tuple(candidates.of_question(ws, question_id)) if known is None else known
        ids = {one.id for one in there}
        found = {key: one for key, one in measured.read(ws, question_id, running).items() if key in ids}
        return _Loaded(there, around, found, self._read_rollouts(found, chosen))

    def _read_rollouts(self, found: dict[str, Measured], chosen: str) -> tuple[Rollout, ...]:
        own = _run_of(found, chosen)
        if own is None:
            return ()
        arms = {"", own.placebo_id} | ({chosen} if chosen in found else set())
        return judgements.rollouts_of_run(self.desk.workspace, own.utility.run_id, candidate_ids=arms)

    def _read_others(self) -> tuple[Column, ...]:
        return other_scores.read(self.desk.workspace, self.desk.reviewer.id, self.question.row.id, WHERE)

    def _record(self, candidate_ids: Sequence[str]) -> None:
        shown = [(self.question.row.id, candidate_id) for candidate_id in candidate_ids]
        exposures.record_all(self.desk.workspace, self.desk.reviewer.id, shown, Exposure.UTILITY, WHERE)

    # What is read

    @property
    def candidate(self) -> Candidate | None:
        """The candidate whose rollouts are listed; `None` for an arm without."""
        return next((one for one in self.candidates if one.id == self.chosen), None)

    @property
    def newest(self) -> Utility | None:
        """A utility of the newest run: its arms without a candidate are listed."""
        found = _run_of(self.measured, CONTROL)
        return found.utility if found is not None else None

    @property
    def groups(self) -> tuple[Around, ...]:
        """The rollouts that are listed."""
        return grouped(self._of(self._arm(self.chosen)), self.neighbours, self.filter)

    def rollout(self, key: str) -> Rollout | None:
        """A rollout of the chosen arm, by its key."""
        return next((one for one in self._of(self._arm(self.chosen)) if key_of(one) == key), None)

    def counterpart(self, rollout: Rollout, arm: Beside) -> Rollout | None:
        """The rollout of an arm without the candidate on the same neighbour, with the same number."""
        wanted, key = self._arm(arm.value), key_of(rollout)
        return next((one for one in self._of(wanted) if key_of(one) == key), None)

    @property
    def choices(self) -> tuple[Beside, ...]:
        """What can stand beside a rollout of the chosen arm."""
        candidate = self.candidate
        there = {one.candidate_id for one in self._rollouts}
        own = [Beside.ANSWER] if candidate is not None else []
        own += [Beside.CONTROL] if "" in there and self.chosen != CONTROL else []
        own += [Beside.PLACEBO] if self._placebo_id in there and self.chosen != PLACEBO else []
        return (*own, Beside.NEIGHBOUR)

    def turn(self) -> None:
        """Have the next thing stand beside."""
        choices = self.choices
        at = choices.index(self.beside) if self.beside in choices else -1
        self.beside = choices[(at + 1) % len(choices)]

    def sift(self) -> None:
        """List by the next filter."""
        order = list(Filter)
        self.filter = order[(order.index(self.filter) + 1) % len(order)]

    @property
    def _placebo_id(self) -> str | None:
        own = _run_of(self.measured, self.chosen)
        return (own.placebo_id or None) if own is not None else None

    def _arm(self, key: str) -> str | None:
        """The candidate id that rollouts of an arm have."""
        if key == CONTROL:
            return ""
        return self._placebo_id if key == PLACEBO else key

    def _of(self, candidate_id: str | None) -> list[Rollout]:
        return [one for one in self._rollouts if one.candidate_id == candidate_id]

    # Events

    @property
    def under_way(self) -> bool:
        """Whether a run is measuring candidates of this question."""
        return any(one.under_way for one in self.measured.values())

    def apply(self, event: Event) -> bool:
        """Take one event; True when something is to be read again."""
        match event:
            case UtilityUpdated() | RolloutDecided():
                mine = any(one.id == event.candidate_id for one in self.candidates)
                self.stale = self.stale or mine or event.run_id in {o.utility.run_id for o in self.measured.values()}
            case CandidateAdded(question_id=self.question.row.id):
                self.stale = self._candidates_stale = True
            case RunStarted(kind=RunKind.CBU):  # it may be of candidates that another program has brought in
                self.stale = self._candidates_stale = True
            case RunFinished() | EventsLost() | WorkerLost():
                self.stale = self._others_stale = self._candidates_stale = True
        return self.stale


def _run_of(found: dict[str, Measured], key: str) -> Measured | None:
    """The utility whose run has the rollouts of an arm: the candidate's own, else the newest."""
    own = found.get(key)
    return own or max(found.values(), key=lambda one: one.utility.run_id, default=None)
