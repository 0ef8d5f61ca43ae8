"""Where a search hits, in which words."""

import pytest

from store import candidates, questions
from store.rows import QuestionFilter
from store.snippets import Place, Snippet, snippets
from store.workspace import Workspace
from tests.store.stock import candidate, question, take
from uq_tui.words import TextFormat


def shown(ws: Workspace, text: str, masked: tuple[str, ...] = ()) -> dict[str, Snippet]:
    """The snippets of a search's first page, by question id."""
    rows = questions.page(ws, QuestionFilter(text=text), masked=masked).rows
    with ws.read() as db:
        found = snippets(db, text, [row.seq for row in rows], masked)
    return {row.id: found[row.seq] for row in rows if row.seq in found}


@pytest.fixture
def filled(workspace: Workspace) -> Workspace:
    take(
        workspace,
        question(1, title="Walnuts", body="far from it " * 30 + "a walnut tree in <b>bloom</b>", tags=("trees",)),
        question(2, title="Oaks", body="<p>No wal<b>nut</b> &amp; no\nsign \x1b[2J</p>", format=TextFormat.HTML),
        question(3, title="Elms"),
    )
    candidates.add(workspace, [candidate("None but a walnut", "source:3")])
    return workspace


def test_a_hit_is_marked_with_the_words_around_it(filled: Workspace) -> None:
    found = shown(filled, "walnut ")
    assert set(found) == {"source:1", "source:2", "source:3"}
    assert found["source:1"].place is Place.BODY
    assert found["source:1"].pieces[1] == "walnut"
    assert found["source:1"].text.startswith("…")
    assert found["source:1"].text.endswith("a walnut tree in <b>bloom</b>")
    assert found["source:2"].pieces == ("No ", "walnut", " & no sign [2J")
    assert found["source:3"] == Snippet(Place.ANSWER, ("None but a ", "walnut", ""))


def test_tags_and_titles_are_places_too(filled: Workspace) -> None:
    assert shown(filled, "trees ")["source:1"] == Snippet(Place.TAGS, ("", "trees", ""))
    assert shown(filled, "oaks")["source:2"] == Snippet(Place.TITLE, ("", "Oaks", ""))


def test_answers_of_a_masked_question_show_nothing(filled: Workspace) -> None:
    assert set(shown(filled, "walnut ", masked=("source:3",))) == {"source:1", "source:2"}
    with filled.read() as db:
        assert snippets(db, "walnut", [1, 2, 3], ["source:3"]).keys() == {1, 2}


def test_a_hit_far_down_a_long_text_is_told_without_its_words(workspace: Workspace) -> None:
    take(workspace, question(1, body="x " * 40_000 + "needle"))
    assert questions.count(workspace, QuestionFilter(text="needle")).n == 1
    assert shown(workspace, "needle") == {}


def test_nothing_searched_is_nothing_shown(filled: Workspace) -> None:
    with filled.read() as db:
        assert snippets(db, "( *", [1, 2]) == {}
        assert snippets(db, "walnut", []) == {}
