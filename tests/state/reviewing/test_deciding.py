"""Items decided by their candidate, as a command does."""

import pytest

from store import queues, reviewers
from store.review_rows import NewItem
from store.rows import VerdictForm
from store.workspace import Workspace
from tests.store.reviewing import ADA, BOB, RIGHT, WRONG, people, practice, problems
from uq_tui.errors import NotFoundError, UqError, VerdictFormError
from uq_tui.state.reviewing.deciding import decide
from uq_tui.words import ItemRole, ItemState, QueueMode


def test_the_first_undecided_item_is_decided_then_the_repeat_then_it_is_revised(workspace: Workspace) -> None:
    people(workspace)
    ((one, other),) = problems(workspace, 1)
    items = [NewItem("q0", one), NewItem("q0", other), NewItem("q0", one, ItemRole.REPEAT)]
    shares = {ADA.id: items, BOB.id: [practice("q0", one)]}
    queue = queues.make(workspace, name="q", mode=QueueMode.BLIND, spec={}, guideline="", shares=shares)
    given = [decide(workspace, queue, ADA, one, form).verdict for form in (RIGHT, WRONG, WRONG)]
    assert [(each.verdict_id == given[0].verdict_id, each.revision) for each in given] == [
        (True, 1),
        (False, 1),
        (True, 2),
    ]
    states = [item.state for item in queues.items(workspace, queue.id, ADA.id)]
    assert states == [ItemState.DECIDED, ItemState.OPEN, ItemState.DECIDED]
    for reviewer, candidate_id in ((BOB, one), (BOB, other), (ADA, "404")):
        with pytest.raises(NotFoundError):
            decide(workspace, queue, reviewer, candidate_id, RIGHT)
    queues.close(workspace, queue.id)
    with pytest.raises(UqError, match="closed"):
        decide(workspace, queue, ADA, other, RIGHT)


def test_what_the_queue_asks_for_is_asked_for(workspace: Workspace) -> None:
    reviewers.save(workspace, ADA)
    ((one,),) = problems(workspace, 1, answers=1)
    spec = {"rules": {"rationale": True, "confidence": True}}
    share = {ADA.id: [NewItem("q0", one)]}
    queue = queues.make(workspace, name="q", mode=QueueMode.OPEN, spec=spec, guideline="", shares=share)
    with pytest.raises(VerdictFormError) as caught:
        decide(workspace, queue, ADA, one, RIGHT)
    assert len(caught.value.problems) == 2
    whole = VerdictForm(label=RIGHT.label, rationale="So.", confidence=3)
    assert decide(workspace, queue, ADA, one, whole).item is not None
