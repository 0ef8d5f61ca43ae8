"""Whatever comes in on the command pipe, the worker answers what it can't use and goes on."""

import asyncio
import json
from collections.abc import Iterator
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.workspace import Workspace
from tests.engine.process.fakes import until
from uq_tui.config import Config
from uq_tui.engine import protocol
from uq_tui.engine.event_pipe import EventPipe
from uq_tui.engine.protocol import CancelRun, Command, EngineProblem, Event, Shutdown, decode, encode
from uq_tui.engine.requests import Request
from uq_tui.engine.session import EngineSession
from uq_tui.engine.worker import _Arguments, _CommandPipe, _Worker
from uq_tui.errors import ProtocolError

LAST = "the last command"
_KINDS = (*get_args(protocol.Command), *get_args(protocol.Event), *get_args(Request))
_FIELDS = ("run_id", "call_key", "ticket", "request", "budget_usd", "budget_tokens", "pid", "message", "more")

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=4),
    max_leaves=8,
)
_NEARLY = st.fixed_dictionaries(
    {
        "v": st.sampled_from([protocol.VERSION] * 5 + [protocol.VERSION + 1, 0, None, "2"]),
        "type": st.sampled_from([kind.__name__ for kind in _KINDS] + ["Nothing"]),
    },
    optional=dict.fromkeys(_FIELDS, _JSON | st.just({"v": protocol.VERSION, "type": "Shutdown"})),
)


def _sent(command: Command) -> bytes:
    """A command as a line; an empty one when a number in it can't be sent."""
    try:
        return encode(command)[:-1]
    except ValueError:
        return b""


_COMMANDS = st.one_of([st.from_type(kind) for kind in get_args(protocol.Command)]).map(_sent)
_LINES = st.one_of(
    st.binary(max_size=60).filter(lambda line: b"\n" not in line),
    _JSON.map(lambda value: json.dumps(value).encode()),
    _NEARLY.map(lambda value: json.dumps(value).encode()),
    _COMMANDS,
    st.builds(lambda line, end: line[:end], _COMMANDS, st.integers(0, 80)),
)


class Told(EventPipe):
    """Keeps what is sent."""

    def __init__(self) -> None:
        super().__init__()
        self.events: list[Event] = []

    def send(self, event: Event) -> None:
        self.events.append(event)

    @property
    def problems(self) -> list[EngineProblem]:
        return [event for event in self.events if isinstance(event, EngineProblem)]


@pytest.fixture(scope="module")
def ws(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    made = Workspace.open(tmp_path_factory.mktemp("commands") / "test.uq.sqlite")
    yield made
    made.close()


def command_in(line: bytes) -> Command | None:
    try:
        message = decode(line)
    except ProtocolError:
        return None
    return message if isinstance(message, Command) else None


@given(lines=st.lists(_LINES, max_size=12), cut=st.integers(1, 50))
def test_every_line_that_is_no_command_is_answered_and_the_next_one_obeyed(
    ws: Workspace, lines: list[bytes], cut: int
) -> None:
    asyncio.run(_obey(ws, [line for line in lines if not isinstance(command_in(line), Shutdown)], cut))


async def _obey(ws: Workspace, lines: list[bytes], cut: int) -> None:
    log, told = ws.path.with_suffix(".log"), Told()
    session = EngineSession(ws, Config(), told.send, log=log)
    worker = _Worker(_Arguments(ws.path, 0, 0, log, ""), told)
    pipe = _CommandPipe(worker._lines.put_nowait, worker._stop.set)
    obeying = asyncio.create_task(worker._obey_all(session))

    data = b"".join(line + b"\n" for line in lines) + encode(CancelRun(LAST))
    for start in range(0, len(data), cut):
        pipe.data_received(data[start : start + cut])
    await until(lambda: obeying.done() or any(LAST in problem.message for problem in told.problems))

    assert not obeying.done()
    assert len(told.problems) > sum(command_in(line) is None for line in lines)
    obeying.cancel()
    for task in tuple(worker._tasks):
        task.cancel()
    await asyncio.gather(*worker._tasks, return_exceptions=True)
    await session.close()
