import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands.conftest import MODEL, Run, document, model_at
from tests.fakes.keyring_backend import MODULE as KEYRINGS
from tests.fakes.openai_server import FakeServer, Rule, SeenRequest
from tests.terminal import Terminal
from uq_tui import keys
from uq_tui.commands import model_trial, models
from uq_tui.config import DEFAULT_MODEL

Serve = Callable[..., FakeServer]
KEY = "sk-planted-1f8c2e"


@pytest.fixture
def keyring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A keyring that works; the file of what it keeps."""
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", f"{KEYRINGS}.Kept")
    monkeypatch.setenv("UQ_TEST_KEYRING", str(tmp_path / "keyring.json"))
    monkeypatch.setattr(keys, "_missed", {})
    return tmp_path / "keyring.json"


def configure(home: Path, text: str) -> None:
    (home / "config").mkdir(parents=True)
    (home / "config" / "config.toml").write_text(text, encoding="utf-8")


def test_plain_models_lists_them_and_marks_the_default(run: Run) -> None:
    result = run("models")
    assert result.exit_code == 0
    assert f"{DEFAULT_MODEL} (default)" in result.stdout
    assert "replay/tour" in result.stdout


def test_configured_models_are_listed_with_what_is_missing(run: Run, home: Path) -> None:
    configure(
        home, '[models."openai/mine"]\napi_base = "https://models.example.org/v1"\napi_key_env = "NO_SUCH_KEY_HERE"\n'
    )
    found = {one["id"]: one for one in document(run("models", "--json"))["models"]}
    assert found["openai/mine"]["ready"] is False
    assert "NO_SUCH_KEY_HERE" in found["openai/mine"]["note"]
    assert found["replay/tour"]["kind"] == "replay"


def test_a_malformed_configuration_is_told_by_file(run: Run, home: Path) -> None:
    configure(home, "default_model = 3\n")
    result = run("models")
    assert result.exit_code == 2
    assert "config.toml" in result.stderr


def test_a_model_that_answers(run: Run, served: Serve) -> None:
    server = served(Rule(reply="ready\x1b[2J", contains=(model_trial.QUESTION,)))
    base = model_at(server)[2:]
    result = run("models", "test", MODEL, *base)
    assert result.exit_code == 0
    assert result.stdout == "ready␛[2J\n"
    assert "sent max_tokens 64" in result.stderr
    assert "price: unknown" in result.stderr
    told = "6 tokens in, 1 out, cost unknown, no reasoning seen, ended by stop"
    assert f"in one piece: {told}" in result.stderr
    assert f"as a stream: {told}" in result.stderr
    assert result.stderr.count("first text after") == 1
    assert [request.body.get("stream", False) for request in server.requests] == [False, True]
    assert {request.body["max_tokens"] for request in server.requests} == {model_trial.MAX_TOKENS}


def test_the_whole_of_an_answer_as_json(run: Run, served: Serve) -> None:
    server = served(Rule(reply="rea", reasoning="Say it.", finish="length"))
    found = document(run("models", "test", MODEL, *model_at(server)[2:], "--json"))
    assert (found["model"], found["api_base"], found["not_sent"]) == (MODEL, server.base_url, [])
    assert found["sent"]["max_tokens"] == model_trial.MAX_TOKENS
    assert found["usd_per_million_in"] is None
    for way in (found["plain"], found["streamed"]):
        assert (way["ok"], way["error"], way["reply"], way["reasoning"]) == (True, None, "rea", "Say it.")
        assert (way["finish_reason"], way["cut_off"], way["cost_usd"]) == ("length", True, None)
        assert way["latency_s"] >= 0
    assert found["plain"]["first_text_s"] is None
    assert 0 <= found["streamed"]["first_text_s"] <= found["streamed"]["latency_s"]


def test_reasoning_and_a_cut_reply_are_told(run: Run, served: Serve) -> None:
    server = served(Rule(reply="rea", reasoning="Say it.", finish="length"))
    result = run("models", "test", MODEL, *model_at(server)[2:])
    assert result.stderr.count("7 characters of reasoning, cut off at the length limit") == 2


def test_parameters_that_a_model_does_not_take_are_told(run: Run, served: Serve, home: Path) -> None:
    configure(home, '[models."openai/o3-mini"]\nreasoning_effort = "high"\ntop_p = 0.5\nmax_tokens = 9\n')
    server = served(Rule(reply="ready"))
    result = run("models", "test", "openai/o3-mini", *model_at(server)[2:])
    assert "not sent, since the model doesn't take it: top_p" in result.stderr
    assert "max_tokens 9" in result.stderr
    assert "reasoning_effort high" in result.stderr
    assert server.requests[0].body["reasoning_effort"] == "high"
    assert "top_p" not in server.requests[0].body


def test_a_model_that_only_streams_badly_is_told_in_part(run: Run) -> None:
    def script(request: SeenRequest) -> Rule:
        return Rule(reply="ready now", cut_after=2) if request.body.get("stream") else Rule(reply="ready now")

    with FakeServer(script) as server:
        result = run("models", "test", MODEL, *model_at(server)[2:])
        found = document(run("models", "test", MODEL, *model_at(server)[2:], "--json"))
    assert result.exit_code == 1
    assert result.stdout == "ready now\n"
    assert "in one piece: 6 tokens in" in result.stderr
    assert "as a stream: failed (" in result.stderr
    assert (found["plain"]["ok"], found["streamed"]["ok"]) == (True, False)
    assert found["streamed"]["error"]["kind"]


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


def test_a_key_is_kept_in_the_keyring_listed_and_forgotten(run: Run, home: Path, keyring: Path) -> None:
    configure(
        home,
        '[models."openai/mine"]\napi_base = "https://m.example.org/v1"\napi_key_keyring = true\n'
        "concurrency = 4\ntokens_per_minute = 90_000\nusd_per_million_in = 0.4\nusd_per_million_out = 1.6\n",
    )
    assert "missing: keyring, for https://m.example.org/v1" in run("models").stdout
    kept = run("models", "key", "set", "openai/mine", stdin=f"{KEY}\n")
    assert (kept.exit_code, kept.stdout) == (0, "The keyring has the key for https://m.example.org/v1.\n")
    assert KEY in keyring.read_text(encoding="utf-8")
    listed = run("models")
    assert "keyring, for https://m.example.org/v1" in listed.stdout
    assert "missing" not in listed.stdout
    assert "$0.4 in, $1.6 out" in listed.stdout
    assert "4 at once, 90,000 tokens/min" in listed.stdout
    found = {one["id"]: one for one in document(run("models", "--json"))["models"]}["openai/mine"]
    assert found["key"] == {"place": "keyring", "name": "https://m.example.org/v1", "found": True}
    assert (found["concurrency"], found["requests_per_minute"], found["usd_per_million_out"]) == (4, None, 1.6)
    gone = run("models", "key", "forget", "openai/mine")
    assert (gone.exit_code, gone.stdout) == (0, "The keyring has no longer a key for https://m.example.org/v1.\n")
    again = run("models", "key", "forget", "openai/mine", "--json")
    assert (again.exit_code, document(again)["forgotten"]) == (3, False)
    assert KEY not in "".join((kept.output, listed.output, gone.output, again.output))


def test_a_key_that_is_not_used_yet_is_told_with_the_line_to_add(run: Run, keyring: Path) -> None:
    result = run("models", "key", "set", "openrouter/a/b", stdin=KEY)
    assert result.exit_code == 0
    assert 'api_key_keyring = true under [models."openrouter/a/b"]' in result.stderr
    assert document(run("models", "key", "set", "openrouter/a/b", "--json", stdin=KEY))["used"] is False


@pytest.mark.parametrize("typed", ["", " \n", "two words", "ключ", "a\nb"])
def test_what_is_no_key_is_refused_and_not_repeated(run: Run, keyring: Path, typed: str) -> None:
    result = run("models", "key", "set", "openai/mine", stdin=typed)
    assert result.exit_code == 3
    assert "That is no key" in result.stderr
    assert not typed.strip() or typed not in result.output
    assert not keyring.exists()


def test_models_on_this_machine_need_no_key(run: Run, keyring: Path) -> None:
    result = run("models", "key", "set", DEFAULT_MODEL, stdin=KEY)
    assert result.exit_code == 3
    assert "needs no key" in result.stderr


def test_without_a_keyring_listing_goes_on_and_says_so(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    configure(home, '[models."openai/mine"]\napi_key_keyring = true\n')
    listed = run("models")
    assert listed.exit_code == 0
    assert "no keyring that uq-tui can use" in listed.stderr
    assert "keyring, for openai" in listed.stdout
    refused = run("models", "key", "set", "openai/mine", stdin="no key is read")
    assert refused.exit_code == 3
    assert "no keyring that uq-tui can use" in refused.stderr
    assert "api_key_env" in refused.stderr


@pytest.mark.terminal
def test_a_key_is_typed_unseen(home: Path, keyring: Path) -> None:
    command = [str(Path(sys.executable).with_name("uq-tui")), "models", "key", "set", "openai/mine"]
    with Terminal(command, env=os.environ | {"UQ_TUI_HOME": str(home)}, columns=100, lines=20) as screen:
        screen.wait_for("Key for openai: ", 60)
        screen.press(KEY, "enter")
        assert screen.wait_for_end(60) == 0
        assert "The keyring has the key for openai." in screen.text
    assert KEY.encode() not in screen.output
    assert KEY in keyring.read_text(encoding="utf-8")


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
