"""The stage of review: one question after the other, decided by a person."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass

from store import curation_drafts, curation_lists, curations, exposures
from store.curation_drafts import ParaphraseDraft
from store.curation_rows import Curation, StageCount
from uq_tui.curation.funnel import stage_sum
from uq_tui.curation.thresholds import parse
from uq_tui.errors import UqError
from uq_tui.state.curating import reviewed
from uq_tui.state.curating.reviewed import PLACE, Reviewed
from uq_tui.state.desk import Desk
from uq_tui.state.reviewing import blind
from uq_tui.state.reviewing.guard import Guard
from uq_tui.words import CurationStage, Exposure, QuestionDecision

REASON_NEEDED = "Say in a sentence what is wrong with it as it stands."


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a curation is at this stage, for all reviewers together."""

    kept: int = 0
    rejected: int = 0
    left: int = 0

    @classmethod
    def of(cls, counts: tuple[StageCount, ...]) -> "Progress":
        """From a curation's counts."""
        here = stage_sum(counts, CurationStage.REVIEW)
        return cls(here.left, here.fallen, here.waiting)

    def words(self) -> str:
        """`3 of 40 decided: 2 kept, 1 rejected`."""
        decided = self.kept + self.rejected
        whole = f"{decided:,} of {decided + self.left:,} decided"
        return f"{whole}: {self.kept:,} kept, {self.rejected:,} rejected" if decided else whole


NO_WORDS, NOTHING_YET = ParaphraseDraft(), Progress()


@dataclass(frozen=True, slots=True)
class Turn:
    """What is before the reviewer: nothing where nothing is left."""

    shown: Reviewed | None = None
    draft: ParaphraseDraft = NO_WORDS
    """Their words on it, as they are on disk."""
    progress: Progress = NOTHING_YET


class QuestionReview:
    """Goes through the questions that stand at review, in order of arrival; those put off come again at the end.

    Methods that wait are coroutines. While one of them is at work (`busy`) no other may be begun.
    """

    def __init__(self, desk: Desk, curation: Curation, *, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` counts the seconds for which keys that record do nothing."""
        self.curation = curation
        self.limits = parse(curation.rules).model
        """What its ratings had to come to."""
        self.guard = Guard(clock)
        self.turn = Turn()
        self.told = ""
        """What became of the question before."""
        self.busy = False
        self._desk = desk
        self._decided: list[str] = []
        """Questions that were decided here, the last one last."""

    @property
    def shown(self) -> Reviewed | None:
        """The question before the reviewer."""
        return self.turn.shown

    @property
    def progress_words(self) -> str:
        """How far the curation is; empty before anything is read."""
        return self.turn.progress.words() if self.turn.progress != NOTHING_YET else ""

    @property
    def can_undo(self) -> bool:
        """Something was decided here."""
        return bool(self._decided)

    async def open(self) -> None:
        """Read the first question. Raises StoreError."""
        await self._take(lambda: self._next(None))

    async def decide(self, decision: QuestionDecision, reason: str, title: str = "", body: str = "") -> None:
        """Record a decision on what is shown, and go on.

        Raises:
            UqError: a reason or words are missing, or the question does not wait for review any more.
        """
        if (shown := self.shown) is None:
            return
        if decision is not QuestionDecision.KEEP and not reason.strip():
            raise UqError(f"A decision to {decision} needs a reason.", hint=REASON_NEEDED)
        question = shown.question.row
        recorded = False

        def record() -> Turn:
            nonlocal recorded
            if recorded := self._waits(question.id):
                ws, reviewer_id = self._desk.workspace, self._desk.reviewer.id
                curations.decide(ws, reviewer_id, self.curation.id, question.id, decision, reason, title, body)
                curation_drafts.keep(ws, reviewer_id, self.curation.id, question.id, NO_WORDS)
            return self._next(question.seq)

        await self._take(record)
        if recorded:
            self._decided.append(question.id)
        self.told = f"recorded: {decision}" if recorded else "not recorded: somebody has decided it meanwhile"

    async def put_off(self) -> None:
        """Go on; the question comes again behind the others."""
        if (before := self.shown) is None:
            return
        await self._take(lambda: self._next(before.question.row.seq))
        alone = self.shown is not None and self.shown.question.row.id == before.question.row.id
        self.told = "nothing else is left but this one" if alone else "put off: it comes again"

    async def undo(self) -> None:
        """Take the last decision back, and show its question again with the words that went with it.

        Raises:
            UqError: it was taken back already, in another window.
        """
        if not self._decided:
            self.told = "nothing was decided here that could be undone"
            return
        question_id = self._decided.pop()

        def take_back() -> Turn:
            ws, reviewer_id = self._desk.workspace, self._desk.reviewer.id
            path = curations.path(ws, self.curation.id, question_id)
            said = path.decision if path is not None else None
            curations.undo_decision(ws, reviewer_id, self.curation.id, question_id)
            if said is not None:
                draft = ParaphraseDraft(said.title, said.body, said.reason)
                curation_drafts.keep(ws, reviewer_id, self.curation.id, question_id, draft)
            return self._of(question_id)

        await self._take(take_back)
        self.told = "undone"

    async def keep_draft(self, draft: ParaphraseDraft) -> None:
        """Have words on what is shown on disk. Raises StoreError."""
        turn = self.turn
        if turn.shown is None or draft == turn.draft:
            return
        key = (self._desk.reviewer.id, self.curation.id, turn.shown.question.row.id)
        await asyncio.to_thread(curation_drafts.keep, self._desk.workspace, *key, draft)
        if self.turn is turn:
            self.turn = Turn(turn.shown, draft, turn.progress)

    async def note_answer(self, candidate_id: str) -> None:
        """Log that an answer was shown with its author's name: beside it, or in its text."""
        if (shown := self.shown) is None:
            return
        ws, reviewer_id = self._desk.workspace, self._desk.reviewer.id
        if shown.mask is not None:
            await asyncio.to_thread(blind.note_read, ws, reviewer_id, [candidate_id])
        else:
            key = (reviewer_id, shown.question.row.id, candidate_id)
            await asyncio.to_thread(exposures.record, ws, *key, Exposure.MODEL, PLACE)

    async def _take(self, read: Callable[[], Turn]) -> None:
        self.busy = True
        try:
            self.turn = await asyncio.to_thread(read)
            self.guard.appeared()
        finally:
            self.busy = False

    # In a thread

    def _next(self, after: int | None) -> Turn:
        """The next question that stands here behind a `seq`, from the first one again behind the last."""
        question_id = self._standing(after) or self._standing(None)
        return self._of(question_id) if question_id else Turn(progress=self._progress())

    def _waits(self, question_id: str) -> bool:
        """Whether nobody has decided on a question since it was shown."""
        path = curations.path(self._desk.workspace, self.curation.id, question_id)
        return path is not None and path.place.stage is CurationStage.REVIEW and not path.place.fell

    def _standing(self, after: int | None) -> str:
        here = (self.curation.id, CurationStage.REVIEW, "")
        page = curation_lists.page(self._desk.workspace, *here, after=after, limit=1)
        return page.rows[0].question_id if page.rows else ""

    def _of(self, question_id: str) -> Turn:
        ws, reviewer_id = self._desk.workspace, self._desk.reviewer.id
        shown = reviewed.read(ws, reviewer_id, self.curation, question_id)
        draft = curation_drafts.get(ws, reviewer_id, self.curation.id, question_id)
        return Turn(shown, draft, self._progress())

    def _progress(self) -> Progress:
        return Progress.of(curations.counts(self._desk.workspace, self.curation.id))
