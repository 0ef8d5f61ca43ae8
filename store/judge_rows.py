"""Frozen rows of what judges and audits found. As importable as `store.rows`."""

from dataclasses import dataclass
from typing import NamedTuple

from uq_tui.words import DecisionForm, ErrorCategory, Reading


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


class Way(NamedTuple):
    """How a judge scored: runs of equal ways are the same judge asked again."""

    judge: str
    model: str
    form: DecisionForm
    prompts: str
    """Eight hexadecimal characters that differ when a prompt does, or how replies are drawn."""
    endpoint: str
    """The model's `api_base`; empty for the provider's own."""


@dataclass(frozen=True, slots=True)
class Scoring:
    """What one judge run has made of one candidate: its samples, and how they were drawn."""

    run_id: str
    question_id: str
    candidate_id: str
    number: int
    """The candidate's number within its question."""
    judge: str
    model: str
    lowest: int
    """The lowest score of the scale the judge was given, as the run has pinned it."""
    highest: int
    planned: int
    """Samples that the run asks for."""
    finished: bool
    """The run has come to its end and every planned sample is here, with a score or without."""
    scores: tuple[Score, ...]
    """By sample."""
    prompt_sha256: str
    """Of the judge template as the run has pinned it."""
    constrained: bool
    """A grammar held at least one of the replies to the form."""
    replies: int
    """Samples that brought a reply."""
    distinct: int
    """Different ones among these, reasoning and an earlier unreadable reply included."""
    cut_off: int
    """Replies that ended at the length limit."""
    temperature: float | None
    """What all of them were drawn at; `None` where it differed or was left to the provider."""
    form: DecisionForm
    prompts: str
    """As in `Way`."""
    endpoint: str
    """The model's `api_base`; empty for the provider's own."""

    @property
    def way(self) -> Way:
        """How it was made."""
        return Way(self.judge, self.model, self.form, self.prompts, self.endpoint)

    @property
    def values(self) -> tuple[float, ...]:
        """The scores that were read."""
        return tuple(one.score for one in self.scores if one.score is not None)

    @property
    def unparsed(self) -> int:
        """Samples whose reply held no score."""
        return sum(one.state is Reading.UNPARSED for one in self.scores)

    @property
    def failed(self) -> int:
        """Samples whose call failed."""
        return sum(one.state is Reading.FAILED for one in self.scores)


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
