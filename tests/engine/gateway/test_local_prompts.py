"""Prompts and the slots they must fit into, with a stand-in for the model library whose tokens are words."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from store.run_rows import Message
from tests.engine.gateway.asking import an_ask, prepare
from tests.engine.gateway.test_gguf import ARCHITECTURE, TEMPLATE, number, whole
from tests.fakes.model_library import FOLDER
from uq_tui.config import ModelSettings
from uq_tui.engine.gateways.pool import Gateways
from uq_tui.engine.gateways.protocol import HostedModel
from uq_tui.engine.gateways.sending import Target, Timeouts
from uq_tui.engine.local import weights
from uq_tui.engine.local.provider import LEAST_REPLY, USUAL_CONTEXT, LocalProvider
from uq_tui.engine.local.servers import LocalServer, LocalServers, ServerSettings
from uq_tui.engine.requests import ModelChoice
from uq_tui.engine.spec import CallFailedError, OnText, Reply
from uq_tui.words import CallErrorKind

CONTEXT = 1024


class Sent(Gateways):
    """Keeps what would be sent. Replies, or fails as told."""

    def __init__(self) -> None:
        super().__init__(1)
        self.messages: list[Sequence[Message]] = []
        self.fails: CallErrorKind | None = None

    async def warm_up(self) -> None:
        pass

    async def send(
        self,
        to: HostedModel | Target,
        messages: Sequence[Message],
        parameters: Mapping[str, Any],
        timeouts: Timeouts,
        *,
        on_text: OnText | None,
        sample: int = 0,
        extra_body: Mapping[str, Any] | None = None,
    ) -> Reply:
        self.messages.append(messages)
        if self.fails is not None:
            raise CallFailedError(self.fails, "it failed", retryable=True)
        return Reply("Yes.", "", "stop", 3, 1, None)


class Counting(LocalServers):
    """Keeps how often servers were doubted, and which were used."""

    def __init__(self, workspace: Path) -> None:
        super().__init__(workspace)
        self.used: list[ServerSettings] = []
        self.doubts = 0

    async def running(self, settings: ServerSettings) -> LocalServer:
        self.used.append(settings)
        return await super().running(settings)

    def doubt(self, settings: ServerSettings) -> None:
        self.doubts += 1
        super().doubt(settings)


@pytest.fixture(autouse=True)
def gguf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("UQ_TUI_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PYTHONPATH", str(FOLDER))
    file = tmp_path / "m.gguf"
    file.write_bytes(whole(ARCHITECTURE, TEMPLATE, number("llama.context_length", 100_000)))
    monkeypatch.setattr(weights, "usable_gguf", lambda name, settings: file)
    return file


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[Counting]:
    opened = Counting(tmp_path / "w.uq.sqlite")
    yield opened
    opened.close()


def provider(servers: LocalServers, sent: Gateways, context: int | None = CONTEXT) -> LocalProvider:
    return LocalProvider(ModelChoice("local/m"), ModelSettings(context=context, concurrency=3), servers, sent)


@pytest.mark.parametrize(("words", "fits"), [(CONTEXT - LEAST_REPLY, True), (CONTEXT - LEAST_REPLY + 1, False)])
async def test_a_prompt_must_leave_room_for_a_reply(servers: Counting, words: int, fits: bool) -> None:
    sent = Sent()
    asked = await prepare(provider(servers, sent), an_ask("w " * words, max_tokens=5000))
    if fits:
        assert (await provider(servers, sent).complete(asked, None)).reply == "Yes."
        return
    with pytest.raises(CallFailedError) as caught:
        await provider(servers, sent).complete(asked, None)
    assert (caught.value.kind, caught.value.retryable) == (CallErrorKind.CONTEXT_TOO_LONG, False)
    assert "has 953 tokens, and a slot of local/m holds 1,024," in str(caught.value)
    assert sent.messages == []


async def test_a_short_reply_needs_less_room(servers: Counting) -> None:
    sent = Sent()
    asked = await prepare(provider(servers, sent), an_ask("w " * (CONTEXT - 1), max_tokens=1))
    assert (await provider(servers, sent).complete(asked, None)).reply == "Yes."


async def test_what_fits_in_any_case_is_not_counted(servers: Counting, monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[Sequence[Message]] = []
    monkeypatch.setattr(LocalServer, "count_tokens", lambda server, messages: counted.append(messages))
    here, sent = provider(servers, Sent()), Sent()
    await here.complete(await prepare(here, an_ask("w " * 150)), None)
    assert counted == []
    await provider(servers, sent).complete(await prepare(here, an_ask("w " * 600)), None)
    assert len(counted) == len(sent.messages) == 1  # and what can't be counted is sent


async def test_slots_and_context_are_those_configured(servers: Counting) -> None:
    here = provider(servers, Sent())
    await here.complete(await prepare(here, an_ask()), None)
    usual = await prepare(provider(servers, Sent(), context=None), an_ask())
    assert [(used.slots, used.context) for used in servers.used] == [(3, CONTEXT)]
    assert usual.endpoint.endswith(f":{USUAL_CONTEXT}")


async def test_no_more_context_than_the_model_was_trained_with(servers: Counting) -> None:
    asked = await prepare(provider(servers, Sent(), context=200_000), an_ask())
    assert asked.endpoint.endswith(":100000")


@pytest.mark.parametrize(
    ("kind", "doubts"), [(CallErrorKind.CONNECTION, 1), (CallErrorKind.CUT_OFF, 1), (CallErrorKind.TIMEOUT, 0)]
)
async def test_a_server_that_was_not_reached_is_doubted(servers: Counting, kind: CallErrorKind, doubts: int) -> None:
    sent = Sent()
    sent.fails = kind
    here = provider(servers, sent)
    with pytest.raises(CallFailedError):
        await here.complete(await prepare(here, an_ask()), None)
    assert servers.doubts == doubts
