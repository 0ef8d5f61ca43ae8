"""From starting the program to an exported verdict, in a real terminal, with a real model server on loopback."""

import json
import os
import signal
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.end_to_end.conftest import configure
from tests.fakes.openai_rules import Rule
from tests.fakes.server_process import FakeServerProcess
from tests.terminal import Terminal

pytestmark = pytest.mark.terminal

JUDGES = (
    Rule("It asks for the smallest such number.", contains=("You see an answer without its question",)),
    Rule("The step holds.\n{tag}: accept", contains=("You check whether a candidate answer answers",)),
    Rule("One claim is false.\n{tag}: reject", contains=("You look for false statements",)),
    Rule("It is right.\n{tag}: accept", contains=("You check whether a candidate answer is correct",)),
)
SOLVER = (Rule("So the count is \\boxed{7}.", contains=("final answer in \\boxed{}",)),)
WRITER = (Rule("A new **answer** of the scripted server.", contains=("may never have been answered",)),)
RULES = (*JUDGES, *SOLVER, *WRITER)


def test_from_start_to_exported_file(home: Path, program: Callable[..., Terminal]) -> None:
    with FakeServerProcess(RULES) as server:
        configure(home, "openai/scripted", server.base_url)
        exported = home / "out.jsonl"
        with program() as terminal:
            terminal.wait_for("Tour 1 of", 60)
            terminal.press("T", "m")
            terminal.wait_for("openai/scripted")
            _choose_model(terminal, "openai/scripted")
            terminal.press("g")
            terminal.wait_for("Answer  c4", 60)
            terminal.wait_for("A new answer of the scripted server", 60)
            terminal.press("v")
            terminal.wait_for("✗ reject", 60)
            terminal.press("u")
            terminal.wait_for("Measure utility")
            terminal.press("enter")
            terminal.wait_for("control ", 60)
            terminal.wait_for(lambda text: "T = 8 fixed" in text and "lift" in text, 60)
            terminal.press("enter")
            terminal.wait_for("^s records")
            terminal.press("x", "tab", "4", "tab", "2", "tab", "r", "tab", "tab", "tab")
            terminal.press("The second step is false.")
            terminal.wait_for("The second step is false.")
            terminal.wait_for("Draft kept")
            terminal.press("ctrl+s")
            terminal.wait_for("you: incorrect")
            terminal.press("x")
            terminal.wait_for("JSON lines, with a manifest")
            terminal.press("ctrl+a", "ctrl+k", str(exported), "enter")
            terminal.wait_for("Wrote 1 verdict")
            terminal.press("escape", "ctrl+q")
            assert terminal.wait_for_end() == 0
    (line,) = exported.read_text(encoding="utf-8").splitlines()
    row = json.loads(line)
    assert row["label"] == "incorrect"
    assert row["confidence"] == 4
    assert row["score_0_7"] == 2
    assert row["rationale"] == "The second step is false."
    assert [error["category"] for error in row["errors"]] == ["incorrect_reasoning"]
    assert row["candidate_origin"]["model"] == "openai/scripted"
    assert {"outcome": "reject", "stage": "fact_logic"}.items() <= _stages(row)["fact_logic"].items()
    assert row["evidence"]["utilities"][0]["solver"] == "openai/scripted"
    assert row["blind"] is False


def test_a_killed_app_goes_on_where_it_stood(home: Path, program: Callable[..., Terminal]) -> None:
    slow = tuple(
        Rule(rule.reply + " ", contains=rule.contains, tokens_per_second=6, first_delay_s=0.3) for rule in JUDGES
    )
    with FakeServerProcess(slow) as server:
        configure(home, "openai/scripted", server.base_url)
        with program("--model", "openai/scripted") as terminal:
            terminal.wait_for("26 questions", 60)
            terminal.press("/", "commuting triples")
            terminal.wait_for("1 question")
            terminal.press("enter", "enter")
            terminal.wait_for("Answer  c1", 60)
            terminal.press("v")
            terminal.wait_for("✓ accept", 60)
            os.kill(terminal.pid, signal.SIGKILL)
        before = len(server.requests())
        with program("--model", "openai/scripted") as terminal:
            terminal.wait_for("26 questions", 60)
            terminal.wait_for("Run done", 60)
            terminal.press("R")
            terminal.wait_for("done")
            terminal.press("ctrl+q")
            assert terminal.wait_for_end() == 0
        asked = [json.dumps(request["body"]["messages"]) for request in server.requests()]
        assert 0 < before < len(asked)
    store = sqlite3.connect(home / "data" / "default.uq.sqlite")
    (whole,) = store.execute("SELECT outcome FROM outcome WHERE path = ''").fetchone()
    store.close()
    assert whole == "reject"
    in_flight = 1  # a candidate's rounds are one call each
    assert len(asked) - len(set(asked)) <= in_flight


def _stages(row: dict[str, object]) -> dict[str, dict[str, object]]:
    evidence = row["evidence"]
    assert isinstance(evidence, dict)
    return {outcome["stage"]: outcome for outcome in evidence["outcomes"]}


def _choose_model(terminal: Terminal, model: str) -> None:
    """Type the model's id into the dialog: the way that works whatever is listed."""
    terminal.press("tab", model, "enter")
    terminal.wait_for(lambda text: "or any LiteLLM id" not in text)
