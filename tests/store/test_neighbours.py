"""Neighbours of questions."""

from dataclasses import replace
from typing import Any

import pytest

from store import judgements, neighbours, runs
from store.identity import neighbour_id
from store.intake import Taken
from store.rows import ControlCount, Neighbour
from store.run_rows import Rollout
from store.workspace import Workspace
from tests.store.stock import QUESTION, question, take
from uq_tui.errors import NotFoundError
from uq_tui.words import DecidedBy, NeighbourUse, RunKind

AWKWARD = "a\0b\ud83d"


def neighbour(statement: str, answer: str = "5") -> Neighbour:
    return Neighbour(neighbour_id(statement, answer), statement, answer, "computed")


def numbered(*found: Neighbour) -> tuple[Neighbour, ...]:
    """As the store gives them: with the number by which they are called."""
    return tuple(replace(one, number=number) for number, one in enumerate(found, start=1))


@pytest.fixture
def ws(workspace: Workspace) -> Workspace:
    """A workspace with two questions."""
    take(workspace, QUESTION, question(2))
    return workspace


def test_neighbours_come_in_order_of_arrival(ws: Workspace) -> None:
    neighbours.add(ws, QUESTION.id, [neighbour("b"), neighbour("a")])
    neighbours.add(ws, QUESTION.id, [neighbour("c"), neighbour("b")])
    assert neighbours.of_question(ws, QUESTION.id) == numbered(neighbour("b"), neighbour("a"), neighbour("c"))


def test_the_same_again_changes_nothing(ws: Workspace) -> None:
    new = [neighbour("a"), neighbour("a", "6"), neighbour("a")]
    assert ws.write(lambda db: neighbours.put(db, QUESTION.id, new)) == [Taken.NEW, Taken.NEW, Taken.SAME]
    assert ws.write(lambda db: neighbours.put(db, QUESTION.id, new)) == [Taken.SAME] * 3


def test_questions_may_share_a_neighbour(ws: Workspace) -> None:
    neighbours.add(ws, QUESTION.id, [neighbour("a")])
    neighbours.add(ws, "source:2", [neighbour("b"), neighbour("a")])
    assert neighbours.of_question(ws, QUESTION.id) == numbered(neighbour("a"))
    assert neighbours.of_question(ws, "source:2") == numbered(neighbour("b"), neighbour("a"))


def test_ids_are_computed(ws: Workspace) -> None:
    neighbours.add(ws, QUESTION.id, [Neighbour("", "a", "5", "computed")])
    assert neighbours.of_question(ws, QUESTION.id) == numbered(neighbour("a"))


def test_awkward_text_survives(ws: Workspace) -> None:
    awkward = Neighbour(neighbour_id(AWKWARD, AWKWARD), AWKWARD, AWKWARD, AWKWARD)
    neighbours.add(ws, QUESTION.id, [awkward])
    assert neighbours.of_question(ws, QUESTION.id) == numbered(awkward)


def test_an_unknown_question(ws: Workspace) -> None:
    with pytest.raises(NotFoundError, match="source:404"):
        neighbours.add(ws, "source:404", [neighbour("a")])
    assert neighbours.of_question(ws, "source:404") == ()


@pytest.mark.parametrize(("statement", "answer"), [("", "5"), ("a", ""), (" \n", "5"), ("a", "\t")])
def test_an_empty_neighbour_is_refused_and_nothing_stored(ws: Workspace, statement: str, answer: str) -> None:
    with pytest.raises(ValueError, match="empty"):
        neighbours.add(ws, QUESTION.id, [neighbour("b"), neighbour(statement, answer)])
    assert neighbours.of_question(ws, QUESTION.id) == ()


def test_one_takes_the_place_of_another(ws: Workspace) -> None:
    old, _ = neighbours.add(ws, QUESTION.id, [neighbour("a"), neighbour("b")])
    key = neighbours.replace(ws, QUESTION.id, old, Neighbour("", "c", "5", "me"))
    first, second, third = neighbours.of_question(ws, QUESTION.id)
    assert (first.use, first.note) == (NeighbourUse.SET_ASIDE, "edited, now N3")
    assert (third.id, third.number, third.source) == (key, 3, "me")
    assert neighbours.in_use(ws, QUESTION.id) == (second, third)


def test_what_takes_a_place_is_in_use_though_it_was_set_aside(ws: Workspace) -> None:
    old, aside = neighbours.add(ws, QUESTION.id, [neighbour("a"), neighbour("b")])
    neighbours.set_use(ws, QUESTION.id, aside, NeighbourUse.SET_ASIDE, "too easy")
    assert neighbours.replace(ws, QUESTION.id, old, neighbour("b")) == aside
    first, second = neighbours.of_question(ws, QUESTION.id)
    assert (first.note, second.use, second.note) == ("edited, now N2", NeighbourUse.IN_USE, "")


def test_a_place_that_is_not_there_is_taken_by_nothing(ws: Workspace) -> None:
    neighbours.add(ws, QUESTION.id, [neighbour("a")])
    before = neighbours.of_question(ws, QUESTION.id)
    with pytest.raises(NotFoundError, match="has no neighbour"):
        neighbours.replace(ws, QUESTION.id, neighbour("b").id, neighbour("c"))
    with pytest.raises(ValueError, match="the old one"):
        neighbours.replace(ws, QUESTION.id, neighbour("a").id, neighbour("a"))
    with pytest.raises(ValueError, match="empty"):
        neighbours.replace(ws, QUESTION.id, neighbour("a").id, neighbour(" "))
    assert neighbours.of_question(ws, QUESTION.id) == before


def test_one_that_is_set_aside_is_known_but_not_in_use(ws: Workspace) -> None:
    first, second = neighbours.add(ws, QUESTION.id, [neighbour("a"), neighbour("b")])
    neighbours.set_use(ws, QUESTION.id, first, NeighbourUse.SET_ASIDE, "too easy")
    aside, other = neighbours.of_question(ws, QUESTION.id)
    assert (aside.use, aside.note) == (NeighbourUse.SET_ASIDE, "too easy")
    assert neighbours.in_use(ws, QUESTION.id) == (other,)

    neighbours.set_use(ws, QUESTION.id, first, NeighbourUse.IN_USE)
    assert neighbours.in_use(ws, QUESTION.id) == numbered(neighbour("a"), neighbour("b"))
    assert second == other.id


def test_setting_aside_concerns_one_question(ws: Workspace) -> None:
    for question_id in (QUESTION.id, "source:2"):
        neighbours.add(ws, question_id, [neighbour("a")])
    neighbours.set_use(ws, QUESTION.id, neighbour("a").id, NeighbourUse.SET_ASIDE)
    assert neighbours.in_use(ws, QUESTION.id) == ()
    assert neighbours.in_use(ws, "source:2") == numbered(neighbour("a"))


def test_one_that_comes_again_stays_set_aside(ws: Workspace) -> None:
    neighbours.add(ws, QUESTION.id, [replace(neighbour("a"), use=NeighbourUse.SET_ASIDE, note="twin")])
    neighbours.add(ws, QUESTION.id, [neighbour("a")])
    (found,) = neighbours.of_question(ws, QUESTION.id)
    assert (found.use, found.note) == (NeighbourUse.SET_ASIDE, "twin")


def test_a_neighbour_of_another_question_cannot_be_set_aside(ws: Workspace) -> None:
    (added,) = neighbours.add(ws, "source:2", [neighbour("a")])
    with pytest.raises(NotFoundError, match="has no neighbour") as caught:
        neighbours.set_use(ws, QUESTION.id, added, NeighbourUse.SET_ASIDE)
    assert f"uq-tui neighbours list {QUESTION.id}" in caught.value.hint


def test_finding_by_the_start_of_an_id(ws: Workspace) -> None:
    ids = neighbours.add(ws, QUESTION.id, [neighbour(f"statement {number}") for number in range(20)])
    (other,) = neighbours.add(ws, "source:2", [neighbour("elsewhere")])
    assert neighbours.find_by_prefix(ws, QUESTION.id, "") == tuple(sorted(ids))
    assert neighbours.find_by_prefix(ws, QUESTION.id, ids[3]) == (ids[3],)
    assert neighbours.find_by_prefix(ws, QUESTION.id, other) == ()


def control(ws: Workspace, solver: str, values: list[int | None], **changes: Any) -> None:
    """One run of a solver on the neighbour `a`, with these values in its control arm."""
    run = runs.create(ws, RunKind.CBU, "utility", {"model": {"id": solver, "api_base": ""}}, 1)
    whole = Rollout(run.id, "", neighbour("a").id, 0, None, DecidedBy.EXACT, "5", "")
    rows = [
        replace(whole, sample=sample, value=value, **{"call_key": f"{solver}/{sample}", **changes})
        for sample, value in enumerate(values)
    ]
    judgements.save_rollouts(ws, rows)


def test_control_counts_decided_attempts_of_the_last_solver(ws: Workspace) -> None:
    neighbours.add(ws, QUESTION.id, [neighbour("a"), neighbour("b")])
    control(ws, "old", [1, 1])
    control(ws, "new", [1, 0, None, 0])
    assert neighbours.controls(ws, QUESTION.id) == {neighbour("a").id: ControlCount("new", 1, 3)}


def test_a_control_call_that_a_later_run_remembers_counts_once(ws: Workspace) -> None:
    neighbours.add(ws, QUESTION.id, [neighbour("a")])
    control(ws, "m", [1, 0])
    control(ws, "m", [1, 0, 0, 0])
    assert neighbours.controls(ws, QUESTION.id) == {neighbour("a").id: ControlCount("m", 1, 4)}


def test_rollouts_with_a_candidate_are_no_control(ws: Workspace) -> None:
    neighbours.add(ws, QUESTION.id, [neighbour("a")])
    control(ws, "m", [1, 0], candidate_id="c")
    control(ws, "m", [None], call_key="cut")
    assert neighbours.controls(ws, QUESTION.id) == {}
