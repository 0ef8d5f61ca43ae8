"""Work side by side: the first trouble ends it, a spent budget doesn't."""

import asyncio

import pytest

from uq_tui.engine.runs.together import all_of
from uq_tui.errors import BudgetError, UqError


async def test_jobs_run_side_by_side() -> None:
    met = asyncio.Event()

    async def first() -> None:
        await met.wait()

    async def second() -> None:
        met.set()

    await all_of([first(), second()])


async def test_results_come_in_the_order_of_the_jobs() -> None:
    async def job(number: int) -> int:
        for _ in range(9 - number):
            await asyncio.sleep(0)
        return number

    assert await all_of([job(number) for number in range(9)]) == list(range(9))


async def test_the_first_error_cancels_and_awaits_the_others() -> None:
    ended: list[str] = []

    async def waits() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("waits")

    async def fails() -> None:
        raise UqError("broken")

    with pytest.raises(UqError, match="broken"):
        await all_of([waits(), fails(), waits()])
    assert ended == ["waits", "waits"]


async def test_cancelling_cancels_all() -> None:
    ended: list[str] = []

    async def waits() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("waits")

    task = asyncio.create_task(all_of([waits(), waits()]))
    for _ in range(3):
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended == ["waits", "waits"]


async def test_a_job_without_budget_ends_alone() -> None:
    ended: list[str] = []

    async def over() -> None:
        raise BudgetError("no money")

    async def fits() -> None:
        await asyncio.sleep(0)
        ended.append("fits")

    with pytest.raises(BudgetError, match="no money"):
        await all_of([over(), fits(), over()])
    assert ended == ["fits"]
