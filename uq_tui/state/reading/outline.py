"""The headings of a text, with how much of it stands under each."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from uq_tui.document.markup.units import Heading


class Entry(NamedTuple):
    """A heading."""

    level: int
    text: str
    start: int
    """Its place in the source."""
    share: float
    """How much of the text stands under it and its sub-headings, from 0 to 1."""


def outline(headings: Sequence[Heading], length: int) -> tuple[Entry, ...]:
    """The headings of a text of so many characters, in order."""
    entries: list[Entry] = []
    following: list[Heading] = []  # those after the present one whose level is higher than any between
    for heading in reversed(headings):
        while following and following[-1].level > heading.level:
            following.pop()
        end = following[-1].start if following else length
        share = (end - heading.start) / length if length else 0.0
        entries.append(Entry(heading.level, heading.text, heading.start, share))
        following.append(heading)
    return tuple(reversed(entries))


def matching(entries: Iterable[Entry], typed: str) -> tuple[Entry, ...]:
    """The entries that hold each of the words typed, in small letters or not."""
    words = typed.casefold().split()
    return tuple(entry for entry in entries if all(word in entry.text.casefold() for word in words))


def current(entries: Sequence[Entry], offset: int) -> int | None:
    """The index of the last entry that begins at or before an offset; `None` before the first."""
    index = bisect_right(entries, offset, key=lambda entry: entry.start) - 1
    return index if index >= 0 else None
