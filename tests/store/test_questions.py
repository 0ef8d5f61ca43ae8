"""Pages, counts and facets of questions; one question."""

import sqlite3
from typing import Any

import pytest

from store import candidates, questions
from store.driver import driver
from store.rows import Count, Facet, Page, PageKey, QuestionFilter
from store.workspace import Workspace
from tests.store.stock import QUESTION, candidate, question, take
from uq_tui.errors import NotFoundError
from uq_tui.words import (
    Direction,
    FacetKind,
    Order,
    QuestionStatus,
    Resolution,
    ScoreBand,
    TextFormat,
)


@pytest.fixture
def filled(workspace: Workspace) -> Workspace:
    """25 questions: 1 to 5 on a site of their own, every third one closed."""
    take(
        workspace,
        *(
            question(
                n,
                site="small.org" if n <= 5 else "large.org",
                status=QuestionStatus.CLOSED if n % 3 == 0 else QuestionStatus.UNANSWERED,
                body="common prime" if n in (2, 3, 5, 7, 11, 13, 17, 19, 23) else "common",
                tags=(f"tag-{n % 2}",),
            )
            for n in range(1, 26)
        ),
    )
    return workspace


def having(facet: Facet) -> QuestionFilter:
    """The filter that a facet stands for."""
    match facet.kind:
        case FacetKind.SITE:
            return QuestionFilter(site=facet.value)
        case FacetKind.STATUS:
            return QuestionFilter(status=QuestionStatus(facet.value))
        case FacetKind.DOMAIN:
            return QuestionFilter(domain=facet.value)
        case FacetKind.RESOLUTION:
            return QuestionFilter(resolution=Resolution(facet.value))
        case FacetKind.SCORE:
            return QuestionFilter(score_band=ScoreBand(facet.value))
        case FacetKind.YEAR:
            return QuestionFilter(year=facet.value)
        case FacetKind.TAG:
            return QuestionFilter(tags=(facet.value,))


def numbers(page: Page) -> list[int]:
    return [int(row.id.removeprefix("source:")) for row in page.rows]


@pytest.mark.parametrize("limit", [1, 2, 7, 24, 25, 26, 100])
@pytest.mark.parametrize("text", ["", "common", "common prime", "tag-1"])
def test_pages_add_up_to_the_whole_list(filled: Workspace, limit: int, text: str) -> None:
    wanted = QuestionFilter(text=text)
    whole = numbers(questions.page(filled, wanted))
    assert whole == sorted(whole)
    seen: list[int] = []
    after: PageKey | None = None
    while True:
        page = questions.page(filled, wanted, after=after, limit=limit)
        assert len(page.rows) <= limit
        seen += numbers(page)
        after = page.next_after
        if after is None:
            break
    assert seen == whole
    assert len(whole) == questions.count(filled, wanted).n


def test_questions_come_in_order_of_arrival(workspace: Workspace) -> None:
    take(workspace, question(5), question(2))
    take(workspace, question(9))
    take(workspace, question(2, score=1))
    assert numbers(questions.page(workspace, QuestionFilter())) == [5, 2, 9]


def test_filters_restrict_together(filled: Workspace) -> None:
    def found(**filters: Any) -> list[int]:
        return numbers(questions.page(filled, QuestionFilter(**filters)))

    assert found(site="small.org") == [1, 2, 3, 4, 5]
    assert found(status=QuestionStatus.CLOSED) == [3, 6, 9, 12, 15, 18, 21, 24]
    assert found(site="small.org", status=QuestionStatus.CLOSED) == [3]
    assert found(site="small.org", text="prime") == [2, 3, 5]
    assert found(site="small.org", status=QuestionStatus.UNANSWERED, text="prime tag-1") == [5]
    assert found(site="none.org") == []
    assert found(text="absent") == []


@pytest.mark.parametrize("text", ['C*-algebra "x', "a-b", "AND", "(", "NEAR(", "col:val", "", "x" * 5000, r"\int_0^1"])
def test_no_search_text_is_an_error(filled: Workspace, text: str) -> None:
    page = questions.page(filled, QuestionFilter(text=text))
    assert len(page.rows) == questions.count(filled, QuestionFilter(text=text)).n


def test_counts_stop_at_the_cap(filled: Workspace) -> None:
    assert questions.count(filled, QuestionFilter(), cap=24) == Count(24, capped=True)
    assert questions.count(filled, QuestionFilter(), cap=25) == Count(25, capped=False)
    assert questions.count(filled, QuestionFilter(text="common"), cap=10) == Count(10, capped=True)


def test_an_empty_workspace_has_an_empty_page(workspace: Workspace) -> None:
    assert questions.page(workspace, QuestionFilter()) == Page((), None)
    assert questions.count(workspace, QuestionFilter()) == Count(0, capped=False)
    assert questions.facets(workspace) == ()


def test_facets_count_what_the_filters_find(filled: Workspace) -> None:
    assert questions.facets(filled, [FacetKind.SITE, FacetKind.STATUS, FacetKind.TAG]) == (
        Facet(FacetKind.SITE, "large.org", 20),
        Facet(FacetKind.SITE, "small.org", 5),
        Facet(FacetKind.STATUS, "unanswered", 17),
        Facet(FacetKind.STATUS, "closed", 8),
        Facet(FacetKind.TAG, "tag-1", 13),
        Facet(FacetKind.TAG, "tag-0", 12),
    )
    for facet in questions.facets(filled):
        assert questions.count(filled, having(facet)).n == facet.n, facet


def test_facets_follow_changes(workspace: Workspace) -> None:
    take(workspace, question(1, site="a.org"), question(2, site="a.org"))
    take(workspace, question(1, site="b.org", status=QuestionStatus.ANSWERED), question(2, site="b.org"))
    assert questions.facets(workspace, [FacetKind.SITE, FacetKind.STATUS]) == (
        Facet(FacetKind.SITE, "b.org", 2),
        Facet(FacetKind.STATUS, "answered", 1),
        Facet(FacetKind.STATUS, "unanswered", 1),
    )


def test_lists_read_no_bodies(filled: Workspace) -> None:
    read: set[tuple[str, str]] = set()

    def see(action: int, table: str | None, column: str | None, *_: str | None) -> int:
        if action == sqlite3.SQLITE_READ:
            read.add((table or "", column or ""))
        return sqlite3.SQLITE_OK

    with filled.read() as db:
        driver(db).set_authorizer(see)
        try:
            for order in Order:
                for text in ("", "common"):
                    questions.read_page(db, QuestionFilter(text=text), order)
                    questions.read_count(db, QuestionFilter(text=text))
        finally:
            driver(db).set_authorizer(None)
    assert ("question", "title") in read
    assert not read & {("question", "body_sha256"), ("question", "extra"), ("text", "body")}


def test_rows_count_candidates(filled: Workspace) -> None:
    candidates.add(filled, [candidate("one", "source:2"), candidate("two", "source:2"), candidate("one", "source:3")])
    rows = questions.page(filled, QuestionFilter(), limit=3).rows
    assert [(row.candidates, row.verdicts) for row in rows] == [(0, 0), (2, 0), (1, 0)]
    assert questions.get(filled, "source:2").row == rows[1]


def test_html_is_read_as_markdown(workspace: Workspace) -> None:
    take(workspace, question(1, body="<p>So <em>what</em>?</p>", format=TextFormat.HTML))
    body = questions.get(workspace, "source:1").body
    assert (body.raw, body.markdown.strip()) == ("<p>So <em>what</em>?</p>", "So *what*?")


def test_an_unknown_question_is_named(workspace: Workspace) -> None:
    with pytest.raises(NotFoundError, match="source:404"):
        questions.get(workspace, "source:404")
    assert QUESTION.id not in {row.id for row in questions.page(workspace, QuestionFilter()).rows}


def value_of(n: int, order: Order) -> int | str | None:
    """The sort value of question `n` of `scattered`; every fourth has none."""
    if order is Order.ARRIVAL or n % 4 == 0:
        return None if order is not Order.ARRIVAL else n
    return n * 7 % 5 - 1 if order is Order.SCORE else f"20{10 + n * 3 % 4}-01-02T00:00:00Z"


@pytest.fixture
def scattered(workspace: Workspace) -> Workspace:
    """40 questions whose scores and dates repeat, come in no order, and are unknown of every fourth."""
    take(
        workspace,
        *(
            question(
                n,
                site="a.org" if n % 3 else "b.org",
                domain="Science" if n % 5 else "Business",
                tags=("even",) if n % 2 == 0 else ("odd", "rare-tag") if n % 7 == 0 else ("odd",),
                score=value_of(n, Order.SCORE),
                asked_at=value_of(n, Order.ASKED),
                body="lemma" if n % 2 else "lemma prime",
            )
            for n in range(1, 41)
        ),
    )
    return workspace


FILTERS: tuple[dict[str, Any], ...] = (
    {},
    {"site": "b.org"},
    {"domain": "Business"},
    {"tags": ("odd",)},
    {"tags": ("odd", "rare-tag"), "site": "a.org"},
    {"resolution": Resolution.OPEN, "status": QuestionStatus.UNANSWERED},
    {"resolution": Resolution.WITHDRAWN},
    {"score_band": ScoreBand.FEW},
    {"score_band": ScoreBand.UNKNOWN, "site": "b.org"},
    {"year": "2012"},
    {"year": "unknown"},
)


def passes(n: int, filters: dict[str, Any]) -> bool:
    """What the filter means, in words that share nothing with the SQL."""
    score, asked = value_of(n, Order.SCORE), value_of(n, Order.ASKED)
    tags = ("even",) if n % 2 == 0 else ("odd", "rare-tag") if n % 7 == 0 else ("odd",)
    bands = {ScoreBand.FEW: isinstance(score, int) and 1 <= score <= 4, ScoreBand.UNKNOWN: score is None}
    return (
        filters.get("site", "") in ("", "a.org" if n % 3 else "b.org")
        and filters.get("domain", "") in ("", "Science" if n % 5 else "Business")
        and set(filters.get("tags", ())) <= set(tags)
        and filters.get("resolution", Resolution.OPEN) is Resolution.OPEN
        and bands.get(filters.get("score_band", ScoreBand.NONE), True)
        and filters.get("year", "") in ("", "unknown" if asked is None else str(asked)[:4])
    )


@pytest.mark.parametrize("narrow", [0, 20_000], ids=["the order leads", "the filter leads"])
@pytest.mark.parametrize("text", ["", "lemma ", "prime "])
def test_every_order_of_every_filter_is_complete_page_by_page(
    scattered: Workspace, text: str, narrow: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("store.browse_sql.NARROW", narrow)
    monkeypatch.setattr("store.hits.NARROW", narrow)
    monkeypatch.setattr("store.hits._FEW", 10)
    for filters in FILTERS:
        wanted = QuestionFilter(text=text, **filters)
        expected = [n for n in range(1, 41) if passes(n, filters) and (text != "prime " or n % 2 == 0)]
        assert questions.count(scattered, wanted).n == len(expected), filters
        for order in (Order.ARRIVAL, Order.SCORE, Order.ASKED):
            for direction in Direction:
                sign = 1 if direction is Direction.UP else -1
                known = [n for n in expected if value_of(n, order) is not None]
                rest = [n for n in expected if value_of(n, order) is None]
                in_order = sorted(known, key=lambda n: (value_of(n, order), n))[::sign] + rest[::sign]
                seen: list[int] = []
                after: PageKey | None = None
                while True:
                    page = questions.page(scattered, wanted, order, direction, after=after, limit=3)
                    seen += numbers(page)
                    after = page.next_after
                    if after is None:
                        break
                assert seen == in_order, (filters, order, direction)


def test_the_best_hits_hold_the_words_in_their_titles_or_tags(workspace: Workspace) -> None:
    take(
        workspace,
        question(1, title="On cubes", body="a graph and a minor"),
        question(2, title="Is a graph small?", body="minor"),
        question(3, title="The graph minor theorem, and all that follows", body="x"),
        question(4, title="Graph minor", body="x"),
        question(5, title="A graph", body="minor", tags=("minor",)),
    )
    wanted = QuestionFilter(text="graph minor")
    assert numbers(questions.page(workspace, wanted, Order.RELEVANCE)) == [4, 3, 5, 2, 1]
    first = questions.page(workspace, wanted, Order.RELEVANCE, limit=2)
    assert numbers(first) == [4, 3]
    assert numbers(questions.page(workspace, wanted, Order.RELEVANCE, after=first.next_after, limit=9)) == [5, 2, 1]


def test_answers_are_found_but_not_those_of_masked_questions(filled: Workspace) -> None:
    candidates.add(filled, [candidate("a wreath product", "source:2"), candidate("a wreath too", "source:9")])
    wanted = QuestionFilter(text="wreath")
    assert numbers(questions.page(filled, wanted)) == [2, 9]
    assert numbers(questions.page(filled, wanted, masked=["source:2"])) == [9]
    assert questions.count(filled, wanted, masked=["source:2", "source:9"]).n == 0
    assert numbers(questions.page(filled, QuestionFilter(text="prime"), limit=2, masked=["source:2"])) == [2, 3]


def test_a_changed_question_is_found_by_its_new_words_only(workspace: Workspace) -> None:
    take(workspace, question(1, body="<p>on <b>walnuts</b></p>", format=TextFormat.HTML, tags=("nuts",)))
    take(workspace, question(1, body="on almonds", tags=("kernels",)))
    found = {word: questions.count(workspace, QuestionFilter(text=word)).n for word in ("walnuts", "nuts", "almonds")}
    assert found == {"walnuts": 0, "nuts": 0, "almonds": 1}
    assert [facet.value for facet in questions.facets(workspace, [FacetKind.TAG])] == ["kernels"]


def test_a_masked_question_is_an_open_one(filled: Workspace) -> None:
    filled.write(
        lambda db: db.exec_driver_sql("UPDATE question SET resolution = 'resolved_by_model' WHERE id = 'source:4'")
    )
    by_model, still_open = (QuestionFilter(resolution=r) for r in (Resolution.RESOLVED_BY_MODEL, Resolution.OPEN))
    kinds = [FacetKind.RESOLUTION]
    assert [(facet.value, facet.n) for facet in questions.facets(filled, kinds)] == [
        ("open", 24),
        ("resolved_by_model", 1),
    ]
    assert numbers(questions.page(filled, by_model)) == [4]
    masked = ["source:4"]
    assert questions.facets(filled, kinds, masked=masked) == (Facet(FacetKind.RESOLUTION, "open", 25),)
    assert numbers(questions.page(filled, by_model, masked=masked)) == []
    assert 4 in numbers(questions.page(filled, still_open, masked=masked))
    assert questions.count(filled, still_open, masked=masked).n == 25


def test_of_many_hits_so_many_are_looked_at_for_a_filter(filled: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = QuestionFilter(text="common", status=QuestionStatus.CLOSED)
    assert questions.count(filled, wanted) == Count(8, capped=False)
    monkeypatch.setattr("store.hits.LOOKED_AT", 12)
    assert questions.count(filled, wanted) == Count(4, capped=True)
