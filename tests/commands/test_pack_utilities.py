"""The pack's problems by a solver that solves neighbours only when it is given the correct solution.

Real HTTP, the real engine and the real command; only the solver's words are scripted. The method has to bring the
correct candidate to the top by what its neighbours say, since nothing else tells it apart.
"""

import hashlib
import importlib.util
import json
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from tests.commands.conftest import MODEL, Run, document
from tests.fakes.openai_rules import Rule, SeenRequest
from tests.fakes.openai_server import FakeServer
from uq_tui.config import DEFAULT_MODEL

PROBLEMS = 8


def rows(name: str) -> list[dict[str, Any]]:
    text = (resources.files("uq_tui") / "pack" / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


CORRECT = {row["answer"].strip() for row in rows("candidates.jsonl") if row["known_label"]["label"] == "correct"}
ANSWERS = {row["statement"].strip(): row["answer"] for row in rows("neighbours.jsonl")}


def taught(request: SeenRequest) -> Rule:
    """The right answer to the neighbour at the end of a prompt that holds a correct solution, else a wrong one."""
    (text,) = request.user_texts
    answer = next(answer for statement, answer in ANSWERS.items() if text.endswith(statement))
    solved = any(solution in text for solution in CORRECT)
    words = hashlib.sha256(f"{request.sample} {text}".encode()).hexdigest()
    return Rule(reply=f"By the steps {words} it is \\boxed{{{answer if solved else '-1'}}}.")


@pytest.fixture
def solver() -> Iterator[FakeServer]:
    with FakeServer(taught) as server:
        yield server


@pytest.fixture
def pack(run: Run, tmp_path: Path) -> Run:
    """Commands on a new workspace, which holds the pack."""
    return lambda *arguments: run("--workspace", str(tmp_path / "pack.sqlite"), *arguments)


def measured(pack: Run, solver: FakeServer, question: str, *options: str) -> tuple[str, dict[str, Any]]:
    """The id of a question's correct candidate, and what a run has found of its candidates."""
    shown = document(pack("questions", "show", question, "--json"))
    (correct,) = (one["id"] for one in shown["candidates"] if one["answer"]["raw"].strip() in CORRECT)
    return correct, document(pack("cbu", question, *options, "--model", MODEL, "--api-base", solver.base_url, "--json"))


def problems(pack: Run) -> list[str]:
    return [row["id"] for row in document(pack("questions", "--json"))["questions"] if row["candidates"]]


def test_the_correct_candidate_of_every_problem_ranks_first(pack: Run, solver: FakeServer) -> None:
    questions = problems(pack)
    assert len(questions) == PROBLEMS
    for question in questions:
        correct, found = measured(pack, solver, question, "--rollouts", "1")
        means = {one["candidate_id"]: one["mean"] for one in found["utilities"]}
        assert len(means) == 3
        assert means == {key: float(key == correct) for key in means}
        assert {one["lift"] for one in found["utilities"]} == {0.0, 1.0}
        assert {way for one in found["utilities"] for way in one["decided_by"]} <= {"exact", "symbolic"}
        assert found["run"]["failed"] == 0
        table = pack("runs", "show", found["run"]["id"]).stdout.splitlines()
        assert table[2].startswith(correct[:12]), "the first under two lines of names"


def test_an_early_stop_finds_it_with_few_rollouts(pack: Run, solver: FakeServer) -> None:
    correct, found = measured(pack, solver, problems(pack)[0], "--adaptive")

    standing = found["standing"]
    assert (standing["best"], standing["tied"], standing["decided"]) == (correct, [correct], True)
    assert found["rollouts"]["most"] == 4 * 2 * 64
    assert found["rollouts"]["made"] == len(solver.requests) < 4 * 2 * 16


@pytest.mark.local
@pytest.mark.skipif(importlib.util.find_spec("xllamacpp") is None, reason="the extra `local` is not installed")
def test_the_embedded_model_measures_a_problem_and_is_said_to_mean_nothing(pack: Run, home: Path) -> None:
    (home / "config").mkdir(parents=True)
    settings = f'[models."{DEFAULT_MODEL}"]\nmax_tokens = 80\ntop_k = 20\n'
    (home / "config" / "config.toml").write_text(settings, encoding="utf-8")
    listed = document(pack("questions", "--search", "permutations squares", "--json"))["questions"]
    (question,) = (row["id"] for row in listed if row["candidates"])
    shown = document(pack("questions", "show", question, "--json"))["candidates"]
    short = min(shown, key=lambda one: len(one["answer"]["raw"]))["id"]
    options = ("--candidate", short, "--rollouts", "1", "--fenced", "--model", DEFAULT_MODEL)
    result = pack("cbu", question, *options)

    assert result.exit_code == 0
    assert "its judgements mean nothing" in result.stderr
    assert f"Replies of {DEFAULT_MODEL}: max_tokens 80, top_k 20." in result.stderr
    (run,) = document(pack("runs", "--json"))["runs"]
    assert (run["asked"], run["failed"], run["total"]) == (4, 0, 4)
    (utility,) = document(pack("runs", "show", run["id"], "--json"))["utilities"]
    assert (utility["complete"], utility["constrained"], utility["interval"]) == (True, True, "score")
    rollouts = document(pack("rollouts", short, "--controls", "--json"))["rollouts"]
    assert [row["arm"] for row in rollouts] == ["candidate"] * 2 + ["control"] * 2
    assert all(row["answer"] for row in rollouts), "the grammar makes it box an answer"
