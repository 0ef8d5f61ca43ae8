"""The gateway process itself, with LiteLLM and HTTP on loopback."""

import asyncio
import os
import signal
import stat
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from store.run_rows import Message
from tests.engine.gateway.asking import Heard
from tests.fakes.openai_server import FakeServer, Rule, SeenRequest
from uq_tui.config import ModelSettings
from uq_tui.engine.gateways.llm import NO_KEY
from uq_tui.engine.gateways.pool import Gateways
from uq_tui.engine.gateways.protocol import HostedModel
from uq_tui.engine.gateways.sending import SAMPLE_HEADER, Target, Timeouts
from uq_tui.engine.requests import ModelChoice
from uq_tui.engine.spec import CallFailedError, OnText, Reply
from uq_tui.words import CallErrorKind

pytestmark = pytest.mark.asyncio(loop_scope="module")

KEY = "sk-planted-in-the-environment"
LOCAL_KEY = "sk-planted-in-a-target"
ENVIRONMENT = {
    "MY_KEY": KEY,
    "OPENAI_API_KEY": "sk-planted-for-openai",
    "OPENAI_ORG_ID": "org-1",
    "OPENAI_ORGANIZATION": "org-2",
    "OPENAI_PROJECT_ID": "project-1",
    "OPENAI_CUSTOM_HEADERS": "x-of-mine: mine",
}
COORDINATOR = """
import asyncio, sys
from store.run_rows import Message
from uq_tui.engine.gateways.pool import Gateways
from uq_tui.engine.gateways.sending import Target, Timeouts
async def main():
    target = Target("openai", "m", sys.argv[1], sys.argv[1], "none")
    await Gateways(1).send(target, [Message("user", "Go on.")], {}, Timeouts(), on_text=lambda *_: None)
asyncio.run(main())
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.endswith(("_API_KEY", "_API_BASE", "_BASE_URL"))]:
            patch.delenv(name)
        for name, value in {**ENVIRONMENT, "UQ_TUI_HOME": str(folder), "PYTHONPATH": os.getcwd()}.items():
            patch.setenv(name, value)
        yield folder


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pool(home: Path) -> AsyncIterator[Gateways]:
    opened = Gateways(1)
    yield opened
    await opened.close()


async def ask(
    pool: Gateways,
    server: FakeServer,
    *,
    key: str = "",
    sample: int = 0,
    on_text: OnText | None = None,
    timeouts: Timeouts | None = None,
) -> Reply:
    model = HostedModel(ModelChoice("openai/m"), ModelSettings(api_base=server.base_url, api_key_env=key))
    messages, parameters = [Message("user", "Is it so?")], {"temperature": 0.5}
    return await pool.send(model, messages, parameters, timeouts or Timeouts(), on_text=on_text, sample=sample)


def gateway_pid(pool: Gateways) -> int:
    (pid,) = pool.pids
    return pid


async def seen(server: FakeServer, condition: Callable[[list[SeenRequest]], bool]) -> bool:
    return await asyncio.to_thread(server.wait_until, condition, 120.0)  # LiteLLM may have to be imported first


async def test_a_reply_comes_as_a_stream_or_whole(pool: Gateways) -> None:
    heard = Heard()
    with FakeServer([Rule(reply="It holds for all n.", reasoning="Suppose not.")]) as server:
        streamed = await ask(pool, server, on_text=heard, sample=7)
        whole = await ask(pool, server)
        assert [bool(request.body.get("stream")) for request in server.requests] == [True, False]
        assert [request.headers[SAMPLE_HEADER] for request in server.requests] == ["7", "0"]
        assert {request.body["temperature"] for request in server.requests} == {0.5}
    assert streamed == whole
    assert (whole.reply, whole.reasoning, whole.finish_reason) == ("It holds for all n.", "Suppose not.", "stop")
    assert (heard.reply, heard.reasoning) == (whole.reply, whole.reasoning)


async def test_text_is_told_in_pieces_that_were_gathered(pool: Gateways) -> None:
    heard = Heard()
    with FakeServer([Rule(reply="word " * 400, tokens_per_second=800)]) as server:
        await ask(pool, server, on_text=heard)
    assert heard.reply == "word " * 400
    assert 2 <= len(heard.pieces) <= 100


async def test_keys_go_to_their_address_and_an_account_to_none_but_its_own(pool: Gateways) -> None:
    with FakeServer([Rule(reply="ok")]) as own, FakeServer([Rule(reply="ok")]) as other:
        await ask(pool, own, key="MY_KEY")
        settings = ModelSettings(api_base=own.base_url, api_key_env="MY_KEY")
        elsewhere = HostedModel(ModelChoice("openai/m", other.base_url), settings)
        await pool.send(elsewhere, [Message("user", "Hm?")], {}, Timeouts(), on_text=None)
        local = Target("openai", "m", other.base_url, other.base_url, LOCAL_KEY)
        await pool.send(local, [Message("user", "Hm?")], {}, Timeouts(), on_text=None)
        assert [request.had_key(KEY) for request in own.requests] == [True]
        assert [request.had_key(key) for request, key in zip(other.requests, (NO_KEY, LOCAL_KEY), strict=True)] == [
            True,
            True,
        ]
        sent = {name for request in (*own.requests, *other.requests) for name in request.headers}
    assert not sent & {"openai-organization", "openai-project", "x-of-mine"}


async def test_a_key_that_was_refused_is_looked_up_again_and_never_repeated(pool: Gateways) -> None:
    with FakeServer([Rule(status=401, error=f"wrong key {KEY}", fail_times=1, reply="ok")]) as server:
        with pytest.raises(CallFailedError) as caught:
            await ask(pool, server, key="MY_KEY")
        assert (caught.value.kind, str(caught.value)) == (CallErrorKind.AUTH, "wrong key [key]")
        assert (await ask(pool, server, key="MY_KEY")).reply == "ok"


async def test_a_failure_carries_all_that_is_known(pool: Gateways) -> None:
    limited, stalling = Rule(status=429, error="slow down", retry_after="7"), Rule(reply="It holds.", stall_after=2)
    with FakeServer([limited]) as server, pytest.raises(CallFailedError) as caught:
        await ask(pool, server)
    error = caught.value
    assert (error.kind, error.retryable, error.retry_after_s) == (CallErrorKind.RATE_LIMITED, True, 7.0)
    with FakeServer([stalling]) as server, pytest.raises(CallFailedError) as caught:
        await ask(pool, server, on_text=Heard(), timeouts=Timeouts(idle_s=0.2))
    assert caught.value.kind is CallErrorKind.TIMEOUT
    assert caught.value.partial is not None
    assert caught.value.partial.reply == "It"


async def test_cancelling_closes_the_connection_and_leaves_the_others(pool: Gateways) -> None:
    with FakeServer([Rule(reply="It holds for all n.", stall_after=2)]) as server:
        calls = [asyncio.create_task(ask(pool, server, on_text=Heard(), sample=n)) for n in range(2)]
        assert await seen(server, lambda requests: [one.chunks_sent for one in requests] == [2, 2])
        calls[0].cancel()
        with pytest.raises(asyncio.CancelledError):
            await calls[0]
        assert await seen(server, lambda requests: sum(one.disconnected for one in requests) == 1)
        server.release()
        assert (await calls[1]).reply == "It holds for all n."


async def test_it_steps_back_and_its_log_is_the_users_alone(pool: Gateways, home: Path) -> None:
    with FakeServer([Rule(reply="ok")]) as server:
        await ask(pool, server)
    assert os.getpriority(os.PRIO_PROCESS, gateway_pid(pool)) == 10
    assert stat.S_IMODE((home / "log" / "gateway.log").stat().st_mode) == 0o600


async def test_ctrl_c_is_not_for_it(pool: Gateways) -> None:
    os.kill(gateway_pid(pool), signal.SIGINT)
    with FakeServer([Rule(reply="ok")]) as server:
        assert (await ask(pool, server)).reply == "ok"


async def test_nothing_is_logged_of_keys(pool: Gateways, home: Path) -> None:
    written = "".join(file.read_text() for file in home.rglob("*") if file.is_file())
    for key in (KEY, LOCAL_KEY, ENVIRONMENT["OPENAI_API_KEY"]):
        assert key not in written


async def test_a_killed_engine_leaves_no_process_and_no_request(home: Path) -> None:
    with FakeServer([Rule(reply="It holds for all n.", stall_after=2)]) as server:
        engine = await asyncio.create_subprocess_exec(sys.executable, "-P", "-c", COORDINATOR, server.base_url)
        assert await seen(server, lambda requests: bool(requests) and requests[0].chunks_sent == 2)
        engine.kill()
        await engine.wait()
        assert await seen(server, lambda requests: requests[0].disconnected)
