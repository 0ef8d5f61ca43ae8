"""Which verdicts reports are on: what is offered, what is chosen, and how that is said."""

from typing import Any

import pytest
from sqlalchemy import text

from store import queues, reviewers
from store.opinions import VerdictSubset, standing
from store.review_rows import NewItem
from store.workspace import Workspace
from tests.store.evaluated import put_answers
from tests.store.standing import ADA, BOB, EVE, put, row
from tests.store.stock import QUESTION
from uq_tui.state.reports.subset import BLIND, By, Chosen, Value, listed, offered
from uq_tui.words import Label, QueueMode

C = Label.CORRECT
SITE, OTHER_SITE = Value(By.SITE, "a.example", "a.example", 2), Value(By.SITE, "b.example", "b.example", 1)
PERSON, OTHER_PERSON = Value(By.PERSON, ADA.id, "ada", 2), Value(By.PERSON, BOB.id, "bob", 1)


def judged(ws: Workspace) -> str:
    """Three people on one answer: Bob in a queue and not blind, Eve in one that isn't here. Returns the queue's id."""
    (key,) = put_answers(ws, {"a": ("o3", None)}).values()
    ws.write(lambda conn: conn.execute(text("UPDATE question SET site = 'a.example', domain = 'Science'")))
    reviewers.make(ws, BOB)
    shares = {BOB.id: [NewItem(QUESTION.id, key)]}
    queue = queues.make(ws, name="Pilot", mode=QueueMode.BLIND, spec={}, guideline="", shares=shares).id
    on: dict[str, Any] = {"question_id": QUESTION.id}
    put(
        ws,
        [
            row("a", key, ADA, C, dataset_version="v1", **on),
            row("b", key, BOB, C, assignment={"queue_id": queue}, blind=False, dataset_version="v1", **on),
            row("e", key, EVE, C, assignment={"queue_id": "of-elsewhere"}, dataset_version="", **on),
            row("r", key, ADA, C, day=2, assignment={"repeat_of": "a"}, **on),
            row("s", key, EVE, C, day=3, settles=["a#1", "b#1"], **on),
        ],
    )
    return queue


def test_what_verdicts_have_is_offered_with_counts(workspace: Workspace) -> None:
    assert offered(workspace, EVE.id) == ()
    queue = judged(workspace)
    there = offered(workspace, EVE.id)
    told = {by: {one.name: one.n for one in there if one.by is by} for by in By}
    assert told == {
        By.SITE: {"a.example": 3},
        By.FIELD: {"Science": 3},
        By.QUEUE: {"Pilot": 1, "…lsewhere": 1},
        By.VERSION: {"v1": 2},
        By.PERSON: {"ada": 1, "bob": 1, "eve": 1},
        By.BLIND: {"blind": 2},
    }
    assert Value(By.QUEUE, queue, "", 0) in there


def test_each_value_that_is_offered_finds_as_many_verdicts_as_it_says(workspace: Workspace) -> None:
    judged(workspace)
    for value in offered(workspace, EVE.id):
        found = standing(workspace, Chosen().turned(value).subset)
        assert sum(one.ordinary for one in found) == value.n, value


def test_verdicts_on_what_is_judged_blind_are_not_counted(workspace: Workspace) -> None:
    judged(workspace)
    assert offered(workspace, BOB.id) == ()


def test_another_value_takes_the_place_of_one_and_people_come_together() -> None:
    chosen = Chosen().turned(SITE).turned(PERSON).turned(OTHER_SITE).turned(OTHER_PERSON)
    assert chosen.subset == VerdictSubset(site="b.example", reviewer_ids=(ADA.id, BOB.id))
    assert chosen.turned(PERSON).subset.reviewer_ids == (BOB.id,)
    assert chosen.turned(OTHER_SITE).subset.site == ""
    assert not Chosen()
    assert Chosen().blind_or_all().subset == VerdictSubset(blind_only=True)
    assert Chosen().turned(Value(By.BLIND, BLIND, BLIND, 7)).blind_or_all() == Chosen()


def test_what_is_chosen_is_said_in_one_line() -> None:
    queue = Value(By.QUEUE, "q", "Pilot", 1)
    chosen = Chosen().blind_or_all().turned(PERSON).turned(OTHER_PERSON).turned(queue).turned(SITE)
    said = "site a.example, queue “Pilot”, reviewer ada or bob, blind, since 2026-01-31T12:00:00Z"
    assert chosen.dated(" 2026-01-31T12:00:00Z ").words == said
    assert Chosen().words == ""
    for n, end in ((4, "3 or 4"), (5, "3 or 2 more")):
        people = tuple(Value(By.PERSON, name, name, 1) for name in "12345"[:n])
        assert Chosen(people).words == f"reviewer 1 or 2 or {end}"


@pytest.mark.parametrize("typed", ["", " ", "2026-01-31", "2026-01-31T12:00:00Z"])
def test_a_date_is_read_back_as_it_is_shown(typed: str) -> None:
    chosen = Chosen().dated(typed)
    assert chosen.shown_since == typed.strip()
    assert bool(chosen) is bool(typed.strip())


@pytest.mark.parametrize("typed", ["yesterday", "2026-02-30", "31.1.2026", "2026-01-31T12:00"])
def test_what_is_no_date_is_refused_with_what_is_one(typed: str) -> None:
    with pytest.raises(ValueError, match=r"neither a day such as 2026-01-31 nor a UTC time"):
        Chosen().dated(typed)


def test_what_is_chosen_and_not_there_can_be_let_go_of() -> None:
    assert [(one.name, one.n) for one in listed((SITE, PERSON), Chosen((OTHER_SITE, PERSON)))] == [
        ("a.example", 2),
        ("b.example", 0),
        ("ada", 2),
    ]
