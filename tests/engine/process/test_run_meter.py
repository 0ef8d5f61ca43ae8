from dataclasses import replace

import pytest

from store import calls, runs
from store.run_rows import Call
from tests.engine.process.fakes import Bench, ask, failure, new_run, until
from uq_tui.engine.calls.run_meter import RunMeter
from uq_tui.engine.protocol import RunProgress
from uq_tui.errors import StoreError
from uq_tui.words import CallErrorKind, CallState


@pytest.fixture
async def call(desk: Bench) -> Call:
    """A stored call of some other run."""
    (made,) = await desk.caller.ask(desk.run(), [ask("a")])
    return made


async def test_units_and_calls_reach_the_store_and_the_watcher(desk: Bench, call: Call) -> None:
    run = new_run(desk.ws, total=5)
    meter = RunMeter(desk.ws, run, desk.events.append)
    desk.events.clear()

    meter.asked(call)
    meter.remembered(replace(call, key="other"))
    await meter.progress(2, 6)
    await meter.close()

    found = runs.get(desk.ws, run.id)
    assert (found.done, found.total, found.asked, found.remembered) == (2, 6, 1, 1)
    assert (found.failed, found.cost_usd, found.unknown_costs) == (0, 0.25, 0)
    assert desk.seen(RunProgress)[-1] == RunProgress(run.id, 2, 6, 1, 1, 0, 0.25, 0, tokens=8)


async def test_many_changes_make_few_writes(desk: Bench, call: Call) -> None:
    run = new_run(desk.ws)
    meter = RunMeter(desk.ws, run, desk.events.append, interval_s=3600.0)
    desk.events.clear()

    for n in range(500):
        meter.asked(replace(call, key=str(n)))
    await meter.close()

    assert [event.asked for event in desk.seen(RunProgress)] == [500]
    assert runs.get(desk.ws, run.id).asked == 500


async def test_changes_are_told_while_the_run_goes_on(desk: Bench, call: Call) -> None:
    run = new_run(desk.ws)
    meter = RunMeter(desk.ws, run, desk.events.append, interval_s=0.0)
    desk.events.clear()

    meter.asked(call)
    await until(lambda: desk.seen(RunProgress))

    assert runs.get(desk.ws, run.id).asked == 1
    await meter.close()
    assert len(desk.seen(RunProgress)) == 1


async def test_an_unknown_cost_is_not_zero(desk: Bench, call: Call) -> None:
    run = new_run(desk.ws)
    meter = RunMeter(desk.ws, run, desk.events.append)

    meter.asked(replace(call, cost_usd=None))
    await meter.close()

    found = runs.get(desk.ws, run.id)
    assert (found.cost_usd, found.unknown_costs) == (None, 1)


async def test_a_call_that_fails_and_then_succeeds_has_not_failed(desk: Bench, call: Call) -> None:
    run = new_run(desk.ws)
    meter = RunMeter(desk.ws, run, desk.events.append)

    meter.asked(replace(call, state=CallState.FAILED, error_kind=CallErrorKind.SERVER))
    assert list(meter.failures) == [call.key]
    meter.asked(call)
    await meter.close()

    found = runs.get(desk.ws, run.id)
    assert (found.asked, found.failed, meter.failures) == (2, 0, {})


async def test_a_cancelled_call_has_not_failed(desk: Bench, call: Call) -> None:
    meter = RunMeter(desk.ws, new_run(desk.ws), desk.events.append)

    meter.asked(replace(call, state=CallState.FAILED, error_kind=CallErrorKind.CANCELLED))
    await meter.close()

    assert runs.get(desk.ws, meter.run_id).failed == 0


async def test_a_resumed_run_counts_from_zero_and_replaces_what_was_stored(desk: Bench, call: Call) -> None:
    run = new_run(desk.ws, total=4)
    runs.add_counts(desk.ws, run.id, done=3, asked=7, remembered=5, failed=2, cost_usd=1.5, unknown_costs=1)

    meter = RunMeter(desk.ws, runs.get(desk.ws, run.id), desk.events.append)
    meter.asked(call)
    await meter.progress(1, 4)
    await meter.close()

    found = runs.get(desk.ws, run.id)
    assert (found.done, found.asked, found.remembered, found.failed) == (1, 1, 0, 0)
    assert (found.cost_usd, found.unknown_costs) == (0.25, 0)


async def test_a_resumed_run_that_stops_before_any_call_keeps_its_counts(desk: Bench) -> None:
    run = new_run(desk.ws, total=4)
    runs.add_counts(desk.ws, run.id, done=3, asked=7, remembered=5, failed=2, cost_usd=1.5, unknown_costs=1, tokens=9)
    before = runs.get(desk.ws, run.id)

    await RunMeter(desk.ws, before, desk.events.append).close()

    assert runs.get(desk.ws, run.id) == before


async def test_an_abandoned_meter_writes_nothing(desk: Bench, call: Call) -> None:
    run = new_run(desk.ws)
    meter = RunMeter(desk.ws, run, desk.events.append, interval_s=0.0)

    meter.asked(call)
    meter.abandon()
    meter.asked(replace(call, key="other"))

    assert meter._timer is None
    assert runs.get(desk.ws, run.id).asked == 0


async def test_a_write_that_failed_is_told_at_the_end(desk: Bench, call: Call) -> None:
    meter = RunMeter(desk.ws, new_run(desk.ws), desk.events.append, interval_s=0.0)
    desk.ws.close()

    meter.asked(call)
    await until(lambda: meter._writing is not None and meter._writing.done())

    with pytest.raises(StoreError):
        await meter.close()


async def test_failed_calls_are_known_to_the_meter(desk: Bench) -> None:
    desk.provider.script = lambda text, attempt: failure(message="no such model", retryable=False)
    run = desk.run()

    (call,) = await desk.caller.ask(run, [ask("a")])
    await run.meter.close()

    assert run.meter.failures == {call.key: call}
    assert runs.get(desk.ws, run.meter.run_id).failed == 1
    assert calls.get(desk.ws, call.key) == call
