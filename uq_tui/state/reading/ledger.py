"""The ledger of the text being read: what the reader has made of each unit, and how far they are."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from store import ledger
from store.reading_rows import LedgerCount, LedgerMark
from store.workspace import Workspace
from uq_tui.document.scan import Unit, UnitKind
from uq_tui.errors import UqError
from uq_tui.state.reading.readable import Placed, Readable
from uq_tui.text import clean_line, counted
from uq_tui.words import LedgerState

GLYPHS: Mapping[LedgerState, str] = {
    LedgerState.CHECKED: "✓",
    LedgerState.DOUBTFUL: "~",
    LedgerState.WRONG: "✗",
    LedgerState.SKIPPED: "·",
}
"""Beside the number of a unit. The words stand where there is room for them."""
NOTED = "*"
"""The glyph of a unit that only has a note."""

_KINDS: Mapping[UnitKind, str] = {
    UnitKind.PARAGRAPH: "paragraph",
    UnitKind.DISPLAY: "formula",
    UnitKind.CODE: "code",
    UnitKind.TABLE: "table",
}


class Spot(NamedTuple):
    """A unit in the stored text that it is of: the hash of that, and code points of its raw body."""

    sha256: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class UnitLine:
    """A unit as it is listed. `state` and `note` are the reader's."""

    number: int
    """From 1, as in the margin."""
    kind: UnitKind
    words: str
    """As they stand in the source."""
    state: LedgerState | None
    note: str

    @property
    def kind_text(self) -> str:
        """`formula`."""
        return _KINDS[self.kind]

    @property
    def line(self) -> str:
        """`3, formula, doubtful: sign?`, cleaned."""
        told = f"{self.number}, {self.kind_text}, {self.state or 'not marked'}"
        return f"{told}: {clean_line(self.note)}" if self.note else told


class _Step(NamedTuple):
    """A mark as it was before it was changed."""

    spot: Spot
    raw: str
    number: int
    before: LedgerMark


class Ledger:
    """One reader's marks in one text. Units are named by their index among those of the source.

    What reads or writes the store is a coroutine; one waits for the other, so that marks come in the order of the keys.
    """

    def __init__(self, workspace: Workspace, reviewer_id: str) -> None:
        self._workspace = workspace
        self._reviewer_id = reviewer_id
        self._readable = Readable("")
        self._units: Sequence[Unit] = ()
        self._spots: list[Spot | None] = []
        """Where each unit stands in its stored text; None where that can't be told."""
        self._raws: dict[str, str] = {}
        self._marks: dict[Spot, LedgerMark] = {}
        self._steps: list[_Step] = []
        self._turn = asyncio.Lock()

    async def open(self, readable: Readable, units: Sequence[Unit]) -> None:
        """Take up a text with these units in its source, or more units of the same. Raises StoreError."""
        async with self._turn:
            if readable.key != self._readable.key:
                self._steps.clear()
            spots, marks = await asyncio.to_thread(self._read, readable, units)
            self._readable, self._units, self._spots, self._marks = readable, units, spots, marks
            self._raws = {text.sha256: text.raw for text in readable.texts}

    def _read(self, readable: Readable, units: Sequence[Unit]) -> tuple[list[Spot | None], dict[Spot, LedgerMark]]:
        hashes = {text.sha256 for text in readable.texts}
        marks = {
            Spot(sha256, mark.start, mark.end): mark
            for sha256 in hashes
            for mark in ledger.marks(self._workspace, self._reviewer_id, sha256)
        }
        return [_spot(readable.to_raw(unit.start, unit.end)) for unit in units], marks

    def __len__(self) -> int:
        """How many units the source has."""
        return len(self._spots)

    def state_of(self, index: int) -> LedgerState | None:
        """What the reader has made of a unit."""
        mark = self._mark(index)
        return mark.state if mark else None

    def note_of(self, index: int) -> str:
        """The note on a unit; "" when there is none."""
        mark = self._mark(index)
        return mark.note if mark else ""

    def _mark(self, index: int) -> LedgerMark | None:
        spot = self._spots[index]
        return self._marks.get(spot) if spot else None

    @property
    def glyphs(self) -> dict[int, str]:
        """What stands in the margin beside units that are marked or have a note."""
        found = ((index, self._mark(index)) for index in range(len(self)))
        return {index: GLYPHS[mark.state] if mark.state else NOTED for index, mark in found if mark}

    @property
    def count(self) -> LedgerCount:
        """Units of stored text in each state. Those whose place can't be told count as units that aren't marked."""
        return LedgerCount.of(self._countable, (self.state_of(index) for index in range(len(self))))

    @property
    def _countable(self) -> int:
        """Units of the stored texts: those wholly in words of ours are none."""
        texts = self._readable.texts
        return sum(any(text.start < unit.end and unit.start < text.end for text in texts) for unit in self._units)

    @property
    def summary(self) -> str:
        """`12 of 40 units: 10 checked, 1 doubtful, 1 wrong`; "" where there is none."""
        return summary(self.count)

    @property
    def orphans(self) -> tuple[LedgerMark, ...]:
        """Marks in these texts that fit no unit as they are cut today. They are kept."""
        placed = {spot for spot in self._spots if spot}
        return tuple(mark for spot, mark in self._marks.items() if spot not in placed)

    @property
    def orphans_text(self) -> str:
        """`2 marks belong to no paragraph of today`; "" where there is none."""
        n = len(self.orphans)
        return f"{counted(n, 'mark')} {'belongs' if n == 1 else 'belong'} to no paragraph of today" if n else ""

    @property
    def first_unmarked(self) -> int | None:
        """The first unit that has a place and no state."""
        spots = enumerate(self._spots)
        return next((index for index, spot in spots if spot and self.state_of(index) is None), None)

    def line(self, index: int) -> UnitLine:
        """A unit with what the reader has made of it."""
        unit = self._units[index]
        words = self._readable.source[unit.start : unit.end]
        return UnitLine(index + 1, unit.kind, words, self.state_of(index), self.note_of(index))

    def spot_of(self, index: int) -> Spot | None:
        """Where a unit stands in its stored text; None where that can't be told."""
        return self._spots[index]

    async def set(self, index: int, state: LedgerState | None) -> None:
        """Give a unit a state, or none; its note stays. Raises UqError when it has no place, and StoreError."""
        await self._change(index, lambda mark: replace(mark, state=state))

    async def note(self, index: int, note: str) -> None:
        """Give a unit a note, or none; its state stays. Raises as `set` does."""
        await self._change(index, lambda mark: replace(mark, note=note))

    async def _change(self, index: int, change: Callable[[LedgerMark], LedgerMark]) -> None:
        spot = self._spots[index] if 0 <= index < len(self._spots) else None
        if spot is None:
            raise UqError(
                "This unit has no place in a stored text, so it can't be marked.",
                hint="Paragraphs of answers, reasoning and questions' bodies can.",
            )
        raw = self._raws[spot.sha256]
        async with self._turn:
            before = self._marks.get(spot, LedgerMark(spot.start, spot.end, None, ""))
            await self._write(spot, raw, replace(change(before), marked_at=""))
            self._steps.append(_Step(spot, raw, index + 1, before))

    async def undo(self) -> str:
        """Undo the last mark or note; which unit it was on and how that stands now, or "". Raises StoreError."""
        async with self._turn:
            if not self._steps:
                return ""
            step = self._steps[-1]
            await self._write(step.spot, step.raw, step.before)
            self._steps.pop()
            return f"Unit {step.number:,} is {step.before.state or 'not marked'} again."

    async def _write(self, spot: Spot, raw: str, mark: LedgerMark) -> None:
        await asyncio.to_thread(ledger.put, self._workspace, self._reviewer_id, raw, [mark])
        self._marks.pop(spot, None)
        if (mark.state or mark.note) and spot.sha256 in self._raws:  # else another text is read by now
            self._marks[spot] = mark


def _spot(found: tuple[Placed, int, int] | None) -> Spot | None:
    return Spot(found[0].sha256, found[1], found[2]) if found else None


def summary(count: LedgerCount) -> str:
    """`12 of 40 units: 10 checked, 1 doubtful, 1 wrong`; without its end where none is marked, "" without units."""
    if not count.units:
        return ""
    parts = [f"{n:,} {state}" for state in LedgerState if (n := getattr(count, state.value))]
    said = counted(count.marked, "unit", of=count.units)
    return f"{said}: {', '.join(parts)}" if parts else said
