"""Text that remembers where its signs come from, while it is put together anew."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from uq_tui.document.source_map import Run, SourceMap

Origin = int | tuple[int, int]
"""The sign of the raw text that a sign stands for, or start and end of several."""


@dataclass(frozen=True, slots=True)
class Traced:
    """A text and, for each of its signs, where it comes from; `None` for what was put in. Never changed."""

    text: str
    origins: list[Origin | None]

    def __bool__(self) -> bool:
        return bool(self.text)

    def part(self, start: int, end: int | None = None) -> "Traced":
        """Signs `start` to `end`."""
        return Traced(self.text[start:end], self.origins[start:end])

    def strip(self, signs: str | None = None) -> "Traced":
        """Without these signs (white space) at both ends."""
        return self.lstrip(signs).rstrip(signs)

    def lstrip(self, signs: str | None = None) -> "Traced":
        """Without these signs (white space) at its beginning."""
        return self.part(len(self.text) - len(self.text.lstrip(signs)))

    def rstrip(self, signs: str | None = None) -> "Traced":
        """Without these signs (white space) at its end."""
        return self.part(0, len(self.text.rstrip(signs)))

    def sub(self, pattern: re.Pattern[str], instead: Callable[["Traced"], "Traced"]) -> "Traced":
        """With `instead(found)` for each match."""
        parts: list[Traced | str] = []
        at = 0
        for found in pattern.finditer(self.text):
            parts += (self.part(at, found.start()), instead(self.part(*found.span())))
            at = found.end()
        return trace(*parts, self.part(at)) if parts else self

    def as_one(self, shown: str) -> "Traced":
        """`shown`, each sign of which stands for all of this; for its first known sign where there is a gap in it."""
        known = [_span(origin) for origin in self.origins if origin is not None]
        if not known:
            return trace(shown)
        whole = all(one[1] == following[0] for one, following in pairwise(known))
        start, end = (known[0][0], known[-1][1]) if whole else known[0]
        return Traced(shown, [start if end == start + 1 else (start, end)] * len(shown))

    def map(self) -> SourceMap:
        """Of this text to the raw one."""
        runs: list[Run] = []
        origins, length = self.origins, len(self.origins)
        at = told = 0
        while at < length:
            begun, origin = at, origins[at]
            at += 1
            if origin is None or _span(origin)[0] < told:
                continue
            start, told = _span(origin)
            if at < length and origins[at] == origin:  # several signs stand for it as one
                while at < length and origins[at] == origin:
                    at += 1
            elif told - start == 1:
                while at < length and origins[at] == told and origins[at + 1 : at + 2] != [told]:
                    at, told = at + 1, told + 1
            runs.append(Run(begun, at, start, told))
        return SourceMap.of(runs)


def trace(*parts: Traced | str) -> Traced:
    """Parts one after the other; plain strings are put in."""
    origins: list[Origin | None] = []
    for part in parts:
        origins += part.origins if isinstance(part, Traced) else [None] * len(part)
    return Traced("".join(part.text if isinstance(part, Traced) else part for part in parts), origins)


def as_it_stands(raw: str, start: int, end: int) -> Traced:
    """Signs `start` to `end` of the raw text."""
    return Traced(raw[start:end], [*range(start, end)])


def _span(origin: Origin) -> tuple[int, int]:
    return (origin, origin + 1) if isinstance(origin, int) else origin
