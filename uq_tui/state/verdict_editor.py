"""A verdict being written: its form, its draft on disk, the time it took, and saving it."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace

from store import drafts, verdicts
from store.rows import Candidate, MarkedError, Verdict, VerdictForm
from store.verdict_form import form_of
from uq_tui.state.desk import Desk
from uq_tui.words import ErrorCategory, VerdictStatus

IDLE_S = 60.0
"""A pause longer than this doesn't count as active time."""


class VerdictEditor:
    """The form for one candidate. Every change can be kept at once as a draft; only `save` makes a verdict."""

    def __init__(self, desk: Desk, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._desk = desk
        self._clock = clock
        self.candidate: Candidate | None = None
        self.form = VerdictForm()
        self.standing: Verdict | None = None
        """The reviewer's verdict that this one would supersede."""
        self.from_draft = False
        self._unsaved = False
        self._opened = 0.0
        self._touched = 0.0
        self._seconds_before = 0.0

    async def open(self, candidate: Candidate) -> None:
        """Start or continue the verdict on a candidate: a draft if there is one, else the standing verdict."""
        reviewer = self._desk.reviewer.id
        draft = await asyncio.to_thread(drafts.get, self._desk.workspace, reviewer, candidate.id)
        self.standing = await asyncio.to_thread(verdicts.latest, self._desk.workspace, reviewer, candidate.id)
        self.candidate = candidate
        self.from_draft = draft is not None
        if draft is not None:
            self.form = draft
        elif self.standing is not None and self.standing.status is VerdictStatus.SUBMITTED:
            self.form = form_of(self.standing.record)
        else:
            self.form = VerdictForm()
        self._unsaved = False
        self._opened = self._touched = self._clock()
        self._seconds_before = self.form.seconds_total

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

    @property
    def unsaved(self) -> bool:
        """Whether something entered is not yet on disk as a draft."""
        return self._unsaved

    async def save_draft(self) -> None:
        """Keep what was entered. Raises StoreError; what was entered stays in the form."""
        if self.candidate is None or not self._unsaved:
            return
        form = self.form
        await asyncio.to_thread(drafts.save, self._desk.workspace, self._desk.reviewer.id, self.candidate.id, form)
        self._unsaved = form != self.form

    async def discard(self) -> None:
        """Throw the draft away and go back to the standing verdict or an empty form."""
        if self.candidate is None:
            return
        await asyncio.to_thread(drafts.discard, self._desk.workspace, self._desk.reviewer.id, self.candidate.id)
        await self.open(self.candidate)

    async def save(self) -> Verdict:
        """Record the verdict. Raises UqError naming what is missing, or StoreError; the draft stays then."""
        assert self.candidate is not None, "open() comes first"
        self.touch()
        verdict = await asyncio.to_thread(
            verdicts.save, self._desk.workspace, self._desk.reviewer, self.candidate.id, self.form
        )
        self._unsaved = False
        self.standing = verdict
        return verdict

    async def retract(self) -> Verdict:
        """Take the standing verdict back, as a revision of its own."""
        assert self.candidate is not None, "open() comes first"
        verdict = await asyncio.to_thread(
            verdicts.retract, self._desk.workspace, self._desk.reviewer, self.candidate.id
        )
        await self.open(self.candidate)
        return verdict


def given(verdict: Verdict) -> str:
    """What a verdict says, in words: `incorrect`, `out of depth`, `retracted`."""
    said = verdict.label or verdict.not_judged
    if said is None or verdict.status is VerdictStatus.RETRACTED:
        return VerdictStatus.RETRACTED.value
    return said.replace("_", " ")


def with_error_categories(form: VerdictForm, categories: frozenset[str]) -> VerdictForm:
    """The form with exactly these categories of errors; what was written on one that stays is kept."""
    kept = {error.category: error for error in form.errors}
    errors = tuple(kept.get(value, MarkedError(value)) for value in ErrorCategory if value in categories)
    return replace(form, errors=errors)
