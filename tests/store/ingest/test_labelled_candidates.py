"""Importing candidates with labels."""

import csv
import io
import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store import candidates, evaluation, questions
from store.ingest.importer import import_file
from store.ingest.labelled_candidates import EXPERTS, import_labelled
from store.rows import Candidate, ImportReport, QuestionFilter
from store.workspace import Workspace
from tests.fixtures import FIXTURES
from tests.store.stock import question, take
from uq_tui.errors import ImportFileError
from uq_tui.words import AuthorKind, Label

Q = "source:1"


@pytest.fixture
def stocked(workspace: Workspace) -> Workspace:
    """Two questions; the first is called `alpha` in its source."""
    take(workspace, question(1, source_id="alpha"), question(2))
    return workspace


def brought(ws: Workspace, tmp_path: Path, *rows: object) -> ImportReport:
    path = tmp_path / "candidates.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return import_file(ws, path)


def row(answer: object = "It is 2.", **changes: object) -> dict[str, object]:
    return {"problem_id": Q, "answer": answer, "model_name": "m", "label": "correct"} | changes


def only(ws: Workspace) -> Candidate:
    (found,) = candidates.of_question(ws, Q)
    return found


def test_candidates_of_an_expertmath_file_with_their_labels(workspace: Workspace) -> None:
    import_file(workspace, FIXTURES / "expertmath.csv")
    report = import_file(workspace, FIXTURES / "expertmath-candidates.csv")
    assert (report.format, report.read, report.new, report.rejected) == ("labelled candidates", 6, 6, ())
    assert report.notes == ("label 0 was read as incorrect", "label 1 was read as correct")
    listed = questions.page(workspace, QuestionFilter()).rows
    cube, sums, trees = (candidates.of_question(workspace, row.id) for row in listed)
    assert [(one.reference, one.origins[0].name) for one in cube] == [
        (True, "person"),
        (False, "model-a"),
        (False, "model-b"),
    ]
    assert [one.origins[0].name for one in sums if not one.reference] == ["model-a", "model-b"]
    labels = evaluation.known_labels(workspace)
    assert [labels[one.id] for one in cube] == [Label.CORRECT, Label.CORRECT, Label.INCORRECT]
    assert [labels[one.id] for one in trees] == [Label.CORRECT_BORDERLINE]
    again = import_file(workspace, FIXTURES / "expertmath-candidates.csv")
    assert (again.new, again.changed, again.same) == (0, 0, 6)


@pytest.mark.parametrize(
    ("said", "label"),
    [
        ("correct", Label.CORRECT),
        (" Correct Borderline ", Label.CORRECT_BORDERLINE),
        ("INCORRECT", Label.INCORRECT),
        ("unsure", Label.UNSURE),
        (1, Label.CORRECT),
        (0.0, Label.INCORRECT),
        ("1.0", Label.CORRECT),
        (True, Label.CORRECT),
        ("False", Label.INCORRECT),
        (None, None),
        ("", None),
    ],
)
def test_labels_may_be_written_so(stocked: Workspace, tmp_path: Path, said: object, label: Label | None) -> None:
    assert brought(stocked, tmp_path, row(label=said)).new == 1
    assert evaluation.known_labels(stocked).get(only(stocked).id) is label


@pytest.mark.parametrize("name", [*sorted(EXPERTS), "Human", " EXPERT "])
def test_an_experts_answer_is_the_reference(stocked: Workspace, tmp_path: Path, name: str) -> None:
    brought(stocked, tmp_path, row(model_name=name, label=None))
    assert only(stocked).reference
    assert [(one.kind, one.model) for one in only(stocked).origins] == [(AuthorKind.PERSON, "")]


@pytest.mark.parametrize("problem", [Q, "alpha"])
def test_a_problem_is_named_by_an_id_here_or_in_its_source(stocked: Workspace, tmp_path: Path, problem: str) -> None:
    assert brought(stocked, tmp_path, row(problem_id=problem)).new == 1


def test_what_else_is_known_of_an_answer_comes_along(stocked: Workspace, tmp_path: Path) -> None:
    brought(stocked, tmp_path, row(author_kind="system", system="s", base_model="b", reasoning="Hm.", year=2026))
    assert (only(stocked).reasoning, only(stocked).origins[0].name, only(stocked).origins[0].base_model) == (
        "Hm.",
        "s",
        "b",
    )


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"problem_id": ""}, "no `problem_id`"),
        ({"problem_id": "beta"}, "question beta is not in this workspace"),
        ({"problem_id": 7}, "question 7 is not in this workspace"),
        ({"problem_id": 1.5}, "`problem_id` is neither text nor a whole number"),
        ({"answer": " "}, "no `answer`"),
        ({"label": "good"}, "`label` is 'good', not one of correct, correct_borderline, incorrect, unsure, 1, true, 0"),
        ({"label": 2}, "`label` is '2', not"),
        ({"label": [1]}, "`label` is neither text, a number, true nor false"),
        ({"label": "0"}, "its `label` is incorrect, where line 1 says of the same answer that it is correct"),
        ({"model_name": "human", "label": "0", "answer": "No."}, "`reference` is said of an answer whose known label"),
        ({"model_name": 7}, "`model_name` is not text"),
    ],
)
def test_rows_that_cannot_be_used_say_why(
    stocked: Workspace, tmp_path: Path, changes: dict[str, object], reason: str
) -> None:
    report = brought(stocked, tmp_path, row(), row(**changes))
    assert [(one.line, one.reason[: len(reason)]) for one in report.rejected] == [(2, reason)]
    assert report.new == 1


def test_an_answer_that_a_model_gave_too_is_no_reference(stocked: Workspace, tmp_path: Path) -> None:
    report = brought(stocked, tmp_path, row(), row(model_name="expert"))
    assert [one.reason for one in report.rejected] == [
        "the reference is a person's own solution, and line 1 has the same answer"
    ]
    again = brought(stocked, tmp_path, row(model_name="expert"))
    assert candidates.LIKE_ANSWER in again.rejected[0].reason
    assert not only(stocked).reference


def test_a_number_that_may_mean_two_questions_is_reported_and_not_guessed(stocked: Workspace, tmp_path: Path) -> None:
    take(stocked, question(3, source_id="2"), question(4, other_ids=("#2", "set#2")))
    report = brought(stocked, tmp_path, row(problem_id=2), row(problem_id="set#2"), row(problem_id="#2", answer="b"))
    assert [(one.line, one.reason) for one in report.rejected] == [
        (1, "problem 2 may be source:3 or source:4; write the one that is meant")
    ]
    assert report.new == 2


def test_a_name_that_several_questions_have_is_reported(stocked: Workspace, tmp_path: Path) -> None:
    take(stocked, question(3, source_id="alpha"), question(4, other_ids=("#2",)), question(5, other_ids=("#2",)))
    report = brought(stocked, tmp_path, row(problem_id="alpha"), row(problem_id=2))
    assert ["several questions have the id" in one.reason for one in report.rejected] == [True, True]


def test_a_file_that_counts_problems_from_zero_is_refused_whole(workspace: Workspace, tmp_path: Path) -> None:
    import_file(workspace, FIXTURES / "expertmath.csv")
    with pytest.raises(ImportFileError, match="line 2: this file counts problems from 0"):
        brought(workspace, tmp_path, row(problem_id=1), row(problem_id=0))
    assert evaluation.known_labels(workspace) == {}


def test_other_rows_with_problem_ids_are_what_they_were(workspace: Workspace, tmp_path: Path) -> None:
    take(workspace, question(1))
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps({"problem_id": 1, "problem": "What is 1 + 1?", "answer": 2, "question_id": Q}) + "\n")
    assert import_file(workspace, path).format == "neighbours"


WORDS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=12),
    st.just([]),
)


@pytest.fixture(scope="module")
def blank(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """A workspace without questions, in which no row can be placed."""
    opened = Workspace.open(tmp_path_factory.mktemp("blank") / "blank.uq.sqlite")
    yield opened
    opened.close()


@given(st.lists(st.fixed_dictionaries({"problem_id": WORDS, "answer": WORDS, "model_name": WORDS, "label": WORDS})))
def test_any_row_is_rejected_with_its_line(blank: Workspace, rows: list[dict[str, object]]) -> None:
    path = blank.path.with_name("fuzz.jsonl")
    path.write_text("".join(json.dumps(one) + "\n" for one in rows), encoding="utf-8")
    with suppress(ImportFileError):  # problems counted from 0
        report = import_labelled(blank, path, as_csv=False)
        assert report.rejected_total == report.read == len(rows)


def test_csv_of_answers_with_everything_in_them(workspace: Workspace, tmp_path: Path) -> None:
    take(workspace, question(1))
    answer = 'a;b,"c"\r\n\n$x_1 < y$\t\0\u2028end '
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=";").writerows([["Label", "Model Name", "Answer", "Problem ID"], ["1", "m", answer, Q]])
    path = tmp_path / "x"
    path.write_bytes(text.getvalue().encode("utf-16"))
    assert import_file(workspace, path).new == 1
    assert only(workspace).answer.raw == answer
