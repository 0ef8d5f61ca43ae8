import asyncio
from collections.abc import Sequence
from concurrent.futures import Future

import pytest

from uq_tui.engine.calls.grouped_writes import GroupedWrites
from uq_tui.errors import StoreError


class Disk:
    """Takes groups; can be made to wait, to fail, and to be closed."""

    def __init__(self) -> None:
        self.groups: list[list[int]] = []
        self.failing: set[int] = set()
        self.closed = False
        self._held: list[Future[None]] | None = None

    def submit(self, items: Sequence[int]) -> "Future[None]":
        if self.closed:
            raise StoreError("the workspace is closed")
        future: Future[None] = Future()
        if self.failing & set(items):
            future.set_exception(StoreError("the disk is full"))
            return future
        self.groups.append(list(items))
        if self._held is None:
            future.set_result(None)
        else:
            self._held.append(future)
        return future

    def hold(self) -> None:
        self._held = []

    def release(self) -> None:
        held, self._held = self._held or [], None
        for future in held:
            future.set_result(None)


async def turns(n: int = 2) -> None:
    """Let the loop turn."""
    for _ in range(n):
        await asyncio.sleep(0)


async def test_what_is_added_at_once_goes_out_together() -> None:
    disk = Disk()
    writes = GroupedWrites(disk.submit)

    await asyncio.gather(*(writes.add(n) for n in range(5)))

    assert disk.groups == [[0, 1, 2, 3, 4]]


async def test_what_comes_during_a_write_goes_out_together() -> None:
    disk = Disk()
    disk.hold()
    writes = GroupedWrites(disk.submit)

    first = asyncio.create_task(writes.add(1))
    await turns()
    rest = []
    for n in range(2, 8):
        rest.append(asyncio.create_task(writes.add(n)))
        await turns()
    assert disk.groups == [[1]]
    disk.release()
    await asyncio.gather(first, *rest)

    assert disk.groups == [[1], [2, 3, 4, 5, 6, 7]]


async def test_add_returns_only_after_the_commit() -> None:
    disk = Disk()
    disk.hold()
    writes = GroupedWrites(disk.submit)

    waiting = asyncio.create_task(writes.add(1))
    await turns(5)
    assert disk.groups == [[1]]
    assert not waiting.done()
    disk.release()

    await waiting


async def test_a_failure_reaches_all_of_its_group_and_nobody_else() -> None:
    disk = Disk()
    disk.hold()
    disk.failing = {2}
    writes = GroupedWrites(disk.submit)
    first = asyncio.create_task(writes.add(1))
    await turns()
    rest = [asyncio.create_task(writes.add(n)) for n in (2, 3)]
    await turns()
    disk.release()

    ends = await asyncio.gather(first, *rest, return_exceptions=True)

    assert ends[0] is None
    assert [type(end) for end in ends[1:]] == [StoreError, StoreError]
    await writes.add(4)
    assert disk.groups == [[1], [4]]


async def test_a_write_that_cannot_begin_fails_those_that_wait_for_it() -> None:
    disk = Disk()
    disk.closed = True
    writes = GroupedWrites(disk.submit)

    with pytest.raises(StoreError, match="closed"):
        await writes.add(1)
    disk.closed = False
    await writes.add(2)

    assert disk.groups == [[2]]


async def test_an_item_is_written_though_nobody_waits_any_more() -> None:
    disk = Disk()
    writes = GroupedWrites(disk.submit)
    waiting = asyncio.create_task(writes.add(1))
    await asyncio.sleep(0)

    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    await writes.add(2)

    assert [n for group in disk.groups for n in group] == [1, 2]
