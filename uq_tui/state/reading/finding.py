"""A search under way in one text: what is looked for, where it is, and which match one is at."""

from bisect import bisect_left
from dataclasses import dataclass, replace
from typing import Self

from uq_tui.document.find import NOTHING, Found, find
from uq_tui.document.ranges import Range


@dataclass(frozen=True, slots=True)
class Finding:
    """`current` is the index of the match one is at; `None` where nothing is found."""

    query: str = ""
    found: Found = NOTHING
    current: int | None = None

    @classmethod
    def begin(cls, source: str, query: str, at: int) -> Self:
        """Search `source`: one is at the first match from offset `at` on, or at the first of all."""
        found = find(source, query)
        if not found.ranges:
            return cls(query, found)
        first = bisect_left(found.ranges, at, key=lambda one: one.start)
        return cls(query, found, first if first < len(found.ranges) else 0)

    def again(self, source: str) -> Self:
        """The same search in the text as it is now: one stays at the match one was at where it is still there."""
        return self.begin(source, self.query, self.here.start if self.here is not None else 0)

    def step(self, by: int) -> Self:
        """At the match so many further on, or before; after the last comes the first."""
        if self.current is None:
            return self
        return replace(self, current=(self.current + by) % len(self.found.ranges))

    @property
    def here(self) -> Range | None:
        """The match one is at."""
        return None if self.current is None else self.found.ranges[self.current]

    @property
    def counts(self) -> str:
        """`3 of 17`, `3 of 10,000+` or `not found`; empty while nothing is looked for."""
        if self.current is not None:
            return f"{self.current + 1:,} of {len(self.found.ranges):,}{'+' if self.found.capped else ''}"
        return "not found" if self.query.strip() else ""


NOT_FINDING = Finding()
"""No search."""
