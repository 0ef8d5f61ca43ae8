"""Many small writes as few transactions: what is added while a write is under way goes out with the next."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import partial
from typing import Generic, TypeVar

from uq_tui.errors import StoreError

T = TypeVar("T")

_Group = list[tuple[T, asyncio.Future[None]]]


class GroupedWrites(Generic[T]):
    """Writes items in groups, one group at a time, in the order they were added.

    Lives on one event loop. `submit` begins to write at least one item and returns without waiting; its future is
    done once they are committed.
    """

    def __init__(self, submit: "Callable[[Sequence[T]], Future[None]]") -> None:
        self._submit = submit
        self._waiting: _Group[T] = []
        self._writing = False

    async def add(self, item: T) -> None:
        """Return once the item is committed; raise what writing its group raised.

        When the waiting task is cancelled the item is still written.
        """
        loop = asyncio.get_running_loop()
        committed = loop.create_future()
        self._waiting.append((item, committed))
        if not self._writing:
            self._writing = True
            loop.call_soon(self._write)  # so that all that is added in this turn of the loop goes together
        await committed

    def _write(self) -> None:
        group, self._waiting = self._waiting, []
        try:
            written = asyncio.wrap_future(self._submit([item for item, _ in group]))
        except StoreError as error:
            self._settle(group, error)
        else:
            written.add_done_callback(partial(self._written, group))

    def _written(self, group: _Group[T], written: asyncio.Future[None]) -> None:
        self._settle(group, written.exception())

    def _settle(self, group: _Group[T], failure: BaseException | None) -> None:
        for _, committed in group:
            if committed.done():
                continue
            if failure is None:
                committed.set_result(None)
            else:
                committed.set_exception(failure)
        self._writing = bool(self._waiting)
        if self._writing:
            self._write()
