"""Keys are found where they were configured, sent nowhere else, and no keyring can hang or ask."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fakes import keyring_backend
from uq_tui import keys
from uq_tui.config import ModelSettings
from uq_tui.errors import ModelError

MODEL = "openai/mine"
BASE = "https://models.example.org/v1"
KEY = "sk-planted-7f3a9c"
IN_KEYRING = ModelSettings(api_base=BASE, api_key_keyring=True)

Use = Callable[[str], Path]


@pytest.fixture
def use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Use:
    """Choose one of the keyrings for tests; returns the file of what it keeps."""
    file = tmp_path / "keyring.json"
    monkeypatch.setenv("UQ_TEST_KEYRING", str(file))
    monkeypatch.setattr(keys, "_missed", {})

    def choose(name: str) -> Path:
        backend = name if "." in name else f"{keyring_backend.MODULE}.{name}"
        monkeypatch.setenv("PYTHON_KEYRING_BACKEND", backend)
        return file

    return choose


def test_a_key_is_kept_found_and_forgotten(use: Use) -> None:
    file = use("Kept")
    keys.keep(BASE, KEY)
    assert keys.key_for(MODEL, BASE, IN_KEYRING) == KEY
    assert keys.held([BASE, "openai"]) == {BASE}
    assert f"uq-tui {BASE}" in file.read_text(encoding="utf-8")
    assert keys.forget(BASE) is True
    assert keys.forget(BASE) is False
    with pytest.raises(ModelError, match=r"no key for https://models\.example\.org/v1") as caught:
        keys.key_for(MODEL, BASE, IN_KEYRING)
    assert f"uq-tui models key set {MODEL}" in caught.value.hint


def test_a_key_in_the_keyring_is_bound_to_its_address(use: Use) -> None:
    use("Kept")
    keys.keep(BASE, KEY)
    with pytest.raises(ModelError, match="no key for https://elsewhere"):
        keys.key_for(MODEL, "https://elsewhere.example.org/v1", IN_KEYRING)


def test_without_an_address_a_key_is_bound_to_the_provider(use: Use) -> None:
    use("Kept")
    keys.keep("openrouter", KEY)
    settings = ModelSettings(api_key_keyring=True)
    assert keys.key_for("openrouter/qwen/qwen3-32b", "", settings) == KEY
    with pytest.raises(ModelError, match="no key for openai"):
        keys.key_for("openai/gpt-4.1", "", settings)


def test_models_that_do_not_say_so_never_ask_a_keyring(use: Use) -> None:
    use("Crashing")
    assert keys.key_for(MODEL, BASE, ModelSettings(api_base=BASE)) is None
    assert keys.held([]) == frozenset()


@pytest.mark.parametrize(
    ("backend", "expected"),
    [
        ("keyring.backends.fail.Keyring", "no keyring that uq-tui can use"),
        ("Locked", "locked (KeyringLocked)"),
        ("Broken", "failed (OSError)"),
        ("Crashing", "failed (exit status 9)"),
        ("Asking", "failed (EOFError)"),
        ("no.such.Keyring", "failed (ModuleNotFoundError)"),
    ],
)
def test_a_keyring_that_cannot_be_used_is_told_with_the_way_out(use: Use, backend: str, expected: str) -> None:
    use(backend)
    with pytest.raises(ModelError) as caught:
        keys.key_for(MODEL, BASE, IN_KEYRING)
    assert expected in caught.value.message
    assert "api_key_env" in caught.value.hint
    assert "do not show this" not in str(caught.value)


def test_a_keyring_that_waits_for_a_person_is_left(use: Use, monkeypatch: pytest.MonkeyPatch) -> None:
    use("Waiting")
    monkeypatch.setattr(keys, "ANSWER_S", 0.1)
    with pytest.raises(ModelError, match=r"did not answer in 0\.1 s"):
        keys.keep(BASE, KEY)


def test_a_keyring_that_keeps_nothing_is_told(use: Use) -> None:
    use("keyring.backends.null.Keyring")
    with pytest.raises(ModelError, match="keeps nothing"):
        keys.keep(BASE, KEY)


def test_a_failure_is_not_asked_for_again_at_once(use: Use) -> None:
    use("Broken")
    for _ in range(2):
        with pytest.raises(ModelError, match="OSError"):
            keys.key_for(MODEL, BASE, IN_KEYRING)
        use("Kept")


def test_a_key_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = ModelSettings(api_key_env="MINE_KEY")
    monkeypatch.setenv("MINE_KEY", KEY)
    assert keys.key_for(MODEL, "", settings) == KEY
    monkeypatch.setenv("MINE_KEY", "")
    with pytest.raises(ModelError, match="MINE_KEY is not set"):
        keys.key_for(MODEL, "", settings)


@pytest.mark.parametrize(
    ("model", "settings", "expected"),
    [
        (MODEL, ModelSettings(api_base=BASE, api_key_env="K"), "environment variable K"),
        (MODEL, ModelSettings(api_base=BASE, api_key_env="ABSENT"), "missing: environment variable ABSENT"),
        (MODEL, IN_KEYRING, f"keyring, for {BASE}"),
        ("OpenRouter/a/b", ModelSettings(api_key_keyring=True), "missing: keyring, for openrouter"),
        (MODEL, ModelSettings(), "missing: environment variable OPENAI_API_KEY"),
        (MODEL, ModelSettings(api_base=BASE), "none"),
        ("ollama/qwen3", ModelSettings(), "none"),
    ],
)
def test_where_a_key_comes_from(
    model: str, settings: ModelSettings, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("K", KEY)
    for name in ("ABSENT", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    assert str(keys.source_of(model, settings, {BASE})) == expected


def test_an_entry_nobody_looked_for_is_not_called_missing() -> None:
    source = keys.source_of(MODEL, IN_KEYRING)
    assert (source.place, source.found, str(source)) == (keys.KeyPlace.KEYRING, None, f"keyring, for {BASE}")


def test_looking_at_keys_imports_no_keyring() -> None:
    program = "import sys, uq_tui.keys; assert not [m for m in sys.modules if m.partition('.')[0] == 'keyring']"
    subprocess.run([sys.executable, "-c", program], check=True, env=dict(os.environ))
