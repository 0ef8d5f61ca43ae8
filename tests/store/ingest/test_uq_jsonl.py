"""Questions as JSON rows."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store import posted, questions
from store.identity import question_id_for_text
from store.ingest.report import RowError
from store.ingest.uq_jsonl import import_questions, question_of
from store.intake import NewQuestion
from store.rows import QuestionFilter
from store.workspace import Workspace
from tests.fixtures import FIXTURES
from uq_tui.errors import ImportFileError, NotFoundError
from uq_tui.words import QuestionStatus, TextFormat


def read(row: dict[str, Any], site: str = "") -> NewQuestion:
    return question_of({"body": "What?"} | row, site=site, source="f.jsonl")


def test_a_crawler_row_and_a_dataset_row(workspace: Workspace) -> None:
    report = import_questions(workspace, FIXTURES / "uq-questions.jsonl")
    assert (report.read, report.new, report.rejected) == (3, 3, ())
    assert report.counts == {"questions": 3, "unanswered": 3, "comments": 1}
    crawled = questions.get(workspace, "math.stackexchange.com:358423")
    assert crawled.row.title == r"When is $\dim R[T] > \dim R + 1$?"
    assert (crawled.body.raw, crawled.body.format) == (r"When is $\dim R[T] > \dim R + 1$?", TextFormat.MARKDOWN)
    assert (crawled.row.tags, crawled.row.score) == (("commutative-algebra", "krull-dimension"), 25)
    assert (crawled.views, crawled.row.asked_at) == (1500, "2013-04-11T10:30:00.000Z")
    assert (crawled.licence, crawled.row.site) == ("CC BY-SA 3.0", "math.stackexchange.com")
    assert crawled.extra == {"answer": "[No answer]", "body": "plain", "comment_count": 1}
    assert [one.body for one in posted.comments_of(workspace, crawled.row.id)] == ["Try Noetherian rings."]
    puzzle = questions.get(workspace, "puzzling.stackexchange.com:17")
    assert (puzzle.body.format, puzzle.row.tags, puzzle.category) == (TextFormat.HTML, ("word", "riddle"), "Puzzling")
    assert puzzle.extra == {"my_own": {"kept": True}}
    poem = questions.get(workspace, question_id_for_text("source", "Who wrote this poem?"))
    assert (poem.row.title, poem.row.tags) == ("Who wrote this poem?", ("poetry", "identification"))
    assert (poem.row.site, poem.link, poem.licence) == ("", "", "")


def test_importing_twice_changes_nothing(workspace: Workspace) -> None:
    import_questions(workspace, FIXTURES / "uq-questions.jsonl")
    before = questions.page(workspace, QuestionFilter())
    again = import_questions(workspace, FIXTURES / "uq-questions.jsonl")
    assert (again.new, again.changed, again.same) == (0, 0, 3)
    assert questions.page(workspace, QuestionFilter()) == before


@pytest.mark.parametrize(
    ("row", "site", "found"),
    [
        ({"link": "https://math.stackexchange.com/q/5"}, "", "math.stackexchange.com:5"),
        ({"link": "https://mathoverflow.net/questions/5/x", "id": 9, "site": "math"}, "physics", "mathoverflow.net:5"),
        ({"id": 7, "site": "math.stackexchange.com"}, "", "math.stackexchange.com:7"),
        ({"id": "7", "site": "stackoverflow.com"}, "math", "stackoverflow.com:7"),
        ({"id": 7}, "math", "math.stackexchange.com:7"),
        ({"question_id": "0007"}, "math.stackexchange.com", "math.stackexchange.com:7"),
        ({"id": 7, "site": "Mathematics"}, "math", "math.stackexchange.com:7"),
        ({"id": "math.stackexchange.com:7"}, "", "math.stackexchange.com:7"),
        ({"id": None, "question_id": 7}, "math", "math.stackexchange.com:7"),
    ],
)
def test_posts_are_known_by_host_and_number(row: dict[str, Any], site: str, found: str) -> None:
    assert read(row, site).id == found


@pytest.mark.parametrize(
    ("row", "site"),
    [
        ({}, ""),
        ({"id": 7}, ""),
        ({"id": 7, "site": "math"}, ""),
        ({"id": "x7"}, "math"),
        ({"id": "source:1234567890123456"}, ""),
        ({"id": "arxiv:12"}, ""),
        ({"link": "https://example.org/problem/7"}, "math"),
    ],
)
def test_other_questions_are_known_by_their_text(row: dict[str, Any], site: str) -> None:
    assert read(row, site).id == question_id_for_text("source", "What?")


@given(st.integers(1, 10**15))
def test_a_number_and_its_digits_are_one_id(number: int) -> None:
    assert read({"id": number}, "math").id == read({"id": str(number)}, "math").id


def test_links_are_made_where_there_is_none() -> None:
    assert read({"id": 7}, "math").link == "https://math.stackexchange.com/questions/7"
    assert read({"id": 7, "link": "https://math.stackexchange.com/q/7"}).link == "https://math.stackexchange.com/q/7"


def test_the_best_body_counts() -> None:
    assert read({"body_markdown": "M", "question": "Q"}).body == "M"
    assert read({"body_markdown": ""}).body == "What?"
    assert read({"body": None, "question": "Q"}).body == "Q"


def test_a_row_may_name_its_format() -> None:
    assert read({"format": "plain"}).format is TextFormat.PLAIN
    with pytest.raises(RowError, match="`format`"):
        read({"format": "docx"})


@pytest.mark.parametrize(
    ("row", "status"),
    [
        ({}, None),
        ({"is_answered": False}, None),
        ({"answer_count": 0}, QuestionStatus.UNANSWERED),
        ({"answer_count": 2}, QuestionStatus.ANSWERED),
        ({"is_answered": True}, QuestionStatus.ANSWERED),
        ({"accepted_answer_id": 4, "answer_count": 2}, QuestionStatus.ACCEPTED),
        ({"closed_date": 1500000000, "answer_count": 2}, QuestionStatus.CLOSED),
    ],
)
def test_the_status_is_what_the_row_says(row: dict[str, Any], status: QuestionStatus | None) -> None:
    assert read(row).status is status


def test_titles_of_posts_are_decoded_and_others_are_not() -> None:
    assert read({"title": "a &lt; b"}, "").title == "a &lt; b"
    assert read({"title": "a &lt; b", "link": "https://math.stackexchange.com/q/5"}).title == "a < b"


def test_a_missing_title_is_made_of_the_text() -> None:
    assert read({"body": "<p>Is <b>it</b> so?</p>"}).title.split() == ["Is", "it", "so?"]


def test_who_asked() -> None:
    assert read({"author": "ann"}).author == "ann"
    assert read({"owner": {"display_name": "A&amp;B", "user_id": 4}}).author == "A&B"
    assert read({"owner": {"display_name": "A&amp;B"}}).extra == {"owner": {"display_name": "A&amp;B"}}
    assert read({"owner": "ann"}).author == ""


def test_licences() -> None:
    post = {"link": "https://math.stackexchange.com/q/5"}
    assert read({"license": "MIT"} | post).licence == "MIT"
    assert read(post | {"creation_date": 1300000000}).licence == "CC BY-SA 2.5"
    assert read(post).licence == "CC BY-SA"
    assert read({"link": "https://example.org/q/5"}).licence == ""


def test_a_date_that_is_none_is_kept_as_it_is() -> None:
    made = read({"creation_date": "long ago"})
    assert (made.asked_at, made.extra) == (None, {"creation_date": "long ago"})


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"body": ""}, "no text under"),
        ({"body": " \n"}, "no text under"),
        ({"body": 5}, "`body` is not text"),
        ({"title": ["x"]}, "`title` is not text"),
        ({"score": "high"}, "`score` is not a whole number"),
        ({"views": 2**70}, "`views` is too large"),
        ({"id": 1.5}, "`id` is neither"),
        ({"tags": 5}, "`tags` is neither"),
        ({"link": 5}, "`link` is not text"),
    ],
)
def test_bad_rows_say_why(row: dict[str, Any], reason: str) -> None:
    with pytest.raises(RowError, match=reason):
        read(row)


def test_good_rows_around_bad_ones_are_kept(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "mixed.jsonl"
    path.write_text('{"body": "one"}\n{"body": ""}\n{"bo\n{"body": "two", "score": "x"}\n{"body": "three"}\n')
    seen: list[int] = []
    report = import_questions(workspace, path, on_progress=seen.append)
    assert (report.read, report.new, report.rejected_total) == (5, 2, 3)
    assert [row.line for row in report.rejected] == [2, 3, 4]
    assert {row.file for row in report.rejected} == {str(path)}
    assert seen[-1] == 5
    assert [row.title for row in questions.page(workspace, QuestionFilter()).rows] == ["one", "three"]


def test_awkward_rows_survive(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "awkward.jsonl"
    row = {"body": "a\0\ud83d", "title": "\ud83d", "site": "\ud83d", "\ud83d": 1, "n": 2**80}
    path.write_text(json.dumps(row))
    assert import_questions(workspace, path).new == 1
    assert import_questions(workspace, path).same == 1
    (listed,) = questions.page(workspace, QuestionFilter()).rows
    stored = questions.get(workspace, listed.id)
    assert (stored.body.raw, stored.row.title) == ("a\0\ud83d", "\ud83d")
    assert stored.extra == {"\ud83d": 1, "n": 2**80}


def test_only_so_many_rejections_are_named(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text("{}\n" * 1500)
    report = import_questions(workspace, path)
    assert (len(report.rejected), report.rejected_total, report.read) == (1000, 1500, 1500)


def test_a_file_that_is_not_there_and_a_site_that_is_none(workspace: Workspace, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        import_questions(workspace, tmp_path / "none.jsonl")
    with pytest.raises(ImportFileError, match="is not a site"):
        import_questions(workspace, FIXTURES / "uq-questions.jsonl", site="not a site")
