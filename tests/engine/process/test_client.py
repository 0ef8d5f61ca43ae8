"""The client with the real worker process, without any run."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from store import runs
from store.workspace import Workspace
from tests.engine.process.fakes import until
from tests.engine.process.lab import ROOT, App
from uq_tui.engine.client import SILENT_SECONDS, EngineClient
from uq_tui.engine.protocol import (
    EngineProblem,
    Heartbeat,
    RunAsked,
    RunFinished,
    RunStarted,
    WorkerHeard,
    WorkerLost,
    WorkerReady,
    WorkerSilent,
    decode,
)
from uq_tui.engine.requests import GenerateRequest, ModelChoice
from uq_tui.errors import EngineLostError
from uq_tui.words import RunKind

REQUEST = GenerateRequest(("no such question",), ModelChoice("replay/none"))


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UQ_TUI_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    made = App(tmp_path / "test.uq.sqlite", tmp_path / "worker.log")
    yield made
    await made.client.close()


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def up(app: App) -> bool:
    return app.client.running


def pid_of(app: App) -> int:
    assert app.client.pid is not None
    return app.client.pid


def test_importing_the_client_is_cheap() -> None:
    code = "import sys, uq_tui.engine.client as c; print(*sorted({name.split('.')[0] for name in sys.modules}))"
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)

    assert {"litellm", "openai", "sqlalchemy", "sqlmodel", "pydantic", "textual"}.isdisjoint(found.stdout.split())


async def test_a_worker_starts_and_closes(app: App) -> None:
    assert not up(app)

    await app.client.start()
    pid = pid_of(app)
    assert up(app)
    assert [event.pid for event in app.seen(WorkerReady)] == [pid]

    await app.client.close()
    await app.client.close()

    assert not up(app)
    assert not alive(pid)
    assert app.seen(WorkerLost) == []


async def test_the_worker_is_nice_and_quiet(app: App, capfd: pytest.CaptureFixture[str]) -> None:
    own = os.getpriority(os.PRIO_PROCESS, 0)
    await app.client.start()
    pid = pid_of(app)

    assert os.getpriority(os.PRIO_PROCESS, pid) == min(own + 10, 19)
    assert os.getsid(pid) != os.getsid(0)
    log = app.client._log
    for descriptor in ("1", "2"):
        link = Path(f"/proc/{pid}/fd/{descriptor}")
        if link.parent.exists():
            assert link.readlink() == log
    assert capfd.readouterr() == ("", "")


async def test_ctrl_c_is_not_for_the_worker_but_sigterm_is(app: App) -> None:
    await app.client.start()
    os.kill(pid_of(app), signal.SIGINT)

    ticket = app.client.start_run(REQUEST)
    assert (await app.event(RunAsked)).ticket == ticket
    before = app.client.starting
    await app.event(EngineProblem, lambda event: event.ticket == ticket)
    assert (before, app.client.starting) == (True, False)
    assert up(app)

    os.kill(pid_of(app), signal.SIGTERM)
    assert "exit code 0" in (await app.event(WorkerLost)).message


async def test_a_killed_worker_is_noticed_and_replaced(app: App) -> None:
    await app.client.start()
    first = pid_of(app)
    os.kill(first, signal.SIGKILL)

    lost = await app.event(WorkerLost)
    assert "SIGKILL" in lost.message
    assert str(app.client._log) in lost.message
    assert not up(app)
    with pytest.raises(EngineLostError):
        app.client.start_run(REQUEST)

    await app.client.restart()

    assert up(app)
    assert pid_of(app) != first
    assert len(app.seen(WorkerLost)) == 1


async def test_a_request_lost_with_the_worker_is_told(app: App) -> None:
    await app.client.start()
    os.kill(pid_of(app), signal.SIGSTOP)
    ticket = app.client.start_run(REQUEST)
    os.kill(pid_of(app), signal.SIGKILL)

    await app.event(WorkerLost)

    assert [problem.ticket for problem in app.seen(EngineProblem)] == [ticket]


@pytest.mark.parametrize("by_name", [True, False])
async def test_what_was_to_be_resumed_is_resumed_by_the_next_worker(app: App, tmp_path: Path, by_name: bool) -> None:
    ws = Workspace.open(tmp_path / "test.uq.sqlite")
    run = runs.create(ws, RunKind.GENERATE, "cut short", {"epoch": 0}, 1)
    ws.close()
    await app.client.start()
    os.kill(pid_of(app), signal.SIGSTOP)
    if by_name:
        app.client.resume(run.id)
    else:
        app.client.resume_interrupted()
    os.kill(pid_of(app), signal.SIGKILL)
    await app.event(WorkerLost)
    assert app.seen(RunStarted) == []

    await app.client.restart()

    assert (await app.event(RunStarted)).run_id == run.id
    await app.event(RunFinished)


async def test_starting_twice_at_once_starts_one_worker(app: App) -> None:
    await asyncio.gather(app.client.start(), app.client.start())
    await app.client.start()

    assert len(app.seen(WorkerReady)) == 1


async def test_closing_while_it_starts_leaves_no_worker(app: App) -> None:
    starting = asyncio.create_task(app.client.start())
    await until(lambda: app.client.pid is not None)
    pid = pid_of(app)

    await app.client.close()

    with pytest.raises(EngineLostError):
        await starting
    assert not alive(pid)


async def test_a_stopped_worker_is_killed_on_close(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uq_tui.engine.worker_process._PATIENCE_SECONDS", 0.1)
    await app.client.start()
    pid = pid_of(app)
    os.kill(pid, signal.SIGSTOP)

    await app.client.close()

    assert not alive(pid)


async def test_a_worker_that_hangs_is_told_and_heard_again(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uq_tui.engine.client._LISTEN_SECONDS", 0.2)
    await app.client.start()
    os.kill(pid_of(app), signal.SIGSTOP)

    assert (await app.event(WorkerSilent)).seconds == SILENT_SECONDS
    assert up(app)
    assert app.seen(WorkerHeard) == []

    os.kill(pid_of(app), signal.SIGCONT)
    await app.event(WorkerHeard)
    assert len(app.seen(WorkerSilent)) == 1
    assert app.seen(WorkerLost) == []
    assert app.seen(Heartbeat) == []


async def test_a_worker_that_hangs_is_killed_and_replaced_by_hand(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uq_tui.engine.client._LISTEN_SECONDS", 0.2)
    await app.client.start()
    first = pid_of(app)
    os.kill(first, signal.SIGSTOP)
    await app.event(WorkerSilent)

    await asyncio.gather(app.client.restart(by_hand=True), app.client.restart())

    assert up(app)
    assert not alive(first)
    assert "SIGKILL" in app.seen(WorkerLost)[0].message
    assert len(app.seen(WorkerReady)) == 2


async def test_an_idle_worker_is_never_silent(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[bytes] = []
    receive = EngineClient._receive

    def count(client: EngineClient, line: bytes) -> None:
        lines.append(line)
        receive(client, line)

    monkeypatch.setattr(EngineClient, "_receive", count)
    monkeypatch.setattr("uq_tui.engine.client._LISTEN_SECONDS", 0.25)
    await app.client.start()
    await until(lambda: len(lines) > 4)

    assert {type(decode(line)) for line in lines} == {WorkerReady, Heartbeat}
    assert app.seen(WorkerSilent) == []


async def test_what_is_no_command_is_answered_and_the_worker_goes_on(app: App) -> None:
    lines = [b"garbage", b"", b"\xff" * 1000, b'{"v":9}', b'{"v":1,"type":"WorkerReady","version":1,"pid":2}']
    await app.client.start()
    assert app.client._worker is not None
    for line in lines:
        app.client._worker.send(line + b"\n")
    app.client.watch("no such call")
    app.client.unwatch("no such call")
    app.client.cancel("no such run")
    app.client.resume("nor this one")
    ticket = app.client.start_run(REQUEST)

    problem = await app.event(EngineProblem, lambda event: event.ticket == ticket)
    await app.event(EngineProblem, lambda event: "no such run" in event.message)
    await app.event(EngineProblem, lambda event: "nor this one" in event.message)

    assert "no such question" in problem.message
    assert len(app.seen(EngineProblem)) == len(lines) + 3
    assert up(app)


async def test_a_workspace_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "folder.uq.sqlite"
    folder.mkdir()
    app = App(folder, tmp_path / "worker.log")

    await app.client.start()
    problem = await app.event(EngineProblem)
    await app.event(WorkerLost)
    await app.client.close()

    assert problem.title == "Workspace"
    assert "folder" in problem.message


async def test_a_worker_that_ends_again_and_again_stays_off(tmp_path: Path) -> None:
    folder = tmp_path / "folder.uq.sqlite"
    folder.mkdir()
    app = App(folder, tmp_path / "worker.log")

    await app.client.start()
    for _ in range(2):
        await app.event(WorkerLost)
        app.events.clear()
        await app.client.restart()
    await app.event(WorkerLost)
    with pytest.raises(EngineLostError, match="3 times"):
        await app.client.restart()
    assert not up(app)

    folder.rmdir()
    await app.client.restart(by_hand=True)
    assert up(app)
    await app.client.close()


async def test_a_log_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    app = App(tmp_path / "test.uq.sqlite", tmp_path / "missing" / "worker.log")

    with pytest.raises(EngineLostError, match="missing"):
        await app.client.start()

    assert not up(app)


async def test_a_large_log_is_set_aside(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uq_tui.engine.worker_process._LOG_BYTES", 10)
    app.client._log.write_text("a long log of earlier days\n")

    await app.client.start()

    assert app.client._log.with_name("worker.log.1").read_text() == "a long log of earlier days\n"


async def test_unsubscribed_callbacks_hear_nothing(app: App) -> None:
    heard: list[object] = []
    unsubscribe = app.client.subscribe(heard.append)
    unsubscribe()
    unsubscribe()

    await app.client.start()

    assert heard == []
    assert app.seen(WorkerReady)


async def test_a_worker_that_dies_at_once_is_told(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "/nowhere")
    monkeypatch.setenv("PYTHONHOME", "/nowhere")

    with pytest.raises(EngineLostError, match="while it was starting"):
        await app.client.start()

    assert app.client._log.read_text()


def test_the_worker_never_outlives_an_app_that_died(tmp_path: Path) -> None:
    """The app is killed with no chance to say goodbye."""
    code = f"""
import asyncio, os
from pathlib import Path
from uq_tui.engine.client import EngineClient

async def main():
    client = EngineClient(Path({str(tmp_path / "test.uq.sqlite")!r}), Path({str(tmp_path / "worker.log")!r}))
    await client.start()
    print(client.pid, flush=True)
    await asyncio.sleep(60)

asyncio.run(main())
"""
    app = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert app.stdout is not None
    pid = int(app.stdout.readline())
    app.kill()
    app.wait()
    app.stdout.close()

    asyncio.run(until(lambda: not alive(pid)))
    with Workspace.open(tmp_path / "test.uq.sqlite").read() as conn:
        assert conn.exec_driver_sql("SELECT count(*) FROM run").scalar_one() == 0


def test_without_a_worker_watching_does_nothing_and_commands_say_so(tmp_path: Path) -> None:
    client = EngineClient(tmp_path / "test.uq.sqlite", tmp_path / "worker.log")
    client.watch("k")
    client.unwatch("k")
    with pytest.raises(EngineLostError, match="not running"):
        client.cancel("r")
