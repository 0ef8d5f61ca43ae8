"""What reviewers have given, and what of it has stood."""

from dataclasses import fields
from typing import Any

import pytest

from store.opinions import Given
from uq_tui.state.reports.standing_credit import ALONE, Credit, credits_of
from uq_tui.words import Label

YES, NO, EDGE, UNSURE = Label.CORRECT, Label.INCORRECT, Label.CORRECT_BORDERLINE, Label.UNSURE


def given(
    person: str, candidate: str, label: Label | None, *, settles: tuple[str, ...] = (), linked: str = ""
) -> Given:
    """A verdict on a candidate of the question that is its first letter. What credit doesn't go by is left empty."""
    empty: dict[str, Any] = dict.fromkeys((field.name for field in fields(Given)), "")
    said = {
        "verdict_id": f"{'s' if settles else 'v'}-{person}-{candidate}",
        "revision": 1,
        "candidate_id": candidate,
        "question_id": candidate[0],
        "person": person,
        "handle": person.rstrip("0123456789"),
        "label": label,
        "created_at": f"2026-02-0{2 if settles else 1}",
        "linked_to": linked,
        "settles": settles,
    }
    return Given(**{**empty, **said})


def by_name(*every: Given, posters: frozenset[str] = frozenset(), borderline: bool = True) -> dict[str, Credit]:
    return {one.name: one for one in credits_of(every, posters, borderline_correct=borderline)}


def test_a_verdict_stands_by_no_word_but_others() -> None:
    found = by_name(given("ada", "p1", YES), given("ada", "p2", NO), given("bob", "p2", UNSURE))
    assert (found["ada"].verdicts, found["ada"].questions) == (2, 1)
    assert (found["ada"].stood.value, found["ada"].stood.undefined) == (None, ALONE)


def test_the_majority_decides_and_a_tie_is_open() -> None:
    found = by_name(
        *(given(who, "p1", label) for who, label in (("ada", YES), ("bob", YES), ("eve", NO))),
        *(given(who, "q1", label) for who, label in (("ada", YES), ("bob", NO))),
    )
    told = {name: (one.stood.hits, one.stood.n, one.open) for name, one in found.items()}
    assert told == {"ada": (1, 1, 1), "bob": (1, 1, 1), "eve": (0, 1, 0)}


def test_an_adjudication_decides_and_is_nobodys_own_proof() -> None:
    both = given("ada", "p1", YES), given("bob", "p1", NO)
    settles = tuple(one.name for one in both)
    found = by_name(*both, given("eve", "p1", NO, settles=settles))
    assert {name: (one.stood.hits, one.stood.n, one.settled) for name, one in found.items()} == {
        "ada": (0, 1, 0),
        "bob": (1, 1, 0),
        "eve": (None, 0, 1),
    }
    found = by_name(*both, given("bob", "p1", NO, settles=settles))
    assert {name: (one.stood.hits, one.stood.n, one.settled) for name, one in found.items()} == {
        "ada": (0, 1, 0),
        "bob": (None, 0, 1),
    }


@pytest.mark.parametrize(("borderline", "stood"), [(True, 1), (False, 0)])
def test_borderline_counts_as_it_is_asked_for(borderline: bool, stood: int) -> None:
    every = given("ada", "p1", EDGE), given("bob", "p1", YES), given("eve", "p1", YES)
    assert by_name(*every, borderline=borderline)["ada"].stood.hits == stood


def test_what_goes_along_with_another_counts_once_and_namesakes_are_kept_apart() -> None:
    every = given("bob1", "p1", YES), given("bob1", "p2", YES, linked="v-bob1-p1#1"), given("bob2", "q1", NO)
    found = by_name(*every, posters=frozenset({"v-bob2-q1#1"}))
    assert {name: (one.verdicts, one.asked) for name, one in found.items()} == {
        "bob …bob1": (1, 0),
        "bob …bob2": (1, 1),
    }
