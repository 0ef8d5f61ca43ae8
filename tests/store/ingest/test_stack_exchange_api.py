"""Answers of the Stack Exchange API: pages, items, errors, and the real ones beside the project."""

import json
from pathlib import Path
from typing import Any

import pytest

from store import candidates, posted, questions
from store.ingest.importer import import_file
from store.rows import QuestionFilter
from store.workspace import Workspace
from tests.shared import shared_file
from uq_tui.errors import ImportFileError
from uq_tui.words import AuthorKind, QuestionStatus, TextFormat

ASKED: dict[str, Any] = {
    "question_id": 7,
    "title": "Is &quot;a &amp;lt; b&quot; &amp; all?",
    "link": "https://math.stackexchange.com/questions/7/slug",
    "owner": {"display_name": "O&#39;Hara", "user_type": "does_not_exist"},
    "tags": ["logic"],
    "score": 3,
    "view_count": 90,
    "answer_count": 1,
    "is_answered": False,
    "creation_date": 1_336_000_000,
    "last_edit_date": 1_337_000_000,
    "last_activity_date": 1_338_000_000,
    "body": "<p>Is $a &lt; b$?</p>",
    "content_license": "CC BY-SA 4.0",
}
ANSWERED: dict[str, Any] = {
    "answer_id": 8,
    "question_id": 7,
    "owner": {"display_name": "Ann", "user_id": 5, "link": "https://math.stackexchange.com/users/5/ann"},
    "is_accepted": True,
    "score": 2,
    "creation_date": 1_336_000_100,
    "body_markdown": "It is: $a &lt; b$.",
}
SAID: dict[str, Any] = {
    "comment_id": 9,
    "post_id": 8,
    "owner": {"display_name": "Bo", "user_id": 6, "link": "https://math.stackexchange.com/users/6/bo"},
    "score": 0,
    "creation_date": 1_336_000_200,
    "body": "Why <i>so</i>?",
}
ID = "math.stackexchange.com:7"


def page(path: Path, *items: dict[str, Any], **beside: Any) -> Path:
    path.write_text(json.dumps({"items": items, "has_more": False, **beside}, indent=1), encoding="utf-8")
    return path


def test_a_page_brings_questions_answers_and_comments_in_any_order(workspace: Workspace, tmp_path: Path) -> None:
    file = page(tmp_path / "p.json", SAID, ANSWERED, ASKED, has_more=True)
    report = import_file(workspace, file)
    assert (report.format, report.read, report.new, report.rejected) == ("Stack Exchange API", 3, 3, ())
    assert report.counts == {"questions": 1, "answered": 1, "posted answers": 1, "comments": 1}
    assert report.notes == ("The API had more pages than this one.",)
    asked = questions.get(workspace, ID)
    assert asked.row.title == 'Is "a &lt; b" & all?'
    assert (asked.author, asked.licence, asked.row.asked_at) == ("O'Hara", "CC BY-SA 4.0", "2012-05-02T23:06:40.000Z")
    assert asked.body.format is TextFormat.HTML
    assert asked.extra["last_activity_date"] == 1_338_000_000
    (answer,) = candidates.of_question(workspace, ID)
    assert answer.answer.raw == "It is: $a < b$."
    assert answer.origins[0].kind is AuthorKind.PERSON
    post = posted.of_candidate(workspace, answer.id)
    assert post is not None
    assert (post.post_id, post.author, post.author_id, post.accepted) == ("8", "Ann", "5", True)
    assert post.licence == "CC BY-SA 3.0"
    (comment,) = posted.comments_of(workspace, ID)
    assert (comment.id, comment.candidate_id) == ("math.stackexchange.com:c9", answer.id)
    assert comment.body == "Why so?"
    again = import_file(workspace, file)
    assert (again.new, again.changed, again.same) == (0, 0, 3)


def test_answers_and_comments_within_a_question(workspace: Workspace, tmp_path: Path) -> None:
    within = ASKED | {
        "answers": [ANSWERED | {"comments": [SAID]}],
        "comments": [SAID | {"comment_id": 10, "post_id": 7}],
    }
    report = import_file(workspace, page(tmp_path / "p.json", within))
    assert report.counts == {"questions": 1, "answered": 1, "posted answers": 1, "comments": 2}
    assert {"answers", "comments"}.isdisjoint(questions.get(workspace, ID).extra)


def test_questions_only(workspace: Workspace, tmp_path: Path) -> None:
    within = ASKED | {"answers": [ANSWERED], "comments": [SAID]}
    report = import_file(workspace, page(tmp_path / "p.json", within, ANSWERED, SAID), questions_only=True)
    assert (report.read, report.passed_over, report.counts) == (1, 2, {"questions": 1, "answered": 1})
    assert candidates.of_question(workspace, ID) == ()
    assert posted.comments_of(workspace, ID) == ()


def test_a_question_without_a_body_waits_for_it_and_never_loses_it(workspace: Workspace, tmp_path: Path) -> None:
    bare = {key: value for key, value in ASKED.items() if key != "body"}
    report = import_file(workspace, page(tmp_path / "p.json", bare))
    assert (report.new, report.rejected) == (1, ())
    assert "without a body" in report.notes[0]
    assert questions.get(workspace, ID).body.raw == ""
    assert import_file(workspace, page(tmp_path / "p.json", ASKED)).changed == 1
    report = import_file(workspace, page(tmp_path / "p.json", bare | {"score": 4, "title": "Retitled"}))
    assert report.changed == 1
    asked = questions.get(workspace, ID)
    assert (asked.row.score, asked.row.title, asked.body.raw) == (4, "Retitled", ASKED["body"])
    found = questions.page(workspace, QuestionFilter(text="Retitled"), limit=5).rows
    assert [row.id for row in found] == [ID]


def test_items_alone_as_an_array_and_as_lines(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "items"
    path.write_text(json.dumps([ASKED, ANSWERED]))
    assert import_file(workspace, path).counts["posted answers"] == 1
    path.write_text(f"{json.dumps(ASKED)}\n{json.dumps(ANSWERED)}\n")
    report = import_file(workspace, path)
    assert (report.format, report.same) == ("Stack Exchange API", 2)


def test_an_error_of_the_api_is_no_page(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "e.json"
    path.write_text(json.dumps({"error_id": 502, "error_name": "throttle_violation", "error_message": "too many"}))
    with pytest.raises(
        ImportFileError, match=r"an error of the Stack Exchange API \(502, throttle_violation, too many\)"
    ):
        import_file(workspace, path)


def test_each_bad_item_is_rejected_once(workspace: Workspace, tmp_path: Path) -> None:
    items = [
        {"question_id": "x", "title": "T", "is_answered": True},
        ANSWERED | {"question_id": 70},
        ANSWERED | {"body_markdown": ""},
        {key: value for key, value in ANSWERED.items() if key != "owner"},
        SAID | {"post_id": 71},
        SAID | {"body": ""},
        {"user_id": 5, "display_name": "Ann"},
        ASKED,
    ]
    report = import_file(workspace, page(tmp_path / "p.json", *items))
    assert (report.read, report.rejected_total) == (8, 6)
    assert report.counts["questions"] == 2
    reasons = sorted(row.reason for row in report.rejected)
    assert [reason[:30] for reason in reasons] == [
        "it belongs to post 70, which i",
        "it belongs to post 71, which i",
        "it is neither a question, an a",
        "nothing says which site it is ",
        "the answer has no text; the AP",
        "the comment has no text; the A",
    ]


def test_a_page_that_breaks_off_keeps_what_is_whole(workspace: Workspace, tmp_path: Path) -> None:
    path = page(tmp_path / "p.json", ASKED, ANSWERED)
    path.write_bytes(path.read_bytes()[:-60])
    report = import_file(workspace, path)
    assert (report.counts["questions"], report.rejected_total) == (1, 1)
    assert "the rest of the array is lost" in report.rejected[0].reason


@pytest.mark.shared
def test_real_pages(workspace: Workspace) -> None:
    """By SOURCE.txt: 100 and 10 questions, in the first each with its licence. Three rows were checked by hand."""
    hundred = shared_file("data/se-api-json/saintaze-mockQuestions.json")
    ten = shared_file("data/se-api-json/ShaunGerardAlberts-data.json")
    for file, n in ((hundred, 100), (ten, 10)):
        report = import_file(workspace, file)
        assert (report.format, report.read, report.new, report.rejected) == ("Stack Exchange API", n, n, ())
        again = import_file(workspace, file)
        assert (again.new, again.changed, again.same) == (0, 0, n)
    first = questions.get(workspace, "stackoverflow.com:61558774")
    assert first.row.title == "How to effectively add dependency .aar file in Xamarin project?"
    assert (first.author, first.licence) == ("Tiklu Ganguly", "CC BY-SA 4.0")
    assert (first.row.score, first.views, first.answers, first.row.status) == (1, 109, 2, QuestionStatus.ACCEPTED)
    assert first.row.asked_at == "2020-05-02T11:39:36.000Z"
    assert first.row.tags == ("android", "xamarin", "xamarin.android", "aar", "paytm")
    assert questions.get(workspace, "stackoverflow.com:41214611").licence == "CC BY-SA 3.0"
    by_date = questions.get(workspace, "stackoverflow.com:11227809")
    assert (by_date.licence, by_date.author) == ("CC BY-SA 3.0", "GManNickG")
