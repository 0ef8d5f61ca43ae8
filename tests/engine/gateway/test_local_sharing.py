"""Servers that several processes share: real processes and locks, a stand-in for the model library."""

import asyncio
import http.client
import json
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from tests.fakes.model_library import FOLDER
from uq_tui.engine.local.lease import Lease, Record, process_started
from uq_tui.engine.local.servers import LocalServer, LocalServers, ServerSettings
from uq_tui.errors import ModelError

pytestmark = pytest.mark.skipif(os.name != "posix", reason="locks and processes of POSIX systems")

USER = """
import asyncio, sys
from pathlib import Path
from uq_tui.engine.local.servers import LocalServers, ServerSettings
async def main():
    settings = ServerSettings("m", Path(sys.argv[2]), sys.argv[3], 2, 512)
    server = await LocalServers(Path(sys.argv[1])).running(settings)
    print(server.pid, flush=True)
    sys.stdin.read()
asyncio.run(main())
"""
"""Joins a server, says its process number, and stays until its standard input ends."""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("UQ_TUI_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PYTHONPATH", str(FOLDER))
    return tmp_path


@pytest.fixture
def servers(home: Path) -> Iterator[LocalServers]:
    opened = LocalServers(home / "w.uq.sqlite")
    yield opened
    opened.close()


@pytest.fixture
def processes() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def model(home: Path, name: str = "m", content: str = "words") -> ServerSettings:
    file = home / f"{name}.gguf"
    file.write_text(content)
    return ServerSettings("m", file, name * 64, slots=2, context=512)


def user(processes: ExitStack, home: Path, settings: ServerSettings) -> "subprocess.Popen[bytes]":
    """A process that uses the model's server, and is killed at the end of the test."""
    arguments = (str(home / "w.uq.sqlite"), str(settings.gguf), settings.sha256)
    command = [sys.executable, "-P", "-c", USER, *arguments]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    processes.enter_context(process)
    processes.callback(process.kill)
    return process


def said_pid(process: "subprocess.Popen[bytes]") -> int:
    assert process.stdout is not None
    return int(process.stdout.readline())


def lease_of(home: Path, settings: ServerSettings) -> Lease:
    return Lease.of(home / "w.uq.sqlite", (settings.sha256, settings.slots, settings.context))


async def eventually(condition: Callable[[], bool], within_s: float = 30.0) -> bool:
    end = time.monotonic() + within_s
    while not condition():
        if time.monotonic() > end:
            return False
        await asyncio.sleep(0.02)
    return True


def is_gone(pid: int) -> bool:
    return process_started(pid) == ""


class Stream:
    """A reply under way."""

    def __init__(self, server: LocalServer, words: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", server.record.port, timeout=60)
        self._connection.request("POST", "/v1/chat/completions", json.dumps({"max_tokens": words}))
        self._response = self._connection.getresponse()

    def read(self, words: int) -> list[int]:
        return [int(self._response.readline().removeprefix(b"data: ")) for _ in range(words)]

    def close(self) -> None:
        self._response.close()
        self._connection.close()


async def test_a_second_process_joins_the_server_of_the_first(
    home: Path, servers: LocalServers, processes: ExitStack
) -> None:
    settings = model(home)
    server = await servers.running(settings)
    other = user(processes, home, settings)
    assert await asyncio.to_thread(said_pid, other) == server.pid
    assert server.context == 512
    record = lease_of(home, settings).stem.with_suffix(".json")
    assert stat.S_IMODE(record.stat().st_mode) == 0o600
    assert stat.S_IMODE(record.parent.stat().st_mode) == 0o700
    assert json.loads(record.read_text()).keys() == {"port", "key", "pid", "started"}
    assert server.record.key not in repr(server)


async def test_a_server_outlives_the_process_that_started_it_and_not_its_last_user(
    home: Path, servers: LocalServers, processes: ExitStack
) -> None:
    settings = model(home)
    starter = user(processes, home, settings)
    pid = await asyncio.to_thread(said_pid, starter)
    server = await servers.running(settings)
    assert server.pid == pid
    stream = Stream(server, words=500)
    processes.callback(stream.close)
    first = await asyncio.to_thread(stream.read, 10)
    starter.kill()
    starter.wait()
    rest = await asyncio.to_thread(stream.read, 490)  # longer than a server without users stays
    assert [*first, *rest] == list(range(500))
    assert await servers.running(settings) == server
    last = user(processes, home, settings)
    assert await asyncio.to_thread(said_pid, last) == pid
    servers.close()
    last.kill()
    assert await eventually(lambda: is_gone(pid))
    assert await eventually(lambda: lease_of(home, settings).read() is None)
    assert lease_of(home, settings).is_vacant()


async def test_processes_that_ask_at_once_start_one_server(home: Path, processes: ExitStack) -> None:
    settings = model(home)
    users = [user(processes, home, settings) for _ in range(3)]
    assert len({await asyncio.to_thread(said_pid, one) for one in users}) == 1


async def test_another_workspace_has_a_server_of_its_own(home: Path, servers: LocalServers) -> None:
    settings = model(home)
    elsewhere = LocalServers(home / "other.uq.sqlite")
    try:
        assert (await elsewhere.running(settings)).pid != (await servers.running(settings)).pid
    finally:
        elsewhere.close()
    again = LocalServers(home / "folder" / ".." / "w.uq.sqlite")
    try:
        assert await again.running(settings) == await servers.running(settings)
    finally:
        again.close()


async def test_a_server_whose_users_die_while_it_loads_ends(home: Path, processes: ExitStack) -> None:
    settings = model(home, content="load")
    lease = lease_of(home, settings)
    users = [user(processes, home, settings) for _ in range(2)]
    assert await eventually(Path(f"{settings.gguf}.loading").exists)
    assert not lease.is_vacant()
    for one in users:
        one.kill()
        one.wait()
    assert await eventually(lease.is_vacant)


async def test_a_crash_is_mended_once_and_touches_no_other_model(
    home: Path, servers: LocalServers, processes: ExitStack
) -> None:
    settings, others = model(home), model(home, "n")
    other = await servers.running(others)
    stream = Stream(other, words=300)
    processes.callback(stream.close)
    pids = []
    for _ in range(2):
        pids.append((await servers.running(settings)).pid)
        os.kill(pids[-1], signal.SIGKILL)
        assert await eventually(lease_of(home, settings).is_vacant)
    with pytest.raises(ModelError) as caught:
        await servers.running(settings)
    assert "crashed twice" in caught.value.message
    assert "local-m.log" in caught.value.hint
    assert pids[0] != pids[1]
    assert await asyncio.to_thread(stream.read, 300) == list(range(300))
    assert await servers.running(others) == other


async def test_a_reply_makes_up_for_a_crash(home: Path, servers: LocalServers) -> None:
    settings = model(home)
    for _ in range(3):
        server = await servers.running(settings)
        servers.replied(settings)
        os.kill(server.pid, signal.SIGKILL)
        assert await eventually(lease_of(home, settings).is_vacant)


async def test_another_process_follows_to_the_server_that_was_started_after_a_crash(
    home: Path, servers: LocalServers
) -> None:
    settings = model(home)
    first = await servers.running(settings)
    second_user = LocalServers(home / "w.uq.sqlite")
    try:
        await second_user.running(settings)
        os.kill(first.pid, signal.SIGKILL)
        assert await eventually(lease_of(home, settings).is_vacant)
        second = await second_user.running(settings)
        assert second.pid != first.pid
        assert await servers.running(settings) == second
    finally:
        second_user.close()


async def test_a_record_that_was_left_behind_is_replaced(home: Path, servers: LocalServers) -> None:
    settings = model(home)
    lease = lease_of(home, settings)
    left = Record(port=9, key="old", pid=os.getpid(), started=process_started(os.getpid()))
    lease.write(left)
    server = await servers.running(settings)
    assert server.pid != left.pid
    assert lease.read() == server.record


@pytest.mark.parametrize("content", ["", "[]", "{", '{"port": 1}', '{"port":"1","key":"k","pid":1,"started":"x"}'])
def test_a_damaged_record_counts_as_none(home: Path, content: str) -> None:
    lease = Lease(home / "damaged")
    lease.stem.with_suffix(".json").write_text(content)
    assert lease.read() is None


def test_a_process_number_that_was_given_again_is_noticed() -> None:
    now = Record(1, "k", os.getpid(), process_started(os.getpid()))
    assert now.is_current
    assert not replace(now, started="1").is_current


async def test_a_server_that_answers_nobody_is_replaced_when_it_is_doubted(home: Path, servers: LocalServers) -> None:
    settings = model(home)
    server = await servers.running(settings)
    lease = lease_of(home, settings)
    lease.write(replace(server.record, key="another"))
    joining = LocalServers(home / "w.uq.sqlite")
    try:
        found = await joining.running(settings)
    finally:
        joining.close()
    assert found.pid != server.pid
    servers.doubt(settings)
    assert await servers.running(settings) == found
    servers.doubt(settings)
    assert await servers.running(settings) == found


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
async def test_the_key_stands_in_no_list_of_processes_and_in_no_log(home: Path, servers: LocalServers) -> None:
    server = await servers.running(model(home))
    keeper = Path(f"/proc/{server.pid}/stat").read_text().rpartition(")")[2].split()[1]
    for pid in (str(server.pid), keeper):
        about = Path("/proc") / pid
        assert b"uq_tui.engine.local." in (about / "cmdline").read_bytes()
        assert server.record.key.encode() not in (about / "cmdline").read_bytes() + (about / "environ").read_bytes()
    holding = [file for file in home.rglob("*") if file.is_file() and server.record.key in file.read_text("latin-1")]
    assert [file.suffix for file in holding] == [".json"]
    assert os.getpriority(os.PRIO_PROCESS, server.pid) == 10


async def test_a_server_that_does_not_start_is_told_with_the_reason_and_the_log(
    home: Path, servers: LocalServers
) -> None:
    settings = model(home, content="refuse")
    with pytest.raises(ModelError) as caught:
        await servers.running(settings)
    assert caught.value.message == "The server of local/m did not start: RuntimeError: failed to load model."
    assert "local-m.log" in caught.value.hint
    assert lease_of(home, settings).is_vacant()


async def test_a_server_that_ends_at_once_is_told_with_the_log(
    home: Path, servers: LocalServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false" if Path("/bin/false").exists() else "/usr/bin/false")
    with pytest.raises(ModelError) as caught:
        await servers.running(replace(model(home), name="odd name/.."))
    assert "it ended without a word" in caught.value.message
    assert "local-odd_name_...log" in caught.value.hint
