"""A page of Insights: words, tables and plots in the order in which they are read."""

from dataclasses import dataclass

from uq_tui.state.reports.plots import Drawing
from uq_tui.state.reports.section import Section


@dataclass(frozen=True, slots=True)
class Words:
    """Lines of prose, possibly with foreign text in them, under a heading or none."""

    lines: tuple[str, ...]
    heading: str = ""


Part = Words | Section | Drawing


@dataclass(frozen=True, slots=True)
class Page:
    """All parts, the first one first."""

    parts: tuple[Part, ...]

    @property
    def tables(self) -> tuple[Section, ...]:
        """The tables alone."""
        return tuple(part for part in self.parts if isinstance(part, Section))

    @property
    def drawings(self) -> tuple[Drawing, ...]:
        """The plots alone."""
        return tuple(part for part in self.parts if not isinstance(part, Words | Section))
