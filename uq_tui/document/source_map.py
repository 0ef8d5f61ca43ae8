"""Where the signs of a text that is read stand in the text that is stored, and the other way round.

What is read (the source) is made from what came (the raw text): line ends made one, HTML converted, prefixes put
before lines. A map holds runs of signs that stand on both sides, in rising order on both. Between runs is what has no
counterpart: tags, escapes, marks of Markdown. Nothing is ever guessed.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
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
    """The runs that the two sides share. Made by `of` from runs, or by one of the makers for common cases."""

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
    def identity(length: int) -> "SourceMap":
        """The map of a text of this many signs that is read as it came."""
        return SourceMap((Run(0, length, 0, length),) if length else ())

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

    def shifted(self, source: int, raw: int = 0) -> "SourceMap":
        """The map of the same texts standing this much further on within longer ones."""
        return SourceMap(
            tuple(
                Run(run.start + source, run.end + source, run.raw_start + raw, run.raw_end + raw) for run in self.runs
            )
        )

    def through(self, inner: "SourceMap") -> "SourceMap":
        """The map of this one's source to the raw text of `inner`, whose source is this one's raw text.

        What stands as one in either stands as one in it. Signs that stand as one in `inner`, of which this map has some
        in one run and some in another or nowhere, have no counterpart.
        """
        runs: list[Run] = []
        for run in self.runs:
            first = bisect_right(inner.runs, run.raw_start, key=attrgetter("end"))
            last = bisect_left(inner.runs, run.raw_end, key=attrgetter("start"))
            whole = [other for other in inner.runs[first:last] if not other.as_one or _within(other, run)]
            if run.as_one:
                found = inner.to_raw(run.raw_start, run.raw_end) if len(whole) == last - first else None
                # Several signs that come out as many on the other side would pass for sign for sign.
                if found and (run.end - run.start == 1 or run.end - run.start != found[1] - found[0]):
                    runs.append(Run(run.start, run.end, *found))
                continue
            for other in whole:
                low, high = max(run.raw_start, other.start), min(run.raw_end, other.end)
                by = run.start - run.raw_start
                to = (0, 0) if other.as_one else (low - other.start, high - other.end)
                runs.append(Run(low + by, high + by, other.raw_start + to[0], other.raw_end + to[1]))
        return SourceMap.of(runs)


def _within(inner: Run, outer: Run) -> bool:
    return outer.raw_start <= inner.start and inner.end <= outer.raw_end


def prefixed(text: str, prefix: str) -> tuple[str, SourceMap]:
    r"""`text` with `prefix` before each of its lines, which end in `\n`, and the map of that to `text`."""
    step = len(prefix)
    starts = [0, *(found.end() for found in re.finditer("\n", text)), len(text)]
    runs = [
        Run(start + step * line, end + step * line, start, end)
        for line, (start, end) in enumerate(pairwise(starts), start=1)
        if start < end
    ]
    return prefix + text.replace("\n", f"\n{prefix}"), SourceMap(tuple(runs))
