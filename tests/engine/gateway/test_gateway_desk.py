"""How a gateway process answers, where nothing goes as it should."""

import asyncio
import logging
import math
from typing import Any, cast

import pytest

from tests.engine.gateway.asking import Heard, an_ask, answer
from tests.fakes.openai_server import FakeServer, Rule
from uq_tui.config import ModelSettings
from uq_tui.engine.calls.hosted_provider import HostedProvider
from uq_tui.engine.gateways import process as gateway_process
from uq_tui.engine.gateways.pool import Gateways
from uq_tui.engine.gateways.process import BACKLOG_BYTES, Telling
from uq_tui.engine.gateways.protocol import CODEC, Text
from uq_tui.engine.requests import ModelChoice
from uq_tui.engine.spec import CallFailedError, OnText, Reply
from uq_tui.words import CallErrorKind

KEY = "sk-planted-3f9a"


def provider(gateways: Gateways, server: FakeServer) -> HostedProvider:
    return HostedProvider(ModelChoice("openai/m", server.base_url), ModelSettings(), gateways)


async def test_an_unexpected_error_fails_its_own_call_and_keeps_the_text(
    gateways: Gateways, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def break_down(*_: Any, on_text: OnText | None, **__: Any) -> Reply:
        if on_text is not None:
            on_text("Hm. ", "It ho")
        raise KeyError(f"no such field, {KEY}")

    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with FakeServer([Rule(reply="It holds.")]) as server:
        with monkeypatch.context() as patch:
            patch.setattr(gateway_process, "send", break_down)
            with pytest.raises(CallFailedError) as caught:
                await answer(provider(gateways, server), an_ask())
        assert (await answer(provider(gateways, server), an_ask())).reply == "It holds."
    error = caught.value
    assert (error.kind, error.retryable) == (CallErrorKind.MALFORMED, False)
    assert "KeyError" in str(error)
    assert error.partial is not None
    assert (error.partial.reasoning, error.partial.reply) == ("Hm. ", "It ho")
    (told,) = [record.getMessage() for record in caplog.records if record.levelno == logging.ERROR]
    assert "break_down" in told
    assert KEY not in told


async def test_a_reply_that_no_line_can_hold_is_a_failure(gateways: Gateways, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway_process, "LONGEST_LINE", 1000)
    with FakeServer([Rule(reply="word " * 400)]) as server, pytest.raises(CallFailedError) as caught:
        await answer(provider(gateways, server), an_ask())
    assert "too long" in str(caught.value)


@pytest.mark.parametrize(
    "reply",
    [
        Reply("ok", "", "stop", tokens_in=1, tokens_out=2, cost_usd=math.inf),
        Reply("ok", "", "stop", tokens_in=cast(int, 1.5), tokens_out=2, cost_usd=None),
        Reply("ok", "", cast(str, object()), tokens_in=1, tokens_out=2, cost_usd=None),
    ],
)
async def test_a_reply_of_the_wrong_shape_fails_its_own_call(
    reply: Reply, gateways: Gateways, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def answer_so(*_: Any, **__: Any) -> Reply:
        return reply

    monkeypatch.setattr(gateway_process, "send", answer_so)
    with FakeServer([]) as server, pytest.raises(CallFailedError) as caught:
        await answer(provider(gateways, server), an_ask())
    assert "wrong kind" in str(caught.value)
    assert len(gateways.pids) == 1


class _Pipe(asyncio.WriteTransport):
    """A pipe that the engine reads when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.unread = 0
        self.asked = asyncio.Event()
        self.written: list[Text] = []

    def get_write_buffer_size(self) -> int:
        self.asked.set()
        return self.unread

    def write(self, data: Any) -> None:
        self.written.append(CODEC.decode(bytes(data)))


async def test_text_waits_while_the_engine_does_not_read() -> None:
    pipe = _Pipe()
    pipe.unread = BACKLOG_BYTES + 1
    telling, heard = Telling(7, pipe), Heard()
    telling.hear("", "It ")
    await asyncio.wait_for(pipe.asked.wait(), 10)
    telling.hear("", "holds")
    assert pipe.written == []
    pipe.unread = 0
    pipe.asked.clear()
    await asyncio.wait_for(pipe.asked.wait(), 10)
    telling.hear("", ".")
    telling.finish()
    for text in pipe.written:
        heard(text.reasoning, text.reply)
    assert [reply for _, reply in heard.pieces] == ["It holds", "."]
    assert {text.n for text in pipe.written} == {7}
