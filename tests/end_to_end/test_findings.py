"""Judge and audit from the findings of a candidate, in a real terminal of 80 by 24, with a real server on loopback."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.end_to_end.conftest import configure
from tests.fakes.openai_rules import Rule
from tests.fakes.server_process import FakeServerProcess
from tests.terminal import Terminal

pytestmark = pytest.mark.terminal

ANSWER = "By Theorem 4 of Smith it is **even**, see arXiv:2613.04412. Clearly that proves it."
FLAW = {"quote": "Clearly that proves it.", "claim": "It follows.", "problem": "No step is given.", "fix": "Give one."}
AUDIT = {"code": "{tag}", "findings": [{"category": "unjustified_compression", "quotes": [FLAW]}]}
RULES = (
    Rule(json.dumps(AUDIT), contains=("unjustified_compression",)),
    Rule("One step is missing.\n{tag}: 7", contains=("1 to 10",)),
    Rule(ANSWER, contains=("may never have been answered",)),
)


def test_a_judge_and_an_audit_from_the_findings(home: Path, program: Callable[..., Terminal]) -> None:
    with FakeServerProcess(RULES) as server:
        configure(home, "openai/scripted", server.base_url)
        with program("--model", "openai/scripted", columns=80, lines=24) as terminal:
            terminal.wait_for("26 questions", 60)
            terminal.press("/", "commuting triples")
            terminal.wait_for("1 question")
            terminal.press("enter", "enter")
            terminal.wait_for("Candidates", 60)
            terminal.press("g")
            terminal.wait_for("c4", 60)
            terminal.wait_for("Run done", 60)
            terminal.press("end", "f")
            terminal.wait_for("2 references, 1 malformed")
            terminal.press("j")
            terminal.wait_for("8 calls to openai/scripted")
            terminal.press("tab", "3", "enter")
            terminal.wait_for("3 of 3 scored", 60)
            terminal.wait_for("not independent")
            terminal.press("e")
            terminal.wait_for("1 claim", 60)
            terminal.wait_for("Clearly that proves it.")
            terminal.press("enter")
            terminal.wait_for("Answer  c4")
            terminal.press("escape", "escape")
            terminal.wait_for("Candidates")
            terminal.press("ctrl+q")
            assert terminal.wait_for_end() == 0
    store = sqlite3.connect(home / "data" / "default.uq.sqlite")
    seen = store.execute("SELECT what FROM exposure WHERE place = 'findings' ORDER BY what").fetchall()
    store.close()
    assert seen == [("claims",), ("scores",)]  # who wrote it was seen on the workbench before
