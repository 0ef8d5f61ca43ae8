"""What a person sees: progress while the engine works, ids that are whole on 80 columns, Ctrl-C at the keyboard.

A run that Ctrl-C interrupts is kept, and goes on later without asking twice.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands.conftest import QUESTION, Desk, Run, document, model_at
from tests.fakes.openai_server import FakeServer, Rule
from tests.terminal import Terminal

PROGRAM = str(Path(sys.executable).with_name("uq-tui"))

pytestmark = pytest.mark.terminal

Serve = Callable[..., FakeServer]


def terminal(desk: Desk, home: Path, *arguments: str) -> Terminal:
    environment = os.environ | {"UQ_TUI_HOME": str(home), "TERM": "xterm-256color"}
    return Terminal([PROGRAM, "--workspace", str(desk.path), *arguments], env=environment, columns=80, lines=30)


def test_ctrl_c_interrupts_and_resume_completes(uq: Run, desk: Desk, home: Path, served: Serve) -> None:
    first = Rule(reply="\\boxed{4}", contains=("Yes, by a sieve.",))
    server = served(first, Rule(reply="\\boxed{4} and so on", stall_after=1))
    with terminal(desk, home, "cbu", QUESTION, "--rollouts", "1", *model_at(server)) as screen:
        screen.wait_for("Planned: 6 calls", 60)
        screen.wait_for("0/6 2 asked", 60)
        assert server.wait_until(lambda seen: len(seen) == 6, 60)
        screen.press("ctrl+c")
        screen.wait_for("uq-tui runs resume", 60)
        assert screen.wait_for_end(30) == 130
        told = "".join(screen.text.split())
    assert "Traceback" not in told
    (run,) = document(uq("runs", "--json"))["runs"]
    assert run["state"] == "interrupted"
    assert f"uq-tuirunsresume{run['id']}" in told
    assert server.wait_until(lambda seen: all(one.finished or one.disconnected for one in seen), 60)

    server.release()
    result = uq("runs", "resume", "--json")
    assert result.exit_code == 0
    (resumed,) = document(result)["runs"]
    assert resumed["run"]["id"] == run["id"]
    assert resumed["run"]["state"] == "done"
    assert len(server.requests) == 6 + 4


def test_ids_are_whole_on_a_narrow_terminal(desk: Desk, home: Path) -> None:
    with terminal(desk, home, "questions") as screen:
        assert screen.wait_for_end(60) == 0
        lines = screen.text.splitlines()
    assert any(line.startswith(f"{QUESTION}  unanswered") for line in lines)
    assert b"\x1b[2J" not in screen.output
