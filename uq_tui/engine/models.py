"""Which models can be chosen, and what is missing for those that can't be used yet. Nothing is loaded for that."""

import dataclasses
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum

from uq_tui.config import DEFAULT_MODEL, Config, is_loopback
from uq_tui.engine.calls import replay
from uq_tui.engine.local import weights
from uq_tui.errors import ModelError
from uq_tui.keys import NO_SOURCE, KeyPlace, KeySource, source_of

SMALL = "a very small model: its judgements mean nothing"


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
    """A model as it is listed. `note` says what is missing and what to do, or what to know.

    Limits and prices are those of the configuration, `None` where it gives none.
    """

    id: str
    kind: ModelKind
    ready: bool
    note: str
    api_base: str = ""
    key: KeySource = NO_SOURCE
    concurrency: int | None = None
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    usd_per_million_in: float | None = None
    usd_per_million_out: float | None = None


def known_models(config: Config, entries: Collection[str] | None = None) -> tuple[ModelInfo, ...]:
    """The embedded model, recordings, GGUF files that are here, and all that are configured, in that order.

    Any other LiteLLM id can be used as well. A key counts as there when its environment variable is set, or the
    keyring is said to have it.

    Args:
        config: the user's settings.
        entries: those the keyring is known to have; `None` when it wasn't opened.
    """
    found = {model.id: model for model in _all(config, entries)}
    return tuple(_with_settings(model, config) for model in found.values())


def keyring_entries(config: Config) -> tuple[str, ...]:
    """Names of the keyring's entries that configured models need."""
    sources = (source_of(model_id, settings) for model_id, settings in config.models.items())
    return tuple(dict.fromkeys(source.name for source in sources if source.place is KeyPlace.KEYRING))


def _with_settings(model: ModelInfo, config: Config) -> ModelInfo:
    settings = config.model(model.id)
    return dataclasses.replace(
        model,
        api_base=settings.api_base,
        concurrency=settings.concurrency,
        requests_per_minute=settings.requests_per_minute,
        tokens_per_minute=settings.tokens_per_minute,
        usd_per_million_in=settings.usd_per_million_in,
        usd_per_million_out=settings.usd_per_million_out,
    )


def kind_of(model_id: str) -> ModelKind:
    """Where the model with this id runs, by its prefix."""
    if model_id == DEFAULT_MODEL:
        return ModelKind.EMBEDDED
    if model_id.startswith(weights.PREFIX):
        return ModelKind.LOCAL
    return ModelKind.REPLAY if model_id.startswith(replay.PREFIX) else ModelKind.HOSTED


def _all(config: Config, entries: Collection[str] | None) -> Iterator[ModelInfo]:
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
                yield _hosted(model_id, config, entries)


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


def _hosted(model_id: str, config: Config, entries: Collection[str] | None) -> ModelInfo:
    settings = config.model(model_id)
    key = source_of(model_id, settings, entries)
    if key.found is False:
        note = (
            f"Put its key into the keyring: `uq-tui models key set {model_id}`."
            if key.place is KeyPlace.KEYRING
            else f"Set its key in the environment: {key.name}."
        )
        return ModelInfo(model_id, ModelKind.HOSTED, ready=False, note=note, key=key)
    where = "this machine" if is_loopback(settings.api_base) else settings.api_base
    return ModelInfo(model_id, ModelKind.HOSTED, ready=True, note=f"at {where}" if where else "", key=key)
