import asyncio
import os
import tracemalloc
from collections.abc import AsyncIterator

import pytest

from uq_tui.engine.calls.live_text import LiveText
from uq_tui.engine.event_pipe import BACKLOG_BYTES, LARGEST_BACKLOG_BYTES, TEXT_BACKLOG_BYTES, EventPipe
from uq_tui.engine.line_buffer import LineBuffer
from uq_tui.engine.protocol import (
    AttemptRead,
    EngineProblem,
    Event,
    EventsLost,
    Heartbeat,
    RunFinished,
    RunProgress,
    RunStarted,
    StageStarted,
    TextDelta,
    UtilityUpdated,
    decode,
    encode,
)
from uq_tui.words import RunKind, RunState


class Ends:
    """Both ends of a pipe: events go in here, the app reads there."""

    def __init__(self, pipe: EventPipe, reading: int) -> None:
        self.pipe = pipe
        self._reading = reading

    async def read(self) -> list[Event]:
        """All that is sent until the pipe is closed."""
        data = await asyncio.to_thread(self._read_all)
        return [event for line in data.splitlines() if isinstance(event := decode(line), Event)]

    async def read_until(self, last: Event) -> list[Event]:
        """What is sent up to and with an event."""
        lines = LineBuffer()
        found: list[Event] = []
        while last not in found:
            data = await asyncio.to_thread(os.read, self._reading, 65536)
            found += [event for line in lines.feed(data) if isinstance(event := decode(line), Event)]
        return found

    def _read_all(self) -> bytes:
        with os.fdopen(self._reading, "rb", closefd=False) as file:
            return file.read()


@pytest.fixture
async def ends() -> AsyncIterator[Ends]:
    reading, writing = os.pipe()
    loop = asyncio.get_running_loop()
    _, pipe = await loop.connect_write_pipe(EventPipe, os.fdopen(writing, "wb", buffering=0))
    yield Ends(pipe, reading)
    os.close(reading)
    await pipe.flush()


async def test_events_arrive_in_order(ends: Ends) -> None:
    events = [StageStarted("r", "c", str(n)) for n in range(200)]
    for event in events:
        ends.pipe.send(event)

    reading = asyncio.create_task(ends.read())
    await ends.pipe.flush()

    assert await reading == events


async def test_an_app_that_does_not_read_loses_live_text_only(ends: Ends) -> None:
    kept: list[Event] = []
    sent = 0
    live = LiveText(ends.pipe.send, batch_seconds=0.0)
    live.open("k", streamed=True)
    live.watch("k")
    while sent < 4 * TEXT_BACKLOG_BYTES:
        live.add("k", "", "x" * 10_000)
        sent += 10_000
        await asyncio.sleep(0)
        kept.append(StageStarted("r", "c", str(sent)))
        ends.pipe.send(kept[-1])
    kept.append(RunFinished("r", RunState.DONE, "done"))
    ends.pipe.send(kept[-1])

    reading = asyncio.create_task(ends.read())
    await ends.pipe.flush()
    arrived = await reading

    assert [event for event in arrived if not isinstance(event, TextDelta)] == kept
    text = [event for event in arrived if isinstance(event, TextDelta)]
    assert 0 < sum(len(delta.reply) for delta in text) < sent


def progress(run_id: str, done: int) -> RunProgress:
    return RunProgress(run_id, done, 1_000_000, done, 0, 0, None, 0)


async def fill(ends: Ends) -> None:
    """Send until the pipe and the transport take no more, so that what follows waits in the backlog."""
    while not ends.pipe.paused:
        ends.pipe.send(StageStarted("r", "c", "x" * 4096))


async def drained(ends: Ends) -> list[Event]:
    """All that waits, without the events that `fill` has sent."""
    reading = asyncio.create_task(ends.read())
    await ends.pipe.flush()
    return [event for event in await reading if not (isinstance(event, StageStarted) and len(event.path) == 4096)]


async def test_what_later_events_supersede_is_told_once(ends: Ends) -> None:
    await fill(ends)
    for n in range(1000):
        ends.pipe.send(progress("r", n))
        ends.pipe.send(progress("other", n))
        ends.pipe.send(UtilityUpdated("r", "c", None, n == 999))
        ends.pipe.send(AttemptRead("r", "q", 1))
        ends.pipe.send(Heartbeat())
    ends.pipe.send(RunFinished("r", RunState.DONE, "done"))

    assert await drained(ends) == [
        progress("r", 999),
        progress("other", 999),
        UtilityUpdated("r", "c", None, True),
        AttemptRead("r", "q", 1),
        Heartbeat(),
        RunFinished("r", RunState.DONE, "done"),
    ]


async def test_a_million_unread_events_take_bounded_memory_and_the_loss_is_told_last(ends: Ends) -> None:
    await fill(ends)
    essential: list[Event] = [RunStarted("t", "r", RunKind.VALIDATE, "3-iter"), EngineProblem("", "Disk", "full", "")]
    lost, counted = StageStarted("r", "c", "correctness"), progress("r", 7)
    ends.pipe.send(essential[0])
    tracemalloc.start()
    try:
        for _ in range(500_000):
            ends.pipe.send(lost)
            ends.pipe.send(counted)
        ends.pipe.send(essential[1])
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    finished = RunFinished("r", RunState.DONE, "done")
    ends.pipe.send(finished)

    assert peak < 8 * BACKLOG_BYTES  # Python's own share of each kept line comes on top
    assert await drained(ends) == [*essential, finished, EventsLost()]


async def test_once_the_app_has_caught_up_all_events_are_told_again(ends: Ends) -> None:
    await fill(ends)
    lost = StageStarted("r", "c", "x" * 100)
    for _ in range(BACKLOG_BYTES // 100):
        ends.pipe.send(lost)
    told = await ends.read_until(EventsLost())
    later = [StageStarted("r", "c", str(n)) for n in range(10)]
    for event in later:
        ends.pipe.send(event)

    assert lost not in told
    assert await drained(ends) == later


async def test_even_what_is_essential_is_bounded(ends: Ends) -> None:
    await fill(ends)
    problem = EngineProblem("", "Model", "x" * 1000, "")
    for _ in range(2 * LARGEST_BACKLOG_BYTES // 1000):
        ends.pipe.send(problem)
    ends.pipe.send(RunFinished("r", RunState.DONE, "done"))

    arrived = await drained(ends)

    assert arrived[-2:] == [RunFinished("r", RunState.DONE, "done"), EventsLost()]
    assert len(arrived) * len(encode(problem)) < 1.1 * LARGEST_BACKLOG_BYTES


async def test_one_very_long_text_is_not_a_loss(ends: Ends) -> None:
    await fill(ends)
    ends.pipe.send(TextDelta("k", "", 0, "x" * 2 * BACKLOG_BYTES, 0))
    ends.pipe.send(StageStarted("r", "c", "next"))

    assert await drained(ends) == [StageStarted("r", "c", "next")]


async def test_a_gap_shows_and_watching_again_closes_it() -> None:
    dropping = False
    got: list[TextDelta] = []

    def send(delta: TextDelta) -> None:
        if not dropping:
            got.append(delta)

    async def grow(text: str) -> None:
        live.add("k", "", text)
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    live = LiveText(send, batch_seconds=0.0)
    live.open("k", streamed=True)
    live.watch("k")
    await grow("one ")
    dropping = True
    await grow("two ")
    dropping = False
    await grow("three")
    assert got[-1].reply_offset > len(got[0].reply)

    live.watch("k")
    await grow("")

    assert (got[-1].reply_offset, got[-1].reply) == (0, "one two three")


async def test_sending_to_an_app_that_is_gone_does_nothing() -> None:
    reading, writing = os.pipe()
    loop = asyncio.get_running_loop()
    _, pipe = await loop.connect_write_pipe(EventPipe, os.fdopen(writing, "wb", buffering=0))
    os.close(reading)

    for n in range(100):
        pipe.send(StageStarted("r", "c", str(n)))
        await asyncio.sleep(0)
    await pipe.flush()
    pipe.send(StageStarted("r", "c", "after"))

    assert pipe.closed.done()
