"""What the pack's files must be, whoever reads them: complete rows, honest origins, text a terminal can show."""

import json
import unicodedata
from typing import Any
from urllib.parse import urlsplit

import pytest

from store import candidates, neighbours, questions
from store.ingest.importer import import_file
from store.rows import QuestionFilter
from store.workspace import Workspace
from uq_tui.pack.compute_answers import FOLDER, PROBLEMS, read_rows
from uq_tui.words import AuthorKind, Label

QUESTION_KEYS = ["key", "title", "body", "site", "link", "tags", "category", "source", "licence", "author"]
NEIGHBOUR_KEYS = ["question_key", "statement", "answer", "source"]
CANDIDATE_KEYS = [
    *("question_key", "answer", "author_kind", "model", "system", "organisation", "base_model", "person", "prompt"),
    "known_label",
]
PROBLEM = "research-style problem"


def open_questions() -> list[dict[str, Any]]:
    return [row for row in read_rows("questions.jsonl") if row["category"] != PROBLEM]


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("questions.jsonl", QUESTION_KEYS),
        ("neighbours.jsonl", NEIGHBOUR_KEYS),
        ("candidates.jsonl", CANDIDATE_KEYS),
    ],
)
def test_every_row_has_the_keys_of_the_format(name: str, keys: list[str]) -> None:
    assert {tuple(row) for row in read_rows(name)} == {tuple(keys)}


def test_the_pack_is_described_and_names_the_question_of_the_tour() -> None:
    pack = json.loads((FOLDER / "pack.json").read_text(encoding="utf-8"))
    assert set(pack) == {"name", "version", "licence", "description", "tour_question"}
    assert pack["tour_question"] in PROBLEMS


def test_open_questions_come_from_several_fields() -> None:
    assert len(open_questions()) >= 12
    assert len({row["category"] for row in open_questions()}) >= 6


@pytest.mark.parametrize("row", open_questions(), ids=lambda row: str(row["key"]))
def test_an_open_question_says_what_is_known_what_would_settle_it_and_where_it_comes_from(
    row: dict[str, Any],
) -> None:
    body = str(row["body"])
    for heading in ("**Question.**", "**What is known.**", "**What would count as an answer.**", "**Source.**"):
        assert body.count(heading) == 1
    assert urlsplit(str(row["link"])).scheme == "https"
    assert row["source"]


def test_problems_are_marked_as_solved_by_the_pack() -> None:
    problems = [row for row in read_rows("questions.jsonl") if row["category"] == PROBLEM]
    assert [row["key"] for row in problems] == list(PROBLEMS)
    assert all("known-answer" in row["tags"] and row["body"].endswith("known to this pack.*") for row in problems)


def test_each_problem_has_one_correct_and_two_wrong_candidates_from_three_origins() -> None:
    for key in PROBLEMS:
        rows = [row for row in read_rows("candidates.jsonl") if row["question_key"] == key]
        assert sorted(row["known_label"]["label"] for row in rows) == [Label.CORRECT, Label.INCORRECT, Label.INCORRECT]
        assert len({(row["system"], row["person"]) for row in rows}) == 3


def test_a_flaw_is_given_exactly_for_the_wrong_ones() -> None:
    for row in read_rows("candidates.jsonl"):
        label = row["known_label"]
        assert bool(label["flaw"]) == (label["label"] == Label.INCORRECT)


def test_no_origin_gives_the_label_away() -> None:
    """Each name has written correct and wrong candidates, and the correct one is not always in the same place."""
    rows = read_rows("candidates.jsonl")
    labels = {(row["system"] or row["person"], row["known_label"]["label"]) for row in rows}
    assert len(labels) == 2 * len({name for name, _ in labels})
    places = {number % 3 for number, row in enumerate(rows) if row["known_label"]["label"] == Label.CORRECT}
    assert places == {0, 1, 2}


def test_origins_are_honest() -> None:
    """Nobody but us wrote these texts, and no model is named."""
    for row in read_rows("candidates.jsonl"):
        assert (row["model"], row["base_model"]) == ("", "")
        if row["author_kind"] == AuthorKind.PERSON:
            assert (row["person"], row["system"]) == ("uq-tui developers", "")
        else:
            assert row["author_kind"] == AuthorKind.SYSTEM
            assert row["system"].startswith("uq-tui sample ")
            assert row["organisation"] == "uq-tui"
        assert "by hand" in row["prompt"]


def test_solutions_are_long_enough_to_check_and_short_enough_to_read() -> None:
    for row in read_rows("candidates.jsonl"):
        assert 150 <= len(row["answer"].split()) <= 500


@pytest.mark.parametrize("name", ["questions.jsonl", "neighbours.jsonl", "candidates.jsonl"])
def test_texts_are_clean(name: str) -> None:
    """No control characters but newlines, composed Unicode, balanced dollars and bold marks."""
    for row in read_rows(name):
        for value in (row.get("body"), row.get("statement"), row.get("answer")):
            if value is None:
                continue
            assert unicodedata.is_normalized("NFC", value)
            assert [c for c in value if unicodedata.category(c) == "Cc" and c != "\n"] == []
            assert value.count("$") % 2 == 0
            assert value.count("**") % 2 == 0
            assert value.count("{") == value.count("}")


def test_titles_fit_a_line_of_80_columns() -> None:
    assert max(len(row["title"]) for row in read_rows("questions.jsonl")) <= 80


def test_the_pack_imports_without_a_complaint_and_a_second_time_changes_nothing(workspace: Workspace) -> None:
    first = import_file(workspace, FOLDER)
    again = import_file(workspace, FOLDER)
    rows = len(open_questions()) + 6 * len(PROBLEMS)
    assert (first.rejected, first.new, first.passed_over, first.notes) == ((), rows, 0, ())
    assert (again.rejected, again.new, again.changed, again.same) == ((), 0, 0, rows)


def test_imported_problems_have_their_neighbours_and_candidates(workspace: Workspace) -> None:
    import_file(workspace, FOLDER)
    page = questions.page(workspace, QuestionFilter(), limit=100)
    found = {row.title: row.id for row in page.rows}
    assert len(found) == len(read_rows("questions.jsonl"))
    for row in read_rows("questions.jsonl"):
        expected = (2, 3) if row["key"] in PROBLEMS else (0, 0)
        question_id = found[row["title"]]
        around = neighbours.of_question(workspace, question_id)
        assert (len(around), len(candidates.of_question(workspace, question_id))) == expected
