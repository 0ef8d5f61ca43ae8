"""Replies are streamed while somebody watches the run."""

import pytest

from tests.engine.process.fakes import Bench, ask, begun, failure, reply
from uq_tui.engine.calls.attention import LINGERS_S, Attention
from uq_tui.words import CallErrorKind


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_command_watches_nothing(clock: Clock) -> None:
    attention = Attention(audience=False, clock=clock)
    attention.began("r")
    attention.watch("key", ("r",))
    assert not attention.streams("r")


def test_a_run_is_watched_when_it_begins_and_while_somebody_looks(clock: Clock) -> None:
    attention = Attention(audience=True, clock=clock)
    attention.began("r")
    attention.began("other")
    assert attention.streams("r")
    clock.now = LINGERS_S
    assert not attention.streams("r")
    attention.watch("key", ("r",))
    clock.now = 1000.0
    assert attention.streams("r")
    assert not attention.streams("other")
    attention.unwatch("key")
    clock.now += LINGERS_S - 1
    assert attention.streams("r")
    clock.now += 2
    assert not attention.streams("r")


def test_a_run_that_has_ended_is_forgotten(clock: Clock) -> None:
    attention = Attention(audience=True, clock=clock)
    attention.began("r")
    attention.watch("key", ("r",))
    attention.ended("r")
    attention.unwatch("key")
    assert not attention.streams("r")


async def test_a_call_of_an_unwatched_run_is_not_streamed(desk: Bench) -> None:
    run = desk.run()
    await desk.caller.ask(run, [ask("a")])
    desk.attention.ended(run.meter.run_id)
    await desk.caller.ask(run, [ask("b")])

    assert desk.provider.streamed == [True, False]


async def test_a_run_is_streamed_again_when_a_call_of_it_is_watched(desk: Bench) -> None:
    run = desk.run()
    desk.attention.ended(run.meter.run_id)
    desk.provider.hold("a")
    first = begun(desk.caller.ask(run, [ask("a")]))
    await desk.provider.until_sent("a")
    (key,) = desk.caller._flights
    desk.caller.watch(key)
    await desk.caller.ask(run, [ask("b")])
    desk.provider.release()
    await first

    assert desk.provider.streamed == [False, True]


async def test_a_reply_that_did_not_come_whole_is_streamed_next(desk: Bench) -> None:
    run = desk.run()
    desk.attention.ended(run.meter.run_id)
    kinds = [CallErrorKind.SERVER, CallErrorKind.TIMEOUT]
    desk.provider.script = lambda text, attempt: failure(kinds[attempt - 1]) if attempt < 3 else reply(text)

    await desk.caller.ask(run, [ask("a")])

    assert desk.provider.streamed == [False, False, True]
