"""Settling conflicts one after the other: the one that is read, its verdict form, what comes next, and undo."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from store import drafts, undoing
from store.conflicts import Conflict
from store.review_rows import Decision
from store.rows import VerdictForm
from store.verdict_form import form_of
from store.verdict_rows import name_of
from uq_tui.errors import BlindError, NotFoundError
from uq_tui.state.adjudicating.matter import Matter, Quoted, Side, read
from uq_tui.state.desk import Desk
from uq_tui.state.verdict.editor import VerdictEditor
from uq_tui.words import ConflictState, VerdictStatus


class Adjudication:
    """What the screen shows. All that waits raises UqError."""

    def __init__(self, desk: Desk, editor: VerdictEditor, found: Sequence[Conflict], candidate_id: str) -> None:
        """`found` are the conflicts in the order in which they are gone through, beginning at `candidate_id`."""
        self._desk = desk
        self.editor = editor
        self._order = tuple(one.candidate_id for one in found)
        self._passed = {one.candidate_id for one in found if not _waits(one)}
        """What recording doesn't go on to."""
        self._candidate_id = candidate_id
        self._recorded: list[tuple[str, str]] = []
        """Revisions that were recorded here, as `verdict_id#revision`, each with its candidate."""
        self.matter: Matter | None = None
        """`None` until it is read."""
        self._pointed = -1

    @property
    def progress(self) -> str:
        """`3 of 12`."""
        return f"{self._order.index(self._candidate_id) + 1:,} of {len(self._order):,}"

    async def load(self) -> None:
        """Read the conflict that is stood on, record that it is shown, and open its form where it can be settled.

        Raises:
            NotFoundError: its verdicts agree by now.
            BlindError: its problem is masked by now.
        """
        desk, candidate_id = self._desk, self._candidate_id
        matter = await asyncio.to_thread(read, desk.workspace, desk.reviewer, candidate_id)
        if candidate_id != self._candidate_id:
            return  # another one is wanted by now
        if matter.conflict.readable:
            await self.editor.open(matter.candidate, between=matter.conflict.names)
        else:
            self.editor.close()
        self.matter, self._pointed = matter, -1
        self._note(matter.conflict)

    def _note(self, conflict: Conflict) -> None:
        if _waits(conflict):
            self._passed.discard(conflict.candidate_id)
        else:
            self._passed.add(conflict.candidate_id)

    async def reload(self) -> None:
        """Read it again, keeping what was entered as a draft."""
        await self.editor.save_draft()
        await self.load()

    async def go(self, by: int) -> None:
        """Go to the next conflict or the one before, round the end, keeping what was entered as a draft."""
        await self.editor.save_draft()
        at = self._order.index(self._candidate_id)
        await self._go_to(self._order[(at + by) % len(self._order)])

    async def _go_to(self, candidate_id: str) -> None:
        before, self._candidate_id = self._candidate_id, candidate_id
        try:
            await self.load()
        except (NotFoundError, BlindError):  # it is no conflict any more, or not for this reviewer
            self._candidate_id = before
            self._order = tuple(key for key in self._order if key == before or key != candidate_id)
            raise

    async def took(self, decision: Decision) -> None:
        """A decision was recorded by the form: go on to the next conflict that isn't settled, if there is one."""
        verdict = decision.verdict
        self._recorded.append((name_of(verdict), verdict.candidate_id))
        if verdict.status is VerdictStatus.RETRACTED:
            await self.load()
            return
        self._passed.add(verdict.candidate_id)
        at = self._order.index(self._candidate_id)
        in_turn = (*self._order[at + 1 :], *self._order[: at + 1])
        left = next((key for key in in_turn if key not in self._passed), self._candidate_id)
        await self._go_to(left)

    @property
    def undoable(self) -> bool:
        """Whether something was recorded here that can be taken back."""
        return bool(self._recorded)

    async def undo(self) -> Decision | None:
        """Take back what was recorded here last, and go to it; `None` when there is nothing.

        Raises:
            VerdictMovedError: something else was recorded since, or the adjudication was revised elsewhere.
        """
        if not self._recorded:
            return None
        await self.editor.save_draft()
        name, candidate_id = self._recorded[-1]
        desk = self._desk
        decision = await asyncio.to_thread(undoing.undo, desk.workspace, desk.reviewer, "", shown=name)
        self._recorded.pop()
        await self._go_to(candidate_id)
        return decision

    async def begin_from(self, side: Side) -> bool:
        """Fill the form with what one of the verdicts says, to be recorded as it is or changed first.

        Returns:
            whether the form said something else, of the reader's own, which is kept as a copy.

        Raises:
            StoreError: it could not be kept; the form is as it was.
        """
        own = self._is_own(self.editor.form)
        if own:
            await self.editor.keep_copy()

        def take(form: VerdictForm) -> VerdictForm:
            return replace(
                side.form,
                relation=form.relation,
                seconds_active=form.seconds_active,
                seconds_total=form.seconds_total,
            )

        self.editor.edit(take)
        return own

    def _is_own(self, form: VerdictForm) -> bool:
        """Whether a form says something that none of the verdicts and no recorded adjudication says."""
        standing = self.editor.standing
        known = [VerdictForm(), *(side.form for side in self.matter.sides)] if self.matter is not None else []
        known += [form_of(standing.record)] if standing is not None else []
        return all(replace(drafts.words(one), relation=form.relation) != drafts.words(form) for one in known)

    def quote(self, by: int) -> Quoted | None:
        """The next quote in the answer, whosever it is, or the one before; round the end. `None` without any."""
        placed = self.matter.quotes if self.matter is not None else ()
        if not placed:
            return None
        self._pointed = (self._pointed + by) % len(placed) if self._pointed >= 0 else (0 if by > 0 else len(placed) - 1)
        return placed[self._pointed]


def _waits(conflict: Conflict) -> bool:
    """Whether it is to be settled, and can be."""
    return conflict.readable and conflict.state is not ConflictState.SETTLED
