"""What a report is made of, whether it becomes a page or Markdown: words of ours, and texts of others kept apart."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of the report's own."""

    level: int
    """1 to 4."""
    text: str


@dataclass(frozen=True, slots=True)
class Lines:
    """Short statements, one a line."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table of words and figures. Rows are as long as the header."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Foreign:
    """A text of somebody else's: Markdown with mathematics, hostile or not, which ends where it ends."""

    source: str


Block = Heading | Lines | Table | Foreign
