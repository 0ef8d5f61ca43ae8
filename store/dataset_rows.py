"""Versions of a dataset as the store hands them out."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from uq_tui.words import DatasetChange, Relation, Subset, TextFormat

DUE_AT = Fraction(1, 5)
"""The share of resolved questions at which a new version is proposed (UQ section 5: 20 %)."""


@dataclass(frozen=True, slots=True)
class Pin:
    """A question with the text that a version has it in."""

    question_id: str
    title: str
    body_sha256: str
    body_format: TextFormat
    subset: Subset = Subset.MAIN
    edited: bool = False
    """In other words than its site has."""


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a dataset."""

    name: str
    parent: str
    """The version it was made from, or ""."""
    curation_id: str
    """The curation it was made from, or ""."""
    verifiers: tuple[Relation, ...]
    """Whose word resolves a question in it."""
    note: str
    created_at: str
    counts: Mapping[Subset, int]
    """Questions by subset; subsets without any are left out."""


@dataclass(frozen=True, slots=True)
class Change:
    """What became of one question in a version. `number` is 0 where it was worked out of what people said."""

    number: int
    question_id: str
    change: DatasetChange
    reason: str
    at: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """How much of a version is solved. Diamond questions are main ones too; development questions don't count."""

    version: str
    resolved: int
    total: int
    left_out: int = 0
    """Main questions that are neither: whoever asks is not to know of them."""

    @property
    def share(self) -> Fraction | None:
        """Of the main questions, those that are resolved, exactly; `None` where there is none."""
        return Fraction(self.resolved, self.total) if self.total else None

    @property
    def due(self) -> bool:
        """Whether a new version is to be made."""
        return self.share is not None and self.share >= DUE_AT

    @property
    def text(self) -> str:
        """`101 of 500 questions are resolved (20.2 %): a new version is due, as it is from 20 % on.`"""
        if self.share is None:
            return "It has no main questions, so that no share of them is resolved."
        figures = f"{self.resolved:,} of {self.total:,} main questions are resolved ({float(self.share):.1%})".replace(
            "%", " %"
        )
        due = f"{float(DUE_AT):.0%}".replace("%", " %")
        if self.due:
            return f"{figures}: a new version is due, as it is from {due} on."
        return f"{figures}; a new version is due from {due} on."
