"""Turns at a model: places, rates, rotation of runs, pauses."""

import asyncio
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.process.warp import warped
from uq_tui.engine.calls.turns import Limits, Turns


async def calls(
    turns: Turns, run_id: str, n: int, *, tokens: int = 0, takes_s: float = 0.0, used: int | None = None
) -> list[float]:
    """Send `n` calls side by side; when each was sent."""

    async def one() -> float:
        sent = await turns.take(run_id, tokens)
        at = asyncio.get_running_loop().time()
        await asyncio.sleep(takes_s)
        if used is not None:
            turns.settle(sent, used)
        turns.leave()
        return at

    return await asyncio.gather(*(one() for _ in range(n)))


def test_no_more_calls_are_in_flight_than_places() -> None:
    assert warped(_four_calls_in_two_places()) == [0, 0, 5, 5]


async def _four_calls_in_two_places() -> list[float]:
    return await calls(Turns(Limits(2)), "r", 4, takes_s=5.0)


@given(st.integers(1, 9), st.integers(1, 4), st.integers(1, 30))
def test_no_minute_has_more_requests_than_allowed(most: int, places: int, n: int) -> None:
    times = warped(_under(Limits(places, requests_per_minute=most), n))
    assert len(times) == n
    for at in times:
        assert sum(at <= other < at + 60 for other in times) <= most
    assert max(times) <= 60 * ((n - 1) // most) + 1e-6, "no longer than needed"


@given(st.integers(10, 50), st.integers(1, 12), st.integers(1, 12))
def test_no_minute_has_more_tokens_than_allowed(room: int, tokens: int, n: int) -> None:
    times = warped(_under(Limits(8, tokens_per_minute=room), n, tokens))
    for at in times:
        assert sum(at <= other < at + 60 for other in times) * tokens <= max(room, tokens)


async def _under(limits: Limits, n: int, tokens: int = 0) -> list[float]:
    return await calls(Turns(limits), "r", n, tokens=tokens)


def test_tokens_that_were_not_used_are_free_again() -> None:
    async def work() -> list[float]:
        turns = Turns(Limits(1, tokens_per_minute=150))
        return await calls(turns, "r", 5, tokens=100, takes_s=1.0, used=20)

    assert warped(work()) == [0, 1, 2, 60, 61]


def test_a_request_larger_than_a_minute_gets_the_minute_for_itself() -> None:
    async def work() -> list[float]:
        turns = Turns(Limits(4, tokens_per_minute=100))
        return await calls(turns, "r", 2, tokens=500)

    assert warped(work()) == [0, 60]


def test_runs_take_turns_whatever_they_have_waiting() -> None:
    async def work() -> list[float]:
        turns = Turns(Limits(2))
        long = asyncio.create_task(calls(turns, "long", 100, takes_s=1.0))
        await asyncio.sleep(0.5)
        short = await calls(turns, "short", 3, takes_s=1.0)
        await long
        return short

    assert warped(work()) == [1, 2, 3]


@given(st.lists(st.integers(1, 20), min_size=2, max_size=5))
def test_no_waiting_run_falls_behind_another_by_more_than_one(waiting: list[int]) -> None:
    order: list[int] = []

    async def work() -> None:
        turns = Turns(Limits(1))

        async def one(run: int) -> None:
            await turns.take(str(run), 0)
            order.append(run)
            await asyncio.sleep(1)
            turns.leave()

        await asyncio.gather(*(one(run) for run, n in enumerate(waiting) for _ in range(n)))

    warped(work())
    given_so_far: Counter[int] = Counter()
    for run in order:
        given_so_far[run] += 1
        behind = [given_so_far[other] for other, n in enumerate(waiting) if given_so_far[other] < n]
        assert given_so_far[run] <= min(behind, default=given_so_far[run]) + 1
    assert given_so_far == Counter(dict(enumerate(waiting)))


def test_a_pause_holds_new_and_further_requests_back() -> None:
    async def work() -> tuple[float, float]:
        turns = Turns(Limits(2))
        await turns.take("r", 0)
        turns.pause(30.0)
        turns.pause(10.0)
        loop = asyncio.get_running_loop()
        await turns.again(0)
        again = loop.time()
        await turns.take("other", 0)
        return again, loop.time()

    assert warped(work()) == (30, 30)


def test_a_call_that_has_its_place_comes_before_new_ones() -> None:
    async def work() -> list[str]:
        turns = Turns(Limits(2, requests_per_minute=1))
        await turns.take("r", 0)
        order: list[str] = []

        async def note(name: str, turn: "asyncio.Task[object]") -> None:
            await turn
            order.append(name)

        new = asyncio.create_task(turns.take("r", 0))
        await asyncio.sleep(1)
        again = asyncio.create_task(turns.again(0))
        await asyncio.gather(note("new", new), note("again", again))
        return order

    assert warped(work()) == ["again", "new"]


@pytest.mark.parametrize("given_first", [False, True])
def test_a_cancelled_wait_takes_no_place(given_first: bool) -> None:
    async def work() -> float:
        turns = Turns(Limits(1))
        await turns.take("r", 0)
        waiting = asyncio.create_task(turns.take("r", 0))
        await asyncio.sleep(1)
        if given_first:
            turns.leave()
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        if not given_first:
            turns.leave()
        await turns.take("r", 0)
        return asyncio.get_running_loop().time()

    assert warped(work()) == 1


@pytest.mark.parametrize("further", [False, True])
def test_a_large_request_that_is_cancelled_holds_nobody_back(further: bool) -> None:
    async def work() -> float:
        turns = Turns(Limits(3, tokens_per_minute=100))
        await turns.take("r", 60)
        if further:
            await turns.take("r", 0)
        large = asyncio.create_task(turns.again(90) if further else turns.take("r", 90))
        await asyncio.sleep(1)
        small = asyncio.create_task(turns.take("r", 40))
        await asyncio.sleep(1)
        large.cancel()
        await small
        return asyncio.get_running_loop().time()

    assert warped(work()) == 2


@pytest.mark.parametrize("further", [False, True])
def test_a_turn_that_is_given_to_a_cancelled_call_counts_for_no_limit(further: bool) -> None:
    async def work() -> float:
        turns = Turns(Limits(2, tokens_per_minute=100))
        first = await turns.take("r", 60)
        task = asyncio.create_task(turns.again(90) if further else turns.take("r", 90))
        await asyncio.sleep(0)
        turns.settle(first, 0)  # it has its turn now and doesn't know it yet
        task.cancel()
        await asyncio.wait({task})
        assert task.cancelled()
        await turns.take("r", 90)
        return asyncio.get_running_loop().time()

    assert warped(work()) == 0


def test_what_is_remembered_of_runs_is_bounded_and_they_still_take_turns() -> None:
    async def work() -> list[float]:
        turns = Turns(Limits(1))
        for run in range(3000):
            await turns.take(str(run), 0)
            turns.leave()
        assert len(turns._served) <= 1000
        long = asyncio.create_task(calls(turns, "2999", 100, takes_s=1.0))
        await asyncio.sleep(0.5)
        short = await calls(turns, "2998", 2, takes_s=1.0)
        await long
        return short

    assert warped(work()) == [1, 3]


cancels = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 40), st.integers(0, 200)), max_size=20)


@given(cancels, st.integers(1, 3), st.sampled_from([None, 3]), st.sampled_from([None, 60]))
def test_cancels_and_pauses_leave_no_place_taken_and_no_call_waiting(
    plan: list[tuple[int, int, int]], places: int, requests: int | None, tokens: int | None
) -> None:
    """Each call is (tokens, seconds it takes, after how many seconds it is cancelled)."""

    async def one(turns: Turns, size: int, seconds: int) -> None:
        await turns.take(str(size % 3), size)
        try:
            await asyncio.sleep(seconds)
            if seconds % 3 == 0:
                turns.pause(seconds)
                await turns.again(size)
        finally:
            turns.leave()

    async def work() -> int:
        turns = Turns(Limits(places, requests, tokens))
        tasks = [asyncio.create_task(one(turns, size, seconds)) for size, seconds, _ in plan]
        for task, (_, _, cancelled_after) in zip(tasks, plan, strict=True):
            if cancelled_after % 2:
                asyncio.get_running_loop().call_later(cancelled_after / 10, task.cancel)
        await asyncio.gather(*tasks, return_exceptions=True)
        return turns._in_flight

    assert warped(work()) == 0
