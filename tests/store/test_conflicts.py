"""Which verdicts are in conflict, in what order conflicts come, and when one is settled."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from store import adjudications, blindness, conflicts, decisions, drafts, evaluation, questions, reviewers, verdicts
from store.conflicts import Conflict
from store.frozen_rows import sealed
from store.ingest.importer import import_file
from store.opinions import VerdictSubset
from store.rows import Reviewer, VerdictForm
from store.verdict_rows import read_latest, restate
from store.withheld import Withheld, withheld
from store.workspace import Workspace
from tests.store.disputed import FAR, far_off
from tests.store.records.stock import put_candidate
from tests.store.reviewing import ADA, BOB, RIGHT, WRONG, people, plain, queue
from tests.store.standing import EVE
from uq_tui.errors import NotFoundError, VerdictMovedError
from uq_tui.words import ConflictBy, ConflictState, Label, NotJudged, QueueMode, VerdictRole, VerdictStatus

BORDERLINE = VerdictForm(label=Label.CORRECT_BORDERLINE)
UNSURE = VerdictForm(label=Label.UNSURE)
PUT_OFF = VerdictForm(not_judged=NotJudged.OUT_OF_DEPTH)


@pytest.fixture
def ws(workspace: Workspace) -> Workspace:
    people(workspace)
    reviewers.save(workspace, EVE)
    return workspace


def disputed(ws: Workspace, ada: VerdictForm = RIGHT, bob: VerdictForm = WRONG, name: str = "q0") -> str:
    """A candidate of a question of its own, judged by two people."""
    key = put_candidate(ws, f"An answer to {name}.", name)
    for reviewer, form in ((ADA, ada), (BOB, bob)):
        decisions.record(ws, reviewer, key, form, based_on=None)
    return key


def settle(ws: Workspace, key: str, form: VerdictForm = WRONG, by: Reviewer = EVE) -> None:
    adjudications.settle(ws, by, key, form, conflicts.of_candidate(ws, "q0", key).names)


def states(ws: Workspace) -> list[tuple[str, ConflictState]]:
    return [(one.question_id, one.state) for one in conflicts.conflicts(ws)]


def only_adjudication(ws: Workspace, key: str) -> VerdictStatus | None:
    latest = adjudications.latest(ws, EVE.id, key)
    return latest.status if latest is not None else None


@pytest.mark.parametrize(
    ("ada", "bob", "differ"),
    [
        (RIGHT, WRONG, {ConflictBy.VERDICT, ConflictBy.LABEL}),
        (BORDERLINE, WRONG, {ConflictBy.VERDICT, ConflictBy.LABEL}),
        (RIGHT, BORDERLINE, {ConflictBy.LABEL}),
        (RIGHT, UNSURE, set()),
        (RIGHT, PUT_OFF, set()),
        (replace(RIGHT, score_0_7=7), replace(RIGHT, score_0_7=5), {ConflictBy.SCORE}),
        (replace(RIGHT, score_0_7=7), replace(RIGHT, score_0_7=6), set()),
        (replace(RIGHT, score_0_7=7), RIGHT, set()),
    ],
)
def test_what_two_people_differ_in(ws: Workspace, ada: VerdictForm, bob: VerdictForm, differ: set[ConflictBy]) -> None:
    key = disputed(ws, ada, bob)
    assert {by for by in ConflictBy if conflicts.conflicts(ws, by)} == differ
    if not differ:
        with pytest.raises(NotFoundError, match="No verdicts of two people disagree"):
            conflicts.of_candidate(ws, "q0", key)


def test_two_ids_of_one_person_are_no_conflict_nor_are_a_revision_and_a_retraction(ws: Workspace) -> None:
    key = disputed(ws)
    decisions.record(ws, BOB, key, RIGHT, based_on=1)
    assert not conflicts.conflicts(ws)
    decisions.record(ws, BOB, key, WRONG, based_on=2)
    assert conflicts.conflicts(ws)
    decisions.retract(ws, BOB, key)
    assert not conflicts.conflicts(ws)
    decisions.record(ws, BOB, key, WRONG, based_on=4)
    reviewers.save(ws, replace(BOB, linked=(ADA.id,)))
    assert not conflicts.conflicts(ws)


def test_open_ones_come_first_and_of_these_the_furthest_apart(ws: Workspace) -> None:
    disputed(ws, BORDERLINE, WRONG, "q1")
    disputed(ws, RIGHT, WRONG, "q2")
    disputed(ws, replace(RIGHT, score_0_7=7), replace(WRONG, score_0_7=1), "q3")
    settle(ws, disputed(ws))
    assert [name for name, _ in states(ws)] == ["q3", "q2", "q1", "q0"]
    (last,) = conflicts.conflicts(ws, subset=VerdictSubset(question_ids=frozenset({"q0"})))
    assert (last.called, last.state, last.labels_apart, last.readable) == ("c1", ConflictState.SETTLED, 2, True)


def test_an_adjudication_settles_until_a_verdict_is_revised_or_another_given(ws: Workspace) -> None:
    key = disputed(ws)
    settle(ws, key)
    assert states(ws) == [("q0", ConflictState.SETTLED)]
    decisions.record(ws, ADA, key, replace(RIGHT, rationale="Still."), based_on=1)
    assert states(ws) == [("q0", ConflictState.STALE)]
    settle(ws, key)
    assert states(ws) == [("q0", ConflictState.SETTLED)]
    reviewers.save(ws, replace(EVE, id="later", handle="later"))
    decisions.record(ws, replace(EVE, id="later", handle="later"), key, RIGHT, based_on=None)
    assert states(ws) == [("q0", ConflictState.STALE)]
    found = adjudications.latest(ws, EVE.id, key)
    assert found is not None
    assert (found.revision, len(found.record["settles"])) == (2, 2)


def test_a_settled_candidate_is_labelled_by_its_adjudication_and_counts_as_judged_twice(ws: Workspace) -> None:
    key = disputed(ws)
    settle(ws, key)
    assert [one.label for one in evaluation.opinions(ws)[key]] == [Label.INCORRECT]
    assert questions.get(ws, "q0").row.verdicts == 2
    decisions.record(ws, BOB, key, BORDERLINE, based_on=1)
    assert [one.label for one in evaluation.opinions(ws)[key]] == [Label.CORRECT, Label.CORRECT_BORDERLINE]


def test_one_of_the_two_may_settle_it_and_keeps_their_own_verdict_and_draft(ws: Workspace) -> None:
    key = disputed(ws)
    drafts.save(ws, ADA.id, key, replace(WRONG, rationale="mine"), based_on=0)
    drafts.save(ws, ADA.id, key, WRONG, based_on=0, role=VerdictRole.ADJUDICATION)
    settle(ws, key, by=ADA)
    own, adjudication = verdicts.latest(ws, ADA.id, key), adjudications.latest(ws, ADA.id, key)
    assert own is not None
    assert adjudication is not None
    assert (own.label, own.revision, adjudication.label) == (Label.CORRECT, 1, Label.INCORRECT)
    assert drafts.get(ws, ADA.id, key) is not None
    assert drafts.get(ws, ADA.id, key, role=VerdictRole.ADJUDICATION) is None
    decisions.record(ws, ADA, key, replace(RIGHT, score_0_7=7), based_on=1)
    assert adjudications.latest(ws, ADA.id, key) == adjudication


def test_undoing_taking_back_and_redoing(ws: Workspace) -> None:
    key = disputed(ws)
    settle(ws, key)
    settle(ws, key, BORDERLINE)
    assert decisions.undo(ws, EVE, "") is not None
    latest = adjudications.latest(ws, EVE.id, key)
    assert latest is not None
    assert latest.label is Label.INCORRECT
    draft = drafts.get(ws, EVE.id, key, role=VerdictRole.ADJUDICATION)
    assert draft is None  # what stood before stands again
    decisions.undo(ws, EVE, "")
    assert only_adjudication(ws, key) is VerdictStatus.RETRACTED
    assert states(ws) == [("q0", ConflictState.OPEN)]
    draft = drafts.get(ws, EVE.id, key, role=VerdictRole.ADJUDICATION)
    assert draft is not None
    assert drafts.get(ws, EVE.id, key) is None
    decisions.redo(ws, EVE, "")
    assert states(ws) == [("q0", ConflictState.SETTLED)]
    adjudications.retract(ws, EVE, key)
    assert states(ws) == [("q0", ConflictState.OPEN)]
    with pytest.raises(NotFoundError, match="has settled nothing"):
        adjudications.retract(ws, EVE, key)


def test_nothing_is_recorded_on_verdicts_that_moved_meanwhile(ws: Workspace) -> None:
    key = disputed(ws)
    seen = conflicts.of_candidate(ws, "q0", key).names
    decisions.record(ws, BOB, key, replace(WRONG, rationale="More."), based_on=1)
    with pytest.raises(VerdictMovedError, match="one of the verdicts was revised"):
        adjudications.settle(ws, EVE, key, RIGHT, seen)
    settle(ws, key)
    with pytest.raises(VerdictMovedError, match="the adjudication was revised"):
        adjudications.settle(ws, EVE, key, RIGHT, conflicts.of_candidate(ws, "q0", key).names, based_on=0)
    assert adjudications.latest(ws, EVE.id, key) is not None
    decisions.record(ws, BOB, key, RIGHT, based_on=2)
    with pytest.raises(NotFoundError, match="No verdicts of two people disagree"):
        adjudications.settle(ws, EVE, key, RIGHT, seen)


def test_what_waited_for_the_same_transaction_has_moved_verdicts_too(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = disputed(ws)
    seen = conflicts.of_candidate(ws, "q0", key).names
    write = ws.write

    def behind_another(job: Callable[[Connection], Any]) -> Any:
        def both(conn: Connection) -> Any:
            last = read_latest(conn, BOB.id, key)
            assert last is not None
            restate(conn, last, last, VerdictStatus.RETRACTED)
            return job(conn)

        return write(both)

    monkeypatch.setattr(ws, "write", behind_another)
    with pytest.raises(NotFoundError, match="No verdicts of two people disagree"):
        adjudications.settle(ws, EVE, key, RIGHT, seen)


def test_what_is_judged_blind_or_once_more_is_left_out_and_can_not_be_settled(ws: Workspace) -> None:
    key = disputed(ws)
    queue(ws, {EVE: plain([key])}, mode=QueueMode.BLIND)
    hidden = withheld(ws, EVE.id)
    assert conflicts.conflicts(ws)
    assert not conflicts.conflicts(ws, without=hidden)
    assert not conflicts.conflicts(ws, without=Withheld(reviewer_id=EVE.id, candidates=frozenset({key})))
    with pytest.raises(NotFoundError):
        settle(ws, key)
    blindness.reveal(ws, EVE.id, "q0")
    settle(ws, key)
    assert states(ws) == [("q0", ConflictState.SETTLED)]


@pytest.mark.parametrize("backwards", [False, True])
def test_rows_that_came_in_files_settle_in_any_order_also_without_the_text(
    ws: Workspace, tmp_path: Path, backwards: bool
) -> None:
    rows = far_off()

    def take_in(some: list[dict[str, Any]]) -> Conflict:
        file = tmp_path / "verdicts.jsonl"
        file.write_text("".join(f"{sealed(one)}\n" for one in some), encoding="utf-8")
        import_file(ws, file)
        (found,) = conflicts.conflicts(ws)
        return found

    if backwards:
        one = take_in(rows[::-1])
    else:
        assert take_in(rows[:4]).state is ConflictState.STALE
        one = take_in(rows[4:])
    assert (one.state, one.readable, one.title) == (ConflictState.SETTLED, False, rows[0]["question_title"])
    assert one.adjudication is not None
    assert (one.adjudication.label, one.adjudication.settles) == (Label.INCORRECT, ("ada#1", "bob#2"))
    with pytest.raises(NotFoundError, match="is not in this workspace"):
        adjudications.settle(ws, EVE, FAR, RIGHT, one.names)
