"""Laid-out segments that are kept while they are near: made when they are first asked for, or in a thread if long."""

from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from uq_tui.document.drawing.layout import lay_out_segment
from uq_tui.document.drawing.lines import Line, Span
from uq_tui.document.markup.context import Context
from uq_tui.document.markup.scan import Segment
from uq_tui.state.reading.lines.source_lines import source_lines

AT_ONCE = 8_000
"""Characters of a segment that is laid out when it is asked for, which takes some 20 ms where all is markup."""
LONG_KEPT = 4
"""Long segments that are kept as they were, to be shown until they are laid out again."""
KEPT = 2_000
"""Lines that are kept, and however many are on the screen."""


class Key(NamedTuple):
    """Tells laid-out segments of one text apart. A text grows only at its end, so `end` tells how far it had come."""

    start: int
    end: int
    width: int
    as_source: bool
    version: int
    """Of what segments share, as link definitions."""


class Task(NamedTuple):
    """A segment to be laid out in a thread."""

    key: Key
    work: Callable[[], tuple[Line, ...]]


class Shelf:
    """The laid-out segments of one text."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Key, tuple[Line, ...]] = OrderedDict()
        self._lines = 0
        self._long: OrderedDict[tuple[int, bool], tuple[Line, ...]] = OrderedDict()
        """The last long segments as they were laid out last, by where they begin."""
        self._standing: tuple[Key, int, tuple[Line, ...]] | None = None
        """What holds the place of a segment, and how tall it is."""
        self._tasks: dict[Key, Task] = {}
        self._told: set[Key] = set()
        """Of tasks that are being done."""

    def clear(self) -> None:
        """Keep nothing: another text comes."""
        self._kept.clear()
        self._long.clear()
        self._tasks.clear()
        self._told.clear()
        self._lines = 0

    def __contains__(self, key: Key) -> bool:
        return key in self._kept

    def lines(self, key: Key, source: str, segment: Segment, context: Context) -> tuple[Line, ...] | None:
        """A segment of `source` laid out; `None` where that has to be waited for: then there is a task for it."""
        lines = self._kept.get(key)
        if lines is not None:
            self._kept.move_to_end(key)
            return lines
        if key in self._told:
            return None
        text = source[segment.start : segment.end]
        work: Callable[[], tuple[Line, ...]] = (
            partial(source_lines, text, segment, key.width)
            if key.as_source
            else partial(lay_out_segment, text, segment, key.width, context)
        )
        if len(text) > AT_ONCE:
            self._tasks[key] = Task(key, work)
            return None
        lines = work()
        self.keep(key, lines)
        return lines

    def stand_in(self, key: Key, height: int) -> tuple[Line, ...]:
        """What is shown while a segment is waited for: as it was, or so many lines that hold its place."""
        before = self._long.get((key.start, key.as_source))
        if before is not None:
            return before
        if self._standing is not None and self._standing[:2] == (key, height):
            return self._standing[2]
        length = key.end - key.start
        told = Line((Span(f"{length:,} characters are being laid out …", "dim", 0, length),), 0, length)
        lines = (told, *[Line((), 0, length)] * (height - 1))
        self._standing = key, height, lines
        return lines

    def next_task(self) -> Task | None:
        """What is to be laid out in a thread now. What else was asked for is asked for again while it is in sight."""
        if not self._tasks:
            return None
        key, task = self._tasks.popitem()
        self._tasks.clear()
        self._told.add(key)
        return task

    def keep(self, key: Key, lines: tuple[Line, ...]) -> None:
        """Keep what was laid out."""
        self._told.discard(key)
        if key.end - key.start > AT_ONCE:
            self._long[key.start, key.as_source] = lines
            self._long.move_to_end((key.start, key.as_source))
            if len(self._long) > LONG_KEPT:
                self._long.popitem(last=False)
        self._lines += len(lines) - len(self._kept.pop(key, ()))
        self._kept[key] = lines

    def drop(self, in_sight: int) -> None:
        """Let go of what was not asked for lately, but for the last `in_sight` segments."""
        while self._lines > KEPT and len(self._kept) > in_sight:
            _, lines = self._kept.popitem(last=False)
            self._lines -= len(lines)
