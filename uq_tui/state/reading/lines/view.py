"""A text of any length as lines of a width: what a line shows, and on which line something of the source is.

Only segments that are looked at are laid out. The heights of all others are estimated, so a line's number changes when
something above it is laid out for the first time; those who count lines ask `prepare` and its like, which tell.
"""

from bisect import bisect_right
from typing import NamedTuple

from rich.cells import cell_len

from uq_tui.document.drawing.lines import Line
from uq_tui.document.markup.context import EMPTY
from uq_tui.document.markup.scan import Change, Segment
from uq_tui.document.markup.units import Heading, Unit
from uq_tui.state.reading.lines.folds import Fold, Folds, stub
from uq_tui.state.reading.lines.heights import Heights, estimated_height
from uq_tui.state.reading.lines.shelf import AT_ONCE, Key, Shelf, Task


class Row(NamedTuple):
    """One line of the view. Two rows of one text look the same when they are equal in `key` and `nth`."""

    line: Line
    base: int
    """What the line's places count from in the source."""
    unit: int
    """Index of the unit it is of, among all of the text; -1 where it is of none."""
    begins: bool
    """Whether it is the first of its unit."""
    key: Key
    fold: Fold
    nth: int
    stub: bool = False
    """Whether it stands for what is folded."""


class View:
    """The lines of one text. A width has to be given before they are asked for."""

    def __init__(self) -> None:
        self.source = ""
        self.width = 0
        self.as_source = False
        self.segments: list[Segment] = []
        self._starts: list[int] = []
        self._measured: list[bool] = []
        """Whether a segment's height is known, or estimated."""
        self._heights = Heights()
        self._folds = Folds()
        self._shelf = Shelf()
        self._context = EMPTY
        self._version = 0

    # The text

    def clear(self) -> None:
        """Begin another text."""
        self.source = ""
        self._shelf.clear()
        self._folds.forget()
        self._cut(0)
        self._context = EMPTY
        self._version = 0

    def feed(self, source: str, change: Change) -> int:
        """Take over what a scan has found. `source` is the text so far: at least what has been scanned.

        Returns:
            the first line that may be another one now.
        """
        self.source = source
        self._cut(change.first)
        self.segments += change.segments
        self._starts += (segment.start for segment in change.segments)
        self._folds.take(self.segments, source, change.first)
        if change.context is not self._context:
            self._context = change.context
            self._version += 1
            first_line = 0
        else:
            first_line = self._heights.total
        self._estimate(change.first)
        return max(0, first_line - 1)

    def resize(self, width: int) -> None:
        """Take another width, in cells."""
        self.width = width
        self._cut_heights(0)
        self._estimate(0)

    def show_source(self, as_source: bool) -> None:
        """Show the source itself, or what it reads as."""
        self.as_source = as_source
        self.resize(self.width)

    def _cut(self, first: int) -> None:
        del self.segments[first:]
        del self._starts[first:]
        self._cut_heights(first)

    def _cut_heights(self, first: int) -> None:
        self._heights.truncate(first)
        del self._measured[first:]

    def _estimate(self, first: int) -> None:
        for number in range(first, len(self.segments)):
            self._heights.append(self._estimated(number))
            self._measured.append(False)

    def _estimated(self, number: int) -> int:
        segment, fold = self.segments[number], self._fold(number)
        if fold is not Fold.OPEN:
            return {Fold.HIDDEN: 0, Fold.STUB: 2, Fold.HEAD: 4}[fold]
        return estimated_height(self.source, segment, self.width, as_source=self.as_source)

    # Lines

    @property
    def height(self) -> int:
        """Lines of the whole text, partly estimated."""
        total = self._heights.total
        return max(0, total - self._gap) if total else 0

    def row(self, y: int) -> Row | None:
        """A line by its number; `None` behind the end."""
        number, nth = self._heights.locate(y)
        if number >= len(self.segments):
            return None
        segment, lines = self.segments[number], self._lines(number)
        if nth >= len(lines):
            end = segment.end - segment.start
            line, begins = Line((), end, end), False
        else:
            line = lines[nth]
            begins = not nth or lines[nth - 1].unit != line.unit
        unit = segment.number - 1 + line.unit if line.unit >= 0 else -1
        fold = self._fold(number)
        stub = fold in (Fold.STUB, Fold.HEAD) and nth == len(lines) - 1
        return Row(line, segment.start, unit, begins and unit >= 0, self._key(number), fold, nth, stub)

    def next_task(self) -> Task | None:
        """What has to be laid out in a thread now, if anything. What comes of it goes to `keep`."""
        return self._shelf.next_task()

    def keep(self, task: Task, lines: tuple[Line, ...]) -> None:
        """Take what came of a task."""
        self._shelf.keep(task.key, lines)

    def _key(self, number: int) -> Key:
        segment = self.segments[number]
        return Key(segment.start, segment.end, self.width, self.as_source, self._version)

    def _fold(self, number: int) -> Fold:
        return Fold.OPEN if self.as_source else self._folds[number]

    @property
    def _gap(self) -> int:
        return 0 if self.as_source else 1

    def _lines(self, number: int) -> tuple[Line, ...]:
        fold = self._fold(number)
        if fold is Fold.HIDDEN:
            return ()
        segment = self.segments[number]
        if fold is Fold.STUB:
            return (stub(self.source, segment, 0, segment.end),)
        lines = self._laid_out(number)
        if lines is None:
            height = self._heights[number] if number < len(self._heights) else self._estimated(number)
            return self._shelf.stand_in(self._key(number), max(1, height - self._gap))
        if fold is Fold.HEAD:
            heading = next((nth for nth, line in enumerate(lines) if not line.spans), len(lines))
            end = self.segments[self._folds.stop(number) - 1].end
            begin = lines[heading].start if heading < len(lines) else segment.end - segment.start
            lines = (*lines[:heading], stub(self.source, segment, begin, end))
        return lines

    def _laid_out(self, number: int) -> tuple[Line, ...] | None:
        segment = self.segments[number]
        return self._shelf.lines(self._key(number), self.source, segment, self._context)

    # Measuring what is to be seen

    def _measure(self, number: int) -> int:
        """The height of a segment, which is laid out for that."""
        lines = self._lines(number)
        height = len(lines) + self._gap if lines else 0
        if height != self._heights[number]:
            self._heights.set(number, height)
        self._measured[number] = True
        return height

    def prepare(self, top: int, rows: int) -> int:
        """Lay out what a window of `rows` lines from `top` shows.

        Returns:
            the line that the window now has to begin with to show what it was to show.
        """
        number, nth = self._heights.locate(top)
        if number >= len(self.segments):
            return top
        estimated, known = self._heights[number], self._measured[number]
        height = self._measure(number)
        if height != estimated and not known:
            nth = nth * height // estimated
        top = self._heights.top(number) + min(nth, max(0, height - 1))
        in_sight, left = 1, rows - (height - nth)
        while left > 0 and number + in_sight < len(self.segments):
            left -= self._measure(number + in_sight)
            in_sight += 1
        self._shelf.drop(in_sight)
        return top

    def look_ahead(self, top: int, rows: int) -> bool:
        """Lay out one segment of the two pages below a window or above it; whether there was one to be laid out.

        No line's number changes by that.
        """
        first, below = self._heights.locate(top)[0], self._heights.locate(top + rows)[0]
        for way in (range(below, len(self.segments)), range(first - 1, -1, -1)):
            left = 2 * rows
            for number in way:
                left -= self._heights[number]
                segment = self.segments[number]
                short = segment.end - segment.start <= AT_ONCE and self._fold(number) in (Fold.OPEN, Fold.HEAD)
                if short and self._key(number) not in self._shelf:
                    self._laid_out(number)
                    return True
                if left <= 0:
                    break
        return False

    def above(self, top: int, lines: int) -> int:
        """The line that is so many above `top`, which is one that has been seen; what lies between is laid out."""
        number, nth = self._heights.locate(top)
        if number >= len(self.segments):
            return max(0, top - lines)
        found, first = nth, number
        while found < lines and first > 0:
            first -= 1
            found += self._measure(first)
        return max(0, self._heights.top(number) + nth - lines)

    def last(self, rows: int) -> int:
        """The line that the last window of so many lines begins with, all of which are laid out."""
        number, found = len(self.segments), -self._gap
        while found < rows and number > 0:
            number -= 1
            found += self._measure(number)
        return max(0, self.height - rows)

    # Places

    def _segment_at(self, offset: int) -> int:
        return max(0, bisect_right(self._starts, offset) - 1)

    def line_of(self, offset: int) -> int:
        """The line that shows a code point of the source, or the fold that it is in."""
        if not self.segments:
            return 0
        number = self._segment_at(offset)
        if self._fold(number) is Fold.HIDDEN:
            number = self._folds.opener(number) or 0
        self._measure(number)
        place, lines = offset - self.segments[number].start, self._lines(number)
        nth = next((nth for nth, line in enumerate(lines) if line.start <= place < line.end), None)
        if nth is None:
            nth = max(0, bisect_right(lines, place, key=lambda line: line.start) - 1)
        return self._heights.top(number) + nth

    def offset_of(self, y: int) -> int:
        """The first code point that a line shows."""
        row = self.row(y)
        return len(self.source) if row is None else row.base + row.line.start

    def offset_at(self, y: int, column: int) -> int:
        """The code point at a cell of a line; the line's end behind it, the next one on what shows nothing."""
        row = self.row(y)
        if row is None:
            return len(self.source)
        passed = False
        for text, _, start, end in row.line.spans:
            width = cell_len(text)
            if start >= 0 and (passed or column < width):
                exact = len(text) == end - start and not passed
                within = next((n for n in range(len(text)) if cell_len(text[: n + 1]) > column), 0) if exact else 0
                return row.base + start + within
            passed = passed or column < width
            column -= width
        return row.base + row.line.end

    def whole(self, start: int, end: int) -> tuple[int, int]:
        """The range, and all of the formulas and marks that it cuts into."""
        if not self.segments or self.width <= 0:
            return start, end
        return self._edge(start, 0), self._edge(end, 1)

    def _edge(self, offset: int, side: int) -> int:
        segment = self.segments[number := self._segment_at(offset)]
        place = offset - segment.start
        for line in self._lines(number):
            for text, _, *own in line.spans:
                if own[0] < place < own[1] and len(text) != own[1] - own[0]:
                    return segment.start + own[side]
        return offset

    # Units and headings

    @property
    def unit_count(self) -> int:
        """How many units the text has so far."""
        return self.segments[-1].number - 1 + len(self.segments[-1].units) if self.segments else 0

    def unit(self, index: int) -> Unit:
        """A unit, its place in the source. Raises IndexError where there is none."""
        if not 0 <= index < self.unit_count:
            raise IndexError(index)
        segment = self.segments[bisect_right(self.segments, index + 1, key=lambda one: one.number) - 1]
        return _placed(segment.units[index + 1 - segment.number], segment.start)

    def units(self) -> tuple[Unit, ...]:
        """All units, their places in the source."""
        return tuple(_placed(unit, segment.start) for segment in self.segments for unit in segment.units)

    def unit_at(self, offset: int) -> int | None:
        """The unit that a code point is in."""
        unit = self.unit_from(offset)
        return unit if unit is not None and self.unit(unit).start <= offset else None

    def unit_from(self, offset: int) -> int | None:
        """The first unit that ends behind a code point; `None` where there is none any more."""
        for segment in self.segments[self._segment_at(offset) :]:
            for nth, unit in enumerate(segment.units):
                if segment.start + unit.end > offset:
                    return segment.number - 1 + nth
        return None

    def headings(self) -> tuple[Heading, ...]:
        """All headings, their places in the source."""
        return tuple(
            heading._replace(start=heading.start + segment.start)
            for segment in self.segments
            for heading in segment.headings
        )

    # Folding

    @property
    def foldable(self) -> bool:
        """Whether there is anything that folds."""
        return self._folds.any

    def is_folded(self, unit: int) -> bool:
        """Whether a unit is folded away, save the first of what folds by itself: that is where its one line stands."""
        start = self.unit(unit).start
        number = self._segment_at(start)
        if self._fold(number) is Fold.STUB:
            return unit != self.segments[number].number - 1
        return self._fold(number) is not Fold.OPEN

    def fold(self, offset: int) -> int | None:
        """Fold or open what a code point is in; returns where that begins, `None` where nothing folds."""
        if not self.segments:
            return None
        number = self._segment_at(offset)
        opener = self._folds.opener(number)
        folded = self._folds.folding(number) if opener is None else opener
        if folded is None:
            return None
        self._turn(folded)
        return self._starts[folded]

    def fold_all(self) -> None:
        """Open everything, or fold everything where nothing is folded."""
        self._turn(None)

    def open(self, offset: int) -> None:
        """Open every fold that hides a code point."""
        while self.segments and (opener := self._hiding(offset)) is not None:
            self._turn(opener)

    def _hiding(self, offset: int) -> int | None:
        number = self._segment_at(offset)
        if self._folds[number] is Fold.HEAD:
            segment = self.segments[number]
            if offset <= segment.start + segment.headings[0].start:
                return None  # the heading itself is in sight
        return self._folds.opener(number)

    def _turn(self, number: int | None) -> None:
        before = [self._folds[number] for number in range(len(self.segments))]
        if number is None:
            self._folds.turn_all()
        else:
            self._folds.turn(number)
        for number, fold in enumerate(before):
            if self._folds[number] is not fold:
                self._heights.set(number, self._estimated(number))
                self._measured[number] = False


def _placed(unit: Unit, base: int) -> Unit:
    return unit._replace(start=unit.start + base, end=unit.end + base)
