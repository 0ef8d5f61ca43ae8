"""All that is anchored in the text being read, and what the reader adds to it."""

import asyncio
from collections.abc import Callable
from typing import NamedTuple

from store import audits, blindness, exposures, questions, remarks
from store.reading_rows import Remark
from store.whereabouts import Answer, answers_with, questions_with
from store.workspace import Workspace
from uq_tui.errors import UqError
from uq_tui.state.reading.marks.entries import (
    Entry,
    Kind,
    claim_entries,
    error_entries,
    remark_entries,
)
from uq_tui.state.reading.readable import Readable
from uq_tui.state.reviewing import blind
from uq_tui.words import Exposure, Reading

NOWHERE = "Only stored text can be remarked on, one text at a time; what is selected is none, or of several."


class _Step(NamedTuple):
    """Something that can be undone."""

    words: str
    back: Callable[[], Remark]


class Remarks:
    """Everything anchored in one text, by kind. What reads or writes the store is a coroutine.

    Claims of audits are left out until the reader asks for them, which is recorded: who has seen them doesn't judge
    blind any more.
    """

    def __init__(self, workspace: Workspace, reviewer_id: str, where: str) -> None:
        self._workspace = workspace
        self._reviewer_id = reviewer_id
        self._where = where
        self.readable = Readable("")
        self.answer: Answer | None = None
        """The candidate whose answer is read; None for other texts, and where several candidates have it."""
        self.claims_shown = False
        self._of_kind: dict[Kind, tuple[Entry, ...]] = {}
        self._steps: list[_Step] = []
        self._turn = asyncio.Lock()

    async def open(self, readable: Readable) -> None:
        """Take up a text, or the same one again where something has changed. Raises StoreError."""
        async with self._turn:
            same = readable.key == self.readable.key
            await self._read(readable, claims=same and self.claims_shown)
            if not same:
                self._steps.clear()

    async def _read(self, readable: Readable, *, claims: bool) -> None:
        found = await asyncio.to_thread(self._find, readable, claims)
        self.readable, self.claims_shown = readable, claims  # what is shown changes in one go
        self.answer, self._of_kind = found

    def _find(self, readable: Readable, claims: bool) -> tuple[Answer | None, dict[Kind, tuple[Entry, ...]]]:
        ws, reviewer_id = self._workspace, self._reviewer_id
        answer = _answer_of(ws, readable)
        found = {Kind.REMARK: remark_entries(ws, reviewer_id, readable, _versions(ws, readable))}
        if answer is not None:
            if not blindness.hides_own_verdict(ws, reviewer_id, answer.candidate_id):
                found[Kind.ERROR] = error_entries(ws, reviewer_id, answer.candidate_id, readable)
            if claims and not blindness.is_masked(ws, reviewer_id, answer.question_id):
                found[Kind.CLAIM] = claim_entries(ws, answer.candidate_id, readable)
        return answer, found

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All entries in the order of the text, those without a place at the end."""
        every = [entry for own in self._of_kind.values() for entry in own]
        return tuple(sorted(every, key=lambda entry: (entry.place is None, entry.place or (0, 0))))

    def ranges(self, *kinds: Kind) -> tuple[tuple[int, int], ...]:
        """Where entries of these kinds stand in the source."""
        return tuple(entry.place for kind in kinds for entry in self._of_kind.get(kind, ()) if entry.place)

    def at(self, offset: int) -> Entry | None:
        """The entry on this sign of the source; of several the shortest."""
        here = [
            (entry.place[1] - entry.place[0], entry)
            for entry in self.entries
            if entry.place and entry.place[0] <= offset < entry.place[1]
        ]
        return min(here, key=lambda found: found[0])[1] if here else None

    @property
    def steps(self) -> int:
        """How many changes can be undone."""
        return len(self._steps)

    async def show_claims(self, shown: bool) -> None:
        """Show what audits claim, which is recorded first, or leave it out again.

        Raises:
            BlindError: the reviewer judges the problem blind.
            StoreError: it could not be read or recorded.
        """
        async with self._turn:
            if shown and self.answer is not None:
                await asyncio.to_thread(self._record, self.answer)
            await self._read(self.readable, claims=shown)

    def _record(self, answer: Answer) -> None:
        """Record it where an audit has said something: that it found nothing tells, too. Raises BlindError."""
        blind.require(self._workspace, self._reviewer_id, answer.question_id)
        found = audits.of_candidate(self._workspace, answer.candidate_id)
        if any(audit.state is not Reading.FAILED for audit in found):
            exposures.record(
                self._workspace,
                self._reviewer_id,
                answer.question_id,
                answer.candidate_id,
                Exposure.CLAIMS,
                self._where,
            )

    async def add(self, start: int, end: int, note: str) -> None:
        """Remark on signs `start` to `end` of the source.

        Raises:
            UqError: they are of no stored text, or of several.
            StoreError: it could not be written.
        """
        found = self.readable.to_raw(start, end)
        if found is None:
            raise UqError(NOWHERE, hint="Select words of the answer, the question's body or the reasoning.")
        text, first, last = found
        ws = self._workspace
        async with self._turn:
            made = await asyncio.to_thread(remarks.add, ws, self._reviewer_id, text.raw, first, last, note)
            self._steps.append(_Step("The remark is removed again.", lambda: remarks.remove(ws, made.id)))
            await self._read(self.readable, claims=self.claims_shown)

    async def edit(self, key: str, note: str) -> None:
        """Give a remark another note. Raises NotFoundError, StoreError."""
        ws = self._workspace
        async with self._turn:
            before = await asyncio.to_thread(remarks.get, ws, key)
            await asyncio.to_thread(remarks.edit, ws, key, note)
            self._steps.append(_Step("The earlier note is back.", lambda: remarks.edit(ws, key, before.note)))
            await self._read(self.readable, claims=self.claims_shown)

    async def remove(self, key: str) -> None:
        """Take a remark away. Raises NotFoundError, StoreError."""
        ws = self._workspace
        async with self._turn:
            await asyncio.to_thread(remarks.remove, ws, key)
            self._steps.append(_Step("The remark is back.", lambda: remarks.restore(ws, key)))
            await self._read(self.readable, claims=self.claims_shown)

    async def undo(self) -> str:
        """Undo the last of these three; what was done, or "" when there is nothing to undo. Raises StoreError."""
        async with self._turn:
            if not self._steps:
                return ""
            await asyncio.to_thread(self._steps[-1].back)
            words = self._steps.pop().words
            await self._read(self.readable, claims=self.claims_shown)
            return words


def _answer_of(ws: Workspace, readable: Readable) -> Answer | None:
    """The candidate whose answer is shown. Of several that have the same, the one with which the text's key ends."""
    found = [answer for text in readable.texts for answer in answers_with(ws, text.sha256)]
    named = [answer for answer in found if readable.key.endswith(answer.candidate_id)]
    return (named or found)[0] if named or len(found) == 1 else None


def _versions(ws: Workspace, readable: Readable) -> tuple[str, ...]:
    """The hashes of all versions of the question's body that is shown; none where it is no body."""
    if len(readable.texts) != 1:
        return ()
    of_question = questions_with(ws, readable.texts[0].sha256)
    return questions.body_hashes(ws, of_question[0]) if len(of_question) == 1 else ()
