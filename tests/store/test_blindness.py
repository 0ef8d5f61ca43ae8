"""What is masked for whom."""

import pytest

from store import blindness, decisions, queues
from store.workspace import Workspace
from tests.store.reviewing import ADA, BOB, RIGHT, people, plain, problems, queue, share
from uq_tui.words import QueueMode, RevealReason


@pytest.fixture(autouse=True)
def _people(workspace: Workspace) -> None:
    people(workspace)


def test_a_question_is_masked_for_those_alone_who_have_it_to_judge(workspace: Workspace) -> None:
    keys = problems(workspace, 2)
    queue(workspace, {ADA: plain(keys[0])})
    assert blindness.is_masked(workspace, ADA.id, "q0")
    assert blindness.masked_questions(workspace, ADA.id) == {"q0"}
    assert not blindness.is_masked(workspace, ADA.id, "q1")
    assert blindness.masked_questions(workspace, BOB.id) == frozenset()


@pytest.mark.parametrize("mode", [QueueMode.ASSISTED, QueueMode.OPEN])
def test_only_blind_queues_mask(workspace: Workspace, mode: QueueMode) -> None:
    queue(workspace, {ADA: plain(*problems(workspace, 1))}, mode=mode)
    assert blindness.masked_questions(workspace, ADA.id) == frozenset()
    assert blindness.queues_of(workspace, ADA.id, "q0") == ()


def test_each_blind_queue_masks_for_itself(workspace: Workspace) -> None:
    keys = problems(workspace, 1, 1)
    one, two = (queue(workspace, {ADA: plain(*keys)}, name=name) for name in ("one", "two"))
    assert blindness.queues_of(workspace, ADA.id, "q0") == (one, two)
    decisions.decide(workspace, ADA, share(workspace, one)[0].id, RIGHT)
    assert blindness.queues_of(workspace, ADA.id, "q0") == (two,)
    queues.close(workspace, two.id)
    assert not blindness.is_masked(workspace, ADA.id, "q0")


def test_a_reveal_on_request_is_kept_and_is_of_all_queues_of_one_reviewer(workspace: Workspace) -> None:
    keys = problems(workspace, 2, 1)
    for name in ("one", "two"):
        queue(workspace, {ADA: plain(*keys), BOB: plain(*keys)}, name=name)
    assert blindness.reveal(workspace, ADA.id, "q0")
    assert blindness.masked_questions(workspace, ADA.id) == {"q1"}
    assert blindness.masked_questions(workspace, BOB.id) == {"q0", "q1"}
    with workspace.read() as conn:
        kept = conn.exec_driver_sql("SELECT reviewer_id, question_id, reason FROM reveal").all()
    assert kept == [(ADA.id, "q0", RevealReason.REQUESTED)] * 2
    assert not blindness.reveal(workspace, ADA.id, "q0")


def test_the_masked_order_tells_nothing_and_never_changes(workspace: Workspace) -> None:
    keys = [f"{number:064x}" for number in range(40)]
    order = blindness.masked_order(workspace, "q0", keys)
    assert sorted(order) == keys
    assert list(order) != keys
    assert blindness.masked_order(workspace, "q0", list(reversed(keys))) == order
    assert blindness.masked_order(workspace, "q0", keys[:20]) == tuple(key for key in order if key in set(keys[:20]))
    assert blindness.masked_order(workspace, "q1", keys) != order
