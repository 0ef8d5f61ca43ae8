"""Ctrl-C in the real program: the run is kept as interrupted and goes on later without asking twice."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from store import runs
from tests.commands.conftest import QUESTION, Desk, Run, document, model_at
from tests.fakes.openai_server import FakeServer, Rule

PROGRAM = Path(sys.executable).with_name("uq-tui")


def wait_for_asked(desk: Desk, calls: int) -> None:
    """Wait until so many calls of the newest run are in the store."""
    workspace = desk.open()
    try:
        deadline = time.monotonic() + 60
        while (found := runs.recent(workspace, 1)) == () or found[0].asked < calls:
            assert time.monotonic() < deadline
            time.sleep(0.05)
    finally:
        workspace.close()


def test_ctrl_c_interrupts_and_resume_completes(
    uq: Run, desk: Desk, home: Path, served: Callable[..., FakeServer]
) -> None:
    first = Rule(reply="\\boxed{4}", contains=("Yes, by a sieve.",))
    server = served(first, Rule(reply="\\boxed{4} and so on", stall_after=1))
    command = ("cbu", QUESTION, "--rollouts", "1", *model_at(server))
    environment = os.environ | {"UQ_TUI_HOME": str(home)}
    process = subprocess.Popen(
        [str(PROGRAM), "--workspace", str(desk.path), *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    try:
        assert server.wait_until(lambda seen: len(seen) == 6, 60)
        wait_for_asked(desk, 2)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130, stderr
    assert "Traceback" not in stderr
    (run,) = document(uq("runs", "--json"))["runs"]
    assert run["state"] == "interrupted"
    assert f"uq-tui runs resume {run['id']}" in stderr
    assert all(one.disconnected for one in server.requests if not one.finished)

    server.release()
    result = uq("runs", "resume", "--json")
    assert result.exit_code == 0
    (resumed,) = json.loads(result.stdout)["runs"]
    assert resumed["run"]["id"] == run["id"]
    assert resumed["run"]["state"] == "done"
    assert len(server.requests) == 6 + 4
