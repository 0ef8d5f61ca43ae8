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
from logging.handlers import RotatingFileHandler
from typing import Any

from uq_tui import paths
from uq_tui.config import ModelSettings, Sampling, is_address, is_loopback, normal_base
from uq_tui.engine.protocol import ModelChoice
from uq_tui.engine.sending import Target, Timeouts, send
from uq_tui.engine.spec import Ask, OnText, Prepared, Reply
from uq_tui.errors import ModelError

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
        """Send once; streaming when somebody listens. Closes the connection when cancelled, so the server can stop.

        Raises:
            CallFailedError: with the text that had arrived.
            ModelError: the key is gone since `prepare`.
        """
        litellm = await asyncio.to_thread(ensure_litellm_ready)
        target = find_target(litellm, self._choice, self._settings)
        ask = prepared.ask
        return await send(
            litellm,
            target,
            ask.messages,
            prepared.parameters,
            self._timeouts,
            on_text=on_text,
            sample=ask.sample,
        )


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
