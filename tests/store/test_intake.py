"""Taking questions in, again and again and in any order."""

import json
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select, text
from sqlmodel import col

from store import questions
from store.intake import NewQuestion, Taken
from store.rows import QuestionFilter
from store.tables import QuestionTextTable, SourceIdTable
from store.workspace import Workspace
from tests.new_workspace import new_workspace
from tests.store.stock import QUESTION, question, take
from uq_tui.words import QuestionStatus, TextFormat

FULL = NewQuestion(
    id="math.stackexchange.com:1",
    title="T",
    body="B",
    format=TextFormat.MARKDOWN,
    source="f.jsonl",
    site="math.stackexchange.com",
    status=QuestionStatus.CLOSED,
    score=-3,
    tags=("a", "b"),
    asked_at="2020-01-01T00:00:00.000Z",
    link="https://math.stackexchange.com/q/1",
    author="ann",
    licence="CC BY-SA 4.0",
    category="maths",
    dataset_version="1",
    views=7,
    answers=0,
    source_id="1",
    extra={"k": [1, None, "\ud800", 2**70]},
)


def versions(ws: Workspace, question_id: str) -> list[str]:
    query = select(col(QuestionTextTable.version)).where(col(QuestionTextTable.question_id) == question_id)
    with ws.read() as db:
        numbers = list(db.execute(query.order_by(col(QuestionTextTable.version))).scalars())
    assert numbers == list(range(1, len(numbers) + 1))
    return [questions.get(ws, question_id).body.raw, *map(str, numbers)]


def test_all_that_is_said_is_kept(workspace: Workspace) -> None:
    assert take(workspace, FULL) == [Taken.NEW]
    stored = questions.get(workspace, FULL.id)
    assert (stored.body.raw, stored.body.format) == ("B", TextFormat.MARKDOWN)
    assert (stored.row.title, stored.row.site, stored.row.score) == ("T", "math.stackexchange.com", -3)
    assert (stored.row.status, stored.row.tags) == (QuestionStatus.CLOSED, ("a", "b"))
    assert (stored.row.asked_at, stored.link, stored.author) == (FULL.asked_at, FULL.link, "ann")
    assert (stored.licence, stored.category, stored.dataset_version) == ("CC BY-SA 4.0", "maths", "1")
    assert (stored.views, stored.answers, stored.extra) == (7, 0, FULL.extra)


def columns(ws: Workspace, question_id: str) -> tuple[str, str, str | None]:
    with ws.read() as db:
        query = text("SELECT domain, author_id, edited_at FROM question WHERE id = :id")
        found = db.execute(query, {"id": question_id}).one()
    return found.domain, found.author_id, found.edited_at


def test_who_asked_and_when_it_was_edited_are_kept(workspace: Workspace) -> None:
    edited = "2021-01-01T00:00:00.000Z"
    take(workspace, question(1, author_id="7", edited_at=edited, domain="Science"), question(2))
    assert columns(workspace, "source:1") == ("Science", "7", edited)
    assert columns(workspace, "source:2") == ("", "", None)
    assert take(workspace, question(1)) == [Taken.SAME]
    assert columns(workspace, "source:1") == ("Science", "7", edited)


@pytest.mark.parametrize(
    ("category", "domain"),
    [("Science", "Science"), (" culture & recreation", "Culture & Recreation"), ("maths", ""), ("", "")],
)
def test_a_category_that_is_a_domain_says_the_domain(workspace: Workspace, category: str, domain: str) -> None:
    take(workspace, question(1, category=category))
    assert columns(workspace, "source:1")[0] == domain
    take(workspace, question(1, domain="Business"))
    assert columns(workspace, "source:1")[0] == "Business"


def test_a_category_that_only_says_the_domain_is_no_news(workspace: Workspace) -> None:
    asked = question(1, site="math.stackexchange.com")
    take(workspace, asked)
    assert take(workspace, replace(asked, category="Science")) == [Taken.SAME]
    assert take(workspace, replace(asked, category="Algebra")) == [Taken.CHANGED]
    assert take(workspace, replace(asked, category="Science")) == [Taken.CHANGED]
    assert columns(workspace, "source:1")[0] == "Science"


def test_else_the_site_says_the_domain(workspace: Workspace) -> None:
    take(workspace, question(1, site="math.stackexchange.com"), question(2, site="nowhere.example.org"))
    take(workspace, question(3, site="math.stackexchange.com", category="Business"))
    assert [columns(workspace, f"source:{n}")[0] for n in (1, 2, 3)] == ["Science", "", "Business"]


def test_what_is_not_said_is_blank(workspace: Workspace) -> None:
    take(workspace, QUESTION)
    stored = questions.get(workspace, QUESTION.id)
    assert stored.row.status is QuestionStatus.UNANSWERED
    assert (stored.row.score, stored.views, stored.answers, stored.row.asked_at) == (None, None, None, None)
    assert (stored.row.tags, stored.extra, stored.author) == ((), {}, "")


def test_the_same_again_changes_nothing(workspace: Workspace) -> None:
    batch = [FULL, *(question(n) for n in range(5))]
    assert set(take(workspace, *batch)) == {Taken.NEW}
    with workspace.read() as db:
        before = db.execute(text("SELECT * FROM question")).all()
    assert set(take(workspace, *batch)) == {Taken.SAME}
    with workspace.read() as db:
        assert db.execute(text("SELECT * FROM question")).all() == before
    assert versions(workspace, FULL.id) == ["B", "1"]


def test_silence_does_not_erase(workspace: Workspace) -> None:
    take(workspace, FULL)
    bare = NewQuestion(id=FULL.id, title="", body="B", format=TextFormat.MARKDOWN, source="other.jsonl")
    assert take(workspace, bare) == [Taken.SAME]
    assert questions.get(workspace, FULL.id).author == "ann"


def test_zero_is_not_silence(workspace: Workspace) -> None:
    take(workspace, question(1, score=5))
    assert take(workspace, question(1, score=0)) == [Taken.CHANGED]
    assert questions.get(workspace, "source:1").row.score == 0


def test_news_are_taken_over_and_extras_add_up(workspace: Workspace) -> None:
    take(workspace, question(1, status=QuestionStatus.UNANSWERED, extra={"a": 1, "b": 2}))
    news = question(1, status=QuestionStatus.ACCEPTED, views=9, extra={"b": 3, "c": 4})
    assert take(workspace, news) == [Taken.CHANGED]
    stored = questions.get(workspace, "source:1")
    assert (stored.row.status, stored.views, stored.extra) == (QuestionStatus.ACCEPTED, 9, {"a": 1, "b": 3, "c": 4})


def test_a_changed_body_is_a_new_version(workspace: Workspace) -> None:
    take(workspace, question(1, body="first"))
    assert take(workspace, question(1, body="second")) == [Taken.CHANGED]
    assert versions(workspace, "source:1") == ["second", "1", "2"]


def test_an_older_body_never_comes_back(workspace: Workspace) -> None:
    take(workspace, question(1, body="first", score=1))
    take(workspace, question(1, body="second", score=2))
    assert take(workspace, question(1, body="first", score=1)) == [Taken.SAME]
    assert versions(workspace, "source:1") == ["second", "1", "2"]
    assert questions.get(workspace, "source:1").row.score == 2


def test_one_question_twice_in_a_batch(workspace: Workspace) -> None:
    batch = [question(1), question(2), question(1, score=4), question(1, score=4)]
    assert take(workspace, *batch) == [Taken.NEW, Taken.NEW, Taken.CHANGED, Taken.SAME]
    assert [row.id for row in questions.page(workspace, QuestionFilter()).rows] == ["source:1", "source:2"]


def test_an_empty_batch_is_fine(workspace: Workspace) -> None:
    assert take(workspace) == []


def test_the_index_follows(workspace: Workspace) -> None:
    take(workspace, question(1, title="Alpha", body="beta", tags=("gamma-delta",)))
    take(workspace, question(1, title="Alpha", body="epsilon", tags=("gamma-delta",)))
    for word, hits in (("alpha", 1), ("beta", 0), ("epsilon", 1), ("gamma-delta", 1)):
        assert questions.count(workspace, QuestionFilter(text=word)).n == hits


def test_the_ids_of_sources_are_kept(workspace: Workspace) -> None:
    take(workspace, FULL, question(2, source_id="1"), question(3))
    take(workspace, question(3, source_id="q\ud800"))
    with workspace.read() as db:
        rows = db.execute(select(col(SourceIdTable.source_id), col(SourceIdTable.question_id))).all()
    assert sorted(map(tuple, rows)) == [("1", FULL.id), ("1", "source:2"), ("q\ud800", "source:3")]


@pytest.mark.parametrize("awkward", ["\ud83d", "a\0b", "\x1b]0;x\x07", "\u2028", "'; DROP TABLE question; --"])
def test_awkward_text_survives_everywhere(workspace: Workspace, awkward: str) -> None:
    made = question(
        1, title=awkward, body=awkward, tags=(awkward,), author=awkward, licence=awkward, extra={awkward: awkward}
    )
    assert take(workspace, made) == [Taken.NEW]
    assert take(workspace, made) == [Taken.SAME]
    stored = questions.get(workspace, made.id)
    assert (stored.row.title, stored.body.raw, stored.row.tags) == (awkward, awkward, (awkward,))
    assert (stored.author, stored.licence, stored.extra) == (awkward, awkward, {awkward: awkward})
    assert json.loads(json.dumps(stored.extra)) == stored.extra


bodies = st.sampled_from(["b1", "b2", "b3"])
arrivals = st.lists(st.builds(question, st.integers(1, 3), body=bodies, score=st.integers(0, 2)), max_size=12)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(arrivals)
def test_arriving_together_or_one_by_one_is_the_same(
    tmp_path_factory: pytest.TempPathFactory, arrived: list[NewQuestion]
) -> None:
    folder = tmp_path_factory.mktemp("pair")
    together, apart = new_workspace(folder / "together"), new_workspace(folder / "apart")
    try:
        assert take(together, *arrived) == [taken for one in arrived for taken in take(apart, one)]
        pages = [questions.page(ws, QuestionFilter()).rows for ws in (together, apart)]
        assert pages[0] == pages[1]
    finally:
        together.close()
        apart.close()
