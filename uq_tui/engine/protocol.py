"""What the app and the worker say to each other: versioned JSON lines, one dataclass a line.

Requests describe runs; commands steer the worker; events report what is already durable in the store,
except `TextDelta`, which carries live text of watched calls only.
"""

import dataclasses
import json
import types
import typing
from dataclasses import dataclass
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from uq_tui.errors import ProtocolError
from uq_tui.words import CallErrorKind, CallState, Outcome, RunKind, RunState

VERSION = 1


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A model as the user named it. `api_base` empty means the provider's own."""

    id: str
    api_base: str = ""


@dataclass(frozen=True, slots=True)
class GenerateRequest:
    """Ask for `samples` candidates to each question."""

    question_ids: tuple[str, ...]
    model: ModelChoice
    samples: int = 1


@dataclass(frozen=True, slots=True)
class ValidateRequest:
    """Judge candidates by a strategy. `exact` asks every planned vote; otherwise a decided vote stops."""

    candidate_ids: tuple[str, ...]
    model: ModelChoice
    strategy: str = "3-iter"
    exact: bool = False
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class CbuRequest:
    """Measure the utility of candidates of one question; no candidate ids means all of them."""

    question_id: str
    model: ModelChoice
    candidate_ids: tuple[str, ...] = ()
    rollouts: int = 8
    control: bool = True
    fresh: bool = False


Request = GenerateRequest | ValidateRequest | CbuRequest


@dataclass(frozen=True, slots=True)
class StartRun:
    """Start a run. `ticket` comes back in `RunStarted`, so that the caller learns the run's id."""

    ticket: str
    request: Request


@dataclass(frozen=True, slots=True)
class ResumeRun:
    run_id: str


@dataclass(frozen=True, slots=True)
class CancelRun:
    run_id: str


@dataclass(frozen=True, slots=True)
class WatchCall:
    """Send this call's text as it comes; the text so far comes first."""

    call_key: str


@dataclass(frozen=True, slots=True)
class UnwatchCall:
    call_key: str


@dataclass(frozen=True, slots=True)
class Shutdown:
    pass


Command = StartRun | ResumeRun | CancelRun | WatchCall | UnwatchCall | Shutdown


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
class CallFinished:
    run_id: str
    call_key: str
    candidate_id: str
    path: str
    state: CallState
    error_kind: CallErrorKind | None
    error: str
    remembered: bool


@dataclass(frozen=True, slots=True)
class OutcomeDecided:
    run_id: str
    candidate_id: str
    path: str
    outcome: Outcome
    reason: str
    call_key: str


@dataclass(frozen=True, slots=True)
class RolloutDecided:
    run_id: str
    candidate_id: str
    neighbour_id: str
    sample: int
    value: int | None


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
class TextDelta:
    """More text of a watched call, at a code-point offset in the whole reasoning and the whole reply."""

    call_key: str
    reasoning: str
    reasoning_offset: int
    reply: str
    reply_offset: int


@dataclass(frozen=True, slots=True)
class EngineProblem:
    """Something the user should know. `ticket` is that of the command at fault, when there is one."""

    ticket: str
    title: str
    message: str
    hint: str


@dataclass(frozen=True, slots=True)
class WorkerLost:
    """Made by the client, never sent: the worker process ended."""

    message: str


Event = (
    WorkerReady
    | RunStarted
    | RunProgress
    | RunFinished
    | StageStarted
    | CallStarted
    | CallFinished
    | OutcomeDecided
    | RolloutDecided
    | UtilityUpdated
    | CandidateAdded
    | TextDelta
    | EngineProblem
    | WorkerLost
)

_BY_NAME: dict[str, type[Any]] = {
    kind.__name__: kind for kind in (*get_args(Request), *get_args(Command), *get_args(Event))
}


def encode(message: Command | Event | Request) -> bytes:
    """One message as one line of ASCII JSON, newline included."""
    return json.dumps(to_plain(message), allow_nan=False, separators=(",", ":")).encode() + b"\n"


def to_plain(message: Any) -> dict[str, Any]:
    """A message as JSON-ready values; `kind` names its class, `v` the protocol version."""
    return {"v": VERSION, "kind": type(message).__name__, **{k: _plain(v) for k, v in _items(message)}}


def _items(message: Any) -> list[tuple[str, Any]]:
    return [(f.name, getattr(message, f.name)) for f in dataclasses.fields(message)]


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        if type(value).__name__ in _BY_NAME:
            return to_plain(value)
        return {k: _plain(v) for k, v in _items(value)}
    if isinstance(value, tuple):
        return [_plain(v) for v in value]
    return value


def decode(line: bytes) -> Command | Event | Request:
    """The message in one line.

    Raises:
        ProtocolError: not JSON, another version, an unknown kind, a missing or extra field, a wrong type.
    """
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"A line between app and worker is not JSON: {error}") from error
    return from_plain(data)


def from_plain(data: Any) -> Any:
    """The message that `to_plain` made. Raises ProtocolError."""
    if not isinstance(data, dict) or data.get("v") != VERSION:
        raise ProtocolError(f"A message has protocol version {_version_of(data)}, this one speaks {VERSION}.")
    kind = _BY_NAME.get(str(data.get("kind")))
    if kind is None:
        raise ProtocolError(f"Unknown message {data.get('kind')!r}.")
    return _build(kind, {k: v for k, v in data.items() if k not in ("v", "kind")})


def _version_of(data: Any) -> Any:
    return data.get("v") if isinstance(data, dict) else None


@cache
def _hints(kind: type[Any]) -> dict[str, Any]:
    return get_type_hints(kind)


def _build(kind: type[Any], values: dict[str, Any]) -> Any:
    hints = _hints(kind)
    unknown = values.keys() - hints.keys()
    if unknown:
        raise ProtocolError(f"{kind.__name__} has no field {sorted(unknown)}.")
    try:
        return kind(**{name: _typed(hints[name], value, f"{kind.__name__}.{name}") for name, value in values.items()})
    except TypeError as error:
        raise ProtocolError(f"{kind.__name__} is incomplete: {error}") from error


def _typed(hint: Any, value: Any, where: str) -> Any:
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return _typed_union(get_args(hint), value, where)
    if origin is tuple and isinstance(value, list):
        return tuple(_typed(get_args(hint)[0], item, where) for item in value)
    if isinstance(hint, type) and dataclasses.is_dataclass(hint) and isinstance(value, dict):
        return from_plain(value) if "kind" in value else _build(hint, value)
    if isinstance(hint, type) and issubclass(hint, str) and isinstance(value, str):
        try:
            return hint(value)
        except ValueError as error:
            raise ProtocolError(f"{where}: {error}") from error
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if isinstance(hint, type) and type(value) is hint:
        return value
    raise ProtocolError(f"{where} is {type(value).__name__}, expected {typing.Any if hint is Any else hint}.")


def _typed_union(options: tuple[Any, ...], value: Any, where: str) -> Any:
    if value is None and type(None) in options:
        return None
    if isinstance(value, dict) and "kind" in value:
        built = from_plain(value)
        if isinstance(built, options):
            return built
        raise ProtocolError(f"{where} cannot be a {type(built).__name__}.")
    for option in options:
        if option is type(None):
            continue
        try:
            return _typed(option, value, where)
        except ProtocolError:
            continue
    raise ProtocolError(f"{where} has a value of a wrong type: {value!r}.")
