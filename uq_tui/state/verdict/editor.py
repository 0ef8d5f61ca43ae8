"""A verdict being written: its form, its draft on disk, the time it took, and recording it."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial

from store import adjudications, decisions, drafts, relations, undoing, verdicts
from store.review_rows import Decision, Draft, QueueItem
from store.rows import Candidate, Verdict, VerdictForm
from store.units import raw_units, read_count
from store.verdict_form import form_of
from uq_tui.errors import DraftMovedError, UqError, VerdictFormError, VerdictMovedError
from uq_tui.state.desk import Desk
from uq_tui.state.reviewing.completeness import NO_RULES, Rules, missing
from uq_tui.state.verdict import errors
from uq_tui.state.verdict.history import refuse_repeat
from uq_tui.state.verdict.words import ledger_text
from uq_tui.words import UNDECIDED, ErrorCategory, ItemRole, Relation, VerdictRole, VerdictStatus

IDLE_S = 60.0
"""A pause longer than this doesn't count as active time."""


class Side(StrEnum):
    """Whose draft is gone on with."""

    MINE = "mine"
    THEIRS = "theirs"


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two windows have written a draft of the same verdict. Both texts are in the store."""

    mine: VerdictForm
    theirs: Draft
    copy_id: str
    """Mine, as it is kept beside theirs."""


@dataclass(frozen=True, slots=True)
class _Opened:
    """What the store holds for a form."""

    draft: Draft | None
    standing: Verdict | None
    relation: Relation | None
    ledger: str


class VerdictEditor:
    """The form for one candidate. Every change can be kept at once as a draft; only `save` makes a verdict.

    What reads or writes the store waits for its turn: a draft written beside a verdict that is being recorded would
    outlive it, and a candidate opened meanwhile would get the other one's verdict.
    """

    def __init__(self, desk: Desk, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._desk = desk
        self._clock = clock
        self.candidate: Candidate | None = None
        self.item: QueueItem | None = None
        """The item of a queue that the verdict decides; `None` outside queues."""
        self.between: tuple[str, ...] = ()
        """The revisions, as `verdict_id#revision`, between which it decides; empty in all but adjudications."""
        self.form = VerdictForm()
        self.rules: Rules = NO_RULES
        """What the queue asks of a verdict."""
        self.standing: Verdict | None = None
        """The reviewer's verdict that this one would supersede."""
        self.from_draft = False
        self.conflict: Conflict | None = None
        """Another window's draft has come between; nothing is kept or recorded until one of them is chosen."""
        self.ledger = ""
        """How much of the answer the reviewer has gone through, in words; "" for an answer without units."""
        self._turn = asyncio.Lock()
        self._version = 0
        """Of the draft that the form started from or was kept as, 0 without one."""
        self._based_on = 0
        """Revision of the verdict that the form started from, 0 without one."""
        self._relation: Relation | None = None
        self._unsaved = False
        self._touched = 0.0

    @property
    def repeat(self) -> bool:
        """Whether the candidate is judged once more, as if it had not been judged before."""
        return self.item is not None and self.item.role is ItemRole.REPEAT

    @property
    def role(self) -> VerdictRole:
        """Which of the reviewer's verdicts on the candidate it is."""
        if self.between:
            return VerdictRole.ADJUDICATION
        return VerdictRole.REPEAT if self.repeat else VerdictRole.ORDINARY

    @property
    def practice(self) -> bool:
        """Whether the candidate is one to practise on, which gets no verdict."""
        return self.item is not None and self.item.role is ItemRole.PRACTICE

    @property
    def unsaved(self) -> bool:
        """Whether the form says something that is not on disk."""
        return self._unsaved

    async def open(self, candidate: Candidate, *, item: QueueItem | None = None, between: tuple[str, ...] = ()) -> None:
        """Start or continue the verdict on a candidate: a draft if there is one, else the standing verdict.

        With `between` it is the adjudication between these revisions.

        Raises:
            BlindError: a queue has it judged once more, and it is not opened from there.
        """
        async with self._turn:
            await self._open(candidate, item, between)

    async def _open(self, candidate: Candidate, item: QueueItem | None, between: tuple[str, ...]) -> None:
        read = partial(self._read_settling, candidate) if between else partial(self._read, candidate, item)
        found = await asyncio.to_thread(read)
        self.candidate, self.item, self.standing, self.ledger = candidate, item, found.standing, found.ledger
        self.between = between
        self.from_draft, self.conflict, self._relation = found.draft is not None, None, found.relation
        self._version = found.draft.version if found.draft is not None else 0
        self._based_on = self.standing.revision if self.standing is not None else 0
        if found.draft is not None:
            self.form = found.draft.form
        elif self.standing is not None and self.standing.status is VerdictStatus.SUBMITTED:
            self.form = form_of(self.standing.record)
        else:
            self.form = VerdictForm(relation=found.relation or Relation.OTHER)
        self._unsaved = False
        self._touched = self._clock()

    def close(self) -> None:
        """Be done with a form of which nothing is to be kept, until another one is opened."""
        self.candidate, self.item, self.conflict, self._unsaved = None, None, None, False

    def _read(self, candidate: Candidate, item: QueueItem | None) -> _Opened:
        ws, reviewer_id = self._desk.workspace, self._desk.reviewer.id
        repeat = item is not None and item.role is ItemRole.REPEAT
        first_time = item is not None and item.state in UNDECIDED
        if not repeat and not first_time:
            refuse_repeat(ws, reviewer_id, candidate.id)
        role = VerdictRole.REPEAT if repeat else VerdictRole.ORDINARY
        draft = drafts.get(ws, reviewer_id, candidate.id, role=role)
        if repeat and item is not None:
            own = [one for one in decisions.history(ws, reviewer_id, candidate.id) if one.verdict_id == item.verdict_id]
            standing = own[-1] if own else None
        else:
            standing = verdicts.latest(ws, reviewer_id, candidate.id)
        return self._read_more(candidate, draft, standing)

    def _read_settling(self, candidate: Candidate) -> _Opened:
        ws, reviewer_id = self._desk.workspace, self._desk.reviewer.id
        draft = drafts.get(ws, reviewer_id, candidate.id, role=VerdictRole.ADJUDICATION)
        return self._read_more(candidate, draft, adjudications.latest(ws, reviewer_id, candidate.id))

    def _read_more(self, candidate: Candidate, draft: Draft | None, standing: Verdict | None) -> _Opened:
        ws, reviewer_id = self._desk.workspace, self._desk.reviewer.id
        units = raw_units(candidate.answer) if candidate.answer.sha256 else ()
        with ws.read() as conn:
            count = read_count(conn, reviewer_id, candidate.answer.sha256, units)
        relation = relations.get(ws, reviewer_id, candidate.question_id)
        return _Opened(draft, standing, relation, ledger_text(count))

    def edit(self, change: Callable[[VerdictForm], VerdictForm]) -> None:
        """Change the form."""
        self.touch()
        changed = change(self.form)
        if changed != self.form:
            self.form, self._unsaved = changed, True

    def add_quote(
        self,
        category: ErrorCategory,
        start: int,
        end: int,
        *,
        to: int | None = None,
        claim: str = "",
        problem: str = "",
        fix: str = "",
        of: Candidate | None = None,
    ) -> None:
        """Quote code points `start` to `end` of the stored answer: in a new error, or in the one at `to`.

        Args:
            category: of the new error.
            start: where the quote begins.
            end: where it ends.
            to: place in the list of an error that gets it instead.
            claim: what the answer claims there.
            problem: what is wrong with it.
            fix: what would put it right.
            of: whose answer it is, where the form may have gone on to another one.

        Raises:
            QuoteError: the error at `to` can't take it, or the form is another candidate's.
        """
        if self.candidate is None or (of is not None and of.id != self.candidate.id):
            raise errors.QuoteError("The form has gone on to another candidate.", hint="Go back, and quote it again.")
        raw = self.candidate.answer.raw
        self.edit(
            lambda form: errors.with_quote(
                form, raw, start, end, category=category, to=to, claim=claim, problem=problem, fix=fix
            )
        )

    def touch(self) -> None:
        """Count the time since the last touch as active, unless it was idle."""
        now = self._clock()
        gap = max(0.0, now - self._touched)
        self._touched = now
        self.form = replace(
            self.form,
            seconds_active=self.form.seconds_active + (gap if gap <= IDLE_S else 0.0),
            seconds_total=self.form.seconds_total + gap,
        )

    def missing(self) -> tuple[str, ...]:
        """What the form lacks by the queue's rules, a sentence each."""
        return missing(self.form, self.rules)

    # On disk

    async def save_draft(self) -> bool:
        """Keep what was entered; False when there was nothing to keep.

        Raises:
            DraftMovedError: another window has kept something else meanwhile; `conflict` has both.
            StoreError: it could not be written; what was entered stays in the form.
        """
        async with self._turn:
            if self.candidate is None or not self._unsaved:
                return False
            if self.conflict is None:
                await self._keep(self.candidate, self.form)
            else:
                await self._keep_beside(self.candidate, self.form, self.conflict)
            return True

    async def _keep_beside(self, candidate: Candidate, form: VerdictForm, conflict: Conflict) -> None:
        """Until one of two drafts is chosen, what is written here goes into the copy."""
        ws = self._desk.workspace
        copy_id = await asyncio.to_thread(self._copy, candidate, form)
        self.conflict = replace(conflict, mine=form, copy_id=copy_id)
        self._unsaved = form != self.form
        if copy_id != conflict.copy_id:
            await asyncio.to_thread(drafts.drop_copy, ws, conflict.copy_id)

    async def _keep(self, candidate: Candidate, form: VerdictForm) -> None:
        try:
            self._version = await asyncio.to_thread(self._write, candidate, form)
        except DraftMovedError as moved:
            self.conflict = Conflict(form, moved.theirs, moved.copy_id)
            raise
        self._unsaved = form != self.form

    def _write(self, candidate: Candidate, form: VerdictForm) -> int:
        ws, reviewer_id = self._desk.workspace, self._desk.reviewer.id
        kept = drafts.save(ws, reviewer_id, candidate.id, form, based_on=self._version, role=self.role)
        if form.relation is not (self._relation or Relation.OTHER):
            relations.put(ws, reviewer_id, candidate.question_id, form.relation)
            self._relation = form.relation
        return kept

    async def keep(self, side: Side) -> None:
        """Go on with one of two drafts; the other stays in the store as a copy.

        Raises:
            DraftMovedError: the other window has written again; `conflict` has what it wrote.
            StoreError: it could not be written; the conflict stays.
        """
        async with self._turn:
            conflict, candidate = self.conflict, self.candidate
            if conflict is None or candidate is None:
                return
            if side is Side.THEIRS:
                self.form, self._unsaved = conflict.theirs.form, False
                self._touched = self._clock()
                self._version, self.conflict = conflict.theirs.version, None
                return
            await asyncio.to_thread(self._copy, candidate, conflict.theirs.form)
            self._version = conflict.theirs.version
            await self._keep(candidate, self.form)
            self.conflict = None
            await asyncio.to_thread(drafts.drop_copy, self._desk.workspace, conflict.copy_id)

    async def keep_copy(self) -> None:
        """Keep what the form says as a copy, whatever it says next. Raises StoreError."""
        async with self._turn:
            if self.candidate is not None:
                await asyncio.to_thread(self._copy, self.candidate, self.form)

    def _copy(self, candidate: Candidate, form: VerdictForm) -> str:
        ws, reviewer_id = self._desk.workspace, self._desk.reviewer.id
        return drafts.keep_copy(ws, reviewer_id, candidate.id, form, role=self.role)

    async def save(self, candidate_id: str) -> Decision:
        """Record the verdict on the candidate that the reviewer saw it stand under.

        The form is kept as a draft first, so that nothing is lost where recording fails, and another window's draft
        isn't forgotten with the verdict.

        Raises:
            VerdictFormError: something is missing.
            DraftMovedError: another window has kept something else; `conflict` has both. Nothing is recorded.
            VerdictMovedError: another verdict was recorded since this form was opened. Saving again records this one.
            UqError: the form has gone on to another candidate, or it could not be written; the draft stays then.
        """
        async with self._turn:
            candidate = self._still(candidate_id)
            self.touch()
            if (conflict := self.conflict) is not None:
                raise DraftMovedError(conflict.theirs, conflict.copy_id)
            if lacks := self.missing():
                raise VerdictFormError(lacks)
            form = self.form
            await self._keep(candidate, form)
            try:
                decision = await asyncio.to_thread(self._record, candidate, form)
            except VerdictMovedError as moved:
                self._based_on = moved.revision
                raise
            self._version = 0
            self._unsaved = form != self.form
            self.standing, self.item = decision.verdict, decision.item or self.item
            self._based_on = decision.verdict.revision
            return decision

    def _record(self, candidate: Candidate, form: VerdictForm) -> Decision:
        ws, reviewer = self._desk.workspace, self._desk.reviewer
        if self.between:
            return adjudications.settle(ws, reviewer, candidate.id, form, self.between, based_on=self._based_on)
        if self.item is not None:
            return decisions.decide(ws, reviewer, self.item.id, form, based_on=self._based_on)
        return decisions.record(ws, reviewer, candidate.id, form, based_on=self._based_on)

    async def retract(self, candidate_id: str) -> Decision:
        """Take the standing verdict on this candidate back, as a revision of its own. Raises as `save` does."""
        async with self._turn:
            candidate = self._still(candidate_id)
            retract = adjudications.retract if self.between else decisions.retract
            decision = await asyncio.to_thread(retract, self._desk.workspace, self._desk.reviewer, candidate.id)
            await self._open(candidate, decision.item or self.item, self.between)
            return decision

    async def step(self, way: int) -> Decision | None:
        """Undo the reviewer's last verdict, wherever it was given, or redo what was undone last; `None` without any.

        Raises StoreError.
        """
        back = undoing.undo if way < 0 else undoing.redo
        async with self._turn:
            decision = await asyncio.to_thread(back, self._desk.workspace, self._desk.reviewer, None)
            here = self.candidate
            about = set() if decision is None else {decision.verdict.candidate_id}
            if here is not None and here.id in about and not self._unsaved:
                await self._open(here, self.item, self.between)
            return decision

    def _still(self, candidate_id: str) -> Candidate:
        if self.candidate is None or self.candidate.id != candidate_id:
            raise UqError("Nothing was recorded: the form had gone on to another candidate.", hint="Go back to it.")
        return self.candidate
