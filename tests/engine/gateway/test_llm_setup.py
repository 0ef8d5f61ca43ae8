"""What is sent where: models, parameters, keys, prices, and what importing LiteLLM may not do."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.engine.gateway.asking import an_ask, answer, prepare
from tests.fakes.openai_server import FakeServer, Rule
from uq_tui.config import ModelSettings, Sampling
from uq_tui.engine.calls.hosted_provider import HostedProvider
from uq_tui.engine.gateways.llm import NO_KEY, ensure_litellm_ready
from uq_tui.engine.gateways.pool import Gateways
from uq_tui.engine.gateways.sending import Target, cost_of
from uq_tui.engine.requests import ModelChoice
from uq_tui.engine.spec import CallFailedError, Price
from uq_tui.errors import ModelError
from uq_tui.words import CallErrorKind


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.endswith(("_API_KEY", "_API_BASE", "_BASE_URL"))]:
        monkeypatch.delenv(name)


SOMEWHERE = "http://127.0.0.1:9/v1"
Make = Callable[..., HostedProvider]


@pytest.fixture
def make(gateways: Gateways) -> Make:
    """Makes the provider of a model."""

    def make(model: str, api_base: str = SOMEWHERE, settings: ModelSettings | None = None) -> HostedProvider:
        return HostedProvider(ModelChoice(model, api_base), settings or ModelSettings(), gateways)

    return make


async def test_parameters_come_from_the_ask_then_from_the_settings(make: Make) -> None:
    settings = ModelSettings(temperature=0.5, max_tokens=100)
    provider = make("openai/m", "http://127.0.0.1:9/v1", settings)
    usual = await prepare(provider, an_ask(sample=3), settings.sampling)
    assert usual.parameters == {
        "temperature": 0.5,
        "max_tokens": 100,
        "seed": 3,
    }
    asked = await prepare(provider, an_ask(temperature=0.0, max_tokens=7), settings.sampling)
    assert asked.parameters == {"temperature": 0.0, "max_tokens": 7, "seed": 0}
    assert asked.dropped == ()


async def test_parameters_a_model_does_not_take_are_dropped_and_named(make: Make) -> None:
    with FakeServer([Rule(reply="ok")]) as server:
        provider = make("openai/o3", server.base_url)
        ask = an_ask(temperature=0.0, max_tokens=50)
        found = await prepare(provider, ask)
        assert found.dropped == ("temperature",)
        assert found.parameters == {"max_tokens": 50, "seed": 0}
        await answer(provider, ask)
        (seen,) = server.requests
    assert "temperature" not in seen.body
    assert seen.body["max_completion_tokens"] == 50


@pytest.mark.parametrize(
    ("model", "api_base", "dropped"),
    [
        ("openai/qwen3", SOMEWHERE, ()),
        ("hosted_vllm/qwen3", SOMEWHERE, ()),
        ("ollama_chat/qwen3", SOMEWHERE, ()),
        ("openrouter/qwen/qwen3", SOMEWHERE, ()),
        ("anthropic/claude-opus-4-1", SOMEWHERE, ("min_p", "seed")),
        ("groq/qwen3", SOMEWHERE, ("min_p", "top_k")),
        ("openai/gpt-4o", "", ("min_p", "top_k")),
        ("openai/gpt-4o", "https://api.openai.com/v1", ("min_p", "top_k")),
        ("openai/qwen3", "https://api.groq.com/openai/v1", ("min_p", "top_k")),
        ("openai/qwen3", "https://gpus.example.org/v1", ()),
    ],
)
async def test_parameters_that_openai_lacks_go_to_those_that_take_them(
    make: Make, monkeypatch: pytest.MonkeyPatch, model: str, api_base: str, dropped: tuple[str, ...]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-nowhere")
    found = await prepare(make(model, api_base), an_ask(), Sampling(top_k=20, min_p=0.0))

    assert found.dropped == dropped
    assert {"top_k": 20, "min_p": 0.0}.items() - found.parameters.items() == {
        (name, {"top_k": 20, "min_p": 0.0}[name]) for name in dropped if name != "seed"
    }


@pytest.mark.parametrize("model", ["openai/m", "hosted_vllm/m", "openrouter/m"])
async def test_parameters_that_openai_lacks_arrive(make: Make, model: str) -> None:
    with FakeServer([Rule(reply="ok")]) as server:
        await answer(make(model, server.base_url), an_ask(), sampling=Sampling(top_k=20, min_p=0.0))
        (seen,) = server.requests

    assert (seen.body["top_k"], seen.body["min_p"]) == (20, 0.0)


async def test_one_model_has_one_name_and_the_endpoint_is_the_given_address(make: Make) -> None:
    short = await prepare(make("gpt-4o"), an_ask())
    long = await prepare(make("openai/gpt-4o", f"{SOMEWHERE}/"), an_ask())
    assert short.provider_model == long.provider_model == "openai/gpt-4o"
    assert short.endpoint == long.endpoint == "http://127.0.0.1:9/v1"
    assert not short.constrained
    assert short.key(1) == long.key(1) != (await prepare(make("openai/gpt-4o"), an_ask(sample=1))).key(1)


@pytest.mark.parametrize(("redirected", "endpoint"), [("", ""), ("http://127.0.0.1:9/v1/", "http://127.0.0.1:9/v1")])
async def test_an_address_in_the_environment_is_part_of_the_endpoint(
    make: Make, redirected: str, endpoint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    monkeypatch.setenv("OPENAI_BASE_URL", redirected)
    assert (await prepare(make("openai/m", ""), an_ask())).endpoint == endpoint


async def test_a_configured_key_goes_to_its_address_only(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "secret-of-mine")
    monkeypatch.setenv("OPENAI_API_KEY", "secret-of-openai")
    with FakeServer([Rule(reply="ok")]) as own, FakeServer([Rule(reply="ok")]) as other:
        settings = ModelSettings(api_base=own.base_url, api_key_env="MY_KEY")
        for base in ("", own.base_url, own.base_url + "/", other.base_url):
            await answer(make("openai/m", base, settings), an_ask())
        assert [seen.had_key("secret-of-mine") for seen in own.requests] == [True] * 3
        assert [seen.had_key(NO_KEY) for seen in other.requests] == [True]


async def test_a_key_for_the_providers_own_address_is_not_sent_elsewhere(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "secret-of-mine")
    monkeypatch.setenv("OPENAI_API_KEY", "secret-of-openai")
    with FakeServer([Rule(reply="ok")]) as other:
        settings = ModelSettings(api_key_env="MY_KEY")
        await answer(make("openai/m", other.base_url, settings), an_ask())
        assert other.requests[0].had_key(NO_KEY)


@pytest.mark.parametrize("base", ["127.0.0.1:8000", "ftp://h/v1", "http://me:secret@h/v1", "http://h/v1?key=secret"])
@pytest.mark.parametrize("in_environment", [False, True])
async def test_addresses_that_could_carry_a_secret_are_refused_and_not_repeated(
    make: Make, base: str, in_environment: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if in_environment:
        monkeypatch.setenv("OPENAI_BASE_URL", base)
    with pytest.raises(ModelError) as caught:
        await prepare(make("openai/m", "" if in_environment else base), an_ask())
    assert "must be http or https" in caught.value.message
    assert "secret" not in str(caught.value)


async def test_keys_are_cut_out_of_messages(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "secret-of-mine")
    with FakeServer([Rule(status=401, error="Incorrect key: secret-of-mine")]) as server:
        settings = ModelSettings(api_base=server.base_url, api_key_env="MY_KEY")
        with pytest.raises(CallFailedError) as caught:
            await answer(make("openai/m", "", settings), an_ask())
    assert caught.value.kind is CallErrorKind.AUTH
    assert str(caught.value) == "Incorrect key: [key]"


async def test_a_missing_configured_key_is_named_before_anything_is_sent(make: Make) -> None:
    settings = ModelSettings(api_base="http://127.0.0.1:9/v1", api_key_env="MY_KEY")
    with pytest.raises(ModelError) as caught:
        await prepare(make("openai/m", "", settings), an_ask())
    assert "MY_KEY is not set" in caught.value.message
    assert "api_key_env" in caught.value.hint


@pytest.mark.parametrize(
    ("model", "variable"),
    [
        ("gpt-4o", "OPENAI_API_KEY"),
        ("anthropic/claude-opus-4-1", "ANTHROPIC_API_KEY"),
        ("openrouter/qwen/qwen3", "OPENROUTER_API_KEY"),
        ("gemini/gemini-2.5-pro", "GOOGLE_API_KEY or GEMINI_API_KEY"),
    ],
)
async def test_a_missing_own_key_is_named_before_anything_is_sent(make: Make, model: str, variable: str) -> None:
    with pytest.raises(ModelError) as caught:
        await prepare(make(model, ""), an_ask())
    assert f"{model} needs a key, and {variable} is not set" in caught.value.message
    assert "config.toml" in caught.value.hint


async def test_models_on_this_machine_need_no_key(make: Make) -> None:
    assert (await prepare(make("ollama_chat/qwen3:8b", ""), an_ask())).provider_model == "ollama_chat/qwen3:8b"


@pytest.mark.parametrize("model", ["no-such-model", "nobody/model", ""])
async def test_an_unknown_provider_is_answered_with_how_ids_look(
    make: Make, model: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ModelError) as caught:
        await prepare(make(model), an_ask())
    assert repr(model) in caught.value.message
    assert "openai/" in caught.value.hint
    assert capsys.readouterr() == ("", "")


def usage(**more: float) -> object:
    litellm = ensure_litellm_ready()
    return litellm.Usage(prompt_tokens=1000, completion_tokens=100, total_tokens=1100, **more)


def test_known_prices() -> None:
    litellm = ensure_litellm_ready()
    cost = cost_of(litellm, Target("openai", "gpt-4o"), usage())
    assert cost is not None
    assert 0 < cost < 0.1


@pytest.mark.parametrize(
    "target",
    [
        Target("openai", "no-such-model"),
        Target("ollama_chat", "qwen3:8b"),
        Target("openai", "gpt-4o", location="http://localhost:4000/v1"),
    ],
)
def test_unknown_prices_are_none_not_0(target: Target) -> None:
    assert cost_of(ensure_litellm_ready(), target, usage()) is None


def test_a_price_the_server_reports_is_taken_over_the_table() -> None:
    litellm = ensure_litellm_ready()
    assert cost_of(litellm, Target("openrouter", "any/model"), SimpleNamespace(cost=0.25)) == 0.25
    assert cost_of(litellm, Target("openrouter", "any/model"), None) is None


PRICED = ModelSettings(usd_per_million_in=2.0, usd_per_million_out=10.0)


@pytest.mark.parametrize(
    ("model", "base", "settings", "price"),
    [
        ("gpt-4o", "", ModelSettings(), Price(2.5e-6, 10e-6)),
        ("gemini/gemini-2.5-pro", "", ModelSettings(), Price(2.5e-6, 15e-6)),
        ("gpt-4o", SOMEWHERE, ModelSettings(), None),
        ("ollama_chat/qwen3:8b", "https://models.example.org", ModelSettings(), None),
        ("openai/no-such-model", "https://models.example.org/v1", ModelSettings(), None),
        ("gpt-4o", SOMEWHERE, PRICED, Price(2e-6, 10e-6)),
        ("gpt-4o", "", PRICED, Price(2e-6, 10e-6)),
        ("gpt-4o", "", ModelSettings(usd_per_million_in=0.0, usd_per_million_out=0.0), Price(0.0, 0.0)),
    ],
)
async def test_a_price_is_known_or_given_or_none(
    make: Make, model: str, base: str, settings: ModelSettings, price: Price | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where long prompts cost more, the price is theirs."""
    for name in ("OPENAI_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.setenv(name, "k")
    found = await prepare(make(model, base, settings), an_ask())
    assert found.price == price


async def test_a_given_price_says_what_a_reply_cost(make: Make) -> None:
    with FakeServer([Rule(reply="It holds."), Rule()]) as server:
        reply = await answer(make("openai/m", server.base_url, PRICED), an_ask("one two three"))
        assert (reply.tokens_in, reply.tokens_out) == (3, 2)
        assert reply.cost_usd == pytest.approx(26e-6)
    with FakeServer([Rule(reply="It holds.", usage=False)]) as server:
        assert (await answer(make("openai/m", server.base_url, PRICED), an_ask())).cost_usd is None
    with FakeServer([Rule(reply="It", finish="content_filter")]) as server:
        with pytest.raises(CallFailedError) as caught:
            await answer(make("openai/m", server.base_url, PRICED), an_ask("one"))
        assert caught.value.partial is not None
        assert caught.value.partial.cost_usd == pytest.approx(12e-6)


def run_python(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    root = Path(__file__).parents[3]
    organised = {"OPENAI_ORG_ID": "org", "OPENAI_PROJECT_ID": "project", "OPENAI_CUSTOM_HEADERS": "x-mine: mine"}
    environment = {**os.environ, **organised, "UQ_TUI_HOME": str(folder / "home"), "PYTHONPATH": str(root)}
    command = [sys.executable, "-P", "-c", code]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_litellm_is_imported_on_first_use_only(tmp_path: Path) -> None:
    code = "import sys, uq_tui.engine.gateways.llm; print('litellm' in sys.modules, 'openai' in sys.modules)"
    assert run_python(code, tmp_path).stdout == "False False\n"


def test_setting_up_fetches_nothing_prints_nothing_and_tells_nobody_whose_account_it_is(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("OPENAI_API_KEY=planted\nLITELLM_LOG=DEBUG\n")
    code = """
import logging, os, socket
def refuse(*args): raise RuntimeError("a connection was opened")
socket.socket.connect = refuse
socket.getaddrinfo = refuse
from uq_tui.engine.gateways.llm import ensure_litellm_ready
litellm = ensure_litellm_ready()
assert litellm is ensure_litellm_ready()
logging.getLogger("LiteLLM").error("to the file")
assert "OPENAI_API_KEY" not in os.environ
assert "127.0.0.1" in os.environ["NO_PROXY"]

from uq_tui.config import ModelSettings, Sampling
from uq_tui.engine.gateways.llm import find_target
from uq_tui.engine.requests import ModelChoice
os.environ["OPENAI_API_KEY"] = os.environ["GROQ_API_KEY"] = "sk-planted-here"
find = lambda model, base="": dict(find_target(litellm, ModelChoice(model, base), ModelSettings()).headers)
own = {"OpenAI-Organization": "org", "OpenAI-Project": "project", "x-mine": "mine"}
assert find("gpt-4o") == own
assert find("gpt-4o", "https://models.example.org/v1") == find("groq/any") == {}
assert not [name for name in os.environ if name.startswith("OPENAI_") and name != "OPENAI_API_KEY"]
logging.getLogger("LiteLLM").error("it was sk-planted-here")
"""
    done = run_python(code, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    log = (tmp_path / "home" / "log" / "litellm.log").read_text()
    assert "to the file" in log
    assert "it was [key]" in log


async def test_a_proxy_for_the_outside_does_not_get_what_is_for_this_machine(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost,::1")
    with FakeServer([Rule(reply="ok")]) as server:
        provider = make("openai/m", server.base_url)
        assert (await answer(provider, an_ask())).reply == "ok"
