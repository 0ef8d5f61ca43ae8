import asyncio
import os
from collections.abc import AsyncIterator

import pytest

from uq_tui.engine.event_pipe import TEXT_BACKLOG_BYTES, EventPipe
from uq_tui.engine.live_text import LiveText
from uq_tui.engine.protocol import Event, RunFinished, StageStarted, TextDelta, decode
from uq_tui.words import RunState


class Ends:
    """Both ends of a pipe: events go in here, the app reads there."""

    def __init__(self, pipe: EventPipe, reading: int) -> None:
        self.pipe = pipe
        self._reading = reading

    async def read(self) -> list[Event]:
        """All that is sent until the pipe is closed."""
        data = await asyncio.to_thread(self._read_all)
        return [event for line in data.splitlines() if isinstance(event := decode(line), Event)]

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
    live.open("k")
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
    live.open("k")
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
