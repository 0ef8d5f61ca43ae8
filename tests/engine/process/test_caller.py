from pathlib import Path

import pytest

from store import calls, runs
from tests.engine.process.fakes import UNUSABLE, Bench, ask, begun, bench, failure, new_run, reply
from uq_tui.engine.calls.retries import MAX_FAILURES, PATIENCE_S
from uq_tui.engine.protocol import CallFinished, CallRetrying, CallStarted, Event
from uq_tui.engine.spec import Reply
from uq_tui.errors import ModelError
from uq_tui.words import CallErrorKind, CallState


async def test_calls_come_in_the_order_of_the_asks(desk: Bench) -> None:
    desk.provider.hold("a")

    task = begun(desk.caller.ask(desk.run(), [ask("a"), ask("b"), ask("c")]))
    await desk.provider.until_sent("a", "b", "c")
    desk.provider.release()

    assert [call.reply for call in await task] == ["A", "B", "C"]


async def test_no_asks_no_calls(desk: Bench) -> None:
    assert await desk.caller.ask(desk.run(), []) == ()
    assert desk.events == []


async def test_a_call_keeps_all_that_was_sent_and_returned(desk: Bench) -> None:
    run = desk.run(epoch=2)

    (call,) = await desk.caller.ask(run, [ask("a", sample=3)])

    stored = calls.get(desk.ws, call.key)
    assert stored == call
    assert call.model == "fake/one"
    assert call.messages[0].content == "a"
    assert call.parameters == {"temperature": 0.5}
    assert call.dropped == ("seed",)
    assert (call.epoch, call.sample, call.template) == (2, 3, "test")
    assert (call.reply, call.reasoning, call.finish_reason) == ("A", "about A", "stop")
    assert (call.tokens_in, call.tokens_out, call.cost_usd) == (3, 5, 0.25)
    assert (call.state, call.error_kind, call.error, call.attempts) == (CallState.DONE, None, "", 1)
    assert call.run_id == run.meter.run_id
    assert call.latency_s is not None
    assert call.latency_s >= 0


async def test_a_call_is_committed_before_its_end_is_told(tmp_path: Path) -> None:
    committed: list[str] = []

    def look(desk: Bench, event: Event) -> None:
        if isinstance(event, CallFinished):
            stored = calls.get(desk.ws, event.call_key)
            committed.append(stored.state.value if stored is not None else "missing")

    desk = bench(tmp_path, on_event=look)
    desk.provider.script = lambda text, attempt: failure(retryable=False) if text == "b" else reply(text)

    await desk.caller.ask(desk.run(), [ask("a"), ask("b")])

    assert sorted(committed) == ["done", "failed"]
    await desk.close()


async def test_events_name_the_unit(desk: Bench) -> None:
    run = desk.run()

    (call,) = await desk.caller.ask(run, [ask("a", candidate_id="c1", path="stage/1")])

    assert desk.seen(CallStarted) == [CallStarted(run.meter.run_id, call.key, "c1", "stage/1", "fake/one")]
    assert desk.seen(CallFinished) == [
        CallFinished(
            run.meter.run_id,
            call.key,
            "c1",
            "stage/1",
            CallState.DONE,
            None,
            "",
            remembered=False,
            tokens_in=call.tokens_in,
            tokens_out=call.tokens_out,
            cost_usd=call.cost_usd,
        )
    ]
    assert (call.tokens_in, call.tokens_out, call.cost_usd) == (3, 5, 0.25)


async def test_a_stored_call_is_not_sent_again(desk: Bench) -> None:
    first = await desk.caller.ask(desk.run(), [ask("a")])
    desk.events.clear()

    second = await desk.caller.ask(desk.run(), [ask("a"), ask("b")])

    assert desk.provider.sent == ["a", "b"]
    assert second[0] == first[0]
    assert [(e.call_key, e.remembered) for e in desk.seen(CallFinished)] == [
        (first[0].key, True),
        (second[1].key, False),
    ]
    assert [e.call_key for e in desk.seen(CallStarted)] == [second[1].key]


async def test_another_epoch_or_sample_is_another_call(desk: Bench) -> None:
    await desk.caller.ask(desk.run(), [ask("a"), ask("a", sample=1)])
    await desk.caller.ask(desk.run(epoch=1), [ask("a")])

    assert desk.provider.sent == ["a", "a", "a"]


async def test_a_failed_call_is_sent_again(desk: Bench) -> None:
    desk.provider.script = lambda text, attempt: failure(retryable=False) if attempt == 1 else reply(text)

    (first,) = await desk.caller.ask(desk.run(), [ask("a")])
    (second,) = await desk.caller.ask(desk.run(), [ask("a")])

    assert first.key == second.key
    assert (first.state, second.state) == (CallState.FAILED, CallState.DONE)
    assert desk.provider.sent == ["a", "a"]


async def test_equal_asks_of_a_batch_are_one_call(desk: Bench) -> None:
    one, other = await desk.caller.ask(desk.run(), [ask("a", candidate_id="c1"), ask("a", candidate_id="c2")])

    assert one == other
    assert desk.provider.sent == ["a"]
    assert [e.candidate_id for e in desk.seen(CallStarted)] == ["c1", "c2"]
    assert [e.candidate_id for e in desk.seen(CallFinished)] == ["c1", "c2"]


async def test_a_failure_is_retried_until_it_succeeds(desk: Bench) -> None:
    desk.provider.script = lambda text, attempt: failure() if attempt < 3 else reply(text)

    (call,) = await desk.caller.ask(desk.run(), [ask("a")])

    assert (call.state, call.reply, call.attempts) == (CallState.DONE, "a", 3)
    assert desk.waits == [1.0, 2.0]


async def test_a_call_is_given_up_when_the_model_answers_others(desk: Bench) -> None:
    run = desk.run()

    def script(text: str, attempt: int) -> Reply | Exception:
        return failure(message=f"down {attempt}") if text == "bad" else reply(text)

    desk.provider.script = script
    desk.before_attempt = lambda: desk.caller.ask(desk.run(epoch=len(desk.waits) + 1), [ask("good")])

    (call,) = await desk.caller.ask(run, [ask("bad")])

    assert (call.state, call.error_kind, call.error) == (CallState.FAILED, CallErrorKind.SERVER, "down 5")
    assert call.attempts == MAX_FAILURES + 1, "when the first failed, the model had answered nobody yet"
    assert desk.waits == [1.0, 2.0, 4.0, 8.0]
    assert calls.get(desk.ws, call.key) == call


async def test_a_long_outage_loses_nothing(desk: Bench) -> None:
    failures = iter(range(300))
    desk.provider.script = lambda text, attempt: reply(text) if next(failures, None) is None else failure()
    run = desk.run()

    found = await desk.caller.ask(run, [ask(f"q{n}") for n in range(200)])

    assert all(call.state is CallState.DONE for call in found)
    assert len(desk.provider.sent) == 500
    assert run.meter.retries == {CallErrorKind.SERVER: 300}
    assert sum(call.attempts for call in found) == 500


async def test_an_outage_without_end_fails_the_call(desk: Bench) -> None:
    desk.provider.script = lambda text, attempt: failure(message="down")

    (call,) = await desk.caller.ask(desk.run(), [ask("a")])

    assert (call.state, call.error) == (CallState.FAILED, "down")
    assert PATIENCE_S < sum(desk.waits) < PATIENCE_S + 20


async def test_retries_are_told_and_counted(desk: Bench) -> None:
    desk.provider.script = lambda text, attempt: failure(message="down") if attempt < 3 else reply(text)
    run = desk.run()

    (call,) = await desk.caller.ask(run, [ask("a", candidate_id="c1", path="p")])
    await run.meter.close()

    told = [(e.call_key, e.candidate_id, e.path, e.error, e.attempts, e.delay_s) for e in desk.seen(CallRetrying)]
    assert told == [(call.key, "c1", "p", "down", 1, 1.0), (call.key, "c1", "p", "down", 2, 2.0)]
    assert runs.get(desk.ws, run.meter.run_id).retried == 2


async def test_what_retrying_cannot_mend_is_not_retried(desk: Bench) -> None:
    desk.provider.script = lambda text, attempt: failure(CallErrorKind.AUTH, "wrong key", retryable=False)

    (call,) = await desk.caller.ask(desk.run(), [ask("a")])

    assert (call.error_kind, call.error, call.attempts) == (CallErrorKind.AUTH, "wrong key", 1)
    assert desk.waits == []


async def test_text_that_came_before_a_failure_is_kept(desk: Bench) -> None:
    partial = reply("half an ans")
    desk.provider.script = lambda text, attempt: failure(retryable=False, partial=partial)

    (call,) = await desk.caller.ask(desk.run(), [ask("a")])

    assert (call.reply, call.reasoning, call.tokens_out) == ("half an ans", "about half an ans", 5)
    assert calls.get(desk.ws, call.key) == call


async def test_live_text_stands_in_for_a_missing_partial(desk: Bench) -> None:
    desk.provider.hold("abcd")
    desk.provider.script = lambda text, attempt: failure(retryable=False)

    task = begun(desk.caller.ask(desk.run(), [ask("abcd")]))
    await desk.provider.until_sent("abcd")
    desk.provider.release()
    (call,) = await task

    assert (call.reasoning, call.reply) == ("thinking", "ab")


async def test_a_servers_retry_after_is_honoured(desk: Bench) -> None:
    desk.provider.script = lambda text, attempt: failure(retry_after_s=7.0) if attempt == 1 else reply(text)

    await desk.caller.ask(desk.run(), [ask("a")])

    assert desk.waits == [8.0]


async def test_an_unusable_model_fails_the_batch_before_anything_is_sent(desk: Bench) -> None:
    run = desk.run()

    with pytest.raises(ModelError, match="No key"):
        await desk.caller.ask(run, [ask("a"), ask("b", model=UNUSABLE)])

    assert desk.provider.sent == []
    assert desk.events == []


async def test_a_fault_of_ours_is_raised_and_closes_the_rest(desk: Bench) -> None:
    desk.provider.hold("b")
    desk.provider.script = lambda text, attempt: RuntimeError("a fault")

    with pytest.raises(RuntimeError, match="a fault"):
        await desk.caller.ask(desk.run(), [ask("a"), ask("b"), ask("c")])

    assert desk.provider.closed == ["b"]
    assert desk.caller._flights == {}


async def test_a_resumed_run_counts_its_own_calls_as_asked(desk: Bench) -> None:
    await desk.caller.ask(desk.run(), [ask("of another run")])
    row = new_run(desk.ws)
    before = desk.resumed(row)
    await desk.caller.ask(before, [ask("a"), ask("b"), ask("of another run")])
    await before.meter.close()

    after = desk.resumed(runs.get(desk.ws, row.id))
    await desk.caller.ask(after, [ask("a"), ask("b"), ask("of another run")])
    await desk.caller.ask(after, [ask("a"), ask("c")])
    await after.meter.close()

    found = runs.get(desk.ws, row.id)
    assert (found.asked, found.remembered, found.cost_usd) == (3, 1, 0.75)


async def test_counts_lost_in_a_kill_come_back(desk: Bench) -> None:
    row = new_run(desk.ws)
    killed = desk.resumed(row, interval_s=3600.0)
    await desk.caller.ask(killed, [ask("a"), ask("b")])
    killed.meter.abandon()

    after = desk.resumed(runs.get(desk.ws, row.id))
    await desk.caller.ask(after, [ask("a"), ask("b")])
    await after.meter.close()

    assert runs.get(desk.ws, row.id).cost_usd == 0.5
    assert desk.provider.sent == ["a", "b"]
