"""What holds for all graded work: rows that contradict each other, marks that can't be, hostile rows."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from store import candidate_extras, candidates
from store.identity import candidate_id, question_id_for_text
from store.ingest.expertmath import ORIGINAL_ANSWER
from store.ingest.graded import short_answer
from store.ingest.importer import import_file
from store.rows import ImportReport, NewCandidate, Origin
from store.workspace import Workspace
from tests.store.ingest.graded_stock import GRADED, brought_twice, label_of, of_statement
from uq_tui.words import AuthorKind, Label, TextFormat

PROBLEM = "Show that 2 is even."
ROW = {
    "question": PROBLEM,
    "problem_idx": "IMO2099-1",
    "solution": "It is 1 + 1.",
    "model_prediction": {"proof": "2 = 2 · 1.", "human_rating": 7, "average_automatic_rating": 0.5},
}
HOSTILE: tuple[dict[str, Any], ...] = (
    {"question": ""},
    {"question": 7},
    {"question": None},
    {"problem_idx": ["x"]},
    {"solution": {}},
    {"model_prediction": None},
    {"model_prediction": "proof"},
    {"model_prediction": {"proof": " "}},
    {"model_prediction": {"proof": "p", "human_rating": "7"}},
    {"model_prediction": {"proof": "p", "human_rating": True}},
    {"model_prediction": {"proof": "p", "human_rating": 2**400}},
    {"model_prediction": {"proof": "p", "human_rating": 7, "average_automatic_rating": []}},
)


def rated(proof: str = "p", marks: Any = None, **changes: Any) -> dict[str, Any]:
    return {**ROW, "model_prediction": {"proof": proof, "human_rating": marks}, **changes}


def brought(ws: Workspace, folder: Path, *rows: Mapping[str, Any], name: str = "rated.jsonl") -> ImportReport:
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return brought_twice(ws, path)


def test_a_problem_is_stored_once_and_what_later_rows_say_of_it_stays_with_their_answers(
    workspace: Workspace, tmp_path: Path
) -> None:
    report = brought(workspace, tmp_path, {**rated("one"), "level": "easy"}, {**rated("two"), "level": "hard"})
    assert report.counts == {"questions": 1, "candidates": 3}
    question, (_, _, two) = of_statement(workspace, PROBLEM)
    assert question.extra == {"level": "easy"}
    assert candidate_extras.of_candidate(workspace, two.id) == {"rated.jsonl": {"problem": {"level": "hard"}}}


def test_different_solutions_of_one_problem_are_all_references(workspace: Workspace, tmp_path: Path) -> None:
    brought(workspace, tmp_path, rated("one"), rated("two", solution="2 = 4 / 2."))
    _, found = of_statement(workspace, PROBLEM)
    assert [one.reference for one in found] == [True, False, True, False]


def test_a_problem_with_two_ids_is_found_by_both(workspace: Workspace, tmp_path: Path) -> None:
    theorem = {"Question": PROBLEM, "Answer": True, "Answer_type": "bool", "id": "a"}
    report = brought(workspace, tmp_path, theorem, {**theorem, "id": "b"}, {**theorem, "Answer": False})
    assert [(one.line, one.reason) for one in report.rejected] == [
        (3, "its answer is not that of line 1, where the same problem stands")
    ]
    assert report.notes == ("what the first row says of a problem stands: line 2 (id; line 1 has the same problem)",)
    error = {"id": "b", "question": "?", "rationale": "No.", "error_type": "(1)"}
    assert brought(workspace, tmp_path, error, name="errors.jsonl").counts == {"candidates": 1}
    question, (wrong,) = of_statement(workspace, PROBLEM)
    assert (question.extra[ORIGINAL_ANSWER], wrong.answer.raw) == ("True", "No.")


def test_an_answer_with_two_ratings_is_rejected_the_second_time(workspace: Workspace, tmp_path: Path) -> None:
    report = brought(workspace, tmp_path, rated("p", 7), rated("p", 6), rated("p", 7), rated("p"), rated("q", 6))
    assert [(one.line, one.reason) for one in report.rejected] == [
        (2, "it is incorrect, 6 of 7, where line 1 says of the same answer that it is correct, 7 of 7")
    ]
    _, (_, p, q) = of_statement(workspace, PROBLEM)
    assert (label_of(workspace, p).label, label_of(workspace, q).marks_text) == (Label.CORRECT, "6 of 7")


def test_a_label_of_another_file_stands_and_a_difference_is_said(workspace: Workspace, tmp_path: Path) -> None:
    brought(workspace, tmp_path, rated("p", 6), rated("q", 7))
    report = brought(workspace, tmp_path, rated("p", 5), rated("q", 7), name="later.jsonl")
    assert report.notes == ("another file gave other labels before, and these stand: line 1",)
    _, (_, p, _) = of_statement(workspace, PROBLEM)
    assert (label_of(workspace, p).marks, label_of(workspace, p).source) == (6, "rated.jsonl")
    assert candidate_extras.of_candidate(workspace, p.id)["later.jsonl"] == {"human_rating": 5}


@pytest.mark.parametrize(
    ("marks", "name", "note"),
    [
        (8, "IMO", "no label is taken from marks that can't be: line 1 (8 of 7)"),
        (-1, "Putnam", "no label is taken from marks that can't be: line 1 (-1 of 10)"),
        (1e99, "CMO", "no label is taken from marks that can't be: line 1 (1e+99 of 21)"),
        (3, "Cup", "no label is taken from marks of which it isn't known how many there are: line 1 (3)"),
    ],
)
def test_marks_that_give_no_label_are_told_and_kept(
    workspace: Workspace, tmp_path: Path, marks: float, name: str, note: str
) -> None:
    report = brought(workspace, tmp_path, rated("p", marks, problem_idx=name))
    assert (report.notes, report.rejected) == ((note,), ())
    key = candidate_id(question_id_for_text("source", PROBLEM), "p")
    assert candidates.known_label(workspace, key) is None
    assert candidate_extras.of_candidate(workspace, key)["rated.jsonl"]["human_rating"] == marks


def test_many_lines_of_one_kind_are_counted_and_the_first_named(workspace: Workspace, tmp_path: Path) -> None:
    report = brought(workspace, tmp_path, *(rated(f"p{number}", 8) for number in range(13)))
    (note,) = report.notes
    assert note.startswith("no label is taken from marks that can't be: line 1 (8 of 7), line 2 (8 of 7)")
    assert note.endswith("line 10 (8 of 7), and 3 more")


def test_a_solution_that_a_model_gave_is_no_reference(workspace: Workspace, tmp_path: Path) -> None:
    report = brought(workspace, tmp_path, rated("It is 1 + 1.", 7))
    assert report.notes == ("no reference, as the same answer is a candidate's: line 1",)
    _, (answer,) = of_statement(workspace, PROBLEM)
    assert not answer.reference
    origin = Origin(AuthorKind.MODEL, model="m")
    candidates.add(workspace, [NewCandidate(answer.question_id, "So it is.", TextFormat.MARKDOWN, origin)])
    later = brought(workspace, tmp_path, rated("p", solution="So it is."), name="later.jsonl")
    assert later.notes == ("no reference, as the same answer is a candidate's: line 1",)
    assert not any(one.reference for one in of_statement(workspace, PROBLEM)[1])


def test_unknown_keys_are_kept(workspace: Workspace, tmp_path: Path) -> None:
    made = {"proof": "p", "human_rating": 0, "temperature": 0.5, "nothing": None}
    brought(workspace, tmp_path, {**ROW, "model_prediction": made, "new": {"a": [1, None, {"b": None}]}, "empty": ""})
    question, (_, answer) = of_statement(workspace, PROBLEM)
    assert question.extra == {"new": {"a": [1, None, {}]}}
    assert candidate_extras.of_candidate(workspace, answer.id)["rated.jsonl"] == {"human_rating": 0, "temperature": 0.5}


@pytest.mark.parametrize("changes", HOSTILE)
def test_a_row_that_can_not_be_used_is_rejected_once_and_leaves_nothing(
    workspace: Workspace, tmp_path: Path, changes: Mapping[str, Any]
) -> None:
    good = rated("good", 7, question="Show that 4 is even.", solution="")
    report = brought(workspace, tmp_path, {**ROW, **changes}, good)
    assert [one.line for one in report.rejected] == [1]
    assert report.counts == {"questions": 1, "candidates": 1}
    assert of_statement(workspace, "Show that 4 is even.")[1][0].answer.raw == "good"


def test_not_a_number_is_no_json_and_leaves_the_other_rows(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "rated.jsonl"
    text = "\n".join(json.dumps(row) for row in (rated("p", 7), rated("q", float("nan")), rated("r", 0)))
    path.write_text(text)
    report = brought_twice(workspace, path)
    assert (report.counts["candidates"], [one.line for one in report.rejected]) == (3, [2])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
SEGMENTS = "segments.jsonl"
FILES = (
    "corpus-proofs.jsonl",
    "corpus-problems.json",
    "rated-proofs.jsonl",
    "marked.json",
    "theorems.json",
    "theorem-errors.json",
    SEGMENTS,
)


def rows_of(name: str) -> list[dict[str, Any]]:
    text = (GRADED / name).read_text()
    return json.loads(text) if text.startswith("[") else [json.loads(line) for line in text.splitlines()]


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.sampled_from(FILES), data=st.data())
def test_fields_of_any_kind_let_nothing_escape(
    workspace: Workspace, tmp_path: Path, name: str, data: st.DataObject
) -> None:
    first, *others = rows_of(name)
    at = data.draw(st.sampled_from(sorted(first)))
    inner = first[at] if isinstance(first[at], dict) and first[at] else None
    value = {**inner, data.draw(st.sampled_from(sorted(inner))): data.draw(JSON)} if inner else data.draw(JSON)
    path = tmp_path / "mutated.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in (*others, {**first, at: value})))
    report = import_file(workspace, path)
    assert report.read == len(others) + 1
    if name != SEGMENTS:  # of solutions that aren't here
        assert all(one.line == report.read for one in report.rejected)
    again = import_file(workspace, path)
    assert (again.new, again.changed) == (0, 0)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (" 5 ", "5"),
        (True, "True"),
        (12, "12"),
        (12.0, "12"),
        (0.25, "0.25"),
        ([1, 2.5], "[1, 2.5]"),
        (2**70, str(2**70)),
        (1e300, "1e+300"),
    ],
)
def test_answers_of_all_types_as_text(value: object, text: str) -> None:
    assert short_answer(value) == text
