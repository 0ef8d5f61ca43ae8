"""Attribution: author, link, licence by date, and that a text was changed, of questions and of posted answers."""

import json
from typing import Any

import pytest

from store import attribution, post_links, posted, questions, reviewers, statements
from store.attribution import Attribution
from store.posted import NewPostedAnswer
from store.review_rows import Said
from store.rows import Question
from store.statement_record import verify
from store.workspace import Workspace
from tests.store.records.samples import REVIEWER
from tests.store.stock import question, take
from uq_tui.words import StatementKind, TextFormat

HOST = "math.stackexchange.com"
KEY = f"{HOST}:1"
LINK = f"https://{HOST}/questions/1"


def asked(ws: Workspace, **known: Any) -> Question:
    whole = {"site": HOST, "link": LINK, "asked_at": "2012-05-01T00:00:00Z", "author_id": "7", **known}
    take(ws, question(1, id=KEY, **whole))
    return questions.get(ws, KEY)


def test_all_that_the_licence_asks_for_is_said(workspace: Workspace) -> None:
    made = asked(workspace, author="ann", licence="CC BY-SA 3.0", edited_at="2013-02-03T04:05:06Z")
    assert attribution.of_question(made) == Attribution(
        site=HOST,
        site_name="Mathematics",
        link=LINK,
        author="ann",
        author_link=f"https://{HOST}/users/7",
        licence="CC BY-SA 3.0",
        licence_link="https://creativecommons.org/licenses/by-sa/3.0/",
        posted_at="2012-05-01T00:00:00Z",
        changes=("edited there on 2013-02-03",),
    )
    assert attribution.of_question(made).text == (
        f"by ann (https://{HOST}/users/7), on Mathematics, {LINK}, "
        "CC BY-SA 3.0 (https://creativecommons.org/licenses/by-sa/3.0/), edited there on 2013-02-03"
    )


@pytest.mark.parametrize(
    ("day", "version"),
    [("2011-04-07", "2.5"), ("2011-04-08", "3.0"), ("2018-05-01", "3.0"), ("2018-05-02", "4.0")],
)
def test_the_licence_goes_by_the_day_of_posting(workspace: Workspace, day: str, version: str) -> None:
    said = attribution.of_question(asked(workspace, asked_at=f"{day}T12:00:00Z"))
    assert said.licence == f"CC BY-SA {version}"
    assert said.licence_link.endswith(f"/by-sa/{version}/")


def test_what_a_source_of_another_kind_does_not_say_is_left_out(workspace: Workspace) -> None:
    take(workspace, question(1, site="a book", author="Gauss", author_id="7"))
    said = attribution.of_question(questions.get(workspace, "source:1"))
    assert (said.licence, said.licence_link, said.author_link, said.changes) == ("", "", "", ())
    assert said.text == "by Gauss, on a book"


@pytest.mark.parametrize("number", ["", "-1", "7/../8", "x", "1" * 19])
def test_only_numbers_make_links_to_authors(number: str) -> None:
    assert post_links.author_link(HOST, number) == ""


def test_an_edit_at_the_time_of_posting_is_none() -> None:
    at = "2012-05-01T00:00:00Z"
    assert post_links.edited_on(at, at) == post_links.edited_on(None, at) == ""
    assert post_links.edited_on(at, None) == at


def test_a_shortened_text_is_said_to_be(workspace: Workspace) -> None:
    assert attribution.of_question(asked(workspace, extra={"truncated": True})).changes == ("shortened by its source",)
    assert attribution.of_question(asked(workspace, extra={"truncated": "no"})).changes == ()


def test_names_come_from_the_sites_users_where_the_post_names_nobody(workspace: Workspace) -> None:
    assert asked(workspace).author == "user 7"
    workspace.write(lambda db: posted.put_users(db, HOST, [("7", "ann")]))
    assert questions.get(workspace, KEY).author == "ann"


def test_a_posted_answer_has_its_own_attribution(workspace: Workspace) -> None:
    asked(workspace)
    answer = NewPostedAnswer(
        KEY,
        "Yes.",
        TextFormat.MARKDOWN,
        "3",
        link=f"https://{HOST}/a/3",
        author_id="8",
        posted_at="2019-01-01T00:00:00Z",
        edited_at="2020-01-01T00:00:00Z",
    )
    workspace.write(lambda db: posted.put_answers(db, [answer]))
    with workspace.read() as db:
        key = db.exec_driver_sql("SELECT candidate_id FROM posted_answer").scalar_one()
    said = attribution.of_candidate(workspace, key)
    assert said is not None
    assert said.text == (
        f"by user 8 (https://{HOST}/users/8), on Mathematics, https://{HOST}/a/3, "
        "CC BY-SA 4.0 (https://creativecommons.org/licenses/by-sa/4.0/), edited there on 2020-01-01"
    )
    assert attribution.of_candidate(workspace, "0" * 64) is None


def test_rows_that_leave_carry_it(workspace: Workspace) -> None:
    asked(workspace, edited_at="2013-02-03T04:05:06Z")
    workspace.write(lambda db: posted.put_users(db, HOST, [("7", "ann")]))
    reviewers.save(workspace, REVIEWER)
    record = statements.add(workspace, REVIEWER, StatementKind.COMMENT, KEY, Said("Hm.")).record
    told = ("source_url", "source_author", "source_author_url", "source_edited")
    assert [record[key] for key in told] == [LINK, "ann", f"https://{HOST}/users/7", "2013-02-03T04:05:06Z"]
    verify(json.loads(json.dumps(record)))
