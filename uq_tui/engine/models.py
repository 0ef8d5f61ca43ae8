"""Which models can be chosen, and what is missing for those that can't be used yet. Nothing is loaded for that."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from uq_tui.config import DEFAULT_MODEL, Config, is_loopback
from uq_tui.engine import replay, weights
from uq_tui.errors import ModelError

SMALL = "a very small model: its judgements mean nothing"
_OWN_KEYS = ("openai", "anthropic", "gemini", "openrouter", "mistral", "deepseek", "groq", "xai")
"""Providers whose own key is in the environment variable PROVIDER_API_KEY."""


class ModelKind(StrEnum):
    """Where a model runs."""

    EMBEDDED = "embedded"
    """Comes with uq-tui."""
    LOCAL = "local"
    """Another GGUF file on this machine."""
    REPLAY = "replay"
    """Recorded replies."""
    HOSTED = "hosted"
    """Behind LiteLLM, wherever that is."""


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model as it is listed. `note` says what is missing and what to do, or what to know."""

    id: str
    kind: ModelKind
    ready: bool
    note: str


def known_models(config: Config) -> tuple[ModelInfo, ...]:
    """The embedded model, recordings, GGUF files that are here, and all that are configured, in that order.

    Any other LiteLLM id can be used as well. A key counts as there when its environment variable is set.
    """
    return tuple({model.id: model for model in _all(config)}.values())


def kind_of(model_id: str) -> ModelKind:
    """Where the model with this id runs, by its prefix."""
    if model_id == DEFAULT_MODEL:
        return ModelKind.EMBEDDED
    if model_id.startswith(weights.PREFIX):
        return ModelKind.LOCAL
    return ModelKind.REPLAY if model_id.startswith(replay.PREFIX) else ModelKind.HOSTED


def _all(config: Config) -> Iterator[ModelInfo]:
    yield _local(DEFAULT_MODEL, config)
    yield from (_recording(f"{replay.PREFIX}{name}") for name in replay.recordings())
    files = sorted(file.stem for file in weights.models_dir().glob("*.gguf") if weights.NAME.match(file.stem))
    yield from (_local(f"{weights.PREFIX}{name}", config) for name in files)
    for model_id in (*config.models, config.default_model):
        match kind_of(model_id):
            case ModelKind.EMBEDDED | ModelKind.LOCAL:
                yield _local(model_id, config)
            case ModelKind.REPLAY:
                yield _recording(model_id)
            case ModelKind.HOSTED:
                yield _hosted(model_id, config)


def _local(model_id: str, config: Config) -> ModelInfo:
    kind = kind_of(model_id)
    try:
        weights.usable_gguf(model_id.removeprefix(weights.PREFIX), config.model(model_id))
    except ModelError as error:
        return ModelInfo(model_id, kind, ready=False, note=f"{error.message} {error.hint}".strip())
    return ModelInfo(model_id, kind, ready=True, note=SMALL if kind is ModelKind.EMBEDDED else "")


def _recording(model_id: str) -> ModelInfo:
    try:
        recording = replay.load_recording(model_id.removeprefix(replay.PREFIX))
    except ModelError as error:
        return ModelInfo(model_id, ModelKind.REPLAY, ready=False, note=f"{error.message} {error.hint}".strip())
    return ModelInfo(model_id, ModelKind.REPLAY, ready=True, note=recording.note)


def _hosted(model_id: str, config: Config) -> ModelInfo:
    settings = config.model(model_id)
    provider = model_id.partition("/")[0].lower()
    variable = settings.api_key_env
    if not variable and not settings.api_base and provider in _OWN_KEYS:
        variable = f"{provider.upper()}_API_KEY"
    if variable and not os.environ.get(variable):
        return ModelInfo(model_id, ModelKind.HOSTED, ready=False, note=f"Set its key in the environment: {variable}.")
    where = "this machine" if is_loopback(settings.api_base) else settings.api_base
    return ModelInfo(model_id, ModelKind.HOSTED, ready=True, note=f"at {where}" if where else "")
