"""The tables of runs, of the calls they make, and of what came of them.

`store.tables` has the others, and says what holds for all.
"""

from sqlalchemy import ForeignKeyConstraint, Index
from sqlmodel import Field, SQLModel

from store.tables import ForeignText
from uq_tui.words import Interval


class RunTable(SQLModel, table=True):
    """Jobs the user started. A live run has a lease: its owner renews `lease_until` (Unix seconds)."""

    __tablename__ = "run"
    __table_args__ = (Index("run_created", "created_at"), Index("run_state", "state"))
    id: str = Field(primary_key=True)
    kind: str
    state: str
    title: str = Field(sa_type=ForeignText)
    spec: str
    """JSON object."""
    done: int
    total: int
    asked: int
    remembered: int
    repeated: int
    failed: int
    cost_usd: float | None
    unknown_costs: int
    message: str = Field(sa_type=ForeignText)
    created_at: str
    finished_at: str | None
    lease_owner: str
    lease_until: float | None
    retried: int
    tokens: int
    budget_usd: float | None
    budget_tokens: int | None
    held_usd: float
    """What its requests have used, the most they could where that is not known. Resuming never takes from it."""
    held_tokens: int


class CallTable(SQLModel, table=True):
    """Requests to models with all they returned. `run_id` is the run that sent it; it may be of another store."""

    __tablename__ = "call"
    __table_args__ = (Index("call_run", "run_id"),)
    key: str = Field(primary_key=True)
    model: str = Field(sa_type=ForeignText)
    endpoint: str = Field(sa_type=ForeignText)
    messages: str
    """JSON array of {role, content}."""
    parameters: str
    """JSON object."""
    dropped: str
    """JSON array of strings."""
    epoch: int
    sample: int
    template: str
    template_version: str
    template_sha256: str
    state: str
    reasoning: str = Field(sa_type=ForeignText)
    reply: str = Field(sa_type=ForeignText)
    finish_reason: str = Field(sa_type=ForeignText)
    error_kind: str | None
    error: str = Field(sa_type=ForeignText)
    tokens_in: int | None
    tokens_out: int | None
    cost_usd: float | None
    latency_s: float | None
    attempts: int
    constrained: bool
    run_id: str
    created_at: str
    raw: str = Field(sa_type=ForeignText)


class RunCallTable(SQLModel, table=True):
    """Calls a run is sending: marked before, until they are saved. Marks that are left were in flight at its stop."""

    __tablename__ = "run_call"
    run_id: str = Field(primary_key=True, foreign_key="run.id")
    call_key: str = Field(primary_key=True)
    asked_at: str
    most_usd: float
    most_tokens: int


class OutcomeTable(SQLModel, table=True):
    """Outcomes of strategy nodes. `call_key`, the call it was read from, is empty for composed nodes."""

    __tablename__ = "outcome"
    __table_args__ = (Index("outcome_candidate", "candidate_id"),)
    run_id: str = Field(primary_key=True, foreign_key="run.id")
    candidate_id: str = Field(primary_key=True, foreign_key="candidate.id")
    path: str = Field(primary_key=True)
    outcome: str
    reason: str = Field(sa_type=ForeignText)
    call_key: str
    round: int
    created_at: str
    call_keys: str
    """JSON array: all calls that were made for it, in their order."""


class ScoreTable(SQLModel, table=True):
    """Scores that judges gave. `score` is null unless `state` is read."""

    __tablename__ = "score"
    __table_args__ = (Index("score_candidate", "candidate_id"),)
    run_id: str = Field(primary_key=True, foreign_key="run.id")
    candidate_id: str = Field(primary_key=True, foreign_key="candidate.id")
    sample: int = Field(primary_key=True)
    judge: str
    score: float | None
    state: str
    reason: str = Field(sa_type=ForeignText)
    call_key: str
    created_at: str


class AuditTable(SQLModel, table=True):
    """Audits of candidates. `dropped` counts quotes that are not in the answer."""

    __tablename__ = "audit"
    __table_args__ = (Index("audit_candidate", "candidate_id"),)
    run_id: str = Field(primary_key=True, foreign_key="run.id")
    candidate_id: str = Field(primary_key=True, foreign_key="candidate.id")
    state: str
    reason: str = Field(sa_type=ForeignText)
    dropped: int
    call_key: str
    created_at: str


class ClaimTable(SQLModel, table=True):
    """Flaws that audits found, each on one quote of the raw answer; `start` and `end` count its code points."""

    __tablename__ = "claim"
    __table_args__ = (Index("claim_candidate", "candidate_id"),)
    run_id: str = Field(primary_key=True, foreign_key="run.id")
    candidate_id: str = Field(primary_key=True, foreign_key="candidate.id")
    position: int = Field(primary_key=True)
    id: str
    category: str
    quote: str = Field(sa_type=ForeignText)
    start: int
    end: int
    claim: str = Field(sa_type=ForeignText)
    problem: str = Field(sa_type=ForeignText)
    fix: str = Field(sa_type=ForeignText)


class RolloutTable(SQLModel, table=True):
    """Attempts at neighbours. `candidate_id` is empty in the control arm; `value` null is undecided."""

    __tablename__ = "rollout"
    __table_args__ = (
        Index("rollout_candidate", "candidate_id"),
        Index("rollout_neighbour", "neighbour_id", "candidate_id"),
    )
    run_id: str = Field(primary_key=True, foreign_key="run.id")
    candidate_id: str = Field(primary_key=True)
    neighbour_id: str = Field(primary_key=True, foreign_key="neighbour.id")
    sample: int = Field(primary_key=True)
    value: int | None
    decided_by: str
    answer: str = Field(sa_type=ForeignText)
    call_key: str
    reason: str = Field(default="", sa_type=ForeignText)


class ProposalTable(SQLModel, table=True):
    """Neighbours that a model proposed. `neighbour_id` is empty while none was made of it."""

    __tablename__ = "proposal"
    __table_args__ = (Index("proposal_question", "question_id"),)
    run_id: str = Field(primary_key=True, foreign_key="run.id")
    number: int = Field(primary_key=True)
    """From 1, as the model numbered them."""
    question_id: str = Field(foreign_key="question.id")
    statement_sha256: str = Field(foreign_key="text.sha256")
    skill: str = Field(sa_type=ForeignText)
    state: str
    answer: str = Field(sa_type=ForeignText)
    reason: str = Field(sa_type=ForeignText)
    neighbour_id: str
    created_at: str


class AttemptTable(SQLModel, table=True):
    """What solvers answered to a proposal."""

    __tablename__ = "attempt"
    __table_args__ = (ForeignKeyConstraint(["run_id", "number"], ["proposal.run_id", "proposal.number"]),)
    run_id: str = Field(primary_key=True)
    number: int = Field(primary_key=True)
    solver: str = Field(primary_key=True, sa_type=ForeignText)
    sample: int = Field(primary_key=True)
    answer: str = Field(sa_type=ForeignText)
    state: str
    call_key: str


class UtilityTable(SQLModel, table=True):
    """Consequence-Based Utilities of candidates."""

    __tablename__ = "utility"
    __table_args__ = (Index("utility_candidate", "candidate_id"),)
    run_id: str = Field(primary_key=True, foreign_key="run.id")
    candidate_id: str = Field(primary_key=True, foreign_key="candidate.id")
    solver: str = Field(sa_type=ForeignText)
    mean: float | None
    low: float | None
    high: float | None
    rollouts: int
    neighbours: str
    """JSON array of `store.run_rows.NeighbourValue`; `control` likewise."""
    control: str
    control_mean: float | None
    lift: float | None
    lift_low: float | None
    lift_high: float | None
    complete: bool
    constrained: bool
    interval: str = Interval.SCORE
    stopped_early: bool = False
    placebo: str = "[]"
    placebo_mean: float | None = None
