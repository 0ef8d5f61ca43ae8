"""Frozen rows of what reviewers do while they read: marks in a ledger, remarks. No SQLAlchemy here.

Offsets count code points of the raw text.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from uq_tui.words import LedgerState


@dataclass(frozen=True, slots=True)
class LedgerMark:
    """What a reviewer has made of one unit of a text."""

    start: int
    end: int
    state: LedgerState | None
    """`None`: there is only a note."""
    note: str
    marked_at: str = ""


@dataclass(frozen=True, slots=True)
class LedgerCount:
    """How far a reviewer is with a text: how many units it has, and how many of them are in each state."""

    units: int = 0
    checked: int = 0
    doubtful: int = 0
    wrong: int = 0
    skipped: int = 0

    @staticmethod
    def of(units: int, states: Iterable[LedgerState | None]) -> "LedgerCount":
        """Of the states of those units that are marked."""
        own = list(states)
        return LedgerCount(units, **{state.value: own.count(state) for state in LedgerState})

    @property
    def marked(self) -> int:
        """Units in any state."""
        return self.checked + self.doubtful + self.wrong + self.skipped


@dataclass(frozen=True, slots=True)
class Remark:
    """A reviewer's remark on a span of a text: an anchor and a note."""

    id: str
    reviewer_id: str
    text_sha256: str
    start: int
    end: int
    quote: str
    prefix: str
    suffix: str
    note: str
    made_at: str
    removed_at: str | None = None
