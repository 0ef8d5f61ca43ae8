"""Where the signs of a text that is read stand in the text that is stored, and the other way round.

What is read (the source) is made from what came (the raw text): line ends made one, HTML converted. A map holds runs of
signs that stand on both sides, in rising order on both. Between runs is what has no counterpart: tags, escapes, marks
of Markdown. Nothing is ever guessed.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

_LINE_END = re.compile("\r\n")


class Run(NamedTuple):
    """Signs `start` to `end` of the source that are `raw_start` to `raw_end` of the raw text.

    As many on both sides correspond sign for sign. Else all of them stand for each other as one: an entity, white space
    drawn together. No side is empty.
    """

    start: int
    end: int
    raw_start: int
    raw_end: int

    @property
    def as_one(self) -> bool:
        """Whether the signs correspond only all together."""
        return self.end - self.start != self.raw_end - self.raw_start


@dataclass(frozen=True, slots=True)
class SourceMap:
    """The runs that the two sides share. Made by `of` from runs, or by `crlf`."""

    runs: tuple[Run, ...] = ()

    @staticmethod
    def of(runs: Iterable[Run]) -> "SourceMap":
        """A map of runs in rising order; what adjoins on both sides becomes one run.

        Raises:
            ValueError: runs overlap, fall, or are empty on a side.
        """
        joined: list[Run] = []
        for run in runs:
            last = joined[-1] if joined else Run(0, 0, 0, 0)
            if run.start < last.end or run.raw_start < last.raw_end:
                raise ValueError(f"{run} does not follow {last}")
            if run.start >= run.end or run.raw_start >= run.raw_end:
                raise ValueError(f"{run} is empty on a side")
            adjoins = run.start == last.end and run.raw_start == last.raw_end
            if joined and adjoins and not run.as_one and not last.as_one:
                joined[-1] = Run(last.start, run.end, last.raw_start, run.raw_end)
            else:
                joined.append(run)
        return SourceMap(tuple(joined))

    @staticmethod
    def crlf(raw: str) -> "SourceMap":
        r"""The map of `raw.replace("\r\n", "\n")` to `raw`: a pair of line ends counts as one."""
        runs: list[Run] = []
        at = removed = 0
        for found in _LINE_END.finditer(raw):
            if at < found.start():
                runs.append(Run(at - removed, found.start() - removed, at, found.start()))
            runs.append(Run(found.start() - removed, found.start() - removed + 1, *found.span()))
            at, removed = found.end(), removed + 1
        if at < len(raw):
            runs.append(Run(at - removed, len(raw) - removed, at, len(raw)))
        return SourceMap(tuple(runs))

    def to_raw(self, start: int, end: int) -> tuple[int, int] | None:
        """Where signs `start` to `end` of the source stand in the raw text.

        An end within signs that stand as one takes all of them in; one that falls on what has no counterpart moves
        inwards to the nearest sign that has one. `None` where no sign of the range has one.
        """
        found = self._between("start", "end", start, end)
        if found is None:
            return None
        first, last = found
        return (
            first.raw_start if first.as_one else first.raw_start + max(0, start - first.start),
            last.raw_end if last.as_one else last.raw_end - max(0, last.end - end),
        )

    def to_source(self, start: int, end: int) -> tuple[int, int] | None:
        """Where signs `start` to `end` of the raw text stand in the source; by the rules of `to_raw`."""
        found = self._between("raw_start", "raw_end", start, end)
        if found is None:
            return None
        first, last = found
        return (
            first.start if first.as_one else first.start + max(0, start - first.raw_start),
            last.end if last.as_one else last.end - max(0, last.raw_end - end),
        )

    def _between(self, starts: str, ends: str, start: int, end: int) -> tuple[Run, Run] | None:
        """The first and the last run with a sign in a range of one side."""
        first = bisect_right(self.runs, start, key=attrgetter(ends))
        last = bisect_left(self.runs, end, key=attrgetter(starts)) - 1
        return (self.runs[first], self.runs[last]) if start < end and first <= last else None
