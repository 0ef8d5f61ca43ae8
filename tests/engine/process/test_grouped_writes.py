import asyncio
import threading
from collections.abc import Sequence

import pytest

from uq_tui.engine.grouped_writes import GroupedWrites
from uq_tui.errors import StoreError


class Disk:
    """Takes groups; can be made to wait or to fail."""

    def __init__(self) -> None:
        self.groups: list[list[int]] = []
        self.free = threading.Event()
        self.free.set()
        self.failing: set[int] = set()

    def write(self, items: Sequence[int]) -> None:
        self.free.wait(10)
        if self.failing & set(items):
            raise StoreError("the disk is full")
        self.groups.append(list(items))


async def test_what_comes_during_a_write_goes_out_together() -> None:
    disk = Disk()
    disk.free.clear()
    writes = GroupedWrites(disk.write)

    first = asyncio.create_task(writes.add(1))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    rest = [asyncio.create_task(writes.add(n)) for n in range(2, 8)]
    await asyncio.sleep(0)
    disk.free.set()
    await asyncio.gather(first, *rest)

    assert disk.groups == [[1], [2, 3, 4, 5, 6, 7]]


async def test_add_returns_only_after_the_commit() -> None:
    disk = Disk()
    writes = GroupedWrites(disk.write)

    await writes.add(1)

    assert disk.groups == [[1]]


async def test_a_failure_reaches_all_of_its_group_and_nobody_else() -> None:
    disk = Disk()
    disk.free.clear()
    disk.failing = {2}
    writes = GroupedWrites(disk.write)
    first = asyncio.create_task(writes.add(1))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    rest = [asyncio.create_task(writes.add(n)) for n in (2, 3)]
    await asyncio.sleep(0)
    disk.free.set()

    ends = await asyncio.gather(first, *rest, return_exceptions=True)

    assert ends[0] is None
    assert [type(end) for end in ends[1:]] == [StoreError, StoreError]
    await writes.add(4)
    assert disk.groups == [[1], [4]]


async def test_an_item_is_written_though_nobody_waits_any_more() -> None:
    disk = Disk()
    disk.free.clear()
    writes = GroupedWrites(disk.write)
    waiting = asyncio.create_task(writes.add(1))
    await asyncio.sleep(0)

    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    disk.free.set()
    await writes.add(2)

    assert disk.groups == [[1], [2]]
