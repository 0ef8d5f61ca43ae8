"""Many small writes as few transactions: what is added while a write is under way goes out with the next."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")


class GroupedWrites(Generic[T]):
    """Writes items in groups, one group at a time, in the order they were added.

    Lives on one event loop; `write` is called in a thread with at least one item.
    """

    def __init__(self, write: Callable[[Sequence[T]], None]) -> None:
        self._write = write
        self._waiting: list[tuple[T, asyncio.Future[None]]] = []
        self._writer: asyncio.Task[None] | None = None

    async def add(self, item: T) -> None:
        """Return once the item is committed; raise what `write` raised for its group.

        When the waiting task is cancelled the item is still written.
        """
        committed = asyncio.get_running_loop().create_future()
        self._waiting.append((item, committed))
        if self._writer is None:
            self._writer = asyncio.create_task(self._write_all())
        await committed

    async def _write_all(self) -> None:
        while self._waiting:
            group, self._waiting = self._waiting, []
            failure: Exception | None = None
            try:
                await asyncio.to_thread(self._write, [item for item, _ in group])
            except Exception as error:  # handed to every task that waits for this group
                failure = error
            for _, committed in group:
                if not committed.done():
                    _settle(committed, failure)
        self._writer = None


def _settle(committed: asyncio.Future[None], failure: Exception | None) -> None:
    if failure is None:
        committed.set_result(None)
    else:
        committed.set_exception(failure)
