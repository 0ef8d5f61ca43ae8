"""Exports of Label Studio: tasks become questions and candidates, annotations verdicts of other people."""

import json
from pathlib import Path
from typing import Any

import pytest

from store import candidates, evaluation, verdict_record, verdicts
from store.ingest.importer import import_file
from store.ingest.label_studio import import_tasks, tells
from store.ingest.sealed_jsonl import import_sealed
from store.ingest.uq_jsonl import import_questions
from store.sealed_kinds import VERDICT
from store.workspace import Workspace
from tests.fixtures import FIXTURES
from uq_tui.words import Label

MATH = "math.stackexchange.com:358423"
FILE = FIXTURES / "label-studio.json"


@pytest.fixture
def ws(workspace: Workspace) -> Workspace:
    """A workspace with the first task's question."""
    import_questions(workspace, FIXTURES / "uq-questions.jsonl")
    return workspace


def rows(ws: Workspace) -> list[dict[str, Any]]:
    return [json.loads(line) for line in verdicts.records(ws)]


def changed(folder: Path, **changes: Any) -> Path:
    """The first task with its second annotation alone, changed."""
    task = json.loads(FILE.read_text())[0]
    task["annotations"] = [{**task["annotations"][1], **changes}]
    path = folder / "task.json"
    path.write_text(json.dumps([task]))
    return path


def test_annotations_become_verdicts_of_other_people(ws: Workspace) -> None:
    report = import_tasks(ws, FILE)
    assert (report.read, report.new) == (3, 6)
    assert report.counts == {"questions": 1, "candidates": 2, "verdicts": 3}
    assert [(row.line, row.reason) for row in report.rejected] == [
        (2, "annotation 15: it says both 'correct' and 'incorrect' of the answer"),
        (48, "`data` has no answer under `answer`, `solution`, `response`, `text`"),
    ]
    assert report.notes == (
        "choice 'No' of 'verdict' was read as incorrect",
        "choice 'borderline' of 'verdict' was read as correct_borderline",
        "1 annotation left out: no choice says whether the answer is correct.",
        "1 annotation left out: skipped by the annotator.",
        "1 prediction left out: a machine's, not a person's.",
    )
    (candidate,) = candidates.of_question(ws, MATH)
    opinions = evaluation.opinions(ws)[candidate.id]
    assert [one.label for one in opinions] == [Label.INCORRECT, Label.CORRECT_BORDERLINE]
    assert candidate.origins[0].model == "o3-like"


def test_a_row_says_all_that_the_annotation_does(ws: Workspace) -> None:
    import_tasks(ws, FILE)
    row = rows(ws)[0]
    verdict_record.verify(row)
    assert row["reviewer"]["handle"] == "Ann Lee"
    assert (row["blind"], row["exposures"], row["created_at"]) == (False, [], "2026-01-02T10:00:00.123Z")
    assert (row["confidence"], row["seconds_total"], row["rationale"]) == (4, 93.5, "A field is one.")
    assert [(one["category"], one["problem"]) for one in row["errors"]] == [
        ("incorrect_reasoning", "Big\nNot all are."),
        ("external_references", ""),
    ]
    (candidate,) = candidates.of_question(ws, MATH)
    first, second = (one["quotes"][0] for one in row["errors"])
    assert (first["start"], candidate.answer.raw[first["start"] : first["end"]]) == (12, "Noetherian")
    assert candidate.answer.raw[second["start"] : second["end"]] == "rings"
    kept = row["extra"]["label_studio"]
    assert (kept["annotation_id"], kept["task_id"], kept["project"]) == ("11", "1", "7")
    assert (kept["ground_truth"], kept["unanchored"]) == (True, 0)
    assert kept["besides"] == {"style": [9], "tone": ["terse"]}


def test_importing_twice_changes_nothing(ws: Workspace) -> None:
    import_tasks(ws, FILE)
    before = rows(ws)
    again = import_tasks(ws, FILE)
    assert (again.new, again.changed, again.same) == (0, 0, 6)
    assert rows(ws) == before


def test_an_annotation_that_was_changed_is_a_new_revision_and_an_older_file_is_none(
    ws: Workspace, tmp_path: Path
) -> None:
    other = [{"type": "choices", "from_name": "verdict", "value": {"choices": ["correct"]}}]
    import_tasks(ws, changed(tmp_path))
    newer = {"updated_at": "2026-02-01T00:00:00Z", "result": other}
    assert import_tasks(ws, changed(tmp_path, **newer)).changed >= 1
    assert import_tasks(ws, changed(tmp_path)).changed == 0
    first, second = rows(ws)
    assert (second["revision"], second["supersedes"]) == (2, f"{first['verdict_id']}#1")
    assert (second["label"], second["created_at"]) == ("correct", "2026-02-01T00:00:00.000Z")


def test_the_same_export_has_the_same_ids_in_another_workspace(ws: Workspace, tmp_path: Path) -> None:
    import_tasks(ws, FILE)
    path = tmp_path / "verdicts.jsonl"
    path.write_text("".join(f"{line}\n" for line in verdicts.records(ws)))
    other = Workspace.open(tmp_path / "other.uq.sqlite")
    import_questions(other, FIXTURES / "uq-questions.jsonl")
    import_tasks(other, FILE)
    assert import_sealed(other, path, VERDICT.noun).same == 3
    other.close()


def test_quotes_that_have_no_place_are_kept_and_told(ws: Workspace, tmp_path: Path) -> None:
    words = {"type": "labels", "from_name": "f", "value": {"start": 0, "end": 5, "text": "never", "labels": ["x"]}}
    lost = {**words, "value": {**words["value"], "text": "nowhere"}}  # type: ignore[dict-item]
    verdict = {"type": "choices", "from_name": "verdict", "value": {"choices": ["incorrect"]}}
    report = import_tasks(ws, changed(tmp_path, result=[verdict, words, lost]))
    assert "1 quote could not be placed in the answer: kept by the words, unanchored." in report.notes
    (row,) = rows(ws)
    found, missing = (one["quotes"][0] for one in row["errors"])
    assert (found["quote"], found["start"]) == ("never", 30)
    assert (missing["quote"], missing["start"]) == ("nowhere", None)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"id": None}, "no `id`"),
        ({"completed_by": None}, "who made it"),
        ({"completed_by": [1]}, "`id` is neither text nor a whole number"),
        ({"created_at": "yesterday"}, "when it was made"),
        ({"result": {}}, "`result` is not a list"),
        ({"result": [1]}, "not an object"),
    ],
)
def test_bad_annotations_say_why(ws: Workspace, tmp_path: Path, changes: dict[str, Any], reason: str) -> None:
    report = import_tasks(ws, changed(tmp_path, **changes))
    assert (report.rejected_total, report.counts.get("verdicts", 0)) == (1, 0)
    assert reason in report.rejected[0].reason


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({"answer": "A"}, "names no question"),
        ({"question_id": 404, "answer": "A"}, "question 404 is not in this workspace"),
        ({"candidate_id": "no such"}, "There is no candidate no such"),
        ({"question": 7, "answer": "A"}, "`question` is not text"),
    ],
)
def test_bad_tasks_say_why(ws: Workspace, tmp_path: Path, data: dict[str, Any], reason: str) -> None:
    task = json.loads(FILE.read_text())[1]
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps([{**task, "data": data}, {"data": [], "annotations": []}]))
    report = import_tasks(ws, path)
    assert report.rejected_total == 2
    assert reason in report.rejected[0].reason


@pytest.mark.parametrize(
    ("by", "handle"),
    [
        ({"id": 1, "email": "ann@example.org", "first_name": "Ann"}, "Ann"),
        ({"id": 1, "email": "ann@example.org"}, "annotator 1"),
        ({"id": 1, "email": "ann@example.org", "first_name": "ann@example.org", "last_name": "Lee"}, "annotator 1"),
        ({"email": "ann@example.org"}, "annotator "),
        ("ann@example.org", "annotator "),
        (7, "annotator 7"),
    ],
)
def test_no_address_of_an_annotator_leaves_with_a_row(ws: Workspace, tmp_path: Path, by: Any, handle: str) -> None:
    import_tasks(ws, changed(tmp_path, completed_by=by))
    (row,) = rows(ws)
    assert row["reviewer"]["handle"].startswith(handle)
    assert "@" not in json.dumps(row)


def test_hostile_words_are_kept_as_they_are(ws: Workspace, tmp_path: Path) -> None:
    by = {"id": 1, "email": "a\x1b[2J@\ud800"}
    verdict = {"type": "choices", "from_name": "\ud800", "value": {"choices": ["incorrect", "\u2028\ud800"]}}
    path = changed(tmp_path, completed_by=by, result=[verdict])
    assert import_tasks(ws, path).counts["verdicts"] == 1
    assert import_tasks(ws, path).changed == 0


def test_the_importer_knows_it_by_its_content(ws: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(FILE.read_bytes())
    assert import_file(ws, path).format == "Label Studio export"
    assert not tells({"data": {}, "title": "x"})
    assert tells({"data": {}, "completions": []})
