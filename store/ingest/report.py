"""Keeping count during an import."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from store.ingest import under_way
from store.intake import Taken
from store.rows import ImportReport, Merging, RejectedRow

T = TypeVar("T")

OnProgress = Callable[[int], None]
"""Called now and then with the number of rows dealt with so far."""

MOST_REJECTED = 1_000
"""Rejected rows a report names; further ones are only counted."""

_CHUNK_ROWS = 25
_CHUNK_CHARACTERS = 60_000
"""What is written in one transaction, so that it takes about 20 ms and other processes get their turn."""


class RowError(Exception):
    """A row cannot be used; the message says why, without naming file and line."""


class Tally:
    """The counts of one import, from which its report is made."""

    def __init__(self, path: Path, file_format: str) -> None:
        self.path = path
        self.format = file_format
        self.read = 0
        self.passed_over = 0
        self.counts: Counter[str] = Counter()
        self.merged: Counter[Merging] = Counter()
        self._taken: Counter[Taken] = Counter()
        self._rejected: list[RejectedRow] = []
        self._rejected_total = 0
        self._notes: dict[str, None] = {}
        under_way.counts_with(self)

    @property
    def seen(self) -> int:
        """Rows dealt with so far, wanted or not."""
        return self.read + self.passed_over

    def take(self, taken: Taken, *kinds: str) -> None:
        """Count a row that is stored now, under each of `kinds`."""
        self._taken[taken] += 1
        self.counts.update(kinds)

    def reject(self, line: int, reason: str, *, path: Path | None = None) -> None:
        """Count a row that cannot be used; `path` where it is not in the file of the report itself."""
        self._rejected_total += 1
        if len(self._rejected) < MOST_REJECTED:
            self._rejected.append(RejectedRow(str(path or self.path), line, reason))

    def note(self, text: str) -> None:
        """Say something about the file as a whole, once."""
        self._notes[text] = None

    def report(self) -> ImportReport:
        """The report, as things stand."""
        return ImportReport(
            file=str(self.path),
            format=self.format,
            read=self.read,
            new=self._taken[Taken.NEW],
            changed=self._taken[Taken.CHANGED],
            same=self._taken[Taken.SAME],
            passed_over=self.passed_over,
            rejected=tuple(self._rejected),
            rejected_total=self._rejected_total,
            counts={kind: n for kind, n in self.counts.items() if n},
            notes=tuple(self._notes),
            merged={kind: n for kind, n in self.merged.items() if n},
        )


def chunks(items: Iterable[T], characters: Callable[[T], int]) -> Iterator[list[T]]:
    """Items in groups small enough for one transaction; `characters` says how much text an item holds."""
    chunk: list[T] = []
    size = 0
    for item in items:
        chunk.append(item)
        size += characters(item)
        if len(chunk) >= _CHUNK_ROWS or size >= _CHUNK_CHARACTERS:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk
