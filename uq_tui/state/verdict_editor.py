"""A verdict being written: its form, its draft on disk, the time it took, and saving it."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace

from store import drafts, verdicts
from store.review_rows import Draft
from store.rows import Candidate, MarkedError, Verdict, VerdictForm
from store.verdict_form import form_of
from uq_tui.errors import UqError
from uq_tui.state.desk import Desk
from uq_tui.words import ErrorCategory, VerdictStatus

IDLE_S = 60.0
"""A pause longer than this doesn't count as active time."""


class VerdictEditor:
    """The form for one candidate. Every change can be kept at once as a draft; only `save` makes a verdict.

    What reads or writes the store waits for its turn: a draft written beside a verdict that is being recorded would
    outlive it, and a candidate opened meanwhile would get the other one's verdict.
    """

    def __init__(self, desk: Desk, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._desk = desk
        self._clock = clock
        self.candidate: Candidate | None = None
        self.form = VerdictForm()
        self.standing: Verdict | None = None
        """The reviewer's verdict that this one would supersede."""
        self.from_draft = False
        self._turn = asyncio.Lock()
        self._unsaved = False
        self._version = 0
        self._opened = 0.0
        self._touched = 0.0
        self._seconds_before = 0.0

    async def open(self, candidate: Candidate) -> None:
        """Start or continue the verdict on a candidate: a draft if there is one, else the standing verdict."""
        async with self._turn:
            await self._open(candidate)

    async def _open(self, candidate: Candidate) -> None:
        draft, standing = await asyncio.to_thread(self._read, candidate.id)
        self.candidate, self.standing = candidate, standing
        self.from_draft = draft is not None
        self._version = draft.version if draft is not None else 0
        if draft is not None:
            self.form = draft.form
        elif self.standing is not None and self.standing.status is VerdictStatus.SUBMITTED:
            self.form = form_of(self.standing.record)
        else:
            self.form = VerdictForm()
        self._unsaved = False
        self._opened = self._touched = self._clock()
        self._seconds_before = self.form.seconds_total

    def _read(self, candidate_id: str) -> tuple[Draft | None, Verdict | None]:
        workspace, reviewer = self._desk.workspace, self._desk.reviewer.id
        return drafts.get(workspace, reviewer, candidate_id), verdicts.latest(workspace, reviewer, candidate_id)

    def edit(self, change: Callable[[VerdictForm], VerdictForm]) -> None:
        """Change the form."""
        self.touch()
        changed = change(self.form)
        if changed != self.form:
            self.form, self._unsaved = changed, True

    def touch(self) -> None:
        """The reviewer did something: count the time since the last thing, unless it was a long pause."""
        now = self._clock()
        gap = now - self._touched
        self._touched = now
        self.form = replace(
            self.form,
            seconds_active=self.form.seconds_active + (gap if gap <= IDLE_S else 0.0),
            seconds_total=self._seconds_before + now - self._opened,
        )

    async def save_draft(self) -> bool:
        """Keep what was entered; False when there was nothing to keep.

        Raises:
            StoreError: it could not be written; what was entered stays in the form.
        """
        async with self._turn:
            if self.candidate is None or not self._unsaved:
                return False
            form = self.form
            workspace, reviewer = self._desk.workspace, self._desk.reviewer.id
            self._version = await asyncio.to_thread(
                drafts.save, workspace, reviewer, self.candidate.id, form, based_on=self._version
            )
            self._unsaved = form != self.form
            return True

    async def save(self, candidate_id: str) -> Verdict:
        """Record the verdict on the candidate that the reviewer saw it stand under.

        Raises:
            UqError: something is missing, or the form has gone on to another candidate; the draft stays then.
            StoreError: it could not be written; the draft stays too.
        """
        async with self._turn:
            candidate = self._still(candidate_id)
            self.touch()
            form = self.form
            verdict = await asyncio.to_thread(
                verdicts.save, self._desk.workspace, self._desk.reviewer, candidate.id, form
            )
            self._unsaved = form != self.form
            self.standing = verdict
            return verdict

    async def retract(self, candidate_id: str) -> Verdict:
        """Take the standing verdict on this candidate back, as a revision of its own. Raises as `save` does."""
        async with self._turn:
            candidate = self._still(candidate_id)
            verdict = await asyncio.to_thread(verdicts.retract, self._desk.workspace, self._desk.reviewer, candidate.id)
            await self._open(candidate)
            return verdict

    def _still(self, candidate_id: str) -> Candidate:
        if self.candidate is None or self.candidate.id != candidate_id:
            raise UqError("Nothing was recorded: the form had gone on to another candidate.", hint="Go back to it.")
        return self.candidate


def given(verdict: Verdict) -> str:
    """What a verdict says, in words: `incorrect`, `out of depth`, `retracted`."""
    said = verdict.label or verdict.not_judged
    if said is None or verdict.status is VerdictStatus.RETRACTED:
        return VerdictStatus.RETRACTED.value
    return said.replace("_", " ")


def with_error_categories(form: VerdictForm, categories: frozenset[str]) -> VerdictForm:
    """The form with exactly these categories of errors; all that was written on one that stays is kept."""
    kept = [error for error in form.errors if error.category in categories]
    marked = {error.category for error in kept}
    new = [MarkedError(value) for value in ErrorCategory if value in categories - marked]
    return replace(form, errors=(*kept, *new))
