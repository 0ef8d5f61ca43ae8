"""LiteLLM set up, and what it knows about models. Only gateway processes use this; nothing else imports LiteLLM.

A key belongs to one address. With an `api_base`, only the key configured for exactly that address is sent; without
one, LiteLLM finds the provider's own key in the environment. The same goes for what OpenAI's variables say of an
organisation or a project.
"""

import gc
import logging
import os
import re
import sys
import threading
from collections.abc import Mapping
from logging.handlers import RotatingFileHandler
from typing import Any
from urllib.parse import urlsplit

from uq_tui import paths
from uq_tui.config import ModelSettings, is_address, is_loopback, normal_base
from uq_tui.engine.gateways.errors import without_keys
from uq_tui.engine.gateways.sending import ASKED_FOR_TABLES, Target
from uq_tui.engine.requests import ModelChoice
from uq_tui.engine.spec import Price
from uq_tui.errors import ModelError
from uq_tui.keys import key_for, no_key
from uq_tui.log_lines import CleanFormatter

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
_OPENAI_HEADERS = {
    ("OPENAI_ORGANIZATION", "OPENAI_ORG_ID"): "OpenAI-Organization",
    ("OPENAI_PROJECT", "OPENAI_PROJECT_ID"): "OpenAI-Project",
}
_openai_headers: dict[str, str] = {}
_keys: set[str] = set()
_LOGGERS = ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy")
_TOP_K, _MIN_P = "top_k", "min_p"
_BEYOND_OPENAI: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(
        (
            *("hosted_vllm", "litellm_proxy", "llamafile", "lm_studio", "ollama", "ollama_chat"),
            *("deepinfra", "fireworks_ai", "openrouter", "together_ai"),
        ),
        frozenset({_TOP_K, _MIN_P}),
    ),
    **dict.fromkeys(("anthropic", "gemini", "vertex_ai"), frozenset({_TOP_K})),
}
"""Parameters that OpenAI's API lacks, by the providers that document them. LiteLLM's tables say nothing about these:
it sends them to whomever, and some providers refuse a request for them."""


def ensure_litellm_ready() -> Any:
    """LiteLLM's module, set up once: nothing fetched, no `.env` read, nothing printed, logs in litellm.log.

    Importing takes seconds.
    """
    with _LOADING:
        loaded = sys.modules.get("litellm")
        if loaded is not None and getattr(loaded, "suppress_debug_info", False):
            return loaded
        os.environ.update(_SETTINGS_BEFORE_IMPORT)
        _keep_loopback_off_proxies()
        _take_openai_headers()
        gc.disable()  # an import leaves little garbage; looking for it takes half a second
        try:
            import litellm
        finally:
            gc.enable()

        litellm.suppress_debug_info = True
        litellm.REPEATED_STREAMING_CHUNK_LIMIT = sys.maxsize  # replies that repeat themselves are replies too
        _log_to_file()
        return litellm


def _keep_loopback_off_proxies() -> None:
    """Without this a proxy set for the outside gets what is meant for a server on this machine."""
    for name in ("NO_PROXY", "no_proxy"):
        hosts = [host for host in os.environ.get(name, "").split(",") if host]
        os.environ[name] = ",".join(dict.fromkeys([*hosts, "127.0.0.1", "localhost", "::1"]))


def _take_openai_headers() -> None:
    """OpenAI's client sends what these variables say to every address, so they are taken out of the environment."""
    for variables, header in _OPENAI_HEADERS.items():
        found = [value for name in variables if (value := os.environ.pop(name, ""))]
        if found:
            _openai_headers[header] = found[0]
    for line in os.environ.pop("OPENAI_CUSTOM_HEADERS", "").splitlines():
        name, colon, value = line.partition(":")
        if colon:
            _openai_headers[name.strip()] = value.strip()


def keep_out_of_logs(key: str | None) -> None:
    """Have a key cut out of all that is logged from now on, like the keys in the environment."""
    if key:
        _keys.add(key)


class KeylessFormatter(CleanFormatter):
    """Clean lines of a log without keys."""

    def format(self, record: logging.LogRecord) -> str:
        return without_keys(super().format(record), _keys)


def _log_to_file() -> None:
    path = paths.log_dir() / "litellm.log"
    handler = RotatingFileHandler(path, maxBytes=1_000_000, backupCount=1, encoding="utf-8", delay=True)
    handler.setFormatter(KeylessFormatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.setLevel(logging.WARNING)
        logger.propagate = False


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
    key = key_for(choice.id, base, settings) if given == settings.api_base else None
    if key is None and given:
        key = NO_KEY
    elif key is None:
        _require_own_key(litellm, choice.id, location)
    keep_out_of_logs(key)
    own = provider == "openai" and not given
    return Target(provider, model, base, location, key, headers=tuple(_openai_headers.items()) if own else ())


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
        raise no_key(model_id, missing)


def is_taken(litellm: Any, target: Target, name: str, value: Any) -> bool:
    """Whether the model accepts this parameter with this value, by LiteLLM's tables or ours.

    A server at an address of the user's own is no OpenAI: vLLM, SGLang, llama.cpp and the like take all of ours.
    """
    if name in (_TOP_K, _MIN_P):
        own_server = target.provider == "openai" and not _is_service(litellm, target.location)
        return own_server or name in _BEYOND_OPENAI.get(target.provider, frozenset())
    try:
        litellm.utils.get_optional_params(model=target.model, custom_llm_provider=target.provider, **{name: value})
    except litellm.exceptions.UnsupportedParamsError:
        return False
    return True


def _is_service(litellm: Any, location: str) -> bool:
    """Whether an address is OpenAI's or that of another service LiteLLM knows to speak its language."""
    known = (urlsplit(f"//{one.rpartition('://')[2]}").hostname for one in litellm.openai_compatible_endpoints)
    host = urlsplit(location).hostname or ""
    return not host or host in known or host.endswith((".openai.com", ".azure.com"))


def price_of(litellm: Any, target: Target) -> Price | None:
    """LiteLLM's price of a model, where prompts of some length cost more the dearest; `None` when unknown.

    LiteLLM's tables say 0 where they know no price, so 0 counts as unknown; and what stands on this machine has no
    price in them, whatever it is called.
    """
    if is_loopback(target.location) or target.provider in ASKED_FOR_TABLES:
        return None
    try:
        known = litellm.get_model_info(target.model, custom_llm_provider=target.provider)
    except litellm.exceptions.ModelNotMappedError:
        return None
    usd_in, usd_out = (_dearest(known, name) for name in ("input_cost_per_token", "output_cost_per_token"))
    return Price(usd_in, usd_out) if usd_in and usd_out else None


def _dearest(known: Mapping[str, Any], name: str) -> float:
    """The highest of a price and of its forms `NAME_above_200k_tokens`; 0 without any."""
    tiers = re.compile(rf"{name}(_above_\d+k_tokens)?\Z")
    return max((float(usd) for key, usd in known.items() if usd and tiers.match(key)), default=0.0)
