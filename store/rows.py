"""Frozen rows: everything that leaves the store. No SQLAlchemy here, so any layer may import it cheaply.

Times are UTC ISO 8601 strings ending in `Z`. Costs are US dollars; `None` is unknown, never 0.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from uq_tui.words import (
    AuthorKind,
    CallErrorKind,
    CallState,
    DecidedBy,
    Exposure,
    Label,
    NotJudged,
    Outcome,
    QuestionStatus,
    Relation,
    RunKind,
    RunState,
    TextFormat,
    VerdictStatus,
)


@dataclass(frozen=True, slots=True)
class Text:
    """A foreign text: `raw` exactly as it came, `markdown` as it is read (HTML converted once)."""

    sha256: str
    format: TextFormat
    raw: str
    markdown: str


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """A question in a list. Never carries a body."""

    seq: int
    id: str
    title: str
    site: str
    status: QuestionStatus
    score: int | None
    tags: tuple[str, ...]
    asked_at: str | None
    candidates: int
    verdicts: int


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its body."""

    row: QuestionRow
    body: Text
    link: str
    author: str
    licence: str
    category: str
    dataset_version: str
    views: int | None
    answers: int | None
    extra: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class QuestionFilter:
    """What a question list shows. Empty fields don't restrict; `text` is free text, never syntax."""

    site: str = ""
    status: QuestionStatus | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a question list. `next_after` is the key of the following page, `None` at the end."""

    rows: tuple[QuestionRow, ...]
    next_after: int | None


@dataclass(frozen=True, slots=True)
class Count:
    """A count that stops at a cap: `10,000+` instead of a slow exact figure."""

    n: int
    capped: bool


@dataclass(frozen=True, slots=True)
class Facet:
    """How many questions have one value of a facet (`site` or `status`)."""

    kind: str
    value: str
    n: int


@dataclass(frozen=True, slots=True)
class Origin:
    """One place a candidate came from. A candidate can have several."""

    kind: AuthorKind
    model: str = ""
    system: str = ""
    organisation: str = ""
    base_model: str = ""
    person: str = ""
    prompt: str = ""
    source: str = ""
    """File or run the candidate came from."""
    call_key: str = ""

    @property
    def name(self) -> str:
        """The most specific name of the author, for display where the reviewer may see it."""
        return self.system or self.model or self.person or self.kind.value


@dataclass(frozen=True, slots=True)
class KnownLabel:
    """A label that came with a candidate, for practice and for measuring validators."""

    label: Label
    flaw: str
    source: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """An answer to be judged."""

    id: str
    question_id: str
    number: int
    """1, 2, 3... in the order in which the question's candidates arrived; shown as c1, c2, c3."""
    answer: Text
    reasoning: str
    """The model's reasoning text, empty when none was kept."""
    cut_off: bool
    """The reply ended at the length limit."""
    origins: tuple[Origin, ...]
    created_at: str


@dataclass(frozen=True, slots=True)
class NewCandidate:
    """A candidate on its way into the store."""

    question_id: str
    answer: str
    format: TextFormat
    origin: Origin
    reasoning: str = ""
    cut_off: bool = False
    known_label: KnownLabel | None = None


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A related question whose answer can be checked."""

    id: str
    statement: str
    answer: str
    source: str


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


@dataclass(frozen=True, slots=True)
class Reviewer:
    """A person who gives verdicts."""

    id: str
    handle: str
    orcid: str
    expertise: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Quote:
    """A span of a stored text: code-point offsets in the raw text, plus what surrounds it."""

    quote: str
    start: int | None
    end: int | None
    prefix: str
    suffix: str


@dataclass(frozen=True, slots=True)
class MarkedError:
    """An error a reviewer found."""

    category: str
    quotes: tuple[Quote, ...] = ()
    claim: str = ""
    problem: str = ""
    fix: str = ""


@dataclass(frozen=True, slots=True)
class VerdictForm:
    """What a reviewer has entered so far; also what a draft keeps."""

    label: Label | None = None
    not_judged: NotJudged | None = None
    score_0_7: int | None = None
    confidence: int | None = None
    rationale: str = ""
    errors: tuple[MarkedError, ...] = ()
    question_flags: tuple[str, ...] = ()
    relation: Relation = Relation.OTHER
    seconds_active: float = 0.0
    seconds_total: float = 0.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """One stored revision. `record` is the exported row, frozen when it was saved."""

    verdict_id: str
    revision: int
    status: VerdictStatus
    candidate_id: str
    question_id: str
    reviewer_id: str
    reviewer: str
    label: Label | None
    not_judged: NotJudged | None
    blind: bool
    created_at: str
    record: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True, slots=True)
class ExposureRow:
    """One thing a reviewer was shown, when, and where."""

    reviewer_id: str
    question_id: str
    candidate_id: str
    what: Exposure
    where: str
    at: str


@dataclass(frozen=True, slots=True)
class RejectedRow:
    """A row an import could not use."""

    file: str
    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did. `read` counts rows of the kinds the file is meant to hold."""

    file: str
    format: str
    read: int
    new: int
    changed: int
    same: int
    passed_over: int
    """Rows that are fine but not wanted: answers and tag wikis of a dump."""
    rejected: tuple[RejectedRow, ...]
    rejected_total: int
    """May exceed `len(rejected)`, which is capped."""
    counts: Mapping[str, int]
    """What came in, by kind: questions, candidates, neighbours, verdicts, answered, unanswered..."""
    notes: tuple[str, ...]
