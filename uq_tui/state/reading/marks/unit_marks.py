"""The units of a text that is read, with the marks on them. Made in one go, then kept up to date mark by mark."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from store.reading_rows import LedgerCount, LedgerMark
from uq_tui.document.markup.units import Unit, UnitKind
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


class UnitMarks:
    """Units go by their index among those of the source. `glyphs`, `orphans` and counts cost nothing to look at.

    Attributes:
        readable: the text.
        spots: where each unit stands in its stored text; None where that can't be told.
        glyphs: what stands in the margin, by unit.
        orphans: marks that fit no unit as texts are cut today.
    """

    def __init__(self, readable: Readable, units: Sequence[Unit], marks: Mapping[Spot, LedgerMark]) -> None:
        self.readable = readable
        self.spots = tuple(_spot(readable.to_raw(unit.start, unit.end)) for unit in units)
        self.glyphs: dict[int, str] = {}
        self._units = units
        self._countable = _countable(readable.texts, units)
        self._states: Counter[LedgerState] = Counter()
        self._at: dict[Spot, list[int]] = {}
        """The units at each spot: more than one where a stored text is shown several times."""
        for index, spot in enumerate(self.spots):
            if spot:
                self._at.setdefault(spot, []).append(index)
        self._marks: dict[Spot, LedgerMark] = {}
        for spot, mark in marks.items():
            self.put(spot, mark)
        self.orphans = tuple(mark for spot, mark in marks.items() if spot not in self._at)

    def put(self, spot: Spot, mark: LedgerMark) -> None:
        """Have a mark where there was another one or none. One without state and note is none."""
        before = self._marks.pop(spot, None)
        here = self._at.get(spot, [])
        if before and before.state:
            self._states[before.state] -= len(here)
        if mark.state:
            self._states[mark.state] += len(here)
        for index in here:
            self.glyphs.pop(index, None)
            if mark.state or mark.note:
                self.glyphs[index] = GLYPHS[mark.state] if mark.state else NOTED
        if here and (mark.state or mark.note):
            self._marks[spot] = mark

    def at(self, spot: Spot | None) -> LedgerMark | None:
        """The mark at a spot."""
        return self._marks.get(spot) if spot else None

    def line(self, index: int) -> UnitLine:
        """A unit with what is marked on it."""
        unit, mark = self._units[index], self.at(self.spots[index])
        words = self.readable.source[unit.start : unit.end]
        return UnitLine(index + 1, unit.kind, words, mark.state if mark else None, mark.note if mark else "")

    @property
    def count(self) -> LedgerCount:
        """Units of stored texts in each state. Those whose place can't be told count as units that aren't marked."""
        return LedgerCount(self._countable, **{state.value: self._states[state] for state in LedgerState})

    @property
    def first_unmarked(self) -> int | None:
        """The first unit that has a place and no state."""
        for index, spot in enumerate(self.spots):
            if spot and ((mark := self.at(spot)) is None or mark.state is None):
                return index
        return None


def _spot(found: tuple[Placed, int, int] | None) -> Spot | None:
    return Spot(found[0].sha256, found[1], found[2]) if found else None


def _countable(texts: Iterable[Placed], units: Iterable[Unit]) -> int:
    """How many units are of stored texts: those that are wholly in words of ours are not."""
    spans = [(text.start, text.end) for text in texts]
    return sum(any(start < unit.end and unit.start < end for start, end in spans) for unit in units)


def summary(count: LedgerCount) -> str:
    """`12 of 40 units: 10 checked, 1 doubtful, 1 wrong`; without its end where none is marked, "" without units."""
    if not count.units:
        return ""
    parts = [f"{n:,} {state}" for state in LedgerState if (n := getattr(count, state.value))]
    said = counted(count.marked, "unit", of=count.units)
    return f"{said}: {', '.join(parts)}" if parts else said


def orphans_text(n: int) -> str:
    """`2 marks belong to no paragraph of today`; "" for none."""
    return f"{counted(n, 'mark')} {'belongs' if n == 1 else 'belong'} to no paragraph of today" if n else ""
