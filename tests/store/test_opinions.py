"""Which verdicts stand, and what of them a subset holds."""

import random
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import text

from store import evaluation, opinions
from store.evaluation import Opinion
from store.opinions import VerdictSubset, standing
from store.withheld import Withheld
from store.workspace import Workspace
from tests.store.records.samples import QUESTION_ID
from tests.store.records.stock import put_candidate, put_question
from tests.store.standing import ADA, BOB, EVE, put, row
from uq_tui.words import Label, NotJudged

RIGHT, WRONG, UNSURE = Label.CORRECT, Label.INCORRECT, Label.UNSURE
ADA_ELSEWHERE = replace(ADA, id="0199aaaa-0000-7000-8000-000000000001", linked=(ADA.id,))


@pytest.fixture
def one(workspace: Workspace) -> str:
    """A candidate of the sample question."""
    return put_candidate(workspace, "An answer.")


def stand(ws: Workspace, *rows: dict[str, Any]) -> list[str]:
    """The names of the revisions that stand, whatever the order in which rows came."""
    put(ws, random.Random(7).sample(rows, len(rows)))
    return [given.name for given in standing(ws)]


def test_a_verdict_stands_in_its_newest_revision_with_all_it_says(workspace: Workspace, one: str) -> None:
    in_queue = {"queue_id": "k"}
    last = row("v", one, ADA, WRONG, revision=2, day=3, score=1, assignment=in_queue, blind=False)
    assert stand(workspace, row("v", one, ADA, RIGHT, day=2), last) == ["v#2"]
    (given,) = standing(workspace)
    assert (given.candidate_id, given.question_id, given.person, given.handle) == (one, QUESTION_ID, ADA.id, "ada")
    assert (given.label, given.not_judged, given.score_0_7, given.confidence) == (WRONG, None, 1, 4)
    assert (given.blind, given.created_at, given.seconds_active) == (False, last["created_at"], 12.5)
    assert (given.repeat_of, given.linked_to, given.settles, given.ordinary) == ("", "", (), True)


def test_of_a_persons_verdicts_on_a_candidate_the_newest_stands(workspace: Workspace, one: str) -> None:
    other = put_candidate(workspace, "Another.")
    elsewhere = row("c", one, ADA_ELSEWHERE, WRONG, day=4)
    rows = (row("a", one, ADA, RIGHT, day=2), row("b", one, ADA, WRONG, day=3), elsewhere, row("d", other, ADA, RIGHT))
    assert stand(workspace, *rows, row("e", one, BOB, NotJudged.OUT_OF_DEPTH)) == ["d#1", "e#1", "c#1"]
    assert {given.person for given in standing(workspace)} == {ADA_ELSEWHERE.id, BOB.id}


def test_people_go_by_the_name_in_their_newest_row(workspace: Workspace, one: str) -> None:
    before, after = (replace(ADA, handle=handle) for handle in ("z", "a"))
    put(workspace, [row("b", one, after, RIGHT, day=3), row("a", one, before, RIGHT, day=2), row("c", one, BOB, RIGHT)])
    assert opinions.people_here(workspace) == {ADA.id: "a", BOB.id: "bob"}


def test_what_was_retracted_last_doesnt_stand(workspace: Workspace, one: str) -> None:
    rows = (row("a", one, ADA, RIGHT, day=2), row("b", one, ADA, WRONG, day=3), row("b", one, ADA, None, revision=2))
    assert stand(workspace, *rows[1:], row("c", one, BOB, RIGHT)) == ["c#1"]
    put(workspace, rows[:1])
    assert [given.name for given in standing(workspace)] == ["c#1", "a#1"]


def test_repeats_and_adjudications_stand_beside_the_ordinary_verdict(workspace: Workspace, one: str) -> None:
    rows = (
        row("a", one, ADA, RIGHT, day=1),
        row("again", one, ADA, WRONG, day=2, assignment={"repeat_of": "a"}),
        row("over", one, ADA, WRONG, day=3, settles=["a#1", "b#1"]),
        row("b", one, BOB, WRONG, day=4),
    )
    assert stand(workspace, *rows) == ["a#1", "again#1", "over#1", "b#1"]
    told = {given.name: (given.repeat_of, given.settles, given.ordinary) for given in standing(workspace)}
    assert told["again#1"] == ("a", (), False)
    assert told["over#1"] == ("", ("a#1", "b#1"), False)
    assert told["b#1"] == ("", (), True)


SUBSETS = {
    VerdictSubset(): "a b c d over",
    VerdictSubset(site="math.stackexchange.com"): "a b c over",
    VerdictSubset(site="absent"): "",
    VerdictSubset(domain="y"): "d",
    VerdictSubset(dataset_version="2"): "b",
    VerdictSubset(queue_id="k"): "c over",
    VerdictSubset(reviewer_ids=(ADA.id,)): "a d over",
    VerdictSubset(reviewer_ids=(BOB.id, EVE.id)): "b c over",
    VerdictSubset(since="2026-02-03"): "c d over",
    VerdictSubset(blind_only=True): "a b d over",
    VerdictSubset(question_ids=frozenset({"r"})): "d",
    VerdictSubset(question_ids=frozenset()): "",
}


def test_a_subset_holds_what_it_says(workspace: Workspace, one: str) -> None:
    elsewhere = put_candidate(workspace, "Elsewhere.", "r")
    rows = (
        row("a", one, ADA, RIGHT, day=1),
        row("b", one, BOB, RIGHT, day=2, dataset_version="2"),
        row("c", one, EVE, RIGHT, day=3, assignment={"queue_id": "k"}, blind=False),
        row("d", elsewhere, ADA_ELSEWHERE, RIGHT, day=4, question_id="r"),
        row("over", one, replace(EVE, id="x"), RIGHT, day=5, settles=["a#1", "b#1"], blind=False),
    )
    put(workspace, rows)
    workspace.write(lambda db: db.exec_driver_sql("UPDATE question SET site = 'x', domain = 'y' WHERE id = 'r'"))
    found = {subset: " ".join(one.verdict_id for one in standing(workspace, subset)) for subset in SUBSETS}
    assert found == SUBSETS


def test_a_subset_brings_no_verdict_back_that_a_newer_one_took_the_place_of(workspace: Workspace, one: str) -> None:
    put(workspace, [row("a", one, ADA, RIGHT), row("b", one, ADA, WRONG, day=2, blind=False)])
    assert standing(workspace, VerdictSubset(blind_only=True)) == ()


def test_what_is_withheld_is_out_under_all_ids_of_the_reader(workspace: Workspace, one: str) -> None:
    masked = put_candidate(workspace, "Masked.", "r")
    rows = (row("a", one, ADA_ELSEWHERE, RIGHT), row("b", one, BOB, RIGHT), row("c", masked, BOB, RIGHT))
    put(workspace, [*rows[:2], {**rows[2], "question_id": "r"}])
    left = standing(workspace, without=Withheld(frozenset({"r"}), ADA.id, frozenset({one})))
    assert [given.verdict_id for given in left] == ["b"]


def test_an_adjudication_decides_while_it_names_all_that_stands(workspace: Workspace, one: str) -> None:
    put(workspace, [row("a", one, ADA, RIGHT), row("b", one, BOB, WRONG), row("b", one, BOB, WRONG, revision=2, day=2)])
    assert {given.reviewer_id for given in evaluation.opinions(workspace)[one]} == {ADA.id, BOB.id}
    put(workspace, [row("old", one, EVE, WRONG, day=3, settles=["a#1", "b#1"])])
    assert len(evaluation.opinions(workspace)[one]) == 2
    put(workspace, [row("new", one, EVE, UNSURE, day=4, settles=["a#1", "b#2", "gone#1"])])
    assert evaluation.opinions(workspace)[one] == (Opinion(EVE.id, UNSURE),)
    put(workspace, [row("a", one, ADA, WRONG, revision=2, day=5)])
    assert {given.label for given in evaluation.opinions(workspace)[one]} == {WRONG}
    (said,) = opinions.by_candidate(standing(workspace)).values()
    assert ([given.name for given in said.adjudications], said.settled_by) == (["old#1", "new#1"], None)


def test_repeats_and_what_only_adjudications_are_left_of_bring_no_opinion(workspace: Workspace, one: str) -> None:
    put(
        workspace,
        [row("again", one, ADA, WRONG, assignment={"repeat_of": "a"}), row("o", one, EVE, RIGHT, settles=["a#1"])],
    )
    assert evaluation.opinions(workspace) == {}


def test_questions_outside_of_a_subset_are_those_of_another_place(workspace: Workspace) -> None:
    for key in "pqr":
        put_question(workspace, key)
    workspace.write(lambda conn: conn.execute(text("UPDATE question SET site = id, domain = 'Science'")))
    workspace.write(lambda conn: conn.execute(text("UPDATE question SET domain = 'Arts' WHERE id = 'r'")))
    for subset, out in (
        (VerdictSubset(blind_only=True, queue_id="k", since="2026", reviewer_ids=("a",), dataset_version="v"), ""),
        (VerdictSubset(site="p"), "qr"),
        (VerdictSubset(domain="Science"), "r"),
        (VerdictSubset(site="r", domain="Science"), "pqr"),
        (VerdictSubset(domain="Science", question_ids=frozenset("qr")), "pr"),
    ):
        assert opinions.outside(workspace, subset) == set(out)
