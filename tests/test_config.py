"""config.toml: what it may hold, and what its errors say."""

import dataclasses
import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui import config
from uq_tui.config import Config, ModelSettings, Sampling
from uq_tui.errors import ConfigError


def _load(tmp_path: Path, text: str) -> Config:
    file = tmp_path / "config.toml"
    file.write_text(text, encoding="utf-8")
    return config.load(file)


def _refused(tmp_path: Path, text: str) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        _load(tmp_path, text)
    assert str(tmp_path / "config.toml") in caught.value.message
    return caught.value


def test_without_a_file_all_is_default(tmp_path: Path) -> None:
    found = config.load(tmp_path / "absent.toml")
    assert found == Config()
    assert found.default_model == "local/smollm2-135m"
    assert found.model("openai/any") == ModelSettings()


def test_the_default_place_is_the_configuration_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UQ_TUI_HOME", str(tmp_path))
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.toml").write_text('default_model = "replay/tour"\n')
    assert config.load().default_model == "replay/tour"


def test_all_keys(tmp_path: Path) -> None:
    found = _load(
        tmp_path,
        """
        default_model = "openai/m"
        budget_usd = 2
        budget_tokens = 2_000_000
        gateway_processes = 2
        theme = "light"
        [models."openai/m"]
        api_base = "https://models.example.org/v1/"
        api_key_env = "M_KEY"
        temperature = 1
        top_p = 0.95
        top_k = 20
        min_p = 0
        max_tokens = 4096
        reasoning_effort = "high"
        concurrency = 8
        requests_per_minute = 500
        tokens_per_minute = 200_000
        usd_per_million_in = 0.4
        usd_per_million_out = 0
        [models."openrouter/k"]
        api_key_keyring = true
        [models."local/q"]
        gguf = "~/q.gguf"
        """,
    )
    assert (found.budget_usd, found.budget_tokens, found.gateway_processes) == (2.0, 2_000_000, 2)
    assert found.theme == "light"
    assert found.model("openai/m") == ModelSettings(
        api_base="https://models.example.org/v1",
        api_key_env="M_KEY",
        temperature=1.0,
        top_p=0.95,
        top_k=20,
        min_p=0.0,
        max_tokens=4096,
        reasoning_effort="high",
        concurrency=8,
        requests_per_minute=500,
        tokens_per_minute=200_000,
        usd_per_million_in=0.4,
        usd_per_million_out=0.0,
    )
    assert found.model("openai/m").sampling == Sampling(1.0, 0.95, 4096, "high", 20, 0.0)
    assert found.model("openrouter/k") == ModelSettings(api_key_keyring=True)
    assert found.model("local/q").gguf == "~/q.gguf"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("colour = 1", "unknown key colour"),
        ("budget_usd = true", "budget_usd must be a number"),
        ("budget_usd = nan", "budget_usd must be a number"),
        ("budget_usd = -1", "budget_usd must be a number"),
        ("budget_tokens = 1.5", "budget_tokens must be a whole number of tokens"),
        ("budget_tokens = -1", "budget_tokens must be a whole number of tokens"),
        ('theme = "pink"', 'theme must be "dark" or "light" or "high-contrast" or "colour-blind"'),
        ("keys = 3", "keys must be a table"),
        ("[keys]\n'review.correct' = 3", 'keys."review.correct" must be keys'),
        ("[keys]\nreview.correct = ' '", 'keys."review.correct" must be keys'),
        ("gateway_processes = 0", "gateway_processes must be a whole number from 1 to 64"),
        ("default_model = ''", "default_model must be a model id"),
        ("models = 3", "models must be tables"),
        ("models.a = 3", 'models."a" must be a table'),
        ("[models.a]\ncolour = 1", 'unknown key models."a".colour'),
        ("[models.a]\ntemperature = '1'", 'models."a".temperature must be a number from 0 to 2'),
        ("[models.a]\nmax_tokens = 0", "max_tokens must be a whole number"),
        ("[models.a]\nmax_tokens = 1.5", "max_tokens must be a whole number"),
        ("[models.a]\nconcurrency = 257", "concurrency must be a whole number from 1 to 256"),
        ("[models.a]\ntop_p = 1.1", "top_p must be a number from 0 to 1"),
        ("[models.a]\ntop_k = 0", "top_k must be a whole number of tokens, 1 or more"),
        ("[models.a]\nmin_p = -0.1", "min_p must be a number from 0 to 1"),
        ("[models.a]\nreasoning_effort = 3", "reasoning_effort must be a word"),
        ("[models.a]\nrequests_per_minute = 0", "requests_per_minute must be a whole number"),
        ("[models.a]\ntokens_per_minute = 0", "tokens_per_minute must be a whole number"),
        ("[models.a]\nusd_per_million_in = -1\nusd_per_million_out = 1", "usd_per_million_in must be a number"),
        ("[models.a]\nusd_per_million_in = 1", "usd_per_million_out go together"),
        ("[models.a]\nusd_per_million_out = 1", "usd_per_million_out go together"),
        ("[models.a]\napi_key_keyring = 'yes'", "api_key_keyring must be true or false"),
        ("[models.a]\napi_key_env = 'K'\napi_key_keyring = true", "api_key_keyring exclude each other"),
        ("[models.a]\napi_base = 'models.example.org'", "api_base must be an http or https address"),
        ("[models.a]\napi_base = 'http://me:pw@h/v1'", "without user name, password or query"),
        ("[models.a]\napi_base = 'http://h/v1?key=k'", "without user name, password or query"),
        ("[models.a]\napi_base = 'http://h:x/v1'", "api_base must be an http or https address"),
        ("[models.a]\napi_base = 'http://[h/v1'", "api_base must be an http or https address"),
        ("[models.a]\ngguf = 1", "gguf must be the path"),
        ("a = [", "not valid TOML"),
    ],
)
def test_errors_name_file_key_and_what_is_expected(tmp_path: Path, text: str, key: str) -> None:
    assert key in _refused(tmp_path, text).message


def test_ids_of_keys_need_no_quotes(tmp_path: Path) -> None:
    found = _load(tmp_path, "[keys]\n'review.correct' = 'c,f5'\nreview.undo = 'z'\n")
    assert found.keys == {"review.correct": "c,f5", "review.undo": "z"}


def test_unknown_keys_are_answered_with_the_known_ones(tmp_path: Path) -> None:
    assert "api_key_env" in _refused(tmp_path, "[models.a]\nbase = 1").hint


@pytest.mark.parametrize(
    "line", ["api_key = 'sk-Verysecret1'", "token = 'Verysecret1'", "api_key_env = 'sk-Verysecret1'"]
)
def test_keys_in_the_file_are_refused_and_not_repeated(tmp_path: Path, line: str) -> None:
    error = _refused(tmp_path, f"[models.a]\n{line}")
    assert "environment" in error.hint
    assert "Verysecret1" not in str(error)


def test_an_unreadable_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="cannot be read"):
        config.load(tmp_path / "config.toml")


KEYS = st.sampled_from([field.name for field in dataclasses.fields(ModelSettings)])
VALUES = st.one_of(st.booleans(), st.integers(-5, 500), st.floats(allow_nan=False, allow_infinity=False), st.text())


@given(st.dictionaries(KEYS, VALUES))
def test_what_loads_lies_in_its_ranges(values: dict[str, bool | int | float | str]) -> None:
    lines = [f"{key} = {json.dumps(value)}" for key, value in values.items()]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "config.toml"
        file.write_text("\n".join(['[models."m"]', *lines]), encoding="utf-8")
        try:
            found = config.load(file).model("m")
        except ConfigError:
            return
    assert found.temperature is None or 0 <= found.temperature <= 2
    assert found.max_tokens is None or found.max_tokens >= 1
    assert found.concurrency is None or 1 <= found.concurrency <= 256
    assert found.top_p is None or 0 <= found.top_p <= 1
    assert all(price is None or price >= 0 for price in (found.usd_per_million_in, found.usd_per_million_out))
    assert (found.usd_per_million_in is None) == (found.usd_per_million_out is None)
    assert not (found.api_key_env and found.api_key_keyring)
    assert found.api_base == "" or found.api_base.lower().startswith("http")


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("http://127.0.0.1:8080/v1", True),
        ("http://localhost:11434", True),
        ("http://[::1]:80/", True),
        ("https://api.example.org/v1", False),
        ("http://127.evil.example/", False),
        ("http://[h/v1", False),
        ("", False),
    ],
)
def test_loopback(address: str, expected: bool) -> None:
    assert config.is_loopback(address) is expected


def test_what_is_left_open_is_filled_in_and_what_is_set_stays() -> None:
    usual = Sampling(temperature=1.0, top_p=0.8, max_tokens=16384, min_p=0.5)

    assert Sampling(temperature=0.0, top_k=5, min_p=0.0).filled(usual) == Sampling(0.0, 0.8, 16384, "", 5, 0.0)
    assert Sampling().filled(usual) == usual
    assert usual.filled(Sampling()) == usual
