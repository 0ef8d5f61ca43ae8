"""Runs that came in a file, on the command line: shown as such, and never gone on with."""

from pathlib import Path

import pytest

from store.identity import candidate_id
from tests.commands.conftest import QUESTION, Desk, Run, document

ROWS = """\
{"question_id": 41, "model_name": "o3", "answer": "Yes, by hand."}
{"question_id": 41, "model_name": "o4", "answer": "No, it is not."}
"""
RESULTS = """\
{"question_id": 41, "model_name": "o3", "evaluation": {"strategy":"vanilla", "judge_model":"j", "evaluation": "[[Y]]"}}
{"question_id": 41, "model_name": "o4", "evaluation": {"strategy":"vanilla", "judge_model":"j", "evaluation": "?"}}
"""


@pytest.fixture
def imported(uq: Run, desk: Desk, tmp_path: Path) -> Run:
    """The command, after results of validators were imported."""
    for name, text in (("answers.jsonl", ROWS), ("results.jsonl", RESULTS)):
        path = tmp_path / name
        path.write_text(text)
        assert uq("import", str(path)).exit_code == 0
    return uq


def test_they_are_listed_and_shown_as_what_they_are(imported: Run) -> None:
    (run,) = document(imported("runs", "list", "--json"))["runs"]
    assert (run["state"], run["title"]) == ("done", "imported from results.jsonl: vanilla by j")
    shown = imported("runs", "show", run["id"])
    assert "Imported from results.jsonl." in shown.stderr + shown.stdout
    assert "? unparsed" in shown.stdout
    assert "imported: vanilla" in imported("report", "validators").stdout


def test_they_are_not_gone_on_with(imported: Run) -> None:
    (before,) = document(imported("runs", "list", "--json"))["runs"]
    result = imported("runs", "resume", before["id"])
    assert result.exit_code == 3
    assert "came in a file" in result.stderr
    assert document(imported("runs", "list", "--json"))["runs"] == [before]


def test_a_verdict_freezes_what_they_found_with_its_mark(imported: Run) -> None:
    chosen = candidate_id(QUESTION, "Yes, by hand.")
    given = document(imported("verdict", "give", chosen, "--label", "correct", "--json"))
    outcomes = given["evidence"]["outcomes"]
    assert {(one["strategy"], one["judge"], one["outcome"]) for one in outcomes} == {
        ("imported: vanilla", "j", "accept")
    }
