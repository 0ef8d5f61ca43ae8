"""Neighbours of questions."""

import pytest

from store import neighbours
from store.identity import neighbour_id
from store.intake import Taken
from store.rows import Neighbour
from store.workspace import Workspace
from tests.store.stock import QUESTION, question, take
from uq_tui.errors import NotFoundError

AWKWARD = "a\0b\ud83d"


def neighbour(statement: str, answer: str = "5") -> Neighbour:
    return Neighbour(neighbour_id(statement, answer), statement, answer, "computed")


@pytest.fixture
def ws(workspace: Workspace) -> Workspace:
    """A workspace with two questions."""
    take(workspace, QUESTION, question(2))
    return workspace


def test_neighbours_come_in_order_of_arrival(ws: Workspace) -> None:
    neighbours.add(ws, QUESTION.id, [neighbour("b"), neighbour("a")])
    neighbours.add(ws, QUESTION.id, [neighbour("c"), neighbour("b")])
    assert neighbours.of_question(ws, QUESTION.id) == (neighbour("b"), neighbour("a"), neighbour("c"))


def test_the_same_again_changes_nothing(ws: Workspace) -> None:
    new = [neighbour("a"), neighbour("a", "6"), neighbour("a")]
    assert ws.write(lambda db: neighbours.put(db, QUESTION.id, new)) == [Taken.NEW, Taken.NEW, Taken.SAME]
    assert ws.write(lambda db: neighbours.put(db, QUESTION.id, new)) == [Taken.SAME] * 3


def test_questions_may_share_a_neighbour(ws: Workspace) -> None:
    neighbours.add(ws, QUESTION.id, [neighbour("a")])
    neighbours.add(ws, "source:2", [neighbour("b"), neighbour("a")])
    assert neighbours.of_question(ws, QUESTION.id) == (neighbour("a"),)
    assert neighbours.of_question(ws, "source:2") == (neighbour("b"), neighbour("a"))


def test_ids_are_computed(ws: Workspace) -> None:
    neighbours.add(ws, QUESTION.id, [Neighbour("", "a", "5", "computed")])
    assert neighbours.of_question(ws, QUESTION.id) == (neighbour("a"),)


def test_awkward_text_survives(ws: Workspace) -> None:
    awkward = Neighbour(neighbour_id(AWKWARD, AWKWARD), AWKWARD, AWKWARD, AWKWARD)
    neighbours.add(ws, QUESTION.id, [awkward])
    assert neighbours.of_question(ws, QUESTION.id) == (awkward,)


def test_an_unknown_question(ws: Workspace) -> None:
    with pytest.raises(NotFoundError, match="source:404"):
        neighbours.add(ws, "source:404", [neighbour("a")])
    assert neighbours.of_question(ws, "source:404") == ()
