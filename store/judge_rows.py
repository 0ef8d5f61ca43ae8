"""Frozen rows of what judges and audits found. As importable as `store.rows`."""

from dataclasses import dataclass

from uq_tui.words import ErrorCategory, Reading


@dataclass(frozen=True, slots=True)
class Score:
    """One sample of a judge on a candidate. `score` is `None` unless `state` is read."""

    run_id: str
    candidate_id: str
    sample: int
    judge: str
    """The judge template's name, such as `scale_10`."""
    score: float | None
    state: Reading
    reason: str
    """Why there is no score; empty when there is one."""
    call_key: str
    """The call whose reply was read."""
    created_at: str


@dataclass(frozen=True, slots=True)
class Audit:
    """A machine's search for flaws in a candidate (Consequence-Based Utility, Section 6)."""

    run_id: str
    candidate_id: str
    state: Reading
    reason: str
    dropped: int
    """Quotes that are not in the answer, and were left out."""
    call_key: str
    created_at: str


@dataclass(frozen=True, slots=True)
class Claim:
    """One flaw that an audit claims, on one quote of the raw answer at code points `start` to `end`."""

    run_id: str
    candidate_id: str
    position: int
    """From 1, in the order in which the audit names them."""
    id: str
    category: ErrorCategory
    quote: str
    start: int
    end: int
    claim: str
    """What the quote claims."""
    problem: str
    fix: str
