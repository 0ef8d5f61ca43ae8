"""`local/NAME`: GGUF models on this machine, held to answer forms by grammars."""

import asyncio
import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prompts.loader import Output
from uq_tui.config import ModelSettings, Sampling
from uq_tui.engine.gateways.pool import Gateways
from uq_tui.engine.gateways.sending import Timeouts
from uq_tui.engine.local import weights
from uq_tui.engine.local.gguf import read_gguf
from uq_tui.engine.local.grammar import constraint
from uq_tui.engine.local.servers import LocalServer, LocalServers, ServerSettings
from uq_tui.engine.local.weights import PREFIX
from uq_tui.engine.requests import ModelChoice
from uq_tui.engine.spec import FREE, Ask, CallFailedError, OnText, Prepared, Reply
from uq_tui.words import CallErrorKind

DEFAULT_SLOTS = 2
USUAL_CONTEXT = 8192
"""Tokens of a slot unless configured. The memory of all slots is set aside at start."""
LEAST_REPLY = 72
"""Tokens that must be left for a reply; a decision or a boxed answer takes about as many."""
_FREE_TOKENS = 800
_CONSTRAINED_TOKENS = 400
_TEMPLATE_TOKENS = 512
"""More than a chat template puts around a conversation."""
_MESSAGE_TOKENS = 64
"""More than it puts around a message."""
_DRAWN = ("temperature", "top_p", "top_k", "min_p")
_BEYOND_OPENAI = ("grammar", "top_k", "min_p")
"""What the server takes beyond OpenAI's parameters."""
_UNREACHED = frozenset({CallErrorKind.CONNECTION, CallErrorKind.CUT_OFF, CallErrorKind.AUTH})
"""Failures after which it isn't sure that the server is still there, or still the same."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A model file that can be run."""

    gguf: Path
    sha256: str
    context: int


class LocalProvider:
    """A GGUF model on this machine. Replies cost 0.0: nobody is paid for them."""

    def __init__(
        self,
        choice: ModelChoice,
        settings: ModelSettings,
        servers: LocalServers,
        gateways: Gateways,
        timeouts: Timeouts | None = None,
    ) -> None:
        self._name = choice.id.removeprefix(PREFIX)
        self._settings = settings
        self._servers = servers
        self._gateways = gateways
        self._timeouts = timeouts or Timeouts()

    async def prepare(self, ask: Ask, sampling: Sampling, seed: int) -> Prepared:
        """Fix what would be sent; nothing is started.

        The endpoint is the model file's sha256 and the context of a slot: they determine the reply, the port doesn't.

        Raises:
            ModelError: the model library or the model file is missing, or the file is no GGUF file.
        """
        found = await asyncio.to_thread(self._find)
        usual = _FREE_TOKENS if ask.form is Output.FREE else _CONSTRAINED_TOKENS
        max_tokens = sampling.max_tokens or usual
        enforced = constraint(ask.form, ask.tag, max_tokens, ask.scale)
        parameters: dict[str, Any] = {"max_tokens": max_tokens, "seed": seed}
        drawn = {name: getattr(sampling, name) for name in _DRAWN}
        parameters |= {name: value for name, value in drawn.items() if value is not None}
        if enforced is not None:
            parameters |= {"max_tokens": enforced.max_tokens, "grammar": enforced.grammar}
        return Prepared(
            ask=ask,
            provider_model=f"{PREFIX}{self._name}",
            endpoint=f"gguf:{found.sha256}:{found.context}",
            parameters=parameters,
            dropped=("reasoning_effort",) if sampling.reasoning_effort else (),
            constrained=enforced is not None,
            price=FREE,
        )

    async def complete(self, prepared: Prepared, on_text: OnText | None) -> Reply:
        """Send once; streaming when somebody listens. Starts the server where it isn't running.

        Raises:
            CallFailedError: with the text that had arrived; or, before anything is sent, since the prompt leaves no
                room for a reply.
            ModelError: the server doesn't start.
        """
        found = await asyncio.to_thread(self._find)
        slots = self._settings.concurrency or DEFAULT_SLOTS
        settings = ServerSettings(self._name, found.gguf, found.sha256, slots, found.context)
        server, _ = await asyncio.gather(self._servers.running(settings), self._gateways.warm_up())
        await _refuse_too_long(server, prepared)
        parameters = dict(prepared.parameters)
        extra = {name: parameters.pop(name) for name in _BEYOND_OPENAI if name in parameters}
        try:
            reply = await self._gateways.send(
                server.target,
                prepared.ask.messages,
                parameters,
                self._timeouts,
                on_text=on_text,
                sample=prepared.ask.sample,
                extra_body=extra or None,
            )
        except CallFailedError as error:
            if error.kind in _UNREACHED:
                self._servers.doubt(settings)
            raise
        self._servers.replied(settings)
        return dataclasses.replace(reply, cost_usd=0.0)

    def _find(self) -> _Found:
        gguf = weights.usable_gguf(self._name, self._settings)
        trained = read_gguf(gguf).context
        wanted = self._settings.context or USUAL_CONTEXT
        return _Found(gguf, weights.file_sha256(gguf), min(trained, wanted) if trained else wanted)


async def _refuse_too_long(server: LocalServer, prepared: Prepared) -> None:
    """See that the prompt leaves room for a reply in a slot. A reply that needs more than that is cut there.

    Only a prompt that might be too long is counted: no token is shorter than a byte.

    Raises:
        CallFailedError: it doesn't.
    """
    messages = prepared.ask.messages
    least = min(prepared.parameters["max_tokens"], LEAST_REPLY)
    most = _TEMPLATE_TOKENS + sum(_MESSAGE_TOKENS + len(one.content.encode("utf-8", "replace")) for one in messages)
    if most + least <= server.context:
        return
    count = await asyncio.to_thread(server.count_tokens, messages)
    if count is not None and count + least > server.context:
        raise CallFailedError(
            CallErrorKind.CONTEXT_TOO_LONG,
            f"The prompt has {count:,} tokens, and a slot of {PREFIX}{server.name} holds {server.context:,}, "
            f"of which a reply needs at least {least}. The setting `context` makes slots larger, "
            "up to what the model was trained with.",
            retryable=False,
        )
