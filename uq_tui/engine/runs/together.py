"""Work side by side that a spent budget does not cut short."""

import asyncio
from collections.abc import Collection, Coroutine, Sequence
from typing import Any, TypeVar

from uq_tui.errors import BudgetError

T = TypeVar("T")


async def all_of(jobs: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """Run jobs side by side; what they bring, in their order.

    When one raises, the others are cancelled and waited for, then its error is raised. A job that the budget has no
    room for ends alone; the others go on, since what they do may still fit.
    """
    tasks = [asyncio.create_task(job) for job in jobs]
    try:
        await first_trouble(tasks)
        return [task.result() for task in tasks]
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def first_trouble(tasks: Collection["asyncio.Task[Any]"]) -> None:
    """Wait for all tasks; raise as soon as one has raised, but a BudgetError only when all have ended."""
    pending = set(tasks)
    over_budget: BudgetError | None = None
    while pending:
        ended, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_EXCEPTION)
        for task in ended:
            try:
                task.result()
            except BudgetError as error:
                over_budget = error
    if over_budget is not None:
        raise over_budget
