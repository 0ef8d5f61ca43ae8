"""Frozen rows of runs, of the calls they make, and of what strategies and rollouts found.

Times are UTC ISO 8601 strings ending in `Z`. Costs are US dollars; `None` is unknown, never 0. As importable as
`store.rows`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from uq_tui.words import CallErrorKind, CallState, DecidedBy, Interval, Outcome, ProposalState, RunKind, RunState

CUT_OFF = "length"
"""The finish reason of a reply that ended at the length limit, whatever its provider calls that."""


@dataclass(frozen=True, slots=True)
class Message:
    """One chat message."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Call:
    """One request to a model with all it returned. `key` identifies what determined the reply."""

    key: str
    model: str
    endpoint: str
    messages: tuple[Message, ...]
    parameters: Mapping[str, Any]
    dropped: tuple[str, ...]
    """Parameters that were asked for but not sent."""
    epoch: int
    sample: int
    template: str
    template_version: str
    template_sha256: str
    state: CallState
    reasoning: str
    reply: str
    finish_reason: str
    error_kind: CallErrorKind | None
    error: str
    tokens_in: int | None
    tokens_out: int | None
    cost_usd: float | None
    latency_s: float | None
    attempts: int
    constrained: bool
    """The reply's last line was enforced by a grammar."""
    run_id: str
    """The run that asked first."""
    created_at: str
    raw: str = ""
    """The content exactly as it came, where reasoning was split off from it; else empty."""

    @property
    def cut_off(self) -> bool:
        """Whether the reply ended at the length limit."""
        return self.finish_reason == CUT_OFF


@dataclass(frozen=True, slots=True)
class Run:
    """One job the user started. `spec` is all that was pinned: it alone decides what a resumed run asks."""

    id: str
    kind: RunKind
    state: RunState
    title: str
    spec: Mapping[str, Any]
    done: int
    total: int
    asked: int
    remembered: int
    repeated: int
    """Calls that were in flight when a worker was killed and had to be asked again."""
    failed: int
    cost_usd: float | None
    """Sum of known costs; `None` when no call's cost is known."""
    unknown_costs: int
    message: str
    created_at: str
    finished_at: str | None
    retried: int
    """Attempts at calls that failed and were made again."""
    tokens: int
    """Tokens in and out of the calls asked, as far as servers reported them."""
    budget_usd: float | None
    """What the run may cost at most; `None` leaves it to the configuration."""
    budget_tokens: int | None


@dataclass(frozen=True, slots=True)
class StageOutcome:
    """The outcome of one node of a strategy for one candidate.

    `path` addresses the node: "" is the whole strategy, "cycle_consistency" a stage,
    "cycle_consistency/2" its second turn or sample.
    """

    run_id: str
    candidate_id: str
    path: str
    outcome: Outcome
    reason: str
    """Why: "2 of 3 accepted, unanimous needed 3", "no tagged decision line"; empty when it speaks for itself."""
    call_key: str
    """The call whose reply was read; empty for composed nodes."""
    round: int
    created_at: str
    call_keys: tuple[str, ...] = ()
    """All calls that were made for it, in their order; empty for composed nodes."""


@dataclass(frozen=True, slots=True)
class Rollout:
    """One attempt at a neighbour. `candidate_id` is empty in the control arm; `value` is None when undecided."""

    run_id: str
    candidate_id: str
    neighbour_id: str
    sample: int
    value: int | None
    decided_by: DecidedBy
    answer: str
    call_key: str
    reason: str = ""
    """Why there is no value, or what a model said of it."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A neighbour that a model proposed, and what became of it."""

    run_id: str
    number: int
    question_id: str
    statement: str
    skill: str
    """What it exercises, in the model's words."""
    state: ProposalState
    answer: str = ""
    """On which all solvers agreed; empty without agreement."""
    reason: str = ""
    """Why no neighbour was made of it."""
    neighbour_id: str = ""
    created_at: str = ""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A solver's answer to a proposal. `answer` is empty where there is none to go by; `state` then says why."""

    run_id: str
    number: int
    solver: str
    sample: int
    answer: str
    state: DecidedBy | None
    """`NO_ANSWER`, `CUT_OFF`, `CALL_FAILED`, or `UNDECIDABLE` where the reply ends with several answers, or one that is
    too long to be compared; `None` where there is an answer."""
    call_key: str


@dataclass(frozen=True, slots=True)
class NeighbourValue:
    """Solved over decided rollouts for one neighbour; `undecided` rollouts are counted apart.

    The counts of replies are `None` where they were not recorded: uq-tui 0.1.0 didn't.
    """

    neighbour_id: str
    solved: int
    decided: int
    undecided: int
    replies: int | None = None
    """Rollouts whose call is done."""
    distinct: int | None = None
    """Different ones among those replies, reasoning included, compared byte by byte."""
    cut_off: int | None = None
    """Replies that ended at the length limit."""
    temperature: float | None = None
    """At which all of them were drawn; `None` where it was left to the provider, differed, or was not recorded."""


@dataclass(frozen=True, slots=True)
class Utility:
    """Consequence-Based Utility of one candidate over one neighbourhood (CBU section 3)."""

    run_id: str
    candidate_id: str
    solver: str
    mean: float | None
    low: float | None
    high: float | None
    rollouts: int
    """Planned rollouts T per neighbour."""
    neighbours: tuple[NeighbourValue, ...]
    control: tuple[NeighbourValue, ...]
    control_mean: float | None
    lift: float | None
    lift_low: float | None
    lift_high: float | None
    complete: bool
    constrained: bool
    interval: Interval = Interval.SCORE
    """What `low` and `high` are, and the bounds of the lift."""
    stopped_early: bool = False
    """An adaptive run gave it fewer rollouts than planned, since what they could still change didn't matter."""
    placebo: tuple[NeighbourValue, ...] = ()
    """As `control`, with another question's candidate as the example; empty where none was asked for."""
    placebo_mean: float | None = None
