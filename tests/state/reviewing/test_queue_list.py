"""All queues as one reviewer sees them, and which of them Review opens with."""

from store import queues
from store.workspace import Workspace
from tests.engine.runs.scripted import QUESTION
from tests.state.reviewing.laid_out import add_problem, desk_of, make_queue
from uq_tui.state.reviewing import left_off
from uq_tui.state.reviewing.queue_list import QueueListState, to_go_on_with


async def test_queues_with_something_to_do_come_first_and_closed_ones_last(workspace: Workspace) -> None:
    desk = await desk_of(workspace)
    items = add_problem(workspace, QUESTION, "It is 1.", "It is 2.")
    closed, old, new = (make_queue(workspace, desk, items, name=name) for name in ("closed", "old", "new"))
    queues.close(workspace, closed.id)
    state = QueueListState(desk)
    await state.load()
    assert [(line.queue.name, line.closed) for line in state.lines] == [
        ("new", False),
        ("old", False),
        ("closed", True),
    ]
    assert [line.progress.total for line in state.lines] == [2, 2, 2]
    assert {line.pace for line in state.lines} == {None}
    assert {old.id, new.id} == {line.queue.id for line in state.lines[:2]}


async def test_review_opens_with_the_last_queue_while_it_has_something_to_do(workspace: Workspace) -> None:
    desk = await desk_of(workspace)
    queue = make_queue(workspace, desk, add_problem(workspace, QUESTION, "It is 1."))
    assert to_go_on_with(desk) == ""
    left_off.enter(workspace, desk.reviewer.id, queue.id)
    assert to_go_on_with(desk) == queue.id
    queues.close(workspace, queue.id)
    assert to_go_on_with(desk) == ""
    queues.reopen(workspace, queue.id)
    left_off.enter(workspace, desk.reviewer.id, "gone")
    assert to_go_on_with(desk) == ""


def test_a_place_is_kept_for_each_queue_and_reviewer(workspace: Workspace) -> None:
    left_off.keep(workspace, "ada", "q1", "i1")
    left_off.keep(workspace, "ada", "q2", "i2")
    left_off.keep(workspace, "ada", "q1", "i3")
    there = [("ada", "q1"), ("ada", "q2"), ("eve", "q1")]
    assert [left_off.last_item(workspace, *place) for place in there] == ["i3", "i2", ""]
