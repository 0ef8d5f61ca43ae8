"""What the app and the worker say to each other: versioned JSON lines, one dataclass a line.

Requests describe runs; commands steer the worker; events report what is already durable in the store,
except `TextDelta`, which carries live text of watched calls only.
"""

from dataclasses import dataclass
from typing import Any, get_args

from uq_tui.engine.protocol_codec import Codec
from uq_tui.engine.requests import Request
from uq_tui.words import CallErrorKind, CallState, DecidedBy, Outcome, ProposalState, Reading, RunKind, RunState

VERSION = 4


@dataclass(frozen=True, slots=True)
class StartRun:
    """Start a run. `ticket` comes back in `RunStarted`, so that the caller learns the run's id.

    `budget_usd` and `budget_tokens` are what the run may use at most; `None` leaves it to the configuration.
    """

    ticket: str
    request: Request
    budget_usd: float | None = None
    budget_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class ResumeRun:
    """Run a stopped run again. A budget that is given replaces the run's own."""

    run_id: str
    budget_usd: float | None = None
    budget_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class ResumeInterrupted:
    """Resume every run that was cut short and that no live process holds."""


@dataclass(frozen=True, slots=True)
class CancelRun:
    run_id: str


@dataclass(frozen=True, slots=True)
class WatchCall:
    """Send this call's text as it comes; the text so far comes first. The watch ends with the call."""

    call_key: str


@dataclass(frozen=True, slots=True)
class UnwatchCall:
    call_key: str


@dataclass(frozen=True, slots=True)
class Shutdown:
    pass


Command = StartRun | ResumeRun | ResumeInterrupted | CancelRun | WatchCall | UnwatchCall | Shutdown


@dataclass(frozen=True, slots=True)
class WorkerReady:
    version: int
    pid: int


@dataclass(frozen=True, slots=True)
class RunStarted:
    ticket: str
    run_id: str
    kind: RunKind
    title: str


@dataclass(frozen=True, slots=True)
class RunProgress:
    """Counts since the run was first started. `done` and `total` count units: candidates or rollouts."""

    run_id: str
    done: int
    total: int
    asked: int
    remembered: int
    failed: int
    cost_usd: float | None
    unknown_costs: int
    retried: int = 0
    """Attempts that failed and were made again."""
    tokens: int = 0
    """Tokens in and out, as far as servers reported them."""


@dataclass(frozen=True, slots=True)
class RunFinished:
    run_id: str
    state: RunState
    message: str


@dataclass(frozen=True, slots=True)
class StageStarted:
    run_id: str
    candidate_id: str
    path: str


@dataclass(frozen=True, slots=True)
class CallStarted:
    """A call went out for one unit: a strategy node, a rollout (`path` is "neighbour id/sample") or an answer."""

    run_id: str
    call_key: str
    candidate_id: str
    path: str
    model: str


@dataclass(frozen=True, slots=True)
class CallRetrying:
    """An attempt at a call failed; the next one follows after `delay_s` seconds."""

    run_id: str
    call_key: str
    candidate_id: str
    path: str
    error_kind: CallErrorKind
    error: str
    attempts: int
    """Attempts made so far."""
    delay_s: float


@dataclass(frozen=True, slots=True)
class CallFinished:
    run_id: str
    call_key: str
    candidate_id: str
    path: str
    state: CallState
    error_kind: CallErrorKind | None
    error: str
    remembered: bool
    """Another run asked it, before or at the same time, and pays."""
    tokens_in: int | None = None
    """Tokens as far as the server reported them; `None` is unknown."""
    tokens_out: int | None = None
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True)
class OutcomeDecided:
    run_id: str
    candidate_id: str
    path: str
    outcome: Outcome
    reason: str
    call_key: str


@dataclass(frozen=True, slots=True)
class ScoreRead:
    """One sample of a judge: its score, or `None` when it brought none."""

    run_id: str
    candidate_id: str
    sample: int
    score: float | None
    state: Reading


@dataclass(frozen=True, slots=True)
class AuditRead:
    """The audit of a candidate is over; its claims are in the store."""

    run_id: str
    candidate_id: str
    state: Reading
    claims: int


@dataclass(frozen=True, slots=True)
class RolloutDecided:
    """A rollout is over. `candidate_id` is "" for one without an example; no `value` is no evidence either way."""

    run_id: str
    candidate_id: str
    neighbour_id: str
    sample: int
    value: int | None
    decided_by: DecidedBy


@dataclass(frozen=True, slots=True)
class UtilityUpdated:
    """A candidate's utility row changed; read it from the store."""

    run_id: str
    candidate_id: str
    mean: float | None
    complete: bool


@dataclass(frozen=True, slots=True)
class CandidateAdded:
    run_id: str
    question_id: str
    candidate_id: str


@dataclass(frozen=True, slots=True)
class NeighbourProposed:
    """A model proposed a neighbour, and solvers are asked for its answer. `number` is its number in the run."""

    run_id: str
    question_id: str
    number: int


@dataclass(frozen=True, slots=True)
class AttemptRead:
    """A solver has answered a proposal once, or failed to."""

    run_id: str
    question_id: str
    number: int


@dataclass(frozen=True, slots=True)
class ProposalDecided:
    """The solvers of a proposal are through. Where they agreed, the question has a new neighbour."""

    run_id: str
    question_id: str
    number: int
    state: ProposalState


@dataclass(frozen=True, slots=True)
class QuestionRated:
    """A question of a pass of the funnel has been answered and rated, or that failed: it is where the store has it."""

    run_id: str
    curation_id: str
    question_id: str


@dataclass(frozen=True, slots=True)
class TextDelta:
    """More text of a watched call, at a code-point offset in the whole reasoning and the whole reply.

    What stood at and after an offset is replaced: a retried call starts over with empty text at 0. An offset
    beyond the text at hand means that a batch was dropped; watching the call again brings the whole text.
    """

    call_key: str
    reasoning: str
    reasoning_offset: int
    reply: str
    reply_offset: int
    whole: bool = False
    """Nobody watched when the call was sent, so that its reply comes whole at its end and no text before."""


@dataclass(frozen=True, slots=True)
class EngineProblem:
    """Something the user should know. `ticket` is that of the command at fault, or the run that it is about."""

    ticket: str
    title: str
    message: str
    hint: str
    warning: bool = False
    """Nothing has gone wrong yet."""


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """The worker's loop turns. Sent every second, so that a worker that hangs is noticed."""


@dataclass(frozen=True, slots=True)
class EventsLost:
    """The app did not read for long and events were dropped: what is shown is to be read from the store again."""


@dataclass(frozen=True, slots=True)
class WorkerLost:
    """Made by the client, never sent: the worker process ended."""

    message: str


@dataclass(frozen=True, slots=True)
class RunAsked:
    """Made by the client, never sent: a run was asked for; whether it starts is not known yet."""

    ticket: str


@dataclass(frozen=True, slots=True)
class WorkerSilent:
    """Made by the client, never sent: the worker lives, but has not said a word for so many seconds."""

    seconds: int


@dataclass(frozen=True, slots=True)
class WorkerHeard:
    """Made by the client, never sent: a worker that had been silent is heard again."""


Event = (
    WorkerReady
    | RunStarted
    | RunProgress
    | RunFinished
    | StageStarted
    | CallStarted
    | CallRetrying
    | CallFinished
    | OutcomeDecided
    | ScoreRead
    | AuditRead
    | RolloutDecided
    | UtilityUpdated
    | CandidateAdded
    | NeighbourProposed
    | AttemptRead
    | ProposalDecided
    | QuestionRated
    | TextDelta
    | EngineProblem
    | Heartbeat
    | EventsLost
    | WorkerLost
    | RunAsked
    | WorkerSilent
    | WorkerHeard
)

Message = Command | Event | Request

_CODEC = Codec(VERSION, (*get_args(Request), *get_args(Command), *get_args(Event)))


def encode(message: Message) -> bytes:
    """One message as one line of ASCII JSON, newline included."""
    return _CODEC.encode(message)


def to_plain(message: Message) -> dict[str, Any]:
    """A message as JSON-ready values; `kind` names its class, `v` the protocol version."""
    return _CODEC.to_plain(message)


def decode(line: bytes) -> Message:
    """The message in one line.

    Raises:
        ProtocolError: not JSON, another version, an unknown kind, a missing or extra field, a wrong type.
    """
    message: Message = _CODEC.decode(line)
    return message


def from_plain(data: Any) -> Any:
    """The message that `to_plain` made. Raises ProtocolError."""
    return _CODEC.from_plain(data)
