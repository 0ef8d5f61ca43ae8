import asyncio
import os
import threading
from collections.abc import Callable

from uq_tui.engine.line_reader import LineReader


async def read_all(receive: Callable[[bytes], None], data: bytes) -> None:
    """Send data through a pipe to a reader, and wait until it has handled all of it."""
    reading, writing = os.pipe()
    reader = LineReader(receive)
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: reader, os.fdopen(reading, "rb", buffering=0))

    def write() -> None:
        with os.fdopen(writing, "wb") as file:
            file.write(data)

    thread = threading.Thread(target=write)
    thread.start()
    await asyncio.wait_for(reader.drained.wait(), 30)
    await asyncio.to_thread(thread.join)


async def test_a_flood_arrives_whole_and_in_order() -> None:
    lines = [b"%d %s" % (n, b"x" * (n % 400)) for n in range(30_000)]
    got: list[bytes] = []

    await read_all(got.append, b"".join(line + b"\n" for line in lines))

    assert got == lines


async def test_the_loop_runs_between_slices_of_a_flood() -> None:
    ticks = 0
    ticks_at_line: list[int] = []

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0)

    def slow(line: bytes) -> None:
        ticks_at_line.append(ticks)
        threading.Event().wait(0.001)

    ticking = asyncio.create_task(tick())
    await read_all(slow, b"line\n" * 100)
    ticking.cancel()

    assert len(ticks_at_line) == 100
    assert max(b - a for a, b in zip(ticks_at_line, ticks_at_line[5:], strict=False)) >= 1
    assert len(set(ticks_at_line)) >= 20


async def test_a_subscriber_that_fails_does_not_stop_the_events() -> None:
    got: list[bytes] = []
    problems: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: problems.append(context["exception"]))

    def receive(line: bytes) -> None:
        got.append(line)
        if line == b"bad":
            raise RuntimeError("a fault in a screen")

    await read_all(receive, b"one\nbad\nthree\n")

    assert got == [b"one", b"bad", b"three"]
    assert [str(problem) for problem in problems] == ["a fault in a screen"]
