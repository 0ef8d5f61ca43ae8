"""API keys: where a model's key comes from, and the one function that finds it.

A key comes from an environment variable or from the system's keyring, and is bound to the address it was configured
with: it goes nowhere else. In the keyring it lies under the service "uq-tui" and the name of what it is bound to, which
is the model's `api_base`, or without one its provider. Only those models ask the keyring that say so, so that nobody's
keyring is opened for a server that wants no key. It is asked in a process of its own, which can neither hang this one
nor ask on its terminal.
"""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from uq_tui import paths
from uq_tui.config import ModelSettings
from uq_tui.errors import ModelError

ANSWER_S = 15.0
"""How long a keyring may take, in seconds: long enough to unlock it in a window of the desktop's."""
MISS_KEPT_S = 5.0
"""How long a keyring that had no key or failed isn't asked again, in seconds: else a run's calls ask one by one."""
_OWN_KEYS = ("openai", "anthropic", "gemini", "openrouter", "mistral", "deepseek", "groq", "xai")
"""Providers whose own key is in the environment variable PROVIDER_API_KEY."""
_PROBLEMS = {
    "none": "This machine has no keyring that uq-tui can use",
    "locked": "The keyring of this machine is locked",
    "failed": "The keyring of this machine failed",
}

_missed: dict[str, tuple[float, ModelError]] = {}
"""By entry: until when by `time.monotonic()`, and what was wrong."""
_asking = threading.Lock()


class KeyPlace(StrEnum):
    """Where keys lie."""

    ENVIRONMENT = "environment"
    KEYRING = "keyring"
    NONE = "none"
    """No key is configured, and none is known to be needed."""


@dataclass(frozen=True, slots=True)
class KeySource:
    """Where a model's key comes from; never the key."""

    place: KeyPlace = KeyPlace.NONE
    name: str = ""
    """Of the environment variable or of the keyring's entry."""
    found: bool | None = None
    """Whether it is there; `None` when nobody has looked."""

    def __str__(self) -> str:
        where = {
            KeyPlace.ENVIRONMENT: f"environment variable {self.name}",
            KeyPlace.KEYRING: f"keyring, for {self.name}",
            KeyPlace.NONE: "none",
        }[self.place]
        return f"missing: {where}" if self.found is False else where


NO_SOURCE = KeySource()
"""Where the key comes from of what needs none, as far as is known."""


def holder_of(model_id: str, address: str) -> str:
    """What a key in the keyring is bound to: the address, or where there is none the provider that an id names."""
    return address or model_id.partition("/")[0].lower()


def source_of(model_id: str, settings: ModelSettings, entries: Collection[str] | None = None) -> KeySource:
    """Where the key of a model comes from at the address it is configured with. The keyring isn't opened.

    Args:
        entries: those that the keyring is known to have.
    """
    if settings.api_key_keyring:
        holder = holder_of(model_id, settings.api_base)
        return KeySource(KeyPlace.KEYRING, holder, None if entries is None else holder in entries)
    variable, provider = settings.api_key_env, holder_of(model_id, "")
    if not variable and not settings.api_base and provider in _OWN_KEYS:
        variable = f"{provider.upper()}_API_KEY"
    return KeySource(KeyPlace.ENVIRONMENT, variable, bool(os.environ.get(variable))) if variable else NO_SOURCE


def key_for(model_id: str, address: str, settings: ModelSettings) -> str | None:
    """The key configured for a model; `None` when no key of its own is configured. Blocks while a keyring is asked.

    Args:
        address: where the key will be sent, normalised; "" for the provider's own. The caller has seen to it that it
            is where `settings` says, or where the environment redirects the provider.

    Raises:
        ModelError: a key is configured and isn't there, or the keyring can't be used.
    """
    if settings.api_key_env:
        if key := os.environ.get(settings.api_key_env):
            return key
        raise no_key(model_id, (settings.api_key_env,))
    return _key_in_keyring(model_id, holder_of(model_id, address)) if settings.api_key_keyring else None


def no_key(model_id: str, variables: Collection[str]) -> ModelError:
    """The error for a key that none of these environment variables holds."""
    return ModelError(
        f"{model_id} needs a key, and {' or '.join(variables)} is not set in the environment.",
        hint=f'Set it, or name another variable as api_key_env under [models."{model_id}"] '
        f"in {paths.config_dir() / 'config.toml'}.",
    )


def keep(holder: str, key: str) -> None:
    """Put a key into the keyring. Raises ModelError when that can't be done, or the keyring didn't keep it."""
    found = _ask("set", holder, key)
    if found.get(holder) != key:
        raise _unusable("The keyring of this machine keeps nothing")


def forget(holder: str) -> bool:
    """Remove a key from the keyring; False when there was none. Raises ModelError when it can't be asked."""
    return holder in _ask("forget", holder)


def held(holders: Sequence[str]) -> frozenset[str]:
    """Those of these entries that the keyring has. Raises ModelError when it can't be asked."""
    return frozenset(_ask("get", *holders)) if holders else frozenset()


def _key_in_keyring(model_id: str, holder: str) -> str:
    with _asking:
        until, missed = _missed.get(holder, (0.0, None))
        if missed is not None and time.monotonic() < until:
            raise ModelError(missed.message, hint=missed.hint)
        try:
            if key := _ask("get", holder).get(holder):
                return key
            raise ModelError(
                f"The keyring has no key for {holder}, which {model_id} needs.",
                hint=f"`uq-tui models key set {model_id}` asks for it and puts it there.",
            )
        except ModelError as error:
            _missed[holder] = time.monotonic() + MISS_KEPT_S, error
            raise


def _ask(*request: str) -> dict[str, str]:
    """What the keyring has answered. Raises ModelError."""
    command = [sys.executable, "-P", "-m", "uq_tui.keyring_child"]
    try:
        done = subprocess.run(
            command,
            input=json.dumps(request) + "\n",
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=ANSWER_S,
            start_new_session=True,  # without a terminal to ask on
            text=True,
            encoding="utf-8",
            check=False,
        )
    except subprocess.TimeoutExpired:
        problem = f"The keyring of this machine did not answer in {ANSWER_S:g} s; it may wait to be unlocked"
        raise _unusable(problem) from None  # its cause holds the request, and so the key
    try:
        told = json.loads(done.stdout)
    except ValueError:
        raise _unusable(_PROBLEMS["failed"], f"exit status {done.returncode}") from None
    if "problem" in told:
        raise _unusable(_PROBLEMS[told["problem"]], told["detail"])
    found: dict[str, str] = told["found"]
    return found


def _unusable(problem: str, detail: str = "") -> ModelError:
    return ModelError(
        f"{problem} ({detail})." if detail else f"{problem}.",
        hint="Unlock or set up the system's keyring, or put the key into an environment variable "
        f"and name that as api_key_env in {paths.config_dir() / 'config.toml'}.",
    )
