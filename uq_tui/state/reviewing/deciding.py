"""Deciding an item of a queue by its candidate, without the screen of Review."""

from store import candidates, decisions, queues
from store.review_rows import Decision, Queue, QueueItem
from store.rows import Reviewer, VerdictForm
from store.workspace import Workspace
from uq_tui.errors import NotFoundError, VerdictFormError
from uq_tui.state.reviewing.completeness import missing
from uq_tui.state.reviewing.queue_spec import QueueSpec
from uq_tui.words import UNDECIDED, ItemRole


def decide(ws: Workspace, queue: Queue, reviewer: Reviewer, candidate_id: str, form: VerdictForm) -> Decision:
    """Record a verdict on the reviewer's item of a candidate: the first one that is undecided, else its revision.

    Raises:
        NotFoundError: there is no such candidate, or they haven't it to judge in this queue.
        VerdictFormError: something is missing that the queue asks for, or out of range.
        UqError: as `store.decisions.decide`.
    """
    item = _item(ws, queue, reviewer, candidate_id)
    if problems := missing(form, QueueSpec.of(queue.spec).rules):
        raise VerdictFormError(problems)
    return decisions.decide(ws, reviewer, item.id, form)


def _item(ws: Workspace, queue: Queue, reviewer: Reviewer, candidate_id: str) -> QueueItem:
    problem = queues.of_problem(ws, queue.id, reviewer.id, candidates.get(ws, candidate_id).question_id)
    own = [one for one in problem if one.candidate_id == candidate_id and one.role is not ItemRole.PRACTICE]
    if not own:
        raise NotFoundError(
            f"{reviewer.handle} hasn't candidate {candidate_id} to judge in the queue “{queue.name}”.",
            hint="Without --queue a verdict is given outside queues.",
        )
    return next((one for one in own if one.state in UNDECIDED), own[0])
