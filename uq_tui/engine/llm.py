"""The one gateway to models: LiteLLM, imported on first use and nowhere else.

A key belongs to one address. With an `api_base`, only the key configured for exactly that address is sent; without
one, LiteLLM finds the provider's own key in the environment. No retries happen here: the caller decides on them.
"""

import asyncio
import dataclasses
import logging
import os
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from logging.handlers import RotatingFileHandler
from typing import Any

from store.rows import Message
from uq_tui import paths
from uq_tui.config import ModelSettings, Sampling, is_address, is_loopback, normal_base
from uq_tui.engine.collected import Collected
from uq_tui.engine.gateway_errors import call_failed, known_errors
from uq_tui.engine.protocol import ModelChoice
from uq_tui.engine.spec import Ask, CallFailedError, OnText, Prepared, Reply
from uq_tui.errors import ModelError
from uq_tui.words import CallErrorKind

NO_KEY = "none"
"""Sent where an address was given and no key is configured for it: many servers want some key, any key."""
HOW_IDS_LOOK = (
    "Model ids look like openai/gpt-4o, anthropic/claude-opus-4-1, ollama/qwen3:8b, local/NAME or replay/NAME. "
    "For another OpenAI-compatible server write openai/NAME and give its api_base."
)
_LOADING = threading.Lock()
_SETTINGS_BEFORE_IMPORT = {
    "LITELLM_MODE": "PRODUCTION",  # otherwise a .env file found above it is read
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # otherwise a price list is fetched
    "LITELLM_OFFLINE_MODE": "true",  # nor any other list or tokenizer
}
_LOGGERS = ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy")


@dataclass(frozen=True, slots=True)
class Timeouts:
    """How long to wait, in seconds. Reasoning models may think for minutes before the first text."""

    first_s: float = 900.0
    idle_s: float = 120.0
    total_s: float = 3600.0


@dataclass(frozen=True, slots=True)
class Target:
    """Where a model is reached. `api_key` `None` leaves it to LiteLLM to find the provider's own."""

    provider: str
    model: str
    api_base: str = ""
    """Empty for the provider's own."""
    location: str = ""
    """The address as far as it is known, also where it is the provider's own."""
    api_key: str | None = field(default=None, repr=False)
    shown: str = ""
    """The name in messages, where it isn't LiteLLM's."""

    @property
    def full_name(self) -> str:
        """LiteLLM's name."""
        return f"{self.provider}/{self.model}"

    def __str__(self) -> str:
        return self.shown or self.full_name


def ensure_litellm_ready() -> Any:
    """LiteLLM's module, set up once: nothing fetched, no `.env` read, nothing printed, logs in litellm.log.

    Importing takes seconds; call it off the event loop.
    """
    with _LOADING:
        loaded = sys.modules.get("litellm")
        if loaded is not None and getattr(loaded, "suppress_debug_info", False):
            return loaded
        os.environ.update(_SETTINGS_BEFORE_IMPORT)
        _keep_loopback_off_proxies()
        import litellm

        litellm.suppress_debug_info = True
        litellm.REPEATED_STREAMING_CHUNK_LIMIT = sys.maxsize  # replies that repeat themselves are replies too
        _log_to_file()
        return litellm


def _keep_loopback_off_proxies() -> None:
    """Without this a proxy set for the outside gets what is meant for a server on this machine."""
    for name in ("NO_PROXY", "no_proxy"):
        hosts = [host for host in os.environ.get(name, "").split(",") if host]
        os.environ[name] = ",".join(dict.fromkeys([*hosts, "127.0.0.1", "localhost", "::1"]))


def _log_to_file() -> None:
    path = paths.log_dir() / "litellm.log"
    handler = RotatingFileHandler(path, maxBytes=1_000_000, backupCount=1, encoding="utf-8", delay=True)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.setLevel(logging.WARNING)
        logger.propagate = False


async def close_clients() -> None:
    """Close the connections LiteLLM keeps open on this event loop."""
    litellm = sys.modules.get("litellm")
    if litellm is not None and getattr(litellm, "suppress_debug_info", False):  # not while a thread imports it
        await litellm.close_litellm_async_clients()


class LiteLLMProvider:
    """A model reached through LiteLLM under any of its ids."""

    def __init__(self, choice: ModelChoice, settings: ModelSettings, timeouts: Timeouts | None = None) -> None:
        self._choice = choice
        self._settings = settings
        self._timeouts = timeouts or Timeouts()

    async def prepare(self, ask: Ask, sampling: Sampling, seed: int) -> Prepared:
        """Fix what would be sent: LiteLLM's name of the model, and those parameters that the model takes.

        Raises:
            ModelError: no such provider, or no key.
        """
        litellm = await asyncio.to_thread(ensure_litellm_ready)
        target = find_target(litellm, self._choice, self._settings)
        wanted = {**dataclasses.asdict(sampling), "seed": seed}
        asked = {name: value for name, value in wanted.items() if value not in (None, "")}
        taken = {name: value for name, value in asked.items() if _takes(litellm, target, name, value)}
        return Prepared(
            ask=ask,
            provider_model=target.full_name,
            endpoint=target.api_base,
            parameters=taken,
            dropped=tuple(sorted(asked.keys() - taken.keys())),
            constrained=False,
        )

    async def complete(self, prepared: Prepared, on_text: OnText | None) -> Reply:
        """Send once, streaming. Closes the stream when cancelled, so that the server can stop.

        Raises:
            CallFailedError: with the text that had arrived.
            ModelError: the key is gone since `prepare`.
        """
        litellm = await asyncio.to_thread(ensure_litellm_ready)
        target = find_target(litellm, self._choice, self._settings)
        heard = on_text or (lambda reasoning, reply: None)
        return await stream_reply(target, prepared.ask.messages, prepared.parameters, heard, self._timeouts)


def find_target(litellm: Any, choice: ModelChoice, settings: ModelSettings) -> Target:
    """Where the model is and which key goes there.

    Raises:
        ModelError: no such provider, no usable address, or no key.
    """
    try:
        model, provider, _, own_base = litellm.get_llm_provider(choice.id)
    except litellm.exceptions.BadRequestError as error:
        raise ModelError(f"No provider is known for the model {choice.id!r}.", hint=HOW_IDS_LOOK) from error
    given = normal_base(choice.api_base) or settings.api_base
    base = given or _base_in_environment(provider)
    if base and not is_address(base):
        raise ModelError(
            f"The address given for {choice.id} must be http or https, without user name, password or query.",
            hint="A key is named by api_key_env in config.toml.",
        )
    location = base or own_base or ""
    if settings.api_key_env and given == settings.api_base:
        key = os.environ.get(settings.api_key_env)
        if not key:
            raise _no_key(choice.id, (settings.api_key_env,))
    elif given:
        key = NO_KEY
    else:
        _require_own_key(litellm, choice.id, location)
        key = None
    return Target(provider, model, base, location, key)


def _base_in_environment(provider: str) -> str:
    """The address to which the user's environment redirects a provider, as LiteLLM reads it."""
    names = (f"{provider.upper()}_API_BASE", f"{provider.upper()}_BASE_URL")
    return normal_base(next((found for name in names if (found := os.environ.get(name))), ""))


def _require_own_key(litellm: Any, model_id: str, location: str) -> None:
    """See that the provider's own key is in the environment, as far as LiteLLM knows which variable that is."""
    if is_loopback(location):
        return
    found = litellm.validate_environment(model=model_id)
    missing = tuple(name for name in found["missing_keys"] if "API_KEY" in name)
    if missing and not found["keys_in_environment"]:
        raise _no_key(model_id, missing)


def _no_key(model_id: str, variables: tuple[str, ...]) -> ModelError:
    return ModelError(
        f"{model_id} needs a key, and {' or '.join(variables)} is not set in the environment.",
        hint=f'Set it, or name another variable as api_key_env under [models."{model_id}"] '
        f"in {paths.config_dir() / 'config.toml'}.",
    )


def _takes(litellm: Any, target: Target, name: str, value: float | str) -> bool:
    """Whether the model accepts this parameter with this value, by LiteLLM's tables."""
    try:
        litellm.utils.get_optional_params(model=target.model, custom_llm_provider=target.provider, **{name: value})
    except litellm.exceptions.UnsupportedParamsError:
        return False
    return True


async def stream_reply(
    target: Target,
    messages: Sequence[Message],
    parameters: Mapping[str, Any],
    on_text: OnText,
    timeouts: Timeouts,
    extra_body: Mapping[str, Any] | None = None,
) -> Reply:
    """Send messages to a target once and collect its stream.

    The finish reason is the provider's own word, except that every word for the length limit becomes "length".

    Raises:
        CallFailedError: with the text that had arrived.
    """
    litellm = await asyncio.to_thread(ensure_litellm_ready)
    collected = Collected(on_text)
    body = dict(extra_body or {})
    if target.provider == "litellm_proxy":
        body["cache"] = {"no-cache": True}
    request = {
        "model": target.full_name,
        "messages": [{"role": message.role, "content": message.content} for message in messages],
        "stream": True,
        "stream_options": {"include_usage": True},
        "timeout": timeouts.total_s,
        "num_retries": 0,
        "max_retries": 0,
        "api_key": target.api_key,
        "api_base": target.api_base or None,
        "extra_body": body or None,
        **parameters,
    }
    try:
        return await _stream(litellm, target, request, collected, timeouts)
    except known_errors(litellm.exceptions) as error:
        raise call_failed(litellm.exceptions, error, collected.whole(cut_off=True), target.api_key) from error


async def _stream(
    litellm: Any, target: Target, request: Mapping[str, Any], collected: Collected, timeouts: Timeouts
) -> Reply:
    stream: Any = None
    finish: str | None = None
    usage: Any = None
    wait_s = timeouts.first_s
    try:
        async with asyncio.timeout(timeouts.total_s) as total:
            async with asyncio.timeout(wait_s):
                stream = await litellm.acompletion(**request)
            while True:
                async with asyncio.timeout(wait_s):
                    chunk = await anext(stream, None)
                if chunk is None:
                    break
                for choice in chunk.choices[:1]:
                    collected.take(choice.delta)
                    finish = choice.finish_reason or finish
                usage = getattr(chunk, "usage", None) or usage
                wait_s = timeouts.idle_s if collected.started else timeouts.first_s
    except TimeoutError as error:
        told = f"did not finish in {timeouts.total_s:g} s" if total.expired() else f"sent nothing for {wait_s:g} s"
        message = f"{target} {told}."
        raise CallFailedError(
            CallErrorKind.TIMEOUT, message, retryable=True, partial=collected.whole(cut_off=True)
        ) from error
    finally:
        if stream is not None:
            await stream.aclose()
    if stream.received_finish_reason is None and not collected.started:
        raise CallFailedError(CallErrorKind.MALFORMED, f"{target} sent no reply.", retryable=True)
    if not any(getattr(chunk, "usage", None) for chunk in stream.chunks):
        usage = None  # LiteLLM's own estimate, made because the server reported none
    reply = collected.whole(
        cut_off=finish == "length",
        finish_reason="length" if finish == "length" else stream.received_finish_reason or finish or "",
        tokens_in=getattr(usage, "prompt_tokens", None),
        tokens_out=getattr(usage, "completion_tokens", None),
        cost_usd=cost_of(litellm, target, usage),
    )
    if finish == "content_filter":
        message = f"{target} stopped at its content filter."
        raise CallFailedError(CallErrorKind.CONTENT_FILTERED, message, retryable=False, partial=reply)
    return reply


def cost_of(litellm: Any, target: Target, usage: Any) -> float | None:
    """US dollars: what the server reports, else LiteLLM's price for the tokens; `None` when neither is known.

    LiteLLM's tables say 0 where they know no price, so 0 counts as unknown; and what stands on this machine has no
    price in them, whatever it is called.
    """
    if usage is None or is_loopback(target.location):
        return None
    reported = getattr(usage, "cost", None)
    if isinstance(reported, int | float) and reported > 0:
        return float(reported)
    try:
        parts = litellm.cost_per_token(model=target.model, custom_llm_provider=target.provider, usage_object=usage)
    except litellm.exceptions.ModelNotMappedError:
        return None
    total = float(sum(parts))
    return total if total > 0 else None
