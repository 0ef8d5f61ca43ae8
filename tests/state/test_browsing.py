"""The question list: filters toggled and lifted, orders, what is said of them, pages with snippets."""

import pytest

from store import candidates
from store.rows import Facet, QuestionFilter
from store.saved_views import SavedView
from store.workspace import Workspace
from tests.store.stock import candidate, question, take
from uq_tui.state.browsing import held, held_words, in_order, toggled, view_words
from uq_tui.state.questions import PAGE, QuestionsState
from uq_tui.words import Direction, FacetKind, Order, QuestionStatus, Resolution, ScoreBand

VALUES = (
    (FacetKind.STATUS, QuestionStatus.CLOSED.value),
    (FacetKind.RESOLUTION, Resolution.WITHDRAWN.value),
    (FacetKind.DOMAIN, "Science"),
    (FacetKind.SITE, "a.org"),
    (FacetKind.SCORE, ScoreBand.NONE.value),
    (FacetKind.YEAR, "2014"),
    (FacetKind.TAG, "one"),
    (FacetKind.TAG, "two"),
)


def test_scores_and_years_stand_in_their_own_order_and_all_else_as_it_came() -> None:
    scores = [Facet(FacetKind.SCORE, band, 9) for band in ("5 to 9", "unknown", "below 0", "100 and more", "0")]
    assert [facet.value for facet in in_order(scores)] == ["below 0", "0", "5 to 9", "100 and more", "unknown"]
    years = [Facet(FacetKind.YEAR, year, 9) for year in ("2018", "unknown", "2009", "2024")]
    assert [facet.value for facet in in_order(years)] == ["2024", "2018", "2009", "unknown"]
    others = (Facet(FacetKind.STATUS, "open", 9), Facet(FacetKind.STATUS, "closed", 5), Facet(FacetKind.DOMAIN, "7", 1))
    assert in_order(others) == others


def test_a_resolution_is_told_in_words_and_a_tag_as_it_is() -> None:
    wanted = QuestionFilter(resolution=Resolution.RESOLVED_BY_MODEL, tags=("a_b",))
    assert held_words(wanted) == "resolution resolved by model · tag a_b"


def test_values_are_held_together_and_lifted_one_by_one() -> None:
    wanted = QuestionFilter(text="kept")
    for kind, value in VALUES:
        wanted = toggled(wanted, kind, value)
    assert held(wanted) == VALUES
    assert toggled(wanted, FacetKind.SITE, "b.org").site == "b.org"
    for kind, value in VALUES:
        wanted = toggled(wanted, kind, value)
    assert wanted == QuestionFilter(text="kept")


def test_a_view_is_told_in_words() -> None:
    assert view_words(SavedView("v", QuestionFilter())) == "all questions"
    full = SavedView("v", QuestionFilter(site="a.org", text="x "), Order.RELEVANCE, Direction.DOWN)
    assert view_words(full) == "site a.org · x · best first"


@pytest.fixture
def state(workspace: Workspace) -> QuestionsState:
    take(workspace, *(question(n, score=n, tags=("all",)) for n in range(1, PAGE + 51)))
    candidates.add(workspace, [candidate("a walnut", "source:7")])
    return QuestionsState(workspace)


async def test_pages_follow_one_another(state: QuestionsState) -> None:
    assert await state.load()
    assert (len(state.rows), state.complete, state.count_text()) == (PAGE, False, "150 questions")
    assert len(await state.load_more()) == 50
    assert state.complete
    assert [row.id for row in state.rows] == [f"source:{n}" for n in range(1, PAGE + 51)]
    assert await state.load_more() == ()


async def test_orders_are_gone_through_and_turned(state: QuestionsState) -> None:
    state.next_order()
    await state.load()
    assert (state.rows[0].id, state.count_text()) == ("source:150", "150 questions, highest score first")
    state.reverse()
    await state.load()
    assert (state.rows[0].id, state.count_text()) == ("source:1", "150 questions, lowest score first")
    seen = []
    for _ in range(3):
        state.next_order()
        seen.append(state.order)
    assert seen == [Order.ASKED, Order.ARRIVAL, Order.SCORE]


async def test_relevance_is_for_searches_only(state: QuestionsState) -> None:
    state.search("walnut")
    state.order = Order.RELEVANCE
    await state.load()
    assert state.count_text() == "1 question, best first"
    assert [snippet.text for snippet in state.snippets.values()] == ["a walnut"]
    state.search(" ")
    assert (state.order, state.filter) == (Order.ARRIVAL, QuestionFilter())
    state.search("walnut")
    state.toggle(Facet(FacetKind.TAG, "all", 150))
    assert state.held_text() == "tag all"
    state.lift()
    assert (state.filter, state.held_text()) == (QuestionFilter(), "")


async def test_facets_are_narrowed_by_what_is_typed(state: QuestionsState) -> None:
    state.facet_text = "al"
    assert await state.load_facets()
    assert state.facets == (Facet(FacetKind.TAG, "all", 150),)


async def test_views_are_kept_chosen_and_dropped(state: QuestionsState) -> None:
    state.search("walnut")
    await state.save_view("mine")
    state.lift()
    state.choose(state.views[0])
    assert state.filter.text == "walnut"
    await state.drop_view("mine")
    assert state.views == ()
