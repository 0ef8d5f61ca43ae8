"""Neighbours from files: rows of their own, lists within questions, and rows that bring a question with its variant."""

import json
from pathlib import Path
from typing import Any

import pytest

from store import neighbours, questions
from store.ingest import pack
from store.ingest.importer import import_file
from store.ingest.neighbour_rows import neighbour_of, neighbours_within, with_plain_names
from store.ingest.question_ids import QuestionFinder
from store.ingest.report import RowError
from store.rows import Neighbour, QuestionFilter
from store.workspace import Workspace
from tests.fixtures import FIXTURES
from uq_tui.errors import ImportFileError

OWN, WITHIN, DAFT = (
    FIXTURES / name for name in ("neighbours.jsonl", "questions-with-variants.jsonl", "integer-variants.jsonl")
)
OPEN = "mathoverflow.net:5"


@pytest.fixture
def ws(workspace: Workspace) -> Workspace:
    """A workspace with the pack's two questions; the first has two neighbours."""
    pack.import_pack(workspace, FIXTURES / "pack")
    return workspace


def around(ws: Workspace, source_id: str) -> list[tuple[str, str, str]]:
    """Statement, answer and source of a question's neighbours."""
    found = neighbours.of_question(ws, QuestionFinder(ws).find(source_id))
    return [(one.statement, one.answer, one.source) for one in found]


def test_rows_of_their_own(ws: Workspace) -> None:
    report = import_file(ws, OWN)

    assert (report.format, report.read, report.new, report.counts) == ("neighbours", 9, 4, {"neighbours": 4})
    assert [(row.line, row.reason) for row in report.rejected] == [
        (5, "no `answer`"),
        (6, "no `statement`"),
        (7, "question gone is not in this workspace; import the questions first"),
        (8, "no `question_id`, `question_key` or `link`"),
        (9, "`answer` is neither text nor a whole number"),
    ]
    assert around(ws, "walks")[2:] == [
        ("How many walks of length 8 on the line end where they began?", "70", "ann"),
        ("How many closed walks of length 2 are there in the square lattice?", "4", "neighbours.jsonl"),
    ]
    assert [(one.statement, one.answer) for one in neighbours.of_question(ws, OPEN)] == [
        ("Is 7 prime?", "yes"),
        ("What is half of 3?", "1.5"),
    ]


def test_rows_that_name_no_question_belong_to_the_one_that_is_given(ws: Workspace) -> None:
    report = import_file(ws, OWN, question_id=OPEN)

    assert (report.new, report.rejected_total) == (5, 4)
    assert ("Of what?", "1") in [(one.statement, one.answer) for one in neighbours.of_question(ws, OPEN)]


def test_lists_within_questions(workspace: Workspace) -> None:
    report = import_file(workspace, WITHIN)

    assert (report.format, report.new, report.counts) == (
        "questions",
        6,
        {"questions": 3, "unanswered": 3, "neighbours": 3},
    )
    assert [(row.line, row.reason) for row in report.rejected] == [(3, "`variants`, entry 2: no `answer`")]
    assert around(workspace, "paths") == [
        ("How many lattice paths from (0, 0) to (7, 7) are there?", "3432", "questions-with-variants.jsonl"),
        ("How many lattice paths from (0, 0) to (7, 7) avoid (3, 3)?", "2032", "ann"),
    ]
    assert around(workspace, "none") == []
    trees = questions.get(workspace, QuestionFinder(workspace).find("trees"))
    assert around(workspace, "trees")[0][1] == "1296"
    assert trees.extra == {"variants": ["a", "b"]}


def test_rows_with_an_original_and_its_integer_variant(workspace: Workspace) -> None:
    report = import_file(workspace, DAFT)

    assert (report.format, report.counts) == ("questions", {"questions": 3, "unanswered": 3, "neighbours": 2})
    assert [(row.line, row.reason) for row in report.rejected] == [(4, "`neighbours`, entry 1: no `answer`")]
    rows = questions.page(workspace, QuestionFilter()).rows
    by_title = {row.title: row.id for row in rows}
    fractions = by_title["Find the sum of all proper fractions with denominator 9."]
    (variant,) = neighbours.of_question(workspace, fractions)
    assert (variant.statement, variant.answer) == (
        "Find nine times the sum of all proper fractions with denominator 63.",
        "279",
    )
    assert questions.get(workspace, fractions).extra == {"Original Answer": "4", "Estimated Difficulty": 2}
    assert neighbours.of_question(workspace, by_title["For which n is a regular n-gon constructible?"]) == ()
    (lcm,) = neighbours.of_question(workspace, by_title["Find the least common multiple of 6 and 10."])
    assert lcm.answer == "5030"


@pytest.mark.parametrize("path", [OWN, WITHIN, DAFT])
def test_importing_again_changes_nothing(ws: Workspace, path: Path) -> None:
    first = import_file(ws, path)
    again = import_file(ws, path)

    assert (again.new, again.changed, again.same) == (0, 0, first.new)


@pytest.mark.parametrize(
    ("row", "file_format"),
    [
        ({"question_id": 1, "statement": "S", "answer": "A"}, "neighbours"),
        ({"question_id": 1, "variant": "S", "final_answer": ""}, "neighbours"),
        ({"problem": "S", "answer": 7}, "neighbours"),
        ({"question_id": 1, "problem": "S", "answer": "A", "model": "m"}, "candidates"),
        ({"question_id": 1, "answer": "A"}, "candidates"),
        ({"question": "Q", "variants": [{"question": "S", "answer": "A"}]}, "questions"),
        ({"Original Question": "Q", "Integer Answer Variant Question": ["S"]}, "questions"),
        ({"record": "verdict", "statement": "S", "answer": "A"}, "verdicts"),
    ],
)
def test_files_are_told_by_their_rows(
    workspace: Workspace, tmp_path: Path, row: dict[str, Any], file_format: str
) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(f"{json.dumps(row)}\n")
    assert import_file(workspace, path).format == file_format


def test_a_statement_without_any_answer_is_no_format(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"statement": "S"}\n')
    with pytest.raises(ImportFileError, match="in no format"):
        import_file(workspace, path)


@pytest.mark.parametrize(
    ("answer", "kept"), [(7, "7"), (7.0, "7"), (0.5, "0.5"), (-3, "-3"), (" 7 ", "7"), ("it depends", "it depends")]
)
def test_answers_of_any_kind_become_text(answer: object, kept: str) -> None:
    assert neighbour_of({"statement": "S", "answer": answer}, source="f") == Neighbour("", "S", kept, "f")


@pytest.mark.parametrize("answer", [None, "", " ", True, [], {"value": 7}])
def test_what_is_no_answer_is_refused(answer: object) -> None:
    with pytest.raises(RowError, match="answer"):
        neighbour_of({"statement": "S", "answer": answer}, source="f")


@pytest.mark.parametrize(
    "value",
    [
        *(None, 7, "a", [], ["a"], [{"text": "S"}]),
        [{"statement": "S", "answer": "A"}, "a"],
        {"statement": "S", "answer": "A"},
        [{"question": "S"}, {"question": "T"}],
    ],
)
def test_what_is_no_list_of_neighbours_is_left_alone(value: object) -> None:
    assert neighbours_within({"variants": value}, source="f") == ((), frozenset())


def test_a_row_of_another_kind_keeps_its_names() -> None:
    row = {"Original Question": "Q", "answer": "A"}
    assert with_plain_names(row) is row
