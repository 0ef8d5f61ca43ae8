"""Answers as JSON rows and as text files."""

import json
from pathlib import Path
from typing import Any

import pytest

from store import candidates, failed_answers
from store.ingest.candidates_jsonl import candidate_of, import_answer_file, import_candidates
from store.ingest.question_ids import QuestionFinder
from store.ingest.report import RowError
from store.ingest.uq_jsonl import import_questions
from store.rows import KnownLabel, NewCandidate, Origin
from store.workspace import Workspace
from tests.fixtures import FIXTURES
from tests.store.stock import QUESTION, question, take
from uq_tui.errors import ImportFileError, NotFoundError
from uq_tui.words import AuthorKind, Label, TextFormat

MATH = "math.stackexchange.com:358423"
PUZZLE = "puzzling.stackexchange.com:17"


@pytest.fixture
def ws(workspace: Workspace) -> Workspace:
    """A workspace with the questions that the answers belong to."""
    import_questions(workspace, FIXTURES / "uq-questions.jsonl")
    return workspace


def read(row: dict[str, Any]) -> NewCandidate:
    return candidate_of({"answer": "A"} | row, "source:1", source="f.jsonl")


def test_generated_answers_of_uq(ws: Workspace) -> None:
    report = import_candidates(ws, FIXTURES / "uq-answers.jsonl")
    assert (report.read, report.new, report.rejected_total) == (5, 4, 1)
    assert report.counts == {"candidates": 3, "failed answers": 1}
    assert [(row.line, row.reason) for row in report.rejected] == [
        (5, "question 12345 is not in this workspace; import the questions first"),
    ]
    (answer,) = candidates.of_question(ws, MATH)
    assert answer.answer.raw == "Never for Noetherian rings."
    assert answer.origins == (Origin(AuthorKind.MODEL, model="o3-like", source="uq-answers.jsonl"),)


def test_all_that_a_row_says_is_kept(ws: Workspace) -> None:
    import_candidates(ws, FIXTURES / "uq-answers.jsonl")
    poem = QuestionFinder(ws).find("99")
    (answer,) = candidates.of_question(ws, poem)
    assert answer.origins == (
        Origin(
            AuthorKind.SYSTEM,
            system="Prover 2",
            organisation="Lab",
            base_model="m-70b",
            prompt="Solve it.",
            source="uq-answers.jsonl",
        ),
    )
    assert (answer.reasoning, answer.cut_off) == ("I looked.", True)
    known = candidates.known_label(ws, answer.id)
    assert known == KnownLabel(Label.INCORRECT, "somebody did", "uq-answers.jsonl")


def test_importing_twice_changes_nothing(ws: Workspace) -> None:
    import_candidates(ws, FIXTURES / "uq-answers.jsonl")
    before = candidates.of_question(ws, PUZZLE)
    again = import_candidates(ws, FIXTURES / "uq-answers.jsonl")
    assert (again.new, again.changed, again.same) == (0, 0, 4)
    assert candidates.of_question(ws, PUZZLE) == before


def test_an_error_row_is_kept_until_its_model_answers(ws: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "f.jsonl"
    path.write_text(
        '{"question_id": 17, "model_name": "m", "error": {"code": 500}, "answer": ""}\n'
        '{"question_id": "17", "model_name": "n", "error": "x"}\n'
        '{"question_id": 17, "model_name": "n", "answer": "a", "error": "a warning"}\n'
    )
    report = import_candidates(ws, path)
    assert (report.new, report.rejected_total) == (3, 0)
    (kept,) = failed_answers.of_question(ws, PUZZLE)
    assert (kept.model, kept.error, kept.source) == ("m", '{"code": 500}', "f.jsonl")


def test_two_answers_of_one_model_are_both_kept(ws: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "f.jsonl"
    rows = [{"question_id": 17, "model_name": "m", "answer": answer} for answer in ("a", "b", "a")]
    path.write_text("\n".join(map(json.dumps, rows)))
    report = import_candidates(ws, path)
    assert (report.new, report.same) == (2, 1)
    assert [one.answer.raw for one in candidates.of_question(ws, PUZZLE)] == ["a", "b"]


@pytest.mark.parametrize(
    ("identifier", "link", "site", "found"),
    [
        (MATH, "", "", MATH),
        ("358423", "", "", MATH),
        ("358423", "", "math", MATH),
        ("358423", "", "physics", MATH),
        ("", "https://math.stackexchange.com/q/358423", "", MATH),
        ("https://math.stackexchange.com/questions/358423/slug", "", "", MATH),
        ("17", "https://math.stackexchange.com/q/358423", "puzzling", MATH),
        ("17", "https://example.org/17.html", "", PUZZLE),
    ],
)
def test_questions_are_found(ws: Workspace, identifier: str, link: str, site: str, found: str) -> None:
    finder = QuestionFinder(ws)
    assert finder.find(identifier, link=link, site=site) == found
    assert finder.find(identifier, link=link, site=site) == found


def test_an_id_that_several_sources_use_needs_a_site(ws: Workspace) -> None:
    take(ws, question(1, id="cs.stackexchange.com:17", source_id="17"))
    finder = QuestionFinder(ws)
    with pytest.raises(RowError, match="several questions have the id 17; name the site"):
        finder.find("17")
    assert finder.find("17", site="cs") == "cs.stackexchange.com:17"
    assert finder.find("17", site="puzzling.stackexchange.com") == PUZZLE


@pytest.mark.parametrize("identifier", ["404", "source:404", "\ud800", "x" * 10_000, "' OR 1=1 --"])
def test_unknown_questions_are_not_guessed(ws: Workspace, identifier: str) -> None:
    with pytest.raises(RowError, match="is not in this workspace"):
        QuestionFinder(ws).find(identifier)


def test_a_link_to_an_unknown_post_is_not_replaced_by_a_known_id(ws: Workspace) -> None:
    with pytest.raises(RowError, match="not in this workspace"):
        QuestionFinder(ws).find("17", link="https://math.stackexchange.com/q/17")


def test_answers_without_a_question_get_the_one_named(ws: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "f.jsonl"
    path.write_text('{"answer": "a", "model": "m"}\n{"answer": "b", "model": "m", "question_id": 17}\n')
    assert import_candidates(ws, path).rejected[0].reason == "no `question_id`"
    assert import_candidates(ws, path, question_id="358423").rejected == ()
    assert [one.answer.raw for one in candidates.of_question(ws, MATH)] == ["a"]


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        ({}, AuthorKind.MODEL),
        ({"model": "m"}, AuthorKind.MODEL),
        ({"model_name": "m", "person": "p"}, AuthorKind.MODEL),
        ({"person": "p"}, AuthorKind.PERSON),
        ({"system": "s", "model": "m"}, AuthorKind.SYSTEM),
        ({"author_kind": "person", "system": "s"}, AuthorKind.PERSON),
    ],
)
def test_who_wrote_an_answer(row: dict[str, Any], kind: AuthorKind) -> None:
    origin = read(row).origin
    assert origin is not None
    assert origin.kind is kind


def test_names_that_mean_the_same() -> None:
    assert read({"model_name": "m"}).origin == read({"model": "m"}).origin
    assert read({"organization": "o"}).origin == read({"organisation": "o"}).origin
    assert read({"reasoning_content": "r"}).reasoning == read({"thinking": "r"}).reasoning == "r"


def test_formats() -> None:
    assert read({}).format is TextFormat.MARKDOWN
    assert read({"format": "html"}).format is TextFormat.HTML
    assert read({"answer": "<p>x</p>"}).format is TextFormat.MARKDOWN


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"answer": None}, "no `answer`"),
        ({"answer": " "}, "no `answer`"),
        ({"answer": 7}, "`answer` is not text"),
        ({"answer": "", "error": {"code": 500}}, "but an error: {'code': 500}"),
        ({"author_kind": "robot"}, "`author_kind` is 'robot', not one of model, system, person"),
        ({"known_label": "correct"}, "`known_label` is not an object"),
        ({"known_label": {"label": "correct", "marks": 5}}, "only one of `marks` and `full_marks`"),
        (
            {"known_label": {"label": "correct", "marks": 8, "full_marks": 7}},
            "`known_label.marks` is 8, not from 0 to 7",
        ),
        ({"known_label": {"label": "correct", "marks": "5", "full_marks": 7}}, "`marks` is not a number"),
        ({"known_label": {"label": "right"}}, "`known_label.label` is 'right'"),
        ({"format": "docx"}, "`format`"),
        ({"reasoning": 5}, "`reasoning` is not text"),
    ],
)
def test_bad_rows_say_why(row: dict[str, Any], reason: str) -> None:
    with pytest.raises(RowError, match=reason):
        read(row)


@pytest.mark.parametrize(("name", "text_format"), [("a.md", TextFormat.MARKDOWN), ("a.txt", TextFormat.PLAIN)])
def test_a_text_file_is_one_answer(workspace: Workspace, tmp_path: Path, name: str, text_format: TextFormat) -> None:
    take(workspace, QUESTION)
    path = tmp_path / name
    path.write_bytes("\ufeff# Yes\r\n\r\nBecause $x$.\n".encode())
    report = import_answer_file(workspace, path, QUESTION.id)
    assert (report.read, report.new, report.counts) == (1, 1, {"candidates": 1})
    (answer,) = candidates.of_question(workspace, QUESTION.id)
    assert (answer.answer.raw, answer.answer.format) == ("# Yes\r\n\r\nBecause $x$.\n", text_format)
    assert answer.origins == (Origin(AuthorKind.PERSON, source=name),)
    assert import_answer_file(workspace, path, QUESTION.id).same == 1


def test_a_text_file_that_is_no_answer(workspace: Workspace, tmp_path: Path) -> None:
    take(workspace, QUESTION)
    path = tmp_path / "a.md"
    path.write_text(" \n")
    with pytest.raises(ImportFileError, match="is empty"):
        import_answer_file(workspace, path, QUESTION.id)
    path.write_text("Yes.")
    with pytest.raises(NotFoundError, match="source:404"):
        import_answer_file(workspace, path, "source:404")
    with pytest.raises(NotFoundError, match=r"none\.md"):
        import_answer_file(workspace, tmp_path / "none.md", QUESTION.id)


def test_the_experts_own_solution_is_a_person_s_reference() -> None:
    new = read({"reference": True})
    assert new.reference
    assert new.origin is not None
    assert new.origin.kind is AuthorKind.PERSON
    assert [read({"reference": value}).reference for value in (None, False)] == [False, False]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"reference": "yes"}, "neither true nor false"),
        ({"reference": True, "model": "m"}, "by a model"),
        ({"reference": True, "author_kind": "system"}, "by a system"),
        ({"reference": True, "known_label": {"label": "incorrect"}}, "known label is incorrect"),
    ],
)
def test_references_that_cannot_be(row: dict[str, Any], said: str) -> None:
    with pytest.raises(RowError, match=said):
        read(row)


def test_an_answer_that_was_there_becomes_the_reference_and_stays_it(workspace: Workspace, tmp_path: Path) -> None:
    take(workspace, QUESTION)
    path = tmp_path / "a.jsonl"
    row = {"question_id": QUESTION.id, "answer": "A", "person": "ann"}
    seen = []
    for reference in (False, True, True, False):
        path.write_text(json.dumps({**row, "reference": reference}))
        report = import_candidates(workspace, path)
        (found,) = candidates.of_question(workspace, QUESTION.id)
        seen.append((report.new, report.changed, report.same, found.reference))
    assert seen == [(1, 0, 0, False), (0, 1, 0, True), (0, 0, 1, True), (0, 0, 1, True)]
