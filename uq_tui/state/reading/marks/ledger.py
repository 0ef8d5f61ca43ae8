"""The ledger of the text being read: what the reader has made of each unit, and how far they are."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from store import ledger
from store.reading_rows import LedgerCount, LedgerMark
from store.workspace import Workspace
from uq_tui.document.markup.units import Unit
from uq_tui.errors import UqError
from uq_tui.state.reading.marks.unit_marks import Spot, UnitLine, UnitMarks, orphans_text, summary
from uq_tui.state.reading.readable import Readable
from uq_tui.words import LedgerState


class _Step(NamedTuple):
    """A mark that was changed."""

    spot: Spot
    raw: str
    number: int
    before: LedgerMark
    after: LedgerMark

    @property
    def undone(self) -> str:
        """What is told when it is undone."""
        if self.before.note == self.after.note:
            return f"Unit {self.number:,} is {self.before.state or 'not marked'} again."
        what = "has its earlier note again" if self.before.note else "has no note again"
        return f"Unit {self.number:,} {what}."


class Ledger:
    """One reader's marks in one text. Units go by their index among those of the source.

    What reads or writes the store is a coroutine; one waits for the other, so that marks come in the order of the keys.
    """

    def __init__(self, workspace: Workspace, reviewer_id: str) -> None:
        self._workspace = workspace
        self._reviewer_id = reviewer_id
        self._marks = UnitMarks(Readable(""), (), {})
        self._steps: list[_Step] = []
        self._turn = asyncio.Lock()

    async def open(self, readable: Readable, units: Sequence[Unit]) -> None:
        """Take up a text with these units in its source, or more units of the same. Raises StoreError."""
        async with self._turn:
            if readable.key != self._marks.readable.key:
                self._steps.clear()
            self._marks = await asyncio.to_thread(self._read, readable, units)

    def _read(self, readable: Readable, units: Sequence[Unit]) -> UnitMarks:
        marks = {
            Spot(sha256, mark.start, mark.end): mark
            for sha256 in dict.fromkeys(text.sha256 for text in readable.texts)
            for mark in ledger.marks(self._workspace, self._reviewer_id, sha256)
        }
        return UnitMarks(readable, units, marks)

    def __len__(self) -> int:
        """How many units the source has."""
        return len(self._marks.spots)

    @property
    def glyphs(self) -> Mapping[int, str]:
        """What stands in the margin, by unit: of those that are marked or have a note."""
        return self._marks.glyphs

    @property
    def count(self) -> LedgerCount:
        """Units of stored texts in each state."""
        return self._marks.count

    @property
    def summary(self) -> str:
        """`12 of 40 units: 10 checked, 1 doubtful, 1 wrong`; "" where there is none."""
        return summary(self.count)

    @property
    def orphans(self) -> tuple[LedgerMark, ...]:
        """Marks in these texts that fit no unit as they are cut today. They are kept."""
        return self._marks.orphans

    @property
    def orphans_text(self) -> str:
        """`2 marks belong to no paragraph of today`; "" where there is none."""
        return orphans_text(len(self.orphans))

    @property
    def first_unmarked(self) -> int | None:
        """The first unit that has a place and no state."""
        return self._marks.first_unmarked

    def line(self, index: int) -> UnitLine:
        """A unit with what the reader has made of it."""
        return self._marks.line(index)

    def spot_of(self, index: int) -> Spot | None:
        """Where a unit stands in its stored text; None where that can't be told."""
        return self._marks.spots[index]

    async def set(self, index: int, state: LedgerState | None) -> None:
        """Give a unit a state, or none; its note stays. Raises UqError when it has no place, and StoreError."""
        await self._change(index, lambda mark: replace(mark, state=state))

    async def note(self, index: int, note: str) -> None:
        """Give a unit a note, or none; its state stays. Raises as `set` does."""
        await self._change(index, lambda mark: replace(mark, note=note))

    async def _change(self, index: int, change: Callable[[LedgerMark], LedgerMark]) -> None:
        spot = self.spot_of(index) if 0 <= index < len(self) else None
        if spot is None:
            raise UqError(
                "This unit has no place in a stored text, so it can't be marked.",
                hint="Paragraphs of answers, reasoning and questions' bodies can.",
            )
        raw = next(text.raw for text in self._marks.readable.texts if text.sha256 == spot.sha256)
        async with self._turn:
            before, after = await self._write(spot, raw, lambda mark: replace(change(mark), marked_at=""))
            self._steps.append(_Step(spot, raw, index + 1, before, after))

    async def undo(self) -> str:
        """Undo the last mark or note; which unit it was on and how that stands now, or "". Raises StoreError."""
        async with self._turn:
            if not self._steps:
                return ""
            step = self._steps[-1]
            await self._write(step.spot, step.raw, lambda _: step.before)
            self._steps.pop()
            return step.undone

    async def _write(
        self, spot: Spot, raw: str, change: Callable[[LedgerMark], LedgerMark]
    ) -> tuple[LedgerMark, LedgerMark]:
        """Change the mark at a spot as it is stored now; it before and after."""
        ws, reviewer_id = self._workspace, self._reviewer_id
        before, after = await asyncio.to_thread(ledger.change, ws, reviewer_id, raw, spot.start, spot.end, change)
        self._marks.put(spot, after)
        return before, after
