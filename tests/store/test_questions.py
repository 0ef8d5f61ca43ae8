"""Pages, counts and facets of questions; one question."""

from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.engine import Engine

from store import candidates, questions
from store.rows import Count, Facet, Page, QuestionFilter
from store.workspace import Workspace
from tests.store.stock import QUESTION, candidate, question, take
from uq_tui.errors import NotFoundError
from uq_tui.words import QuestionStatus, TextFormat


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


def numbers(page: Page) -> list[int]:
    return [int(row.id.removeprefix("source:")) for row in page.rows]


@pytest.mark.parametrize("limit", [1, 2, 7, 24, 25, 26, 100])
@pytest.mark.parametrize("text", ["", "common", "common prime", "tag-1"])
def test_pages_add_up_to_the_whole_list(filled: Workspace, limit: int, text: str) -> None:
    wanted = QuestionFilter(text=text)
    whole = numbers(questions.page(filled, wanted))
    assert whole == sorted(whole)
    seen: list[int] = []
    after: int | None = None
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
    assert questions.facets(filled) == (
        Facet("site", "large.org", 20),
        Facet("site", "small.org", 5),
        Facet("status", "unanswered", 17),
        Facet("status", "closed", 8),
    )


def test_facets_follow_changes(workspace: Workspace) -> None:
    take(workspace, question(1, site="a.org"), question(2, site="a.org"))
    take(workspace, question(1, site="b.org", status=QuestionStatus.ANSWERED), question(2, site="b.org"))
    assert questions.facets(workspace) == (
        Facet("site", "b.org", 2),
        Facet("status", "answered", 1),
        Facet("status", "unanswered", 1),
    )


def test_lists_read_no_bodies(filled: Workspace) -> None:
    statements: list[str] = []

    def listen(*arguments: object) -> None:
        statements.append(str(arguments[2]))

    event.listen(Engine, "before_cursor_execute", listen)
    try:
        questions.page(filled, QuestionFilter(text="common"))
        questions.count(filled, QuestionFilter(text="common"))
        questions.facets(filled)
    finally:
        event.remove(Engine, "before_cursor_execute", listen)
    assert len(statements) >= 3
    assert not [statement for statement in statements if "body" in statement or "extra" in statement]


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
