"""What the engine and its gateway processes say to each other: JSON lines over a gateway's two pipes.

`n` numbers requests; every request but `Cancel` gets exactly one last answer, which is any but `Text`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from store.run_rows import Message
from uq_tui import paths
from uq_tui.config import ModelSettings
from uq_tui.engine.gateways.sending import Target, Timeouts
from uq_tui.engine.protocol_codec import Codec
from uq_tui.engine.requests import ModelChoice
from uq_tui.engine.spec import Price, Reply
from uq_tui.words import CallErrorKind


def log_file() -> Path:
    """Where all gateway processes write what goes wrong in them."""
    return paths.log_dir() / "gateway.log"


@dataclass(frozen=True, slots=True)
class HostedModel:
    """A model as it was chosen and configured. The gateway process finds its address, and the key in its own
    environment."""

    choice: ModelChoice
    settings: ModelSettings


@dataclass(frozen=True, slots=True)
class Prepare:
    """Say what would be sent to a model, of parameters that are wanted."""

    n: int
    model: HostedModel
    wanted: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Complete:
    """Send messages once; as a stream that is told when `stream` is set."""

    n: int
    to: HostedModel | Target
    messages: tuple[Message, ...]
    parameters: Mapping[str, Any]
    sample: int
    stream: bool
    timeouts: Timeouts
    extra_body: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Cancel:
    """Give a request up, closing its connection. One that has had its last answer is left as it is."""

    n: int


Request = Prepare | Complete | Cancel


@dataclass(frozen=True, slots=True)
class Ready:
    """LiteLLM is imported. Sent once; requests may be sent before."""


@dataclass(frozen=True, slots=True)
class Usable:
    """The model can be used. Answers `Prepare`."""

    n: int
    provider_model: str
    """LiteLLM's name of the model."""
    endpoint: str
    """The address that was given; "" for the provider's own."""
    dropped: tuple[str, ...]
    """Wanted parameters that the model doesn't take, sorted."""
    price: Price | None
    """As LiteLLM's tables know it."""


@dataclass(frozen=True, slots=True)
class Text:
    """The next pieces of a reply that is streamed."""

    n: int
    reasoning: str
    reply: str


@dataclass(frozen=True, slots=True)
class Done:
    """The complete reply."""

    n: int
    reply: Reply


@dataclass(frozen=True, slots=True)
class Failed:
    """What `CallFailedError` carries."""

    n: int
    kind: CallErrorKind
    message: str
    retryable: bool
    retry_after_s: float | None
    partial: Reply | None


@dataclass(frozen=True, slots=True)
class Unusable:
    """What `ModelError` carries."""

    n: int
    message: str
    hint: str


@dataclass(frozen=True, slots=True)
class Cancelled:
    """The request was given up and its connection is closed."""

    n: int


LastAnswer = Usable | Done | Failed | Unusable | Cancelled
Answer = Ready | Text | LastAnswer

CODEC = Codec(1, (*get_args(Request), *get_args(Answer)))
"""Turns requests and answers into lines and back."""
