"""What is said of a question beside its text."""

from dataclasses import replace

import pytest

from store import questions, reviewers
from store.posted import NewComment, put_comments
from store.rows import Question
from store.workspace import Workspace
from tests.engine.runs.scripted import add_candidates
from tests.state.curating.curated import curated, rate
from uq_tui.curation.thresholds import default_toml, parse
from uq_tui.state.curating.facts import age_words, engagement, facts, figure_words, origin, views_per_vote, yes_words
from uq_tui.state.curating.reviewed import read

LIMITS = parse(default_toml()).model


@pytest.mark.parametrize(
    ("views", "votes", "told"),
    [(1_236, 12, "103"), (None, 12, "unknown"), (5, None, "unknown"), (5, 0, "– (0 votes)"), (0, 2, "0")],
)
def test_views_per_vote_are_undefined_without_votes(views: int | None, votes: int | None, told: str) -> None:
    assert views_per_vote(views, votes) == told


@pytest.mark.parametrize(
    ("asked_at", "told"),
    [
        ("2014-05-01T00:00:00Z", "2.0 years, asked 2014-05-01"),
        ("2014-05-01", "2.0 years, asked 2014-05-01"),
        (None, "unknown"),
        ("May\n1st", "unknown, asked May 1st"),
    ],
)
def test_age_is_counted_to_when_the_pass_began(asked_at: str | None, told: str) -> None:
    assert age_words(asked_at, "2016-05-01T00:00:00Z") == told


def test_figures_are_of_the_ratings_that_were_read() -> None:
    assert figure_words([10.0, None, 40.0], 40) == "mean 25.0 %, from 10 to 40, n 2 of 3; at most 40"
    assert figure_words([None, None], 70) == "mean undefined, n 0 of 2; at most 70"
    assert figure_words([0.0], 40) == "mean 0.0 %, from 0 to 0, n 1 of 1; at most 40"
    assert yes_words([True, None, False]) == "yes 1, no 1, n 2 of 3"


def test_all_that_is_known_is_said_and_what_is_not_is_unknown(workspace: Workspace) -> None:
    curation = curated(workspace)
    (answer,) = add_candidates(workspace, "An answer.", question_id="first")
    rate(workspace, curation, "first", answer)
    told = facts(read(workspace, reviewers.current(workspace).id, curation, "first"), LIMITS)
    assert "- votes: 12\n- views: 1,236\n- views per vote: 103" in told
    assert "- site: Quantum Computing\n- tags: `shor`\n- author: somebody\n- licence: CC BY-SA 3.0 (https://" in told
    assert "- link: unknown" in told
    assert "- answer correctness: mean 25.0 %, from 10 to 40, n 2 of 3; at most 40" in told
    assert "well defined, approachable, not objective\n\n> It is *hard*." in told
    assert "**Rating 3**: failed, timed out" in told
    assert "*None are here.*" in told


def test_unknown_figures_are_no_zeros(workspace: Workspace) -> None:
    curated(workspace)
    question: Question = questions.get(workspace, "first")
    bare = replace(question, row=replace(question.row, score=None, tags=()), views=None, answers=None, author="")
    assert list(engagement(bare, "2026-01-01T00:00:00Z", 0))[:4] == [
        "votes: unknown",
        "views: unknown",
        "views per vote: unknown",
        "posted answers: unknown",
    ]
    assert "author: unknown" in list(origin(bare))


def test_comments_on_the_question_are_told_with_who_said_them(workspace: Workspace) -> None:
    curation = curated(workspace)
    (answer,) = add_candidates(workspace, "An answer.", question_id="first")
    said = [
        NewComment("c1", "first", None, "Is *this*\n# open?", author_id="55", posted_at="2015-01-02", score=2),
        NewComment("c2", "first", answer, "On the answer."),
        NewComment("c3", "first", None, "Yes.", author="`Ann`"),
    ]
    workspace.write(lambda db: put_comments(db, said))
    told = facts(read(workspace, reviewers.current(workspace).id, curation, "first"), LIMITS)
    assert "`user 55`, 2015-01-02, 2 votes\n\n> Is *this*\n> # open?" in told
    assert "`` `Ann` ``\n\n> Yes." in told
    assert "On the answer." not in told
    assert "- comments here: 2" in told
