"""What was posted on sites: answers as candidates, comments, names of users."""

from dataclasses import replace

import pytest

from store import candidates, posted, questions
from store.identity import candidate_id
from store.intake import Taken
from store.posted import NewComment, NewPostedAnswer
from store.rows import QuestionFilter
from store.workspace import Workspace
from tests.store.stock import candidate, question, take
from uq_tui.errors import NotFoundError
from uq_tui.words import AuthorKind, TextFormat

HOST = "math.stackexchange.com"
QUESTION = f"{HOST}:1"
ANSWER = NewPostedAnswer(
    question_id=QUESTION,
    body="<p>Yes.</p>",
    format=TextFormat.HTML,
    post_id="3",
    link=f"https://{HOST}/a/3",
    author="ann",
    author_id="8",
    licence="CC BY-SA 3.0",
    score=-2,
    accepted=True,
    posted_at="2012-01-01T00:00:00.000Z",
    edited_at="2013-01-01T00:00:00.000Z",
    source="Posts.xml",
    extra={"CommentCount": "2"},
)
KEY = candidate_id(QUESTION, ANSWER.body)
COMMENT = NewComment(f"{HOST}:c5", QUESTION, None, "Why?", "bob", "9", "CC BY-SA 3.0", 1, "2012-01-02T00:00:00.000Z")
AWKWARD = "a\0b\ud83d \x1b[2J\u2028"


@pytest.fixture
def ws(workspace: Workspace) -> Workspace:
    """A workspace with two questions of a site."""
    take(workspace, question(1, id=QUESTION, site=HOST), question(2, id=f"{HOST}:2", site=HOST))
    return workspace


def put(ws: Workspace, *answers: NewPostedAnswer) -> list[Taken]:
    return ws.write(lambda db: posted.put_answers(db, answers))


def comment(ws: Workspace, *comments: NewComment) -> list[Taken]:
    return ws.write(lambda db: posted.put_comments(db, comments))


def users(ws: Workspace, *names: tuple[str, str], site: str = HOST) -> list[Taken]:
    return ws.write(lambda db: posted.put_users(db, site, names))


def test_a_posted_answer_is_a_candidate_by_a_person(ws: Workspace) -> None:
    assert put(ws, ANSWER) == [Taken.NEW]
    (made,) = candidates.of_question(ws, QUESTION)
    assert (made.id, made.answer.raw, made.answer.format) == (KEY, ANSWER.body, TextFormat.HTML)
    (origin,) = made.origins
    assert (origin.kind, origin.person, origin.source) == (AuthorKind.PERSON, "ann", "Posts.xml")
    assert candidates.known_label(ws, KEY) is None


def test_what_its_licence_asks_to_be_said_is_kept(ws: Workspace) -> None:
    put(ws, ANSWER)
    stored = posted.of_candidate(ws, KEY)
    assert stored is not None
    assert (stored.post_id, stored.link, stored.author, stored.author_id) == ("3", ANSWER.link, "ann", "8")
    assert (stored.licence, stored.score, stored.accepted) == ("CC BY-SA 3.0", -2, True)
    assert (stored.posted_at, stored.edited_at) == (ANSWER.posted_at, ANSWER.edited_at)
    assert stored.extra == {"CommentCount": "2"}


def test_a_candidate_that_was_not_posted(ws: Workspace) -> None:
    (made,) = candidates.add(ws, [candidate("Because.", QUESTION)])
    assert posted.of_candidate(ws, made) is None


def test_the_same_again_changes_nothing_and_news_do(ws: Workspace) -> None:
    put(ws, ANSWER)
    silent = NewPostedAnswer(
        QUESTION, ANSWER.body, TextFormat.HTML, "3", author="ann", accepted=True, source="Posts.xml"
    )
    assert put(ws, ANSWER, silent) == [Taken.SAME, Taken.SAME]
    assert put(ws, replace(ANSWER, score=0, accepted=False), ANSWER) == [Taken.CHANGED, Taken.CHANGED]
    assert put(ws, replace(ANSWER, score=0, accepted=False)) == [Taken.CHANGED]
    stored = posted.of_candidate(ws, KEY)
    assert stored is not None
    assert (stored.score, stored.accepted, stored.link) == (0, False, ANSWER.link)


def test_an_answer_that_is_stored_already_gets_its_origin_and_its_post(ws: Workspace) -> None:
    (made,) = candidates.add(ws, [candidate(ANSWER.body, QUESTION)])
    assert put(ws, ANSWER) == [Taken.CHANGED]
    (stored,) = candidates.of_question(ws, QUESTION)
    assert stored.id == made == KEY
    assert [origin.kind for origin in stored.origins] == [AuthorKind.MODEL, AuthorKind.PERSON]
    assert posted.of_candidate(ws, made) is not None


def test_two_posts_with_one_text_stay_what_the_first_was(ws: Workspace) -> None:
    other = replace(ANSWER, post_id="4", author="cid", score=9)
    assert put(ws, ANSWER, other) == [Taken.NEW, Taken.CHANGED]
    assert put(ws, ANSWER, other) == [Taken.SAME, Taken.SAME]
    stored = posted.of_candidate(ws, KEY)
    assert stored is not None
    assert (stored.post_id, stored.score) == ("3", -2)


def test_an_author_without_a_name_goes_by_the_number(ws: Workspace) -> None:
    put(ws, replace(ANSWER, author=""))
    (made,) = candidates.of_question(ws, QUESTION)
    assert made.origins[0].person == "user 8"


def test_an_answer_to_nothing_stores_nothing(ws: Workspace) -> None:
    with pytest.raises(NotFoundError):
        put(ws, replace(ANSWER, question_id=f"{HOST}:99"))
    assert posted.of_candidate(ws, candidate_id(f"{HOST}:99", ANSWER.body)) is None


def test_posts_are_found_by_their_numbers_on_their_site(ws: Workspace) -> None:
    elsewhere = "physics.stackexchange.com:1"
    take(ws, question(3, id=elsewhere))
    put(ws, ANSWER, replace(ANSWER, question_id=elsewhere, post_id="7"), replace(ANSWER, body="<p>No.</p>"))
    with ws.read() as db:
        found = posted.posts(db, HOST, ["1", "3", "7", "99"])
    assert found == {"1": (QUESTION, None), "3": (QUESTION, candidate_id(QUESTION, "<p>No.</p>"))}


def test_comments_on_questions_and_on_answers(ws: Workspace) -> None:
    put(ws, ANSWER)
    later = replace(COMMENT, id=f"{HOST}:c4", candidate_id=KEY, body="See", posted_at="2012-01-03T00:00:00.000Z")
    assert comment(ws, later, COMMENT) == [Taken.NEW, Taken.NEW]
    first, second = posted.comments_of(ws, QUESTION)
    assert (first.id, first.number, first.candidate_id, first.body) == (COMMENT.id, 1, None, "Why?")
    assert (first.author, first.author_id, first.licence, first.score) == ("bob", "9", "CC BY-SA 3.0", 1)
    assert (second.number, second.candidate_id, second.body) == (0, KEY, "See")
    assert posted.comments_of(ws, f"{HOST}:2") == ()


def test_a_comment_again_and_edited(ws: Workspace) -> None:
    comment(ws, COMMENT)
    assert comment(ws, COMMENT, replace(COMMENT, author="", score=None)) == [Taken.SAME, Taken.SAME]
    assert comment(ws, replace(COMMENT, body="How?")) == [Taken.CHANGED]
    assert comment(ws, replace(COMMENT, id=f"{HOST}:c6")) == [Taken.NEW]
    assert [(one.number, one.body) for one in posted.comments_of(ws, QUESTION)] == [(0, "How?"), (1, "Why?")]


def test_comments_are_found_by_their_words_as_they_are_now(ws: Workspace) -> None:
    def found(word: str) -> int:
        return questions.count(ws, QuestionFilter(text=word)).n

    comment(ws, replace(COMMENT, body="Perhaps ultrafilters"), replace(COMMENT, body="Perhaps nets"))
    assert (found("ultrafilters"), found("perhaps nets")) == (0, 1)
    comment(ws, replace(COMMENT, body="Sheaves"))
    assert (found("nets"), found("sheaves")) == (0, 1)


def test_names_of_users(ws: Workspace) -> None:
    assert users(ws, ("8", "ann"), ("9", "bob"), ("8", "ann")) == [Taken.NEW, Taken.NEW, Taken.SAME]
    assert users(ws, ("8", "Ann"), ("9", "bob")) == [Taken.CHANGED, Taken.SAME]
    users(ws, ("8", "someone else"), site="physics.stackexchange.com")
    with ws.read() as db:
        said = [
            posted.author_name(db, HOST, *who) for who in (("", "8"), ("a guest", "8"), ("", "123"), ("a guest", ""))
        ]
        assert said == ["Ann", "a guest", "user 123", "a guest"]
        assert posted.author_name(db, HOST, "", "") == ""


def test_awkward_text_survives(ws: Workspace) -> None:
    awkward = replace(ANSWER, body=AWKWARD, author=AWKWARD, licence=AWKWARD, link=AWKWARD, extra={AWKWARD: AWKWARD})
    said = replace(COMMENT, body=AWKWARD, author=AWKWARD)
    for taken in (Taken.NEW, Taken.SAME):
        assert put(ws, awkward) == [taken]
        assert comment(ws, said) == [taken]
        assert users(ws, ("1", AWKWARD)) == [taken]
    stored = posted.of_candidate(ws, candidate_id(QUESTION, AWKWARD))
    assert stored is not None
    assert (stored.author, stored.licence, stored.link, stored.extra) == (AWKWARD, AWKWARD, AWKWARD, awkward.extra)
    assert posted.comments_of(ws, QUESTION)[0].body == AWKWARD
