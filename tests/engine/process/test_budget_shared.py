"""Budgets where calls are shared, retried, stopped or cut off by a kill: nothing waits for ever, all use is counted."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from store import calls, marks
from store.marks import Mark, Used
from tests.engine.process.fakes import Bench, ask, begun, bench, failure, new_run, reply, until
from tests.engine.process.test_budget import CHEAP, MOST_OUT
from uq_tui.engine.calls.budget import Budget, Use
from uq_tui.engine.calls.turns import Limits
from uq_tui.errors import BudgetError
from uq_tui.words import CallErrorKind, CallState

MOST = 0.117
"""What a call with a text of one letter can cost."""


def priced(path: Path, *, places: int = 8) -> Bench:
    desk = bench(path, limits={"fake/one": Limits(places)})
    desk.provider.price = CHEAP
    desk.provider.parameters = {"max_tokens": MOST_OUT}
    return desk


@pytest.mark.parametrize("used", [0.0, MOST])
async def test_a_retry_and_a_call_that_waits_for_its_place_do_not_wait_for_each_other(
    tmp_path: Path, used: float
) -> None:
    desk = priced(tmp_path, places=1)
    desk.provider.script = lambda text, attempt: (
        failure(CallErrorKind.CUT_OFF) if (text, attempt) == ("a", 1) else reply(text, cost_usd=used)
    )
    run = desk.run(budget=Budget(usd=3 * MOST - 0.001))

    found = await asyncio.wait_for(desk.caller.ask(run, [ask("a"), ask("b")]), 10.0)

    assert found[1].state is CallState.DONE
    assert found[0].state is (CallState.DONE if used == 0.0 else CallState.FAILED)
    await desk.close()


async def test_a_run_with_budget_pays_for_a_call_that_waits_for_the_budget_of_another(tmp_path: Path) -> None:
    desk = priced(tmp_path)
    desk.provider.script = lambda text, attempt: reply(text, cost_usd=MOST)
    desk.provider.hold("slow")
    poor, rich = desk.run(budget=Budget(usd=0.2)), desk.run(budget=Budget(usd=5.0))
    first = begun(desk.caller.ask(poor, [ask("slow"), ask("b")]))
    await desk.provider.until_sent("slow")

    (shared,) = await asyncio.wait_for(desk.caller.ask(rich, [ask("b")]), 10.0)

    desk.provider.release()
    assert (await first)[1] == shared
    assert shared.run_id == rich.meter.run_id
    assert marks.used(desk.ws, poor.meter.run_id).usd == pytest.approx(MOST)
    assert marks.used(desk.ws, rich.meter.run_id).usd == pytest.approx(MOST)
    await desk.close()


async def test_each_run_is_told_of_its_own_budget(tmp_path: Path) -> None:
    desk = priced(tmp_path)
    desk.provider.hold("s")
    desk.provider.script = lambda text, attempt: reply(text, cost_usd=MOST)
    one, other = desk.run(budget=Budget(usd=0.2)), desk.run(budget=Budget(usd=0.1))
    first = begun(desk.caller.ask(one, [ask("s"), ask("b")]))
    await desk.provider.until_sent("s")
    second = begun(desk.caller.ask(other, [ask("b")]))
    await until(lambda: any(len(flight.run_ids) == 2 for flight, _ in desk.caller._flights.values()))
    desk.provider.release()

    with pytest.raises(BudgetError, match=r"\$0\.1170 of \$0\.2000"):
        await first
    with pytest.raises(BudgetError, match=r"\$0\.0000 of \$0\.1000"):
        await second
    assert one.meter.budget.unasked().startswith("1 call was not sent")
    assert other.meter.budget.unasked().startswith("1 call was not sent")
    await desk.close()


async def test_when_the_run_leaves_whose_budget_a_call_waits_for_another_pays(tmp_path: Path) -> None:
    desk = priced(tmp_path)
    desk.provider.hold("s", "t")
    desk.provider.script = lambda text, attempt: reply(text, cost_usd=0.01)
    one, other = desk.run(budget=Budget(usd=0.2)), desk.run(budget=Budget(usd=0.2))
    first = begun(desk.caller.ask(one, [ask("s"), ask("b")]))
    held = begun(desk.caller.ask(other, [ask("t")]))
    await desk.provider.until_sent("s", "t")
    second = begun(desk.caller.ask(other, [ask("b")]))
    await until(lambda: any(len(flight.run_ids) == 2 for flight, _ in desk.caller._flights.values()))

    first.cancel()
    await asyncio.wait({first})
    desk.provider.release("t")
    (call,) = await asyncio.wait_for(second, 10.0)

    assert (call.state, call.run_id) == (CallState.DONE, other.meter.run_id)
    assert (await held)[0].state is CallState.DONE
    assert not one.meter.budget.has_room(Use(0.2 - MOST + 0.001, 0)), "the call that was stopped may have cost its most"
    await desk.close()


async def test_a_call_that_goes_on_without_its_payer_counts_once(tmp_path: Path) -> None:
    desk = priced(tmp_path)
    desk.provider.hold("a")
    desk.provider.script = lambda text, attempt: (
        failure(CallErrorKind.TIMEOUT) if attempt == 1 else reply(text, cost_usd=0.05)
    )
    one, other = desk.run(budget=Budget(usd=1.0)), desk.run(budget=Budget(usd=1.0))
    first = begun(desk.caller.ask(one, [ask("a")]))
    await desk.provider.until_sent("a")
    second = begun(desk.caller.ask(other, [ask("a")]))
    await until(lambda: any(len(flight.run_ids) == 2 for flight, _ in desk.caller._flights.values()))
    first.cancel()
    await asyncio.wait({first})
    await one.meter.close()
    desk.provider.release()
    (call,) = await second

    assert (call.state, call.attempts, call.run_id) == (CallState.DONE, 2, other.meter.run_id)
    assert marks.used(desk.ws, one.meter.run_id).usd == pytest.approx(MOST), "its request timed out"
    assert marks.used(desk.ws, other.meter.run_id).usd == pytest.approx(0.05)
    assert marks.count_left(desk.ws, one.meter.run_id) == marks.count_left(desk.ws, other.meter.run_id) == 0
    await desk.close()


async def test_runs_that_stop_together_in_one_call_count_it(tmp_path: Path) -> None:
    desk = priced(tmp_path)
    desk.provider.hold("a")
    one, other = desk.run(budget=Budget(usd=1.0)), desk.run(budget=Budget(usd=1.0))
    first = begun(desk.caller.ask(one, [ask("a")]))
    await desk.provider.until_sent("a")
    second = begun(desk.caller.ask(other, [ask("a")]))
    await until(lambda: any(len(flight.run_ids) == 2 for flight, _ in desk.caller._flights.values()))

    first.cancel()
    await asyncio.wait({first})
    await one.meter.close()
    second.cancel()
    await asyncio.wait({second})

    assert marks.used(desk.ws, one.meter.run_id).usd == pytest.approx(MOST)
    assert marks.count_left(desk.ws, one.meter.run_id) == 1
    await desk.close()


async def test_what_a_call_cost_before_it_was_asked_again_stays_counted(tmp_path: Path) -> None:
    desk = priced(tmp_path)
    desk.provider.script = lambda text, attempt: (
        failure(retryable=False, partial=reply("half", cost_usd=0.03)) if attempt == 1 else reply(text, cost_usd=0.05)
    )
    one, other = desk.run(), desk.run()

    await desk.caller.ask(one, [ask("a")])
    (call,) = await desk.caller.ask(other, [ask("a")])

    assert marks.used(desk.ws, one.meter.run_id).usd == pytest.approx(0.03)
    assert marks.used(desk.ws, other.meter.run_id).usd == pytest.approx(0.05)
    assert call.run_id == other.meter.run_id
    assert calls.get(desk.ws, call.key) == replace(call, attempts=2)
    await desk.close()


async def test_another_runs_reply_does_not_hide_what_a_killed_run_may_have_used(tmp_path: Path) -> None:
    desk = priced(tmp_path)
    row = new_run(desk.ws)
    desk.provider.script = lambda text, attempt: failure(retryable=False) if attempt == 1 else reply(text)
    (call,) = await desk.caller.ask(desk.run(), [ask("z")])
    marks.put(desk.ws, [Mark(row.id, call.key, Used(MOST, 27))])

    (call,) = await desk.caller.ask(desk.run(), [ask("z")])

    assert call.state is CallState.DONE

    assert marks.count_left(desk.ws, row.id) == 1
    assert marks.used(desk.ws, row.id).usd == pytest.approx(MOST)
    await desk.close()
