"""What stands before a question and beneath a posted answer: whose they are, with addresses that can be followed."""

from store import candidates, posted, questions
from store.posted import NewPostedAnswer
from store.workspace import Workspace
from tests.store.stock import question, take
from uq_tui.state.question_text import posted_answers, question_head
from uq_tui.state.reading.readable import readable_answer
from uq_tui.words import TextFormat

HOST = "math.stackexchange.com"
KEY = f"{HOST}:1"


def test_a_questions_head_says_where_it_stands_and_whose_it_is(workspace: Workspace) -> None:
    whole = question(1, id=KEY, site=HOST, link=f"https://{HOST}/questions/1", author_id="7", tags=("graphs",))
    take(workspace, whole)
    asked = questions.get(workspace, KEY)
    assert question_head(asked, "resolved by a model") == (
        "# Question 1\n\n"
        f"{HOST}, unanswered, resolved by a model\n\n"
        f"by user 7 <https://{HOST}/users/7>, on Mathematics, <https://{HOST}/questions/1>, CC BY-SA\n\n"
        "Tags: graphs\n\n---"
    )


def test_what_is_no_address_is_no_link(workspace: Workspace) -> None:
    take(workspace, question(1, link="javascript:alert(1)", author="ann"))
    head = question_head(questions.get(workspace, "source:1"))
    assert "by ann, javascript:alert(1)" in head
    assert "<" not in head


def test_beneath_a_posted_answer_stands_whose_it_is_and_only_it_is_a_stored_text(workspace: Workspace) -> None:
    take(workspace, question(1, id=KEY, site=HOST))
    answer = NewPostedAnswer(KEY, "Yes.", TextFormat.MARKDOWN, "3", author="bob", posted_at="2020-01-01T00:00:00Z")
    workspace.write(lambda db: posted.put_answers(db, [answer]))
    (made,) = candidates.of_question(workspace, KEY)
    told = posted_answers(workspace, [made])[made.id]
    assert told == ("Posted by bob, on Mathematics, CC BY-SA 4.0 <https://creativecommons.org/licenses/by-sa/4.0/>")
    read = readable_answer(made, told)
    assert read.source == f"Yes.\n\n---\n\n{told}"
    assert [(one.start, one.end) for one in read.texts] == [(0, 4)]
    assert readable_answer(made).source == "Yes."
