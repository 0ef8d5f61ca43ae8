"""What a list of models says of keys, limits and prices."""

from pathlib import Path
from types import MappingProxyType

import pytest

from uq_tui.config import Config, ModelSettings
from uq_tui.engine.models import ModelInfo, keyring_entries, known_models
from uq_tui.keys import KeyPlace


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("UQ_TUI_HOME", str(tmp_path))
    return tmp_path


def listed(**models: ModelSettings) -> dict[str, ModelInfo]:
    return {model.id: model for model in known_models(Config(models=MappingProxyType(models)))}


def test_a_keyring_is_not_opened_for_a_list() -> None:
    settings = ModelSettings(api_base="https://m.example.org/v1", api_key_keyring=True)
    model = listed(**{"openai/mine": settings})["openai/mine"]
    assert (model.ready, model.key.place, model.key.found) == (True, KeyPlace.KEYRING, None)


def test_what_a_keyring_has_or_lacks_is_told() -> None:
    settings = {
        "openai/mine": ModelSettings(api_base="https://m.example.org/v1", api_key_keyring=True),
        "xai/theirs": ModelSettings(api_key_keyring=True),
        "xai/others": ModelSettings(api_key_keyring=True),
        "openai/none": ModelSettings(),
    }
    config = Config(models=MappingProxyType(settings))
    assert keyring_entries(config) == ("https://m.example.org/v1", "xai")
    found = {model.id: model for model in known_models(config, {"xai"})}
    assert found["openai/mine"].note == "Put its key into the keyring: `uq-tui models key set openai/mine`."
    assert (found["xai/theirs"].ready, found["xai/theirs"].key.found) == (True, True)


def test_limits_and_prices_are_the_configured_ones() -> None:
    settings = ModelSettings(
        concurrency=3,
        requests_per_minute=60,
        tokens_per_minute=9000,
        usd_per_million_in=0.4,
        usd_per_million_out=1.6,
    )
    model = listed(**{"openai/mine": settings})["openai/mine"]
    assert (model.concurrency, model.requests_per_minute, model.tokens_per_minute) == (3, 60, 9000)
    assert (model.usd_per_million_in, model.usd_per_million_out) == (0.4, 1.6)
