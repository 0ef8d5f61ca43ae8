"""A table of words with what is said around it, for a screen or a terminal to lay out."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Section:
    """A table. Cells are plain, possibly foreign text; a cell may be broken at its blanks."""

    title: str
    about: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: frozenset[str]
    """Columns that are set to the right."""
    notes: tuple[str, ...] = ()
