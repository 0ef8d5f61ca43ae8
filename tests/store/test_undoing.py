"""Undo and redo: what is recorded, what comes back, and when they are refused."""

import json
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from store import blindness, decisions, drafts, queues, verdicts
from store.frozen_rows import sealed
from store.intake import Taken
from store.merging import put_record
from store.review_rows import Decision, QueueItem
from store.verdict_rows import append_line
from store.workspace import Workspace
from tests.store.reviewing import ADA, BOB, RIGHT, WRONG, people, plain, problems, queue, share
from uq_tui.errors import VerdictMovedError
from uq_tui.words import ItemState, Label, VerdictStatus


@pytest.fixture(autouse=True)
def _people(workspace: Workspace) -> None:
    people(workspace)


def one_item(ws: Workspace) -> tuple[str, QueueItem]:
    """A queue with one item in it, and the item."""
    made = queue(ws, {ADA: plain(*problems(ws, 1, 1))})
    return made.id, share(ws, made)[0]


def told(found: Decision | None) -> tuple[int, str, str]:
    """Revision, status and label of what was recorded."""
    assert found is not None
    return found.verdict.revision, found.verdict.status.value, found.verdict.label or ""


def test_undoing_the_first_verdict_retracts_it_and_opens_the_item(workspace: Workspace) -> None:
    made, item = one_item(workspace)
    saved = decisions.decide(workspace, ADA, item.id, replace(WRONG, rationale="Because.", seconds_active=3.0))
    undone = decisions.undo(workspace, ADA, made, shown=f"{saved.verdict.verdict_id}#1")
    assert told(undone) == (2, "retracted", "incorrect")
    assert undone is not None
    assert undone.item is not None
    assert (undone.item.id, undone.item.state, undone.item.decided_at) == (item.id, ItemState.OPEN, None)
    draft = drafts.get(workspace, ADA.id, item.candidate_id)
    assert draft is not None
    assert draft.form == replace(WRONG, rationale="Because.", seconds_active=3.0)
    assert decisions.undo(workspace, ADA, made) is None


def test_redoing_records_it_again_and_forgets_the_draft_of_the_undoing(workspace: Workspace) -> None:
    made, item = one_item(workspace)
    saved = decisions.decide(workspace, ADA, item.id, WRONG)
    decisions.undo(workspace, ADA, made)
    redone = decisions.redo(workspace, ADA, made)
    assert told(redone) == (3, "submitted", "incorrect")
    assert redone is not None
    assert redone.revealed
    assert redone.verdict.record["assignment"] == saved.verdict.record["assignment"]
    assert queues.item(workspace, item.id).state is ItemState.DECIDED
    assert drafts.get(workspace, ADA.id, item.candidate_id) is None
    assert decisions.redo(workspace, ADA, made) is None
    assert told(decisions.undo(workspace, ADA, made)) == (4, "retracted", "incorrect")


def test_a_draft_that_went_on_after_undoing_is_kept(workspace: Workspace) -> None:
    made, item = one_item(workspace)
    decisions.decide(workspace, ADA, item.id, WRONG)
    drafts.save(workspace, ADA.id, item.candidate_id, replace(RIGHT, rationale="mine"), based_on=0)
    decisions.undo(workspace, ADA, made)
    decisions.redo(workspace, ADA, made)
    kept = drafts.get(workspace, ADA.id, item.candidate_id)
    assert kept is not None
    assert kept.form.rationale == "mine"


def test_undoing_a_revision_brings_back_what_stood_before(workspace: Workspace) -> None:
    made, item = one_item(workspace)
    decisions.decide(workspace, ADA, item.id, WRONG)
    decisions.decide(workspace, ADA, item.id, RIGHT)
    assert told(decisions.undo(workspace, ADA, made)) == (3, "submitted", "incorrect")
    assert queues.item(workspace, item.id).state is ItemState.DECIDED
    assert drafts.get(workspace, ADA.id, item.candidate_id) is None
    assert told(decisions.redo(workspace, ADA, made)) == (4, "submitted", "correct")
    assert told(decisions.undo(workspace, ADA, made)) == (5, "submitted", "incorrect")
    assert told(decisions.undo(workspace, ADA, made)) == (6, "retracted", "incorrect")
    assert [told(decisions.redo(workspace, ADA, made)) for _ in range(2)] == [
        (7, "submitted", "incorrect"),
        (8, "submitted", "correct"),
    ]
    rows = decisions.history(workspace, ADA.id, item.candidate_id)
    assert [row.revision for row in rows] == list(range(1, 9))
    assert [row.record["supersedes"].rpartition("#")[2] for row in rows] == ["", *"1234567"]


def test_undoing_a_retraction_gives_the_verdict_and_its_item_back(workspace: Workspace) -> None:
    _, item = one_item(workspace)
    decisions.decide(workspace, ADA, item.id, WRONG)
    decisions.retract(workspace, ADA, item.candidate_id)
    assert queues.item(workspace, item.id).state is ItemState.OPEN
    back = decisions.undo(workspace, ADA, "")
    assert told(back) == (3, "submitted", "incorrect")
    assert queues.item(workspace, item.id).state is ItemState.DECIDED
    assert told(decisions.redo(workspace, ADA, "")) == (4, "retracted", "incorrect")
    assert queues.item(workspace, item.id).state is ItemState.OPEN
    assert drafts.get(workspace, ADA.id, item.candidate_id) is None


def test_each_queue_is_undone_for_itself_or_all_in_one(workspace: Workspace) -> None:
    keys = problems(workspace, 2, 1)
    one, two = (queue(workspace, {ADA: plain(*keys)}, name=name) for name in ("one", "two"))
    first, second = share(workspace, one)[0], share(workspace, two)[1]
    decisions.decide(workspace, ADA, first.id, WRONG)
    decisions.decide(workspace, ADA, second.id, RIGHT)
    assert decisions.undo(workspace, ADA, "") is None
    assert decisions.undo(workspace, BOB, None) is None
    assert told(decisions.undo(workspace, ADA, one.id)) == (2, "retracted", "incorrect")
    assert decisions.redo(workspace, ADA, two.id) is None
    assert told(decisions.undo(workspace, ADA, None)) == (2, "retracted", "correct")
    assert told(decisions.redo(workspace, ADA, None)) == (3, "submitted", "incorrect")
    assert told(decisions.redo(workspace, ADA, two.id)) == (3, "submitted", "correct")


def test_a_new_verdict_drops_what_could_be_redone(workspace: Workspace) -> None:
    made = queue(workspace, {ADA: plain(*problems(workspace, 2, 1))})
    first, second = share(workspace, made)
    decisions.decide(workspace, ADA, first.id, WRONG)
    decisions.undo(workspace, ADA, made.id)
    decisions.decide(workspace, ADA, second.id, RIGHT)
    assert decisions.redo(workspace, ADA, made.id) is None
    decisions.undo(workspace, ADA, made.id)
    assert told(decisions.redo(workspace, ADA, made.id)) == (3, "submitted", "correct")


def test_undo_and_redo_go_on_over_a_restart(workspace: Workspace) -> None:
    made, item = one_item(workspace)
    decisions.decide(workspace, ADA, item.id, WRONG)
    decisions.decide(workspace, ADA, item.id, RIGHT)
    workspace.close()
    with closing(Workspace.open(workspace.path)) as again:
        assert told(decisions.undo(again, ADA, made)) == (3, "submitted", "incorrect")
    with closing(Workspace.open(workspace.path)) as again:
        assert told(decisions.redo(again, ADA, made)) == (4, "submitted", "correct")
        assert told(decisions.undo(again, ADA, made)) == (5, "submitted", "incorrect")


# Others have been at work.


def test_what_another_window_recorded_is_not_undone_unawares(workspace: Workspace) -> None:
    made, item = one_item(workspace)
    saved = decisions.decide(workspace, ADA, item.id, WRONG)
    decisions.decide(workspace, ADA, item.id, RIGHT)
    with pytest.raises(VerdictMovedError, match="another window"):
        decisions.undo(workspace, ADA, made, shown=f"{saved.verdict.verdict_id}#1")
    assert told(decisions.undo(workspace, ADA, made)) == (3, "submitted", "incorrect")


def test_what_was_revised_elsewhere_is_not_undone(workspace: Workspace) -> None:
    made, item = one_item(workspace)
    decisions.decide(workspace, ADA, item.id, WRONG)
    decisions.record(workspace, ADA, item.candidate_id, RIGHT, based_on=1)
    with pytest.raises(VerdictMovedError, match="revised elsewhere") as caught:
        decisions.undo(workspace, ADA, made)
    assert (caught.value.revision, bool(caught.value.hint)) == (2, True)
    standing = verdicts.latest(workspace, ADA.id, item.candidate_id)
    assert standing is not None
    assert (standing.revision, standing.label) == (2, Label.CORRECT)
    assert queues.item(workspace, item.id).state is ItemState.DECIDED
    decisions.undo(workspace, ADA, None)
    assert told(decisions.undo(workspace, ADA, made)) == (4, "retracted", "incorrect")


@pytest.mark.parametrize("undone", [False, True])
def test_what_a_file_has_revised_is_neither_undone_nor_redone(workspace: Workspace, undone: bool) -> None:
    made, item = one_item(workspace)
    saved = decisions.decide(workspace, ADA, item.id, WRONG)
    if undone:
        decisions.undo(workspace, ADA, made)
    row: dict[str, Any] = {**saved.verdict.record, "revision": 7, "label": "unsure"}
    workspace.write(lambda conn: append_line(conn, sealed(row)))
    before = list(verdicts.records(workspace))
    with pytest.raises(VerdictMovedError, match="revision 7"):
        (decisions.redo if undone else decisions.undo)(workspace, ADA, made)
    assert list(verdicts.records(workspace)) == before
    revised = decisions.decide(workspace, ADA, item.id, RIGHT)
    assert revised.verdict.revision == 8
    assert told(decisions.undo(workspace, ADA, made)) == (9, "submitted", "unsure")


def test_redoing_waits_for_what_is_to_be_redone_before(workspace: Workspace) -> None:
    keys = problems(workspace, 1, 1)
    one, two = (queue(workspace, {ADA: plain(*keys)}, name=name) for name in ("one", "two"))
    for made, form in ((one, WRONG), (two, RIGHT)):
        decisions.decide(workspace, ADA, share(workspace, made)[0].id, form)
    with pytest.raises(VerdictMovedError):
        decisions.undo(workspace, ADA, one.id)
    for made in (two, one):
        decisions.undo(workspace, ADA, made.id)
    with pytest.raises(VerdictMovedError):
        decisions.redo(workspace, ADA, two.id)
    for made in (one, two):
        decisions.redo(workspace, ADA, made.id)
    standing = verdicts.latest(workspace, ADA.id, keys[0][0])
    assert standing is not None
    assert (standing.label, standing.status) == (Label.CORRECT, VerdictStatus.SUBMITTED)
    assert [share(workspace, made)[0].state for made in (one, two)] == [ItemState.DECIDED] * 2


def test_a_verdict_in_two_queues_undone_in_one_stays_decided_in_the_other(workspace: Workspace) -> None:
    keys = problems(workspace, 1, 1)
    one, two = (queue(workspace, {ADA: plain(*keys)}, name=name) for name in ("one", "two"))
    decisions.decide(workspace, ADA, share(workspace, one)[0].id, WRONG)
    decisions.decide(workspace, ADA, share(workspace, two)[0].id, RIGHT)
    decisions.undo(workspace, ADA, two.id)
    assert [share(workspace, made)[0].state for made in (one, two)] == [ItemState.DECIDED, ItemState.OPEN]
    draft = drafts.get(workspace, ADA.id, keys[0][0])
    assert draft is not None
    assert draft.form.label is Label.CORRECT


def test_a_retraction_that_comes_in_a_file_opens_the_item(workspace: Workspace) -> None:
    made, item = one_item(workspace)
    saved = decisions.decide(workspace, ADA, item.id, WRONG)
    row: dict[str, Any] = {**saved.verdict.record, "revision": 2, "status": "retracted"}
    record = json.loads(sealed(row))
    assert workspace.write(lambda conn: put_record(conn, record)) is Taken.NEW
    assert queues.item(workspace, item.id).state is ItemState.OPEN
    assert blindness.is_masked(workspace, ADA.id, "q0")
    with pytest.raises(VerdictMovedError):
        decisions.undo(workspace, ADA, made)
    assert decisions.decide(workspace, ADA, item.id, RIGHT).verdict.revision == 3
