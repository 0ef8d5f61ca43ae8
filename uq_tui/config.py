"""The user's settings: config.toml in the configuration folder, read into frozen dataclasses.

default_model = "ollama/qwen3:8b"
budget_usd = 5.0
budget_tokens = 2_000_000
gateway_processes = 2
theme = "light"

[keys]
"workbench.validate" = "f5"         # by id: `uq-tui keys` lists them

[models."openai/my-model"]
api_base = "https://models.example.org/v1"
api_key_env = "MY_MODEL_KEY"        # the name of an environment variable, never the key itself
temperature = 0.6
top_p = 0.95
top_k = 20
min_p = 0.0
max_tokens = 8192
reasoning_effort = "high"
concurrency = 8
requests_per_minute = 500
tokens_per_minute = 200_000
usd_per_million_in = 0.40
usd_per_million_out = 1.60

[models."openrouter/qwen/qwen3-32b"]
api_key_keyring = true              # put there by `uq-tui models key set ID`

[models."local/qwen"]
gguf = "~/models/qwen3-4b.gguf"
"""

import dataclasses
import ipaddress
import math
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from uq_tui import paths
from uq_tui.errors import ConfigError

DEFAULT_MODEL = "local/smollm2-135m"
THEMES = ("dark", "light", "high-contrast", "colour-blind")
"""The first is the one without a setting."""
CONTEXTS = (256, 10_000_000)
"""Least and most tokens of a slot."""
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_SECRET_NAMES = frozenset({"api_key", "apikey", "key", "token", "api_token", "secret", "password"})
_KEYS_STAY_OUT = (
    "API keys are read from the environment or the system's keyring only. Put the variable's name into api_key_env, "
    "or set api_key_keyring = true and run `uq-tui models key set ID`."
)


@dataclass(frozen=True, slots=True)
class Sampling:
    """How replies are drawn. Runs pin it. `None` and "" leave the provider's default."""

    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    reasoning_effort: str = ""
    top_k: int | None = None
    min_p: float | None = None

    def filled(self, usual: "Sampling") -> "Sampling":
        """This, with what it leaves open taken from `usual`."""
        own = {name: value for name, value in dataclasses.asdict(self).items() if value not in (None, "")}
        return dataclasses.replace(usual, **own)


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """What is configured for one model id. Empty strings and `None` leave the provider's or our default.

    A key belongs to `api_base`, or without one to the model's provider: it is sent nowhere else.
    """

    api_base: str = ""
    api_key_env: str = ""
    """Name of the environment variable that holds the key."""
    api_key_keyring: bool = False
    """The key is in the system's keyring. Not together with `api_key_env`."""
    temperature: float | None = None
    """0 to 2."""
    max_tokens: int | None = None
    """Length limit of a reply, reasoning included, in tokens."""
    top_p: float | None = None
    """0 to 1."""
    top_k: int | None = None
    """Draw from so many of the likeliest tokens, 1 or more; not all providers take it."""
    min_p: float | None = None
    """Draw only from tokens at least so likely beside the likeliest, 0 to 1; not all providers take it."""
    reasoning_effort: str = ""
    """The provider's own word: "low", "medium", "high"."""
    concurrency: int | None = None
    """Calls in flight at once, 1 to 256; for `local/` models also the server's parallel slots."""
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    """Tokens in and out."""
    usd_per_million_in: float | None = None
    """Price of a million prompt tokens. With `usd_per_million_out` it stands in place of the known price."""
    usd_per_million_out: float | None = None
    context: int | None = None
    """Tokens of a slot of a `local/` model, prompt and reply together, 256 or more."""
    gguf: str = ""
    """Model file of a `local/` model; `~` stands for the home folder."""

    @property
    def sampling(self) -> Sampling:
        """How replies are drawn."""
        return Sampling(self.temperature, self.top_p, self.max_tokens, self.reasoning_effort, self.top_k, self.min_p)


@dataclass(frozen=True, slots=True)
class Config:
    """All settings."""

    models: Mapping[str, ModelSettings] = field(default_factory=lambda: MappingProxyType({}))
    default_model: str = DEFAULT_MODEL
    budget_usd: float | None = None
    """What a run may cost at most. It asks nothing that could exceed this."""
    budget_tokens: int | None = None
    """How many tokens, in and out, a run may use at most."""
    gateway_processes: int | None = None
    """How many processes talk to hosted models, 1 to 64; by default as many as there are cores, at most 4."""
    theme: str = THEMES[0]
    """One of `THEMES`: the colours of the app."""
    keys: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Keys the user wants, by the ids of what they do. Whether there are such is looked at where keys are used."""

    def model(self, model_id: str) -> ModelSettings:
        """The settings of a model; all defaults when it isn't configured."""
        return self.models.get(model_id, ModelSettings())


def normal_base(api_base: str) -> str:
    """An address as it is compared and sent: without trailing slashes."""
    return api_base.rstrip("/")


def is_address(text: str) -> bool:
    """Whether a text is an http or https address in which no secret can hide: no user name, password or query."""
    try:
        parts = urlsplit(text)
        named = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        return False
    return named and parts.scheme in ("http", "https") and not (parts.username or parts.password or parts.query)


def is_loopback(address: str) -> bool:
    """Whether an address names this machine."""
    try:
        host = urlsplit(address).hostname or ""
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def load(path: Path | None = None) -> Config:
    """The settings in `path`, by default config.toml in the configuration folder; defaults when it is absent.

    Raises:
        ConfigError: unreadable, not TOML, an unknown key, a wrong type or value, or a key where a name belongs.
    """
    file = path or paths.config_dir() / "config.toml"
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Config()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file} cannot be read: {error}") from error
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{file} is not valid TOML: {error}") from error
    return _config(data, file)


def _config(data: dict[str, Any], file: Path) -> Config:
    models = data.pop("models", {})
    if not isinstance(models, dict):
        raise ConfigError(f'{file}: models must be tables like [models."openai/my-model"].')
    settings = {name: _settings(name, values, file) for name, values in models.items()}
    keys = _keys(data.pop("keys", {}), file, "")
    values = _checked(data, _TOP, file, "")
    return Config(models=MappingProxyType(settings), keys=MappingProxyType(keys), **values)


def _keys(table: Any, file: Path, prefix: str) -> dict[str, str]:
    """Keys by id. Without quotes round an id its dots make tables, which mean the same."""
    if not isinstance(table, dict):
        raise ConfigError(f'{file}: keys must be a table with lines like "workbench.validate" = "f5".')
    keys: dict[str, str] = {}
    for name, value in table.items():
        if isinstance(value, dict):
            keys |= _keys(value, file, f"{prefix}{name}.")
        elif isinstance(value, str) and value.strip():
            keys[f"{prefix}{name}"] = value
        else:
            raise ConfigError(f'{file}: keys."{prefix}{name}" must be keys with commas between, like "c,f5".')
    return keys


def _settings(name: str, values: Any, file: Path) -> ModelSettings:
    where = f'models."{name}".'
    if not isinstance(values, dict):
        raise ConfigError(f"{file}: {where[:-1]} must be a table of settings.")
    settings = ModelSettings(**_checked(values, _MODEL, file, where))
    if settings.api_key_env and settings.api_key_keyring:
        raise ConfigError(f"{file}: {where}api_key_env and {where}api_key_keyring exclude each other.")
    if (settings.usd_per_million_in is None) != (settings.usd_per_million_out is None):
        raise ConfigError(
            f"{file}: {where}usd_per_million_in and {where}usd_per_million_out go together.",
            hint="A price is known only when both are; write 0 for what is free.",
        )
    return dataclasses.replace(settings, api_base=normal_base(settings.api_base))


Check = Callable[[Any], Any]
"""Returns the value to keep, or `None` when it isn't one."""


def _checked(values: dict[str, Any], known: Mapping[str, tuple[str, Check]], file: Path, where: str) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for key, value in values.items():
        if key.lower() in _SECRET_NAMES:
            raise ConfigError(f"{file}: {where}{key} would put a secret into the file.", hint=_KEYS_STAY_OUT)
        if key not in known:
            raise ConfigError(f"{file}: unknown key {where}{key}.", hint=f"Known here: {', '.join(known)}.")
        expected, check = known[key]
        found = check(value)
        if found is None:
            hint = _KEYS_STAY_OUT if key == "api_key_env" else ""
            raise ConfigError(f"{file}: {where}{key} must be {expected}.", hint=hint)
        kept[key] = found
    return kept


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def _variable(value: Any) -> str | None:
    return value if isinstance(value, str) and _VARIABLE.match(value) else None


def _flag(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def _theme(value: Any) -> str | None:
    return value if isinstance(value, str) and value in THEMES else None


def _address(value: Any) -> str | None:
    return value if isinstance(value, str) and is_address(value) else None


def _number(low: float, high: float) -> Check:
    def check(value: Any) -> float | None:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return float(value) if is_number and low <= value <= high and math.isfinite(value) else None

    return check


def _whole(low: int, high: int) -> Check:
    def check(value: Any) -> int | None:
        is_whole = isinstance(value, int) and not isinstance(value, bool)
        return int(value) if is_whole and low <= value <= high else None

    return check


_TOP: Mapping[str, tuple[str, Check]] = {
    "default_model": ("a model id", _text),
    "budget_usd": ("a number of US dollars, 0 or more", _number(0, math.inf)),
    "budget_tokens": ("a whole number of tokens, 0 or more", _whole(0, 10**12)),
    "gateway_processes": ("a whole number from 1 to 64", _whole(1, 64)),
    "theme": (" or ".join(f'"{theme}"' for theme in THEMES), _theme),
}
_MODEL: Mapping[str, tuple[str, Check]] = {
    "api_base": ("an http or https address without user name, password or query", _address),
    "api_key_env": ("the name of an environment variable", _variable),
    "api_key_keyring": ("true or false", _flag),
    "temperature": ("a number from 0 to 2", _number(0, 2)),
    "top_p": ("a number from 0 to 1", _number(0, 1)),
    "top_k": ("a whole number of tokens, 1 or more", _whole(1, 10_000_000)),
    "min_p": ("a number from 0 to 1", _number(0, 1)),
    "reasoning_effort": ("a word of the provider's, like low or high", _text),
    "max_tokens": ("a whole number of tokens, 1 or more", _whole(1, 10_000_000)),
    "concurrency": ("a whole number from 1 to 256", _whole(1, 256)),
    "requests_per_minute": ("a whole number, 1 or more", _whole(1, 10_000_000)),
    "tokens_per_minute": ("a whole number of tokens, 1 or more", _whole(1, 10**12)),
    "usd_per_million_in": ("a number of US dollars, 0 or more", _number(0, math.inf)),
    "usd_per_million_out": ("a number of US dollars, 0 or more", _number(0, math.inf)),
    "context": ("a whole number of tokens, 256 or more", _whole(*CONTEXTS)),
    "gguf": ("the path of a GGUF file", _text),
}
