"""`uq-tui generate --failed`: models whose answers failed, by what a file says, are asked again."""

from collections.abc import Callable
from pathlib import Path

import pytest

from store import failed_answers
from tests.commands.conftest import LONELY, QUESTION, Desk, Run, document, model_at
from tests.fakes.openai_server import FakeServer, Rule

Serve = Callable[..., FakeServer]

ANSWER = Rule(reply="It follows by induction.", contains=("may never have been answered",))


@pytest.fixture
def failed(uq: Run, tmp_path: Path) -> Run:
    """The command, after a file was imported in which answers failed."""
    path = tmp_path / "answers.jsonl"
    path.write_text(
        '{"question_id": 42, "model_name": "scripted", "error": "rate \\u001b[31mlimited", "metadata": {}}\n'
        '{"question_id": 41, "model_name": "openai/scripted", "error": "x"}\n'
        '{"question_id": 41, "error": "by nobody"}\n'
    )
    result = uq("import", str(path))
    assert result.exit_code == 0
    assert "3 failed answers" in result.stdout
    return uq


def standing(desk: Desk) -> list[tuple[str, str]]:
    workspace = desk.open()
    try:
        return [(one.question_id, one.model) for one in failed_answers.every(workspace)]
    finally:
        workspace.close()


def test_a_model_that_failed_is_asked_again_and_its_answer_ends_the_failure(
    failed: Run, desk: Desk, served: Serve
) -> None:
    server = served(ANSWER)
    api_base = model_at(server)[-1]
    result = failed("generate", "--failed", QUESTION, "--api-base", api_base, "--json")
    (run,) = document(result)["runs"]
    assert [one["question_id"] for one in run["candidates"]] == [QUESTION]
    assert "1 answer failed without naming a model" in result.stderr
    assert standing(desk) == [(QUESTION, ""), (LONELY, "scripted")]
    assert len(server.requests) == 1


def test_another_model_is_asked_in_place_of_those_that_failed(failed: Run, desk: Desk, served: Serve) -> None:
    server = served(ANSWER)
    result = failed("generate", "--failed", *model_at(server))
    assert result.exit_code == 0
    assert len(server.requests) == 2
    assert standing(desk) == [(QUESTION, "")]
    again = failed("generate", "--failed", LONELY, *model_at(server))
    assert "No answer has failed." in again.stderr


def test_the_budget_holds_for_all_of_them_and_a_model_that_cannot_be_asked_is_told(failed: Run) -> None:
    result = failed("generate", "--failed", "--budget-tokens", "0")
    assert result.exit_code != 0
    assert "scripted" in result.stderr


def test_what_is_asked_has_to_be_said(uq: Run) -> None:
    assert "Name the questions" in uq("generate", "--model", "openai/m").stderr
    assert "--model" in uq("generate", LONELY).stderr
