"""Verdicts that come back decide the items they were given on, in any order, until they are taken back."""

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import permutations

import pytest

from store import blindness, decisions, queues
from store.frozen_rows import retracted, sealed
from store.identity import candidate_id
from store.merging import Incoming, merge
from store.review_rows import NewItem, Queue, QueueItem
from store.rows import VerdictForm
from store.sealed_kinds import VERDICT
from store.verdict_rows import next_revision, verdict_of
from store.workspace import Workspace
from tests.store.records.samples import ANSWER, QUESTION_ID, record
from tests.store.records.stock import put_candidate
from tests.store.reviewing import ADA, BOB, people, queue, share
from uq_tui.words import ItemRole, ItemState, Label, VerdictStatus


@pytest.fixture
def made(workspace: Workspace) -> Queue:
    """A blind queue with one answer for Ada, to be judged twice, and once for Bob."""
    people(workspace)
    key = put_candidate(workspace)
    own = [NewItem(QUESTION_ID, key), NewItem(QUESTION_ID, key, ItemRole.REPEAT)]
    return queue(workspace, {ADA: own, BOB: own[:1]})


def returned(made: Queue, key: str = "v", label: Label = Label.CORRECT, repeat_of: str = "", at: str = "1") -> str:
    """Ada's verdict, given in the queue on another machine."""
    row = record(label=label)
    changes = {
        "verdict_id": key,
        "reviewer": {**row["reviewer"], "id": ADA.id},
        "assignment": {**row["assignment"], "queue_id": made.id, "repeat_of": repeat_of},
        "created_at": f"2026-02-0{at}T00:00:00.000000Z",
    }
    return sealed({**row, **changes})


def taken_back(line: str) -> str:
    row = json.loads(line)
    revision = replace(next_revision(verdict_of(row), VerdictStatus.RETRACTED), created_at="2026-02-09T00:00:00Z")
    return sealed(retracted(row, revision))


def take(ws: Workspace, lines: Sequence[str]) -> None:
    for line in lines:
        ws.write(partial(merge, rows=[Incoming(VERDICT, json.loads(line), line)]))


def states(ws: Workspace, made: Queue) -> list[tuple[ItemState, str]]:
    return [(item.state, item.verdict_id) for item in share(ws, made)]


def test_a_returned_verdict_decides_its_item_and_no_other(workspace: Workspace, made: Queue) -> None:
    take(workspace, [returned(made)])
    assert states(workspace, made) == [(ItemState.DECIDED, "v"), (ItemState.OPEN, "")]
    (bobs,) = share(workspace, made, BOB)
    assert bobs.state is ItemState.OPEN


@pytest.mark.parametrize("queue_id", ["\ud83d", "\x00", "\x1b[2J", "no queue here"])
def test_a_queue_that_can_not_be_is_no_item_of_here(workspace: Workspace, made: Queue, queue_id: str) -> None:
    row = json.loads(returned(made))
    row["assignment"]["queue_id"] = queue_id
    take(workspace, [sealed(row)])
    assert states(workspace, made) == [(ItemState.OPEN, ""), (ItemState.OPEN, "")]


def test_a_repeat_decides_the_repeat_and_reveals_the_problem(workspace: Workspace, made: Queue) -> None:
    first, again = returned(made), returned(made, "w", repeat_of="v")
    for lines in permutations([first, again]):
        take(workspace, lines)
        assert states(workspace, made) == [(ItemState.DECIDED, "v"), (ItemState.DECIDED, "w")]
    assert not blindness.is_masked(workspace, ADA.id, QUESTION_ID)
    assert blindness.is_masked(workspace, BOB.id, QUESTION_ID)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_what_is_taken_back_opens_its_item_again_in_any_order(
    workspace: Workspace, made: Queue, order: Sequence[int]
) -> None:
    """Of two verdicts on one item the newer one decides, and the older one once that is taken back."""
    older, newer = returned(made), returned(made, "w", at="2")
    lines = [older, newer, taken_back(newer)]
    take(workspace, [lines[index] for index in order])
    assert states(workspace, made)[0] == (ItemState.DECIDED, "v")
    take(workspace, [taken_back(older)])
    assert states(workspace, made) == [(ItemState.OPEN, ""), (ItemState.OPEN, "")]


def test_rows_in_conflict_decide_nothing(workspace: Workspace, made: Queue) -> None:
    take(workspace, [returned(made)])
    take(workspace, [returned(made, label=Label.INCORRECT)])
    assert states(workspace, made)[0] == (ItemState.OPEN, "")


def test_a_verdict_of_no_queue_or_of_another_decides_nothing(workspace: Workspace, made: Queue) -> None:
    take(workspace, [returned(replace(made, id="another")), returned(replace(made, id=""), "w")])
    assert [state for state, _ in states(workspace, made)] == [ItemState.OPEN] * 2


def test_what_could_not_be_judged_is_skipped(workspace: Workspace, made: Queue) -> None:
    row = json.loads(returned(made))
    take(workspace, [sealed({**row, "label": "", "not_judged": "out_of_depth"})])
    assert states(workspace, made)[0] == (ItemState.SKIPPED, "v")


def test_a_revision_given_here_keeps_the_item_decided(workspace: Workspace, made: Queue) -> None:
    take(workspace, [returned(made)])
    key = candidate_id(QUESTION_ID, ANSWER)
    given = decisions.record(workspace, ADA, key, VerdictForm(label=Label.INCORRECT), based_on=1).verdict
    assert (given.verdict_id, given.revision) == ("v", 2)
    assert states(workspace, made)[0] == (ItemState.DECIDED, "v")
    decisions.retract(workspace, ADA, key)
    assert states(workspace, made)[0][0] is ItemState.OPEN


def test_an_item_that_was_decided_here_follows_the_newest_verdict(workspace: Workspace, made: Queue) -> None:
    first: QueueItem = share(workspace, made)[0]
    own = decisions.decide(workspace, ADA, first.id, VerdictForm(label=Label.INCORRECT)).verdict
    take(workspace, [returned(made)])
    assert queues.item(workspace, first.id).verdict_id == own.verdict_id
