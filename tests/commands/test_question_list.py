"""`uq-tui questions list` with filters, orders, searches; `uq-tui questions views`."""

from collections.abc import Callable

import pytest
from click.testing import Result

from tests.commands.conftest import Desk, Run, document
from tests.store.stock import question, take
from uq_tui.words import QuestionStatus

Uq = Callable[..., Result]


@pytest.fixture
def uq(run: Run, desk: Desk) -> Uq:
    """`uq-tui ARGUMENTS` on a workspace with three more questions."""
    workspace = desk.open()
    try:
        take(
            workspace,
            question(
                1, title="On oaks", body="an acorn", site="a.org", score=3, tags=("trees", "nuts"), domain="Business"
            ),
            question(2, title="On elms", body="no acorn", site="a.org", score=7, tags=("trees",)),
            question(3, title="On ash", site="b.org", asked_at="2014-05-01T00:00:00Z", status=QuestionStatus.CLOSED),
        )
    finally:
        workspace.close()

    def call(*arguments: str) -> Result:
        return run("--workspace", str(desk.path), "questions", *arguments)

    return call


def listed(result: Result) -> list[str]:
    return [row["id"] for row in document(result)["questions"]]


@pytest.mark.parametrize(
    ("options", "ids"),
    [
        (("--site", "a.org"), [1, 2]),
        (("--tag", "trees", "--tag", "nuts"), [1]),
        (("--domain", "Business"), [1]),
        (("--score", "5 to 9"), [2]),
        (("--year", "2014"), [3]),
        (("--status", "closed", "--resolution", "open"), [3]),
        (("--site", "a.org", "--order", "score"), [2, 1]),
        (("--site", "a.org", "--order", "score", "--direction", "up"), [1, 2]),
        (("--search", "acorn -no"), [1]),
        (("--search", "acorn oaks", "--order", "relevance"), [1]),
    ],
)
def test_filters_and_orders(uq: Uq, options: tuple[str, ...], ids: list[int]) -> None:
    assert listed(uq("--json", *options)) == [f"source:{n}" for n in ids]


def test_where_a_search_hits_is_shown(uq: Uq) -> None:
    rows = document(uq("--search", "sieve", "--json"))["questions"]
    assert [row["snippet"] for row in rows] == [{"place": "answer", "text": "Yes, by a sieve."}]
    assert "answer: Yes, by a sieve." in uq("--search", "sieve").stdout
    assert {row["snippet"] for row in document(uq("--json"))["questions"]} == {None}


def test_a_view_is_kept_shown_added_to_and_dropped(uq: Uq) -> None:
    uq("--site", "a.org", "--order", "score", "--save-view", "mine")
    assert listed(uq("--view", "mine", "--json")) == ["source:2", "source:1"]
    assert listed(uq("--view", "mine", "--tag", "nuts", "--json")) == ["source:1"]
    assert "mine  site a.org · highest score first" in uq("views").stdout
    (view,) = document(uq("views", "--json"))["views"]
    assert (view["name"], view["site"], view["order"], view["direction"]) == ("mine", "a.org", "score", "down")
    assert document(uq("views", "--drop", "mine", "--json")) == {"views": []}
    refused = uq("--view", "mine")
    assert refused.exit_code == 3
    assert "no view mine" in refused.stderr
