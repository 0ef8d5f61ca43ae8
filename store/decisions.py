"""Deciding, taking back, undoing and redoing: each one transaction with all that hangs on it.

A decision writes a verdict row on the item's candidate and one on each identical answer that is linked to it, logs the
steps, marks the items, and reveals the problem when its last item has fallen. What identical answers say goes along:
it is revised, taken back, undone and redone with the answer that was judged. `store.undoing` has undo and redo.
"""

from collections.abc import Iterable, Mapping

from sqlalchemy import Connection
from sqlmodel import col

from store import drafts, queues, steps
from store.decided_items import first_comes_first, followers, group, linked_to, settle, stands_alone
from store.review_rows import Decision, QueueItem
from store.rows import Reviewer, Verdict, VerdictForm
from store.same_words import taken_over
from store.tables import VerdictTable
from store.undoing import redo, undo
from store.verdict_record import Assignment
from store.verdict_rows import name_of, read_latest, read_newest, restate, revisions
from store.verdict_saving import Prepared, append, prepare
from store.workspace import Workspace
from uq_tui.errors import NotFoundError, UqError, VerdictMovedError
from uq_tui.words import ItemRole, QueueMode, VerdictRole, VerdictStatus

__all__ = ["decide", "history", "newest", "record", "redo", "retract", "undo"]


def decide(
    ws: Workspace, reviewer: Reviewer, item_id: str, form: VerdictForm, *, based_on: int | None = None
) -> Decision:
    """Record the verdict on an item, and on the identical answers that are linked to it; forget its draft.

    An item that is decided already gets a revision, without the linked ones that were revised by themselves since. A
    repeat gets a verdict of its own. `based_on` is as for `record`.

    Raises:
        VerdictFormError: something is missing or out of range.
        VerdictMovedError: the verdict has another newest revision than `based_on`.
        NotFoundError: there is no such item.
        UqError: it is another reviewer's, or for practice, or its queue is closed.
        StoreError: it could not be written. As with all of these, nothing was recorded, and the draft is there.
    """
    with ws.read() as conn:
        item = _require_own(conn, reviewer, item_id)
        linked = [each.candidate_id for each in linked_to(conn, item.id)]
        repeated = _links_of_first(conn, item)
    main = prepare(ws, item.candidate_id, form)
    along = _prepare_along(ws, main, [*linked, *repeated])

    def write(conn: Connection) -> Decision:
        item = first_comes_first(conn, _require_own(conn, reviewer, item_id))
        queue = queues.read_queue(conn, item.queue_id)
        is_repeat = item.role is ItemRole.REPEAT
        role = VerdictRole.REPEAT if is_repeat else VerdictRole.ORDINARY
        first = read_latest(conn, reviewer.id, item.candidate_id)
        before = read_newest(conn, item.verdict_id) if item.verdict_id or is_repeat else first
        _require_based_on(before, based_on)
        assignment = Assignment(
            queue.name,
            queue.id,
            assisted=queue.mode is QueueMode.ASSISTED,
            repeat_of=first.verdict_id if is_repeat and first is not None else "",
        )
        steps.drop_undone(conn, reviewer.id)
        drafts.recorded(conn, reviewer.id, item.candidate_id, form, role=role)
        verdict = append(conn, reviewer, main, before, assignment)
        seq = steps.add(conn, verdict, queue_id=queue.id, item_id=item.id)
        others = []
        for each in linked_to(conn, item.id):
            earlier = read_latest(conn, reviewer.id, each.candidate_id)
            if stands_alone(each, earlier, verdict.verdict_id):
                continue
            told = Assignment(queue.name, queue.id, assignment.assisted, linked_to=name_of(verdict))
            others.append(append(conn, reviewer, _of(along, each.candidate_id), earlier, told))
            steps.add(conn, others[-1], queue_id=queue.id, item_id=each.id, beside=seq)
        _, revealed = settle(conn, [verdict, *others])
        return Decision(verdict, tuple(others), queues.read_item(conn, item.id), revealed)

    return ws.write(write)


def record(
    ws: Workspace, reviewer: Reviewer, candidate_id: str, form: VerdictForm, *, based_on: int | None
) -> Decision:
    """Record a verdict outside queues, or a revision of one wherever it was given; forget the draft.

    Items stay as they are: one that is decided by this verdict is so still, and an undecided one still waits. What was
    given along with the verdict on identical answers is revised too.

    Args:
        ws: where to.
        reviewer: whose verdict it is.
        candidate_id: what it is on.
        form: what it says.
        based_on: number of the revision that the form started from, 0 for none; `None` not to check.

    Raises:
        VerdictFormError: something is missing or out of range.
        VerdictMovedError: the verdict has another newest revision than `based_on`.
        NotFoundError: there is no such candidate, or its text isn't here.
        UqError: it is the reference solution.
        StoreError: it could not be written. As with all of these, nothing was recorded, and the draft is there.
    """
    main = prepare(ws, candidate_id, form)
    with ws.read() as conn:
        standing = read_latest(conn, reviewer.id, candidate_id)
        theirs = followers(conn, standing) if standing is not None else ()
    along = _prepare_along(ws, main, [each.candidate_id for each in theirs])

    def write(conn: Connection) -> Decision:
        before = read_latest(conn, reviewer.id, candidate_id)
        _require_based_on(before, based_on)
        theirs = followers(conn, before) if before is not None else ()
        steps.drop_undone(conn, reviewer.id)
        drafts.recorded(conn, reviewer.id, candidate_id, form)
        verdict = append(conn, reviewer, main, before)
        seq = steps.add(conn, verdict)
        others = []
        for each in theirs:
            told = Assignment(linked_to=name_of(verdict))
            others.append(append(conn, reviewer, _of(along, each.candidate_id), each, told))
            steps.add(conn, others[-1], beside=seq)
        items, revealed = settle(conn, [verdict, *others])
        return Decision(verdict, tuple(others), _item_on(items, candidate_id), revealed)

    return ws.write(write)


def retract(ws: Workspace, reviewer: Reviewer, candidate_id: str) -> Decision:
    """Take back the reviewer's verdict on a candidate, and those on answers that a queue holds identical to it.

    The items that they decided open again.

    Raises:
        NotFoundError: they have no verdict on it that stands.
    """

    def write(conn: Connection) -> Decision:
        standing = read_latest(conn, reviewer.id, candidate_id)
        if standing is None or standing.status is VerdictStatus.RETRACTED:
            raise NotFoundError(f"{reviewer.handle} has no verdict on candidate {candidate_id} to retract.")
        theirs = group(conn, standing)
        steps.drop_undone(conn, reviewer.id)
        verdict = restate(conn, standing, standing, VerdictStatus.RETRACTED)
        seq = steps.add(conn, verdict)
        others = []
        for each in theirs:
            others.append(restate(conn, each, each, VerdictStatus.RETRACTED, name_of(verdict)))
            steps.add(conn, others[-1], beside=seq)
        items, revealed = settle(conn, [verdict, *others])
        return Decision(verdict, tuple(others), _item_on(items, candidate_id), revealed)

    return ws.write(write)


def history(ws: Workspace, reviewer_id: str, candidate_id: str) -> tuple[Verdict, ...]:
    """All revisions of the reviewer's verdicts on a candidate, repeats too, oldest first."""
    with ws.read() as conn:
        return revisions(
            conn,
            col(VerdictTable.reviewer_id) == reviewer_id,
            col(VerdictTable.candidate_id) == candidate_id,
        )


def newest(ws: Workspace, verdict_ids: Iterable[str]) -> dict[str, Verdict]:
    """The newest revisions of verdicts, by their ids; one that isn't here is left out."""
    with ws.read() as conn:
        found = {verdict_id: read_newest(conn, verdict_id) for verdict_id in verdict_ids}
    return {verdict_id: verdict for verdict_id, verdict in found.items() if verdict is not None}


def _require_own(conn: Connection, reviewer: Reviewer, item_id: str) -> QueueItem:
    item = queues.require_open(conn, item_id)
    if item.reviewer_id != reviewer.id:
        raise UqError("The item is in another reviewer's share.", hint="Choose that reviewer, or open your own share.")
    if item.role is ItemRole.PRACTICE:
        raise UqError("The item is for practice: it gets no verdict.")
    return item


def _links_of_first(conn: Connection, item: QueueItem) -> list[str]:
    """Candidates that go along with a repeat, should it turn out to be judged before its first judgement."""
    if item.role is not ItemRole.REPEAT:
        return []
    problem = queues.read_problem(conn, item.queue_id, item.reviewer_id, item.question_id)
    firsts = {each.id for each in problem if each.candidate_id == item.candidate_id}
    return [each.candidate_id for each in problem if each.linked_to in firsts]


def _prepare_along(ws: Workspace, main: Prepared, candidate_ids: Iterable[str]) -> dict[str, Prepared]:
    """The form as it is recorded on answers identical to the one it was written on."""
    along = {}
    for candidate_id in candidate_ids:
        first = prepare(ws, candidate_id, main.form)
        form = taken_over(main.form, main.candidate.answer.raw, first.candidate.answer.raw)
        along[candidate_id] = prepare(ws, candidate_id, form)
    return along


def _of(along: Mapping[str, Prepared], candidate_id: str) -> Prepared:
    if candidate_id not in along:
        raise VerdictMovedError(
            "Nothing was recorded: what the item is linked to was changed in another window.", hint="Try again."
        )
    return along[candidate_id]


def _require_based_on(before: Verdict | None, based_on: int | None) -> None:
    newest = before.revision if before is not None else 0
    if based_on is not None and based_on != newest:
        raise VerdictMovedError(
            "Nothing was recorded: the verdict was revised in another window, or is in a file that was imported.",
            hint="Read it, then record again to have yours follow it.",
            revision=newest,
        )


def _item_on(items: Iterable[QueueItem], candidate_id: str) -> QueueItem | None:
    return next((item for item in items if item.candidate_id == candidate_id), None)
