"""Budgets: the worst case is reserved, what was used is settled, nothing is sent that could exceed them."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store import marks, runs
from tests.engine.process.fakes import Bench, ask, begun, bench, failure, new_run, reply, until
from tests.engine.process.warp import warped
from uq_tui.engine.calls.budget import NOTHING, Budget, Use, worst_case
from uq_tui.engine.calls.run_meter import RunMeter
from uq_tui.engine.calls.turns import Limits
from uq_tui.engine.protocol import CallFinished
from uq_tui.engine.spec import FREE, RECORDED, Prepared, Price, Reply
from uq_tui.errors import BudgetError
from uq_tui.words import CallErrorKind, CallState

CHEAP = Price(0.001, 0.01)
"""US dollars a token."""
MOST_OUT = 10


def prepared(
    text: str = "ten bytes!", *, price: Price | None = CHEAP, max_tokens: int | None = MOST_OUT, endpoint: str = ""
) -> Prepared:
    parameters = {} if max_tokens is None else {"max_tokens": max_tokens}
    return Prepared(ask(text), "m", endpoint, parameters, (), constrained=False, price=price)


@pytest.fixture
async def paid(tmp_path: Path) -> AsyncIterator[Bench]:
    """A bench whose model has a price and a length limit: "a" costs at most 17 * 0.001 + 10 * 0.01 = 0.117."""
    desk = bench(tmp_path)
    desk.provider.price = CHEAP
    desk.provider.parameters = {"max_tokens": MOST_OUT}
    yield desk
    await desk.close()


def test_the_worst_case_is_prompt_bytes_and_all_tokens_of_the_reply() -> None:
    most = worst_case(prepared("ten bytes!"))
    assert most.usd == pytest.approx(26 * 0.001 + 10 * 0.01)
    assert most.tokens == 36
    assert worst_case(prepared("é")).tokens == 2 + 16 + 10
    assert worst_case(prepared("a", price=None)) == Use(None, 27)
    assert worst_case(prepared("a", price=FREE)) == Use(0.0, 27)
    assert worst_case(prepared("a", price=FREE, max_tokens=None, endpoint=f"{RECORDED}0")) == NOTHING


@pytest.mark.parametrize(
    ("usd", "tokens", "price", "max_tokens", "missing"),
    [
        (1.0, None, None, 10, "price"),
        (1.0, None, CHEAP, None, "length limit"),
        (None, 100, CHEAP, None, "length limit"),
        (None, 100, None, None, "length limit"),
    ],
)
def test_a_budget_refuses_what_it_cannot_reckon(
    usd: float | None, tokens: int | None, price: Price | None, max_tokens: int | None, missing: str
) -> None:
    with pytest.raises(BudgetError, match=missing) as caught:
        Budget(usd, tokens).require_known(prepared(price=price, max_tokens=max_tokens))
    assert "config.toml" in caught.value.hint


@pytest.mark.parametrize(
    ("usd", "tokens", "price", "max_tokens"),
    [(None, None, None, None), (None, 100, None, 10), (1.0, None, FREE, 10), (1.0, 100, CHEAP, 10)],
)
def test_a_budget_takes_what_it_can_reckon(
    usd: float | None, tokens: int | None, price: Price | None, max_tokens: int | None
) -> None:
    Budget(usd, tokens).require_known(prepared(price=price, max_tokens=max_tokens))


@settings(max_examples=60)
@given(
    limit=st.integers(0, 60),
    calls=st.lists(st.tuples(st.integers(1, 20), st.floats(0, 1), st.integers(0, 5)), max_size=25),
)
def test_no_order_of_calls_exceeds_a_budget_or_waits_for_ever(limit: int, calls: list[tuple[int, float, int]]) -> None:
    """Each call is (worst case, share of it that it uses, seconds it takes)."""
    used = 0.0
    in_flight = 0

    async def work() -> list[bool]:
        budget = Budget(usd=float(limit))

        async def one(worst: int, share: float, seconds: int) -> bool:
            nonlocal used, in_flight
            most = Use(float(worst), worst)
            while not budget.has_room(most):
                if not budget.may_have_room(most):
                    return False
                settled = asyncio.get_running_loop().create_future()
                budget.tell(settled)
                await settled
            budget.reserve(most)
            in_flight += worst
            assert used + in_flight <= limit + 1e-9
            await asyncio.sleep(seconds)
            in_flight -= worst
            used += worst * share
            budget.settle(most, Use(worst * share, worst))
            return True

        return await asyncio.gather(*(one(*call) for call in calls))

    asked = warped(work())
    for (worst, _, _), was_asked in zip(calls, asked, strict=True):
        assert was_asked or used + worst > limit, "what still fits is asked"


def test_a_budget_takes_recordings() -> None:
    Budget(1.0, 100).require_known(prepared(price=FREE, max_tokens=None, endpoint=f"{RECORDED}0"))


async def test_a_run_stops_before_it_exceeds_its_budget(paid: Bench) -> None:
    paid.provider.script = lambda text, attempt: reply(text, cost_usd=0.1)
    run = paid.run(budget=Budget(usd=0.35))

    with pytest.raises(BudgetError, match=r"\$0\.3000 of \$0\.3500"):
        await paid.caller.ask(run, [ask(text) for text in "abcdef"])

    assert len(paid.provider.sent) == 3
    assert [event.state for event in paid.seen(CallFinished)] == [CallState.DONE] * 3
    assert run.meter.budget.unasked().startswith("3 calls were not sent and may need up to $0.3510 more")


async def test_calls_in_flight_count_in_full_until_they_are_settled(paid: Bench) -> None:
    paid.provider.script = lambda text, attempt: reply(text, cost_usd=0.0)
    paid.provider.hold("a", "b")
    run = paid.run(budget=Budget(usd=0.25))
    first = begun(paid.caller.ask(run, [ask(text) for text in "abcd"]))
    await paid.provider.until_sent("a", "b")
    await until(lambda: paid.provider.in_flight == 2)

    assert paid.provider.sent == ["a", "b"], "two reserve 0.234 of 0.25"
    paid.provider.release()

    assert [call.state for call in await first] == [CallState.DONE] * 4


async def test_other_batches_of_the_run_go_on(paid: Bench) -> None:
    paid.provider.script = lambda text, attempt: reply(text, cost_usd=0.117)
    paid.provider.hold("slow")
    run = paid.run(budget=Budget(usd=0.3))
    slow = begun(paid.caller.ask(run, [ask("slow")]))
    await paid.provider.until_sent("slow")
    await paid.caller.ask(run, [ask("a")])

    over = begun(paid.caller.ask(run, [ask("b")]))
    await asyncio.sleep(0.01)
    assert not over.done(), "the slow call may turn out to use less"
    paid.provider.release()

    assert (await slow)[0].reply == "slow"
    with pytest.raises(BudgetError):
        await over


async def test_what_is_not_known_counts_as_the_most(paid: Bench) -> None:
    paid.provider.script = lambda text, attempt: Reply("?", "", "stop", None, None, None)
    run = paid.run(budget=Budget(usd=0.3))

    with pytest.raises(BudgetError, match=r"\$0\.2340"):
        await paid.caller.ask(run, [ask(text) for text in "abc"])
    await run.meter.close()

    used = marks.used(paid.ws, run.meter.run_id)
    assert used.usd == pytest.approx(0.234)
    assert used.tokens == 54


@pytest.mark.parametrize(
    ("kind", "partial", "used"),
    [
        (CallErrorKind.SERVER, None, 0.0),
        (CallErrorKind.RATE_LIMITED, None, 0.0),
        (CallErrorKind.SERVER, Reply("half", "", "", None, None, None), 0.117),
        (CallErrorKind.CUT_OFF, Reply("half", "", "", None, None, None), 0.117),
        (CallErrorKind.TIMEOUT, None, 0.117),
        (CallErrorKind.TIMEOUT, Reply("half", "", "", 5, 2, 0.05), 0.05),
    ],
)
async def test_a_failed_attempt_counts_unless_nobody_is_paid_for_it(
    paid: Bench, kind: CallErrorKind, partial: Reply | None, used: float
) -> None:
    paid.provider.script = lambda text, attempt: (
        failure(kind, partial=partial) if attempt == 1 else reply(text, cost_usd=0.01)
    )
    run = paid.run(budget=Budget(usd=1.0))

    await paid.caller.ask(run, [ask("a")])
    await run.meter.close()

    assert marks.used(paid.ws, run.meter.run_id).usd == pytest.approx(used + 0.01)


async def test_a_retry_that_cannot_be_paid_for_ends_the_call(paid: Bench) -> None:
    paid.provider.script = lambda text, attempt: failure(CallErrorKind.CUT_OFF, "cut")
    run = paid.run(budget=Budget(usd=0.2))

    (call,) = await paid.caller.ask(run, [ask("a")])

    assert (call.state, call.error, call.attempts) == (CallState.FAILED, "cut", 1)
    assert "1 call was not sent" in run.meter.budget.unasked()


async def test_a_token_budget_counts_tokens(paid: Bench) -> None:
    paid.provider.price = None
    run = paid.run(budget=Budget(tokens=50))

    with pytest.raises(BudgetError, match="24 of 50 tokens"):
        await paid.caller.ask(run, [ask(text) for text in "abcdef"])

    assert len(paid.provider.sent) == 3, "27 at most, 8 in truth"


async def test_what_costs_nothing_is_within_any_budget_of_money(paid: Bench) -> None:
    paid.provider.price = FREE
    paid.provider.script = lambda text, attempt: reply(text, cost_usd=0.0)

    found = await paid.caller.ask(paid.run(budget=Budget(usd=0.0)), [ask(text) for text in "abc"])

    assert [call.state for call in found] == [CallState.DONE] * 3


async def test_remembered_calls_need_no_budget(paid: Bench) -> None:
    await paid.caller.ask(paid.run(), [ask("a")])

    assert len(await paid.caller.ask(paid.run(budget=Budget(usd=0.0)), [ask("a")])) == 1


async def test_nothing_is_sent_when_the_price_is_not_known(paid: Bench) -> None:
    paid.provider.price = None

    with pytest.raises(BudgetError, match="price of fake/one"):
        await paid.caller.ask(paid.run(budget=Budget(usd=5.0)), [ask("a")])

    assert paid.provider.sent == []


async def test_what_was_in_flight_at_a_kill_counts_when_the_run_is_resumed(paid: Bench) -> None:
    paid.provider.script = lambda text, attempt: reply(text, cost_usd=0.02)
    paid.provider.hold("b")
    row = new_run(paid.ws)
    killed = paid.resumed(row)
    first = begun(paid.caller.ask(killed, [ask("a"), ask("b")]))
    await paid.provider.until_sent("b")
    await until(lambda: paid.seen(CallFinished))

    assert marks.count_left(paid.ws, row.id) == 1
    assert marks.used(paid.ws, row.id).usd == pytest.approx(0.02 + 0.117)
    assert runs.get(paid.ws, row.id).repeated == 1

    paid.provider.release()
    await first


async def test_a_cancelled_wait_gives_its_budget_back(tmp_path: Path) -> None:
    desk = bench(tmp_path, limits={"fake/one": Limits(1)})
    desk.provider.price, desk.provider.parameters = CHEAP, {"max_tokens": MOST_OUT}
    desk.provider.script = lambda text, attempt: reply(text, cost_usd=0.0)
    desk.provider.hold("a")
    run = desk.run(budget=Budget(usd=0.25))
    await_a = begun(desk.caller.ask(run, [ask("a")]))
    await desk.provider.until_sent("a")
    waiting = begun(desk.caller.ask(run, [ask("b")]))
    await until(lambda: not run.meter.budget.has_room(Use(0.117, 27)))

    waiting.cancel()
    await asyncio.wait({waiting})

    assert run.meter.budget.has_room(Use(0.117, 27))
    desk.provider.release()
    await await_a
    assert run.meter.budget.has_room(Use(0.25, 27))
    await desk.close()


def test_a_meter_without_a_budget_has_none(tmp_path: Path) -> None:
    async def work() -> bool:
        desk = bench(tmp_path)
        limited = RunMeter(desk.ws, new_run(desk.ws), desk.events.append).budget.limited
        await desk.close()
        return limited

    assert not asyncio.run(work())
