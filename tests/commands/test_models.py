import importlib.util
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands.conftest import MODEL, QUESTION, Desk, Run, document, model_at
from tests.fakes.openai_server import FakeServer, Rule
from uq_tui.commands import models
from uq_tui.config import DEFAULT_MODEL

Serve = Callable[..., FakeServer]


def test_plain_models_lists_them_and_marks_the_default(run: Run) -> None:
    result = run("models")
    assert result.exit_code == 0
    assert f"{DEFAULT_MODEL} (default)" in result.stdout
    assert "replay/tour" in result.stdout


def test_configured_models_are_listed_with_what_is_missing(run: Run, home: Path) -> None:
    (home / "config").mkdir(parents=True)
    text = '[models."openai/mine"]\napi_base = "https://models.example.org/v1"\napi_key_env = "NO_SUCH_KEY_HERE"\n'
    (home / "config" / "config.toml").write_text(text, encoding="utf-8")
    found = {one["id"]: one for one in document(run("models", "--json"))["models"]}
    assert found["openai/mine"]["ready"] is False
    assert "NO_SUCH_KEY_HERE" in found["openai/mine"]["note"]
    assert found["replay/tour"]["kind"] == "replay"


def test_a_malformed_configuration_is_told_by_file(run: Run, home: Path) -> None:
    (home / "config").mkdir(parents=True)
    (home / "config" / "config.toml").write_text("default_model = 3\n", encoding="utf-8")
    result = run("models")
    assert result.exit_code == 2
    assert "config.toml" in result.stderr


def test_a_model_that_answers(run: Run, served: Serve) -> None:
    server = served(Rule(reply="ready\x1b[2J", contains=(models.QUESTION,)))
    base = model_at(server)[2:]
    result = run("models", "test", MODEL, *base)
    assert result.exit_code == 0
    assert result.stdout == "ready␛[2J\n"
    assert "6 tokens in, 1 out" in result.stderr
    found = document(run("models", "test", MODEL, *base, "--json"))
    assert (found["reply"], found["tokens_out"], found["finish_reason"]) == ("ready\x1b[2J", 1, "stop")
    assert found["latency_s"] >= 0
    assert server.requests[0].body["max_tokens"] == models.MAX_TOKENS


def test_a_model_that_refuses_is_told_with_what_to_do(run: Run, served: Serve) -> None:
    server = served(Rule(status=401, error="wrong key"))
    result = run("models", "test", MODEL, *model_at(server)[2:], "--json")
    assert result.exit_code == 3
    error = document(result)["error"]
    assert (error["title"], "api_key_env" in error["hint"]) == ("Model", True)


def test_a_server_that_is_not_there_is_told(run: Run) -> None:
    with FakeServer() as server:
        base = server.base_url
    result = run("models", "test", MODEL, "--api-base", base)
    assert result.exit_code == 3
    assert "--api-base" in result.stderr


def test_fetching_weights_tells_what_it_does(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def get_weights(name: str, on_progress: Callable[[str], None]) -> Path:
        on_progress(f"downloading {name}")
        return tmp_path / "weights.gguf"

    monkeypatch.setattr(models, "get_weights", get_weights)
    result = run("models", "get", "smollm2-135m")
    assert result.stdout == f"{tmp_path / 'weights.gguf'}\n"
    assert result.stderr == "downloading smollm2-135m\n"
    assert document(run("models", "get", "smollm2-135m", "--json"))["file"] == str(tmp_path / "weights.gguf")


def test_weights_nobody_publishes_are_an_error(run: Run) -> None:
    result = run("models", "get", "gpt-9")
    assert result.exit_code == 3
    assert "smollm2-135m" in result.stderr


@pytest.mark.local
@pytest.mark.skipif(importlib.util.find_spec("xllamacpp") is None, reason="the extra `local` is not installed")
def test_the_embedded_models_results_are_said_to_mean_nothing(uq: Run, desk: Desk) -> None:
    options = ("--candidate", desk.right, "--rollouts", "1", "--no-control", "--model", DEFAULT_MODEL)
    result = uq("cbu", QUESTION, *options)
    assert result.exit_code == 0
    assert "its judgements mean nothing" in result.stderr
