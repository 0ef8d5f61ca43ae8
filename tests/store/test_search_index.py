"""The index that is kept up to date holds what one made anew from the stored texts does."""

import sqlite3
from contextlib import closing
from functools import partial

import pytest
from sqlalchemy import Connection

from store import candidates, intake, posted, questions, resolutions, reviewers, search_index, stubs
from store.derived import remake
from store.posted import NewComment, NewPostedAnswer
from store.search_index import answer_doc, comment_doc, question_doc
from store.workspace import Workspace
from tests.store.records.samples import QUESTION_ID, REVIEWER, record
from tests.store.records.stock import put_candidate, put_question
from tests.store.stock import candidate, question, take
from uq_tui.words import Relation, Resolution, TextFormat


def kept(ws: Workspace) -> tuple[list[tuple[object, ...]], ...]:
    """Every word of the index with its place; facets; tags."""
    with closing(sqlite3.connect(ws.path)) as db:
        db.text_factory = lambda stored: stored.decode("utf-8", "replace")  # a tag may be half a character
        db.execute("CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, search, instance)")
        return (
            db.execute("SELECT term, doc, col, offset FROM temp.words ORDER BY 1, 2, 3, 4").fetchall(),
            db.execute("SELECT kind, value, n FROM facet WHERE n > 0 ORDER BY 1, 2").fetchall(),
            db.execute("SELECT tag, seq FROM question_tag ORDER BY 1, 2").fetchall(),
        )


def comment(number: int, body: str, question_id: str) -> NewComment:
    return NewComment(f"x:c{number}", question_id, None, body)


def test_the_index_and_the_counts_follow_all_changes(workspace: Workspace) -> None:
    take(workspace, *(question(n, score=n - 2, tags=("one", "two"), asked_at=f"20{n:02}-01-01") for n in range(1, 6)))
    candidates.add(workspace, [candidate("an answer", "source:4"), candidate("<b>another</b>", "source:1")])
    take(
        workspace,
        question(
            2, title="Other words", body="<p>in <i>other</i> order</p>", format=TextFormat.HTML, tags=("two", "new")
        ),
        question(1, score=40, site="else.org", domain="Science"),
        question(6, title="lone \ud800", body="nul \0", tags=("\ud83d", "two")),
    )
    candidates.add(workspace, [candidate("an answer", "source:2"), candidate("a third", "source:4")])
    workspace.write(
        lambda db: posted.put_comments(db, [comment(1, "who says?", "source:3"), comment(2, "I", "source:3")])
    )
    workspace.write(lambda db: posted.put_comments(db, [comment(1, "who asks?", "source:3")]))
    workspace.write(
        lambda db: db.exec_driver_sql(
            f"UPDATE question SET resolution = '{Resolution.WITHDRAWN}', score = NULL WHERE seq = 3"
        )
    )
    words, facets, tags = kept(workspace)
    assert {"asks", "another", "other", "answer", "third"} <= {word for word, *_ in words}
    assert "says" not in {word for word, *_ in words}
    assert ("tag", "one", 4) in facets
    assert len(questions.facets(workspace)) == len([value for _, value, _ in facets if value])
    remake_all(workspace)
    assert kept(workspace) == (words, facets, tags)


def test_stubs_posts_and_words_that_are_taken_back_leave_nothing_behind(workspace: Workspace) -> None:
    workspace.write(lambda db: stubs.ensure(db, [record()]))
    put_question(workspace)
    key = put_candidate(workspace)
    take(workspace, question(1), question(2, body="at first"))
    take(workspace, question(2, body="then", category="business"), question(3, body=""), question(2, body="at first"))
    put_posts(workspace, "one word", "before")
    put_posts(workspace, "another word", "after")
    reviewers.save(workspace, REVIEWER)
    solved = partial(resolutions.resolve, workspace, REVIEWER, QUESTION_ID, Resolution.RESOLVED_BY_MODEL, why="it is")
    solved(candidate_id=key, verifier=Relation.DOMAIN_EXPERT)
    assert ("resolution", "resolved_by_model", 1) in kept(workspace)[1]
    resolutions.retract(workspace, REVIEWER, QUESTION_ID)
    words, facets, tags = kept(workspace)
    assert {"then", "after", "one", "another"} <= {word for word, *_ in words}
    assert not {"first", "before"} & {word for word, *_ in words}
    assert {("resolution", "open", 4), ("domain", "Business", 1)} <= set(facets)
    remake_all(workspace)
    assert kept(workspace) == (words, facets, tags)


def put_posts(ws: Workspace, answer: str, said: str) -> None:
    """An answer to question 1 and a comment, as a dump brings them, the comment twice."""
    post = NewPostedAnswer("source:1", answer, TextFormat.PLAIN, "7")

    def put(db: Connection) -> None:
        with search_index.gathered(db):
            posted.put_answers(db, [post])
            posted.put_comments(db, [comment(1, "first", "source:1"), comment(1, said, "source:1")])

    ws.write(put)


def remake_all(ws: Workspace) -> None:
    with closing(sqlite3.connect(ws.path, isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        remake(db)
        db.execute("COMMIT")


def test_rows_of_a_question_stand_side_by_side() -> None:
    docs = [
        question_doc(7, "T", "b", TextFormat.PLAIN, ["t"]),
        answer_doc(7, 2047, "a", TextFormat.PLAIN),
        comment_doc(7, 2047, "c"),
    ]
    assert [doc.row[0] // search_index.PARTS for doc in docs if doc is not None] == [7, 7, 7]
    assert [doc.row[0] % search_index.PARTS for doc in docs if doc is not None] == [0, 2047, 4095]


@pytest.mark.parametrize("number", [0, 2048, 1_000_000])
def test_answers_beyond_the_last_part_are_not_searched(number: int) -> None:
    assert answer_doc(1, number, "a", TextFormat.PLAIN) is None


def test_comments_beyond_the_last_part_are_not_searched() -> None:
    assert comment_doc(1, 2048, "c") is None


def test_what_is_gathered_is_indexed_as_it_is_at_the_end(workspace: Workspace) -> None:
    def together(db: Connection) -> None:
        with search_index.gathered(db):
            intake.put(db, [question(1, body="first"), question(2, body="second")])
            candidates.put(db, [candidate("answer", "source:2"), candidate("answer", "source:1")])
            intake.put(db, [question(1, body="third")])

    workspace.write(together)
    before = kept(workspace)
    assert [row[0] for row in before[0]].count("third") == 1
    assert "first" not in [row[0] for row in before[0]]
    with closing(sqlite3.connect(workspace.path)) as db, db:
        remake(db)
    assert kept(workspace) == before


def test_nothing_is_gathered_behind_a_block_that_failed(workspace: Workspace) -> None:
    def failing(db: Connection) -> None:
        with search_index.gathered(db):
            intake.put(db, [question(1)])
            raise ValueError("no more")

    with pytest.raises(ValueError, match="no more"):
        workspace.write(failing)
    take(workspace, question(2, body="second"))
    assert [row[1] for row in kept(workspace)[0] if row[0] == "second"] == [search_index.PARTS]
