"""Calls that several runs want, calls that are stopped, turns at a model, and budgets."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store import calls, marks, runs
from tests.engine.process.fakes import Bench, ask, begun, bench, failure, reply, until
from uq_tui.engine.calls.turns import Limits
from uq_tui.engine.protocol import CallFinished, CallStarted
from uq_tui.words import CallErrorKind, CallState


async def cancelled(task: asyncio.Task[Any]) -> None:
    """Cancel a task and wait for its end."""
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_two_runs_that_ask_the_same_pay_once(desk: Bench) -> None:
    desk.provider.hold("a")
    first, second = desk.run(), desk.run()

    one = begun(desk.caller.ask(first, [ask("a")]))
    await desk.provider.until_sent("a")
    other = begun(desk.caller.ask(second, [ask("a"), ask("b")]))
    await desk.provider.until_sent("b")
    desk.provider.release()
    replies = [*await one, *await other]
    await first.meter.close()
    await second.meter.close()

    assert desk.provider.sent == ["a", "b"]
    assert replies[0] == replies[1]
    paid, shared = runs.get(desk.ws, first.meter.run_id), runs.get(desk.ws, second.meter.run_id)
    assert (paid.asked, paid.remembered, paid.cost_usd) == (1, 0, 0.25)
    assert (shared.asked, shared.remembered, shared.cost_usd) == (1, 1, 0.25)
    started = [(e.run_id, e.call_key) for e in desk.seen(CallStarted)]
    ended = [(e.run_id, e.call_key) for e in desk.seen(CallFinished)]
    assert sorted(started) == sorted(ended)
    assert len(started) == 3
    assert [(e.run_id, e.call_key) for e in desk.seen(CallFinished) if e.remembered] == [
        (second.meter.run_id, replies[0].key)
    ]


async def test_a_shared_call_outlives_the_run_that_sent_it(desk: Bench) -> None:
    desk.provider.hold("a")
    first, second = desk.run(), desk.run()
    one = begun(desk.caller.ask(first, [ask("a")]))
    await desk.provider.until_sent("a")
    other = begun(desk.caller.ask(second, [ask("a"), ask("b")]))
    await desk.provider.until_sent("b")

    await cancelled(one)
    desk.provider.release()
    (call, _) = await other
    await second.meter.close()

    assert call.state is CallState.DONE
    assert desk.provider.closed == []
    assert [e.run_id for e in desk.seen(CallFinished) if e.call_key == call.key] == [second.meter.run_id]
    assert runs.get(desk.ws, second.meter.run_id).asked == 2


async def test_cancelling_closes_streams_and_keeps_what_had_come(desk: Bench) -> None:
    desk.provider.hold("abcd")
    run = desk.run()
    task = begun(desk.caller.ask(run, [ask("abcd")]))
    await desk.provider.until_sent("abcd")

    await cancelled(task)

    assert desk.provider.closed == ["abcd"]
    (event,) = desk.seen(CallFinished)
    assert (event.state, event.error_kind) == (CallState.FAILED, CallErrorKind.CANCELLED)
    stored = calls.get(desk.ws, event.call_key)
    assert stored is not None
    assert (stored.state, stored.reasoning, stored.reply) == (CallState.FAILED, "thinking", "ab")
    assert marks.count_left(desk.ws, run.meter.run_id) == 1


async def test_cancelling_twice_does_not_cut_the_closing_short(desk: Bench) -> None:
    desk.provider.hold("abcd")
    task = begun(desk.caller.ask(desk.run(), [ask("abcd")]))
    await desk.provider.until_sent("abcd")

    task.cancel()
    await asyncio.sleep(0)
    await cancelled(task)

    (event,) = desk.seen(CallFinished)
    assert calls.get(desk.ws, event.call_key) is not None


@contextmanager
def a_slow_disk(desk: Bench) -> Iterator[None]:
    """Nothing is written meanwhile."""
    ends = threading.Event()
    desk.ws.submit(lambda conn: ends.wait(20.0))
    try:
        yield
    finally:
        ends.set()


async def test_a_call_can_be_asked_again_while_it_is_being_closed(desk: Bench) -> None:
    desk.provider.hold("abcd")
    one, other = desk.run(), desk.run()
    first = begun(desk.caller.ask(one, [ask("abcd")]))
    await desk.provider.until_sent("abcd")

    with a_slow_disk(desk):
        first.cancel()
        await until(lambda: desk.provider.closed)
        second = begun(desk.caller.ask(other, [ask("abcd")]))
        await until(lambda: desk.caller._flights)
    desk.provider.release()
    (call,) = await second

    assert (call.state, call.reply, desk.provider.sent) == (CallState.DONE, "ABCD", ["abcd", "abcd"])
    stored = calls.get(desk.ws, call.key)
    assert stored is not None
    assert (stored.state, stored.attempts) == (CallState.DONE, 2)
    assert first.cancelled()
    assert desk.caller._closing == {}


async def test_a_reply_that_is_being_stored_is_not_asked_for_again(desk: Bench) -> None:
    desk.provider.hold("a")
    one, other = desk.run(), desk.run()
    first = begun(desk.caller.ask(one, [ask("a")]))
    await desk.provider.until_sent("a")

    with a_slow_disk(desk):
        desk.provider.release()
        await until(lambda: all(flight.landed for flight, _ in desk.caller._flights.values()))
        first.cancel()
        await asyncio.sleep(0)
        second = begun(desk.caller.ask(other, [ask("a")]))
        await until(lambda: any(len(flight.run_ids) == 2 for flight, _ in desk.caller._flights.values()))
    (call,) = await second

    assert (call.state, desk.provider.sent) == (CallState.DONE, ["a"])


async def test_cancelling_keeps_calls_that_are_done(desk: Bench) -> None:
    desk.provider.hold("b")
    task = begun(desk.caller.ask(desk.run(), [ask("a"), ask("b")]))
    await desk.provider.until_sent("b")
    await until(lambda: desk.seen(CallFinished))

    await cancelled(task)
    desk.provider.release()
    again = await desk.caller.ask(desk.run(), [ask("a"), ask("b")])

    assert desk.provider.sent == ["a", "b", "b"]
    assert [call.reply for call in again] == ["A", "B"]


async def test_calls_that_never_had_their_turn_leave_nothing(tmp_path: Path) -> None:
    desk = bench(tmp_path, limits={"fake/one": Limits(1)})
    desk.provider.hold("a")
    run = desk.run()
    task = begun(desk.caller.ask(run, [ask("a"), ask("b"), ask("c")]))
    await desk.provider.until_sent("a")

    await cancelled(task)

    assert desk.provider.sent == ["a"]
    assert len(desk.seen(CallStarted)) == len(desk.seen(CallFinished)) == 1
    await desk.close()


async def test_only_calls_in_flight_are_marked_as_asked(tmp_path: Path) -> None:
    desk = bench(tmp_path, limits={"fake/one": Limits(3)})
    desk.provider.hold("b", "c", "d")
    run = desk.run()
    task = begun(desk.caller.ask(run, [ask(text) for text in "abcdefgh"]))
    await desk.provider.until_sent("a", "b", "c", "d")

    assert marks.count_left(desk.ws, run.meter.run_id) == 3

    await cancelled(task)
    await desk.close()


async def test_a_model_takes_no_more_calls_at_once_than_its_limit(tmp_path: Path) -> None:
    desk = bench(tmp_path, limits={"fake/one": Limits(2), "fake/two": Limits(3)})

    batches = [desk.caller.ask(desk.run(), [ask(f"{n}{text}") for text in "abcdef"]) for n in range(3)]
    await asyncio.gather(*batches)

    assert desk.provider.most_in_flight == 2
    await desk.close()


async def test_a_long_run_does_not_keep_a_short_one_waiting(tmp_path: Path) -> None:
    desk = bench(tmp_path, limits={"fake/one": Limits(2)})
    desk.provider.hold("long 0", "long 1")
    long = begun(desk.caller.ask(desk.run(), [ask(f"long {n}") for n in range(50)]))
    await desk.provider.until_sent("long 0", "long 1")
    short = begun(desk.caller.ask(desk.run(), [ask("short")]))
    await until(lambda: len(desk.caller._flights) == 51)
    await asyncio.sleep(0)

    desk.provider.release()
    await short
    await long

    assert desk.provider.sent.index("short") <= 6
    await desk.close()


@settings(max_examples=15)
@given(
    batches=st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=8), min_size=1, max_size=4),
    failing=st.sets(st.sampled_from("abcdefgh")),
    limit=st.integers(1, 4),
)
def test_runs_at_once_get_their_answers_and_ask_nothing_twice(
    batches: list[list[str]], failing: set[str], limit: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    async def all_at_once() -> None:
        desk = bench(tmp_path_factory.mktemp("bench"), limits={"fake/one": Limits(limit)})
        desk.provider.script = lambda text, attempt: failure(retryable=False) if text in failing else reply(text)

        found = await asyncio.gather(*(desk.caller.ask(desk.run(), [ask(t) for t in batch]) for batch in batches))

        for batch, answered in zip(batches, found, strict=True):
            assert [call.messages[0].content for call in answered] == batch
            assert [call.state is CallState.FAILED for call in answered] == [text in failing for text in batch]
        sent_once = [text for text in desk.provider.sent if text not in failing]
        assert len(sent_once) == len(set(sent_once))
        assert desk.provider.most_in_flight <= limit
        assert desk.caller._flights == {}
        await desk.close()

    asyncio.run(all_at_once())
