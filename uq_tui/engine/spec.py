"""What passes between runs, the caller and the providers: one ask, one prepared request, one reply."""

import hashlib
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from prompts.loader import Output
from store.run_rows import Call, Message
from uq_tui.analysis.scale import Scale
from uq_tui.config import Sampling
from uq_tui.engine.protocol import Event
from uq_tui.engine.requests import ModelChoice
from uq_tui.words import CallErrorKind


@dataclass(frozen=True, slots=True)
class TemplateRef:
    """Which template wrote the messages. Recorded with the call, not part of its key."""

    name: str
    version: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Ask:
    """One request that a run wants answered.

    `candidate_id` and `path` say which unit of the run it serves (see `CallStarted`); `tag` is what the reply is
    marked with where `form` asks for a tag, `scale` what a score must lie in; `max_tokens` and
    `temperature` of `None` leave what the run has pinned.
    """

    model: ModelChoice
    messages: tuple[Message, ...]
    template: TemplateRef
    candidate_id: str = ""
    path: str = ""
    sample: int = 0
    form: Output = Output.FREE
    tag: str = ""
    scale: Scale | None = None
    max_tokens: int | None = None
    temperature: float | None = None


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars a token."""

    usd_in: float
    usd_out: float


RECORDED = "replay:"
"""How endpoints of recordings begin."""
FREE = Price(0.0, 0.0)
"""What models on this machine and recordings cost."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """An ask as a provider will send it: what determines the reply, and nothing else goes into its key.

    `parameters` are those actually sent (grammar included); `dropped` were asked for but are not sent.
    """

    ask: Ask
    provider_model: str
    endpoint: str
    """`api_base`, "" for the provider's own, or for `local/` the GGUF's sha256 and context size."""
    parameters: Mapping[str, Any]
    dropped: tuple[str, ...]
    constrained: bool
    price: Price | None = None
    """What it costs, where that is known. Not part of the key."""

    @property
    def recorded(self) -> bool:
        """Whether nothing is sent: the reply stands in a recording."""
        return self.endpoint.startswith(RECORDED)

    def key(self, epoch: int) -> str:
        """sha256 of canonical JSON of what determines the reply."""
        parts = {
            "model": self.provider_model,
            "endpoint": self.endpoint,
            "messages": [[m.role, m.content] for m in self.ask.messages],
            "parameters": dict(self.parameters),
            "epoch": epoch,
            "sample": self.ask.sample,
        }
        text = json.dumps(parts, sort_keys=True, allow_nan=False, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Reply:
    """What a provider returned. `finish_reason` is the raw word; "length" means cut off."""

    reply: str
    reasoning: str
    finish_reason: str
    tokens_in: int | None
    tokens_out: int | None
    cost_usd: float | None
    raw: str = ""
    """The content exactly as it came, where reasoning was split off from it; else empty."""


class CallFailedError(Exception):
    """A call failed. Carries the text that had arrived, so that nothing is lost."""

    def __init__(
        self,
        kind: CallErrorKind,
        message: str,
        *,
        retryable: bool,
        retry_after_s: float | None = None,
        partial: Reply | None = None,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.retryable = retryable
        self.retry_after_s = retry_after_s
        self.partial = partial


OnText = Callable[[str, str], None]
"""Called with new reasoning text and new reply text, in order of arrival."""


class Provider(Protocol):
    """A way to get replies: LiteLLM, the embedded server, or recorded replies."""

    async def prepare(self, ask: Ask, sampling: Sampling, seed: int) -> Prepared:
        """Fix what would be sent. Raises ModelError when the model cannot be used.

        Args:
            ask: what is asked.
            sampling: how to draw the reply; what `ask` wants otherwise is already in it.
            seed: tells samples and epochs apart where a model takes seeds.
        """
        ...

    async def complete(self, prepared: Prepared, on_text: OnText | None) -> Reply:
        """Send once. Raises CallFailedError; closes the connection when cancelled.

        Without `on_text` nobody watches, and the reply may be sent whole instead of as a stream.
        """
        ...


@dataclass(frozen=True)
class RunContext:
    """What a run function is given. It asks in rounds and decides only between them.

    `ask` answers a whole batch: memoised calls come from the store, the others are sent; it returns calls in
    the order of the asks and never raises for a failed call. `spec` is the pinned request. `emit` tells watchers.
    """

    run_id: str
    spec: Mapping[str, Any]
    ask: Callable[[Sequence[Ask]], Awaitable[tuple[Call, ...]]]
    emit: Callable[[Event], None]
    progress: Callable[[int, int], Awaitable[None]]
    """Record (units done, units total)."""
    secret: bytes = field(repr=False)
    """The workspace's secret, for decision tags."""
