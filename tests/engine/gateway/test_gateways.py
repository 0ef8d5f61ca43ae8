"""The pool of gateway processes, with real processes that know no LiteLLM."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from store.run_rows import Message
from tests.engine.gateway.asking import Heard
from tests.fakes.gateway_stub import LONG, NO_SUCH
from uq_tui.config import ModelSettings
from uq_tui.engine.gateways import gateway
from uq_tui.engine.gateways.pool import BUSY, MOST_DEATHS, Gateways
from uq_tui.engine.gateways.protocol import HostedModel
from uq_tui.engine.gateways.sending import Target, Timeouts
from uq_tui.engine.requests import ModelChoice
from uq_tui.engine.spec import CallFailedError, OnText, Price, Reply
from uq_tui.errors import ModelError
from uq_tui.words import CallErrorKind

TARGET = Target("openai", "m", "http://127.0.0.1:9/v1", "http://127.0.0.1:9/v1", "sk-a-secret")


@pytest.fixture(autouse=True)
def stubs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def start(requests: int, answers: int) -> asyncio.subprocess.Process:
        command = (sys.executable, "-P", "-m", "tests.fakes.gateway_stub")
        return await asyncio.create_subprocess_exec(*command, stdin=requests, stdout=answers)

    monkeypatch.setattr(gateway, "start_process", start)
    monkeypatch.setenv("PYTHONPATH", os.getcwd())
    monkeypatch.setenv("UQ_TUI_HOME", str(tmp_path))


@pytest.fixture
async def pool() -> AsyncIterator[Gateways]:
    opened = Gateways(2)
    yield opened
    await opened.close()


async def ask(pool: Gateways, text: str, on_text: OnText | None = None) -> Reply:
    return await pool.send(TARGET, [Message("user", text)], {"seed": 1}, Timeouts(), on_text=on_text)


class Waiting:
    """A call that waits in its gateway process until it is cancelled."""

    def __init__(self, pool: Gateways, text: str = "wait") -> None:
        self.heard = Heard()
        self._begun = asyncio.Event()
        self.task = asyncio.create_task(ask(pool, text, self._hear))

    def _hear(self, reasoning: str, reply: str) -> None:
        self.heard(reasoning, reply)
        self._begun.set()

    async def begun(self) -> None:
        await asyncio.wait_for(self._begun.wait(), 30)

    async def cancel(self) -> None:
        self.task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await self.task


async def waiting(pool: Gateways, count: int) -> list[Waiting]:
    calls = [Waiting(pool) for _ in range(count)]
    await asyncio.gather(*(call.begun() for call in calls))
    return calls


async def test_one_process_serves_until_it_is_busy_then_another_is_started(pool: Gateways) -> None:
    first = (await ask(pool, "pid")).reply
    assert (await ask(pool, "pid")).reply == first
    calls = await waiting(pool, BUSY)
    pids = {first}
    while len(pids) == 1:
        pids.add((await ask(pool, "pid")).reply)
    for call in calls:
        await call.cancel()
    assert len({(await ask(pool, "pid")).reply for _ in range(5)} | pids) == 2


async def test_a_model_is_prepared_once_however_often_it_is_asked_for(pool: Gateways) -> None:
    model = HostedModel(ModelChoice("openai/m"), ModelSettings())
    found = await asyncio.gather(*(pool.prepare(model, {"seed": 0, "temperature": 1.0}) for _ in range(1000)))
    again = await pool.prepare(model, {"temperature": 1.0, "seed": 0})
    other = await pool.prepare(model, {"temperature": 0.5, "seed": 0})
    assert {one.price for one in (*found, again)} == {Price(1.0, 1.0)}
    assert other.price == Price(2.0, 1.0)
    assert again.dropped == ("seed",)


async def test_an_unusable_model_is_asked_about_again(pool: Gateways) -> None:
    model = HostedModel(ModelChoice(NO_SUCH), ModelSettings())
    for _ in range(2):
        with pytest.raises(ModelError) as caught:
            await pool.prepare(model, {})
        assert (caught.value.message, caught.value.hint) == ("No such model.", "Choose another.")


async def test_a_long_reply_comes_whole(pool: Gateways) -> None:
    assert (await ask(pool, "long")).reply == LONG


async def test_a_call_whose_process_ends_keeps_its_text_and_the_next_gets_a_new_process(pool: Gateways) -> None:
    before, heard = (await ask(pool, "pid")).reply, Heard()
    with pytest.raises(CallFailedError) as caught:
        await ask(pool, "tell and die", heard)
    assert (caught.value.kind, caught.value.retryable) == (CallErrorKind.CUT_OFF, True)
    assert "gateway.log" in str(caught.value)
    assert caught.value.partial is not None
    assert (caught.value.partial.reasoning, caught.value.partial.reply) == ("Hm. ", "It holds")
    assert heard.reply == "It holds"
    assert (await ask(pool, "pid")).reply != before


async def test_a_call_of_which_nothing_had_come_lost_its_connection(pool: Gateways) -> None:
    with pytest.raises(CallFailedError) as caught:
        await ask(pool, "die")
    assert (caught.value.kind, caught.value.partial) == (CallErrorKind.CONNECTION, None)


async def test_the_other_processs_calls_go_on(pool: Gateways) -> None:
    first = int((await ask(pool, "pid")).reply)
    calls = await waiting(pool, BUSY)
    second = first
    while second == first:
        second = int((await ask(pool, "pid")).reply)
    (doomed,) = await waiting(pool, 1)
    os.kill(second, signal.SIGKILL)
    with pytest.raises(CallFailedError) as caught:
        await doomed.task
    assert caught.value.kind is CallErrorKind.CUT_OFF
    assert not any(call.task.done() for call in calls)
    for call in calls:
        await call.cancel()


async def test_processes_that_end_again_and_again_are_left_off(pool: Gateways) -> None:
    for _ in range(MOST_DEATHS):
        with pytest.raises(CallFailedError):
            await ask(pool, "die")
    with pytest.raises(ModelError) as caught:
        await ask(pool, "pid")
    assert "ended 3 times" in caught.value.message
    assert "gateway.log" in caught.value.hint


async def test_preparing_is_tried_in_a_new_process_until_they_are_left_off(pool: Gateways) -> None:
    with pytest.raises(ModelError) as caught:
        await pool.prepare(HostedModel(ModelChoice("die early"), ModelSettings()), {})
    assert "ended 3 times" in caught.value.message


async def test_what_is_no_answer_ends_the_process(pool: Gateways) -> None:
    with pytest.raises(CallFailedError) as caught:
        await ask(pool, "babble")
    assert caught.value.kind is CallErrorKind.CONNECTION
    assert (await ask(pool, "pid")).reply


async def test_a_cancelled_call_is_given_up_and_others_go_on(pool: Gateways) -> None:
    first, second = await waiting(pool, 2)
    await first.cancel()
    assert first.heard.reply == "Wait. Enough."
    assert not second.task.done()
    await second.cancel()


async def test_cancelling_does_not_wait_long_for_a_process_that_hangs(
    pool: Gateways, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gateway, "_CANCEL_PATIENCE_S", 0.05)
    monkeypatch.setattr(gateway, "_STOP_PATIENCE_S", 0.05)
    call = Waiting(pool, "deaf")
    await call.begun()
    await call.cancel()


async def test_closing_ends_all_processes_and_what_they_work_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway, "_STOP_PATIENCE_S", 0.5)
    pool = Gateways(1)
    pid = int((await ask(pool, "pid")).reply)
    call = Waiting(pool, "deaf")
    await call.begun()
    await pool.close()
    with pytest.raises(CallFailedError):
        await call.task
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    with pytest.raises(ModelError):
        await ask(pool, "pid")


async def test_closing_while_the_first_process_is_started_leaves_none() -> None:
    pool = Gateways(1)
    warming = asyncio.create_task(pool.warm_up())
    await asyncio.sleep(0)
    await pool.close()
    await asyncio.wait({warming})
    assert isinstance(warming.exception(), ModelError | None)
    with pytest.raises(ModelError):
        await ask(pool, "pid")


async def test_a_process_that_cannot_be_started_is_told(pool: Gateways, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(ModelError) as caught:
        await pool.warm_up()
    assert "cannot be started" in caught.value.message


def test_no_key_is_shown() -> None:
    assert "secret" not in repr(TARGET)
