"""The pack's problems by a solver that solves neighbours only when it is given the correct solution.

Real HTTP, the real engine and the real command; only the solver's words are scripted. The method has to bring the
correct candidate to the top by what its neighbours say, since nothing else tells it apart.
"""

import hashlib
import json
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from tests.commands.conftest import MODEL, Run, document
from tests.fakes.openai_rules import Rule, SeenRequest
from tests.fakes.openai_server import FakeServer

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
