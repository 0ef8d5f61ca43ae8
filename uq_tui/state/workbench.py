"""One question on the workbench: its candidates, their stages and utilities, and which one is being read."""

import asyncio
from enum import Flag, auto

from store import blindness, candidates, exposures, runs
from store.failed_answers import FailedAnswer
from store.rows import Candidate, Neighbour, NewCandidate, Question, Verdict
from uq_tui.engine.protocol import (
    CallFinished,
    CallRetrying,
    CallStarted,
    CandidateAdded,
    Event,
    EventsLost,
    OutcomeDecided,
    RolloutDecided,
    RunFinished,
    StageStarted,
    UtilityUpdated,
    WorkerLost,
)
from uq_tui.engine.requests import GenerateRequest, ModelChoice, ValidateRequest
from uq_tui.errors import NotFoundError, UqError
from uq_tui.state import workbench_loading
from uq_tui.state.desk import Desk
from uq_tui.state.ladder.ladder import Ladder, LadderEvent
from uq_tui.state.ladder.shape import LadderShape
from uq_tui.state.reviewing import blind
from uq_tui.state.reviewing.blind import Mask
from uq_tui.state.utility.measured import Measured
from uq_tui.state.workbench_loading import OnTheBench
from uq_tui.words import Exposure, RunKind


class Change(Flag):
    """Which panels an event has made out of date."""

    NOTHING = 0
    CANDIDATES = auto()
    LADDER = auto()
    UTILITY = auto()


class WorkbenchState:
    """What the workbench shows. `apply` takes engine events; `load` and `reload` read the store."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.question: Question | None = None
        self.resolution = ""
        """Whether it is solved, in words; empty where it is open, or hidden."""
        self.posted: dict[str, str] = {}
        """Whose answers are that were posted on a site, by candidate, as Markdown. None of a masked problem."""
        self.mask: Mask | None = None
        """What is hidden while the reviewer judges this problem blind; `None` when nothing is."""
        self.candidates: tuple[Candidate, ...] = ()
        self.neighbours: tuple[Neighbour, ...] = ()
        self.measured: dict[str, Measured] = {}
        """Utilities, by candidate."""
        self.ladders: dict[str, Ladder] = {}
        self.verdicts: dict[str, Verdict] = {}
        self.failed: tuple[FailedAnswer, ...] = ()
        """Answers that failed, by what a file says, and for which there is none yet. None of a masked problem: they
        name models."""
        self._behind: dict[tuple[str, str], Ladder] = {}
        """Ladders of runs under way that a newer run on the same candidate stands in front of, by run and candidate."""
        self._shapes: dict[str, LadderShape] = {}
        """Strategies of the runs that were met while they ran, by run id."""
        self.measuring: dict[str, str] = {}
        """Candidates whose utility is being measured, and by which run; "" is the control arm."""
        self.pending: dict[str, str] = {}
        """Calls that are writing a new candidate now: call key by unit path."""
        self._writers: dict[str, str] = {}
        """Their runs, by unit path."""
        self.chosen = ""
        """The candidate being read, or the call key of a pending one; empty when there is neither."""
        self._shown: set[tuple[str, Exposure]] = set()
        self._looked_through: set[tuple[str, bool]] = set()
        """Candidates whose answers, or whose reasoning, were looked through for their authors' names."""

    async def load(self, question_id: str) -> None:
        """Open a question; the first candidate is chosen."""
        self._take(await self._read(question_id))
        self._forget_runs()
        self._shown.clear()
        self.chosen = self.candidates[0].id if self.candidates else ""

    def _forget_runs(self) -> None:
        self._behind.clear()
        self.measuring.clear()
        self.pending.clear()

    async def reload(self) -> None:
        """Read the open question again, keeping the choice and the ladders of runs under way."""
        if self.question is None:
            return
        loaded = await self._read(self.question.row.id)
        if loaded.question.row.id != self.question.row.id:
            return
        going = {cid: ladder for cid, ladder in self.ladders.items() if ladder.under_way}
        self._take(loaded)
        if loaded.mask is not None:
            going.clear()
            self._forget_runs()
        for candidate_id, ladder in self.ladders.items():
            behind = self._behind.get((ladder.run_id, candidate_id))
            if behind is not None and behind.under_way and candidate_id not in going:
                going[candidate_id] = self._behind.pop((ladder.run_id, candidate_id))
        self.ladders.update(going)
        if self.chosen not in {candidate.id for candidate in self.candidates} | set(self.pending.values()):
            self.chosen = self.candidates[-1].id if self.candidates else ""

    async def mask_has_moved(self) -> bool:
        """Whether the problem is judged blind by now, or no more, by what another window did. Raises StoreError."""
        if self.question is None:
            return False
        who = self.desk.workspace, self.desk.reviewer.id
        masked = await asyncio.to_thread(blindness.is_masked, *who, self.question.row.id)
        return masked is (self.mask is None)

    async def _read(self, question_id: str) -> OnTheBench:
        who = self.desk.workspace, self.desk.reviewer
        return await asyncio.to_thread(workbench_loading.read, *who, question_id, self.desk.running(RunKind.CBU))

    def _take(self, loaded: OnTheBench) -> None:
        self.question = loaded.question
        self.resolution = loaded.resolution
        self.posted = dict(loaded.posted)
        self.mask = loaded.mask
        self.candidates = loaded.candidates
        self.neighbours = loaded.neighbours
        self.measured = dict(loaded.measured)
        self.ladders = dict(loaded.ladders)
        for ladder in self.ladders.values():
            ladder.under_way = ladder.run_id in self.desk.active
        self.verdicts = dict(loaded.verdicts)
        self.failed = loaded.failed

    @property
    def candidate(self) -> Candidate | None:
        """The candidate being read."""
        return next((c for c in self.candidates if c.id == self.chosen), None)

    @property
    def ladder(self) -> Ladder | None:
        """The stages of the candidate being read."""
        return self.ladders.get(self.chosen)

    def apply(self, event: Event) -> Change:
        """Take one event. Results that are only in the store need `reload` afterwards (see `needs_reload`)."""
        if self.mask is not None:
            return Change.NOTHING  # whatever it tells of the candidates is hidden
        match event:
            case StageStarted() | OutcomeDecided() if self._is_mine(event.candidate_id):
                return self._climb(event)
            case CallStarted() | CallRetrying() | CallFinished() if self._is_mine(event.candidate_id):
                return self._call(event)
            case RolloutDecided() if self.measuring:
                return Change.UTILITY
            case CallStarted() | CallFinished() if self._writes_here(event.path):
                return self._write(event)
            case RunFinished() | WorkerLost() | EventsLost():  # what is lost may have been the end of anything
                self._stop(event.run_id if isinstance(event, RunFinished) else "")
                return Change.CANDIDATES | Change.LADDER | Change.UTILITY
        return Change.NOTHING

    def _is_mine(self, candidate_id: str) -> bool:
        return any(candidate.id == candidate_id for candidate in self.candidates)

    def _writes_here(self, path: str) -> bool:
        """Whether a call's unit is "question id/sample" of the open question."""
        return self.question is not None and path.rpartition("/")[0] == self.question.row.id

    def _write(self, event: CallStarted | CallFinished) -> Change:
        if isinstance(event, CallStarted):
            self.pending[event.path] = event.call_key
            self._writers[event.path] = event.run_id
        else:
            self.pending.pop(event.path, None)
            self._writers.pop(event.path, None)
        return Change.CANDIDATES

    def _call(self, event: CallStarted | CallRetrying | CallFinished) -> Change:
        if event.path.partition("/")[0] in {neighbour.id for neighbour in self.neighbours}:
            if not isinstance(event, CallStarted):
                return Change.NOTHING
            self.measuring[event.candidate_id] = event.run_id
            return Change.CANDIDATES | Change.UTILITY
        if self.desk.kinds.get(event.run_id, RunKind.VALIDATE) is not RunKind.VALIDATE:
            return Change.NOTHING
        return self._climb(event)

    def _climb(self, event: LadderEvent) -> Change:
        ladder = self._ladder_of(event)
        ladder.apply(event)
        if ladder is not self.ladders.get(event.candidate_id):
            return Change.NOTHING
        if event.candidate_id == self.chosen:
            return Change.CANDIDATES | Change.LADDER
        return Change.CANDIDATES

    def _ladder_of(self, event: LadderEvent) -> Ladder:
        """The ladder that the event belongs to. Of several runs on a candidate the one that began last is shown."""
        run_id, candidate_id = event.run_id, event.candidate_id
        shown = self.ladders.get(candidate_id)
        if shown is not None and shown.run_id == run_id:
            return shown
        behind = self._behind.get((run_id, candidate_id))
        if behind is not None and shown is not None:
            return behind
        if shown is not None:
            self._behind[shown.run_id, candidate_id] = shown
        self._behind.pop((run_id, candidate_id), None)
        self.ladders[candidate_id] = behind or Ladder(run_id, self._shapes.get(run_id))
        return self.ladders[candidate_id]

    @property
    def unshaped(self) -> frozenset[str]:
        """Runs whose rungs come without it being known yet what strategy they go by: `learn` reads it."""
        ladders = (ladder for ladder in self.ladders.values() if ladder.shape == LadderShape())
        return frozenset(ladder.run_id for ladder in ladders) - self._shapes.keys()

    async def learn(self) -> None:
        """Read the strategies of the runs that began. Raises StoreError."""
        self._shapes |= await asyncio.to_thread(self._read_shapes, self.unshaped)
        for ladder in self.ladders.values():
            ladder.shape = self._shapes.get(ladder.run_id, ladder.shape)

    def _read_shapes(self, run_ids: frozenset[str]) -> dict[str, LadderShape]:
        return {run_id: self._read_shape(run_id) for run_id in run_ids}

    def _read_shape(self, run_id: str) -> LadderShape:
        try:
            return LadderShape.of(runs.get(self.desk.workspace, run_id).spec)
        except NotFoundError:  # its rungs show without
            return LadderShape()

    def _stop(self, run_id: str) -> None:
        """What this run did stops, or what all did when it is ""."""
        for ladder in (*self.ladders.values(), *self._behind.values()):
            if run_id in ("", ladder.run_id):
                ladder.stop()
        self._behind = {key: ladder for key, ladder in self._behind.items() if key[0] != run_id}
        self.measuring = {cid: run for cid, run in self.measuring.items() if run_id not in ("", run)}
        self.pending = {path: key for path, key in self.pending.items() if run_id not in ("", self._writers[path])}

    def needs_reload(self, event: Event) -> bool:
        """Whether the event says that the store holds something new for this question."""
        match event:
            case UtilityUpdated():
                return self._is_mine(event.candidate_id)
            case CandidateAdded():
                return self.question is not None and event.question_id == self.question.row.id
            case RunFinished() | EventsLost() | WorkerLost():
                return True
        return False

    def validate_request(self, *, fresh: bool = False) -> ValidateRequest:
        """Judge the candidate being read by the strategy chosen. Raises UqError when there is none."""
        if self.chosen in self.pending.values():
            raise UqError("This answer is still being written.", hint="Validate it once it is whole.")
        self.require_open()
        if self.candidate is None:
            raise UqError("There is no candidate to validate.", hint="g generates one, a adds one by hand.")
        return self.desk.strategy.request(self.candidate.id, self.desk.model, fresh=fresh)

    def generate_request(self) -> GenerateRequest:
        """Ask for one more candidate."""
        if self.question is None:
            raise UqError("No question is open.", hint="Choose one in Questions.")
        self.require_open()
        return GenerateRequest((self.question.row.id,), self.desk.model)

    def retry_requests(self) -> tuple[GenerateRequest, ...]:
        """Ask again each model whose answer failed. Raises UqError when there is none that can be asked."""
        self.require_open()
        names = [one.model for one in self.failed if one.model]
        if self.question is None or not names:
            raise UqError(
                "No answer to this question has failed that names its model.", hint="g asks the chosen model."
            )
        return tuple(GenerateRequest((self.question.row.id,), self._as_chosen(name)) for name in names)

    def _as_chosen(self, name: str) -> ModelChoice:
        """The model of a name in a file; the one that is chosen here, with its address, where that is the one."""
        chosen = self.desk.model
        return chosen if chosen.id == name or chosen.id.endswith(f"/{name}") else ModelChoice(name)

    async def add(self, new: NewCandidate) -> str:
        """Keep a candidate entered by hand and choose it; returns its id. Raises UqError: it can't be the reference."""
        if new.reference:
            self.require_open()  # what is said of a like answer that is here tells who wrote it
        if refusal := await asyncio.to_thread(candidates.reference_refusal, self.desk.workspace, new):
            raise UqError(refusal, hint="Nothing was changed. Without the mark it can be kept.")
        (candidate_id,) = await asyncio.to_thread(candidates.add, self.desk.workspace, (new,))
        await self.reload()
        self.chosen = candidate_id
        return candidate_id

    def warning(self, candidate_id: str) -> str:
        """What there is to know before judging a candidate; "" when there is nothing."""
        return blind.NAMES_AUTHOR if self.mask is not None and self.mask.names_author(candidate_id) else ""

    def require_open(self) -> None:
        """Refuse what would show something that is hidden. Raises BlindError while the problem is judged blind."""
        if self.mask is not None:
            raise blind.refusal(self.mask.question_id)

    async def reveal(self) -> None:
        """Hide nothing of this problem any more, as the reviewer asked; recorded. Raises StoreError."""
        if self.question is not None:
            question_id = self.question.row.id
            await asyncio.to_thread(blind.reveal, self.desk.workspace, self.desk.reviewer.id, question_id)
            await self.reload()

    async def note_exposures(self, *, answer: bool, reasoning: bool) -> None:
        """Record what the reviewer can see now. Whoever sees it before a verdict doesn't judge blind.

        To be called again whenever more is shown. Raises StoreError; the next call records it then.

        Args:
            answer: whether the answer of the candidate being read is shown; it may have its author's name.
            reasoning: whether its reasoning is.
        """
        seen: set[tuple[str, Exposure]] = set()
        for candidate in self.candidates:
            if any(origin.model or origin.system or origin.person for origin in candidate.origins):
                seen.add((candidate.id, Exposure.MODEL))
            ladder = self.ladders.get(candidate.id)
            if ladder is not None and self._tells(ladder, read=candidate.id == self.chosen):
                seen.add((candidate.id, Exposure.OUTCOMES))
            if candidate.id in self.measured:
                seen.add((candidate.id, Exposure.UTILITY))
        if reasoning and self.chosen:
            seen.add((self.chosen, Exposure.REASONING))
        if self.mask is not None and self.candidate is not None and (answer or reasoning):
            await self._note_read(self.candidate, reasoning=reasoning)
        if self.question is None or not (new := seen - self._shown):
            return
        question_id = self.question.row.id
        await asyncio.to_thread(self._record, question_id, sorted(new))
        if self.question.row.id == question_id:
            self._shown |= new

    async def _note_read(self, candidate: Candidate, *, reasoning: bool) -> None:
        """Record that the text that is shown names its author, if it does."""
        if (candidate.id, reasoning) not in self._looked_through:
            ws, reviewer_id = self.desk.workspace, self.desk.reviewer.id
            await asyncio.to_thread(blind.note_read, ws, reviewer_id, [candidate.id], reasoning=reasoning)
            self._looked_through.add((candidate.id, reasoning))

    def _tells(self, ladder: Ladder, *, read: bool) -> bool:
        """Whether a ladder gives away what a judge thinks: by an outcome, or by the judge's words where it is read."""
        return ladder.decided or (read and ladder.asked)

    def _record(self, question_id: str, shown: list[tuple[str, Exposure]]) -> None:
        for candidate_id, what in shown:
            exposures.record(self.desk.workspace, self.desk.reviewer.id, question_id, candidate_id, what, "workbench")
