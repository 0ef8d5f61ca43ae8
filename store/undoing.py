"""Undo and redo of recorded revisions, also after a restart: each is a revision more, and none is ever removed."""

from dataclasses import replace

from sqlalchemy import Connection

from store import drafts, queues, steps
from store.decided_items import settle
from store.review_rows import Decision
from store.rows import Reviewer, Verdict, VerdictForm
from store.steps import Step
from store.verdict_form import form_of
from store.verdict_rows import name_of, number_in, read_newest, read_revision, restate, role_of
from store.workspace import Workspace
from uq_tui.errors import StoreError, UqError, VerdictMovedError
from uq_tui.words import UNDECIDED, VerdictStatus


def undo(ws: Workspace, reviewer: Reviewer, queue_id: str | None, *, shown: str = "") -> Decision | None:
    """Take back the reviewer's last step that stands: the content before it is recorded anew, or a retraction.

    Items that it decided open again, and what it said is their draft unless there is a newer one.

    Args:
        ws: where.
        reviewer: whose step.
        queue_id: the queue whose last step is meant, "" for verdicts outside queues, `None` for the last of all.
        shown: `verdict_id#revision` that the reviewer was told would be taken back; "" not to check.

    Returns:
        What came of it; `None` when nothing is left to undo.

    Raises:
        VerdictMovedError: another step than `shown` is the last by now, or other revisions followed on this one.
        UqError: the queue is closed.
    """

    def write(conn: Connection) -> Decision | None:
        step = steps.last_standing(conn, reviewer.id, queue_id)
        if step is None:
            return None
        if shown not in ("", step.name):
            raise VerdictMovedError(
                "Nothing was undone: something else was recorded since, in another window.",
                hint="Undo again to take that back.",
                revision=step.revision,
            )
        _require_queue_open(conn, step)
        beside = steps.beside(conn, step)
        taken_back = _revision(conn, step)
        verdict = _undo(conn, step)
        others = tuple(_undo(conn, each, name_of(verdict)) for each in beside)
        items, revealed = settle(conn, [verdict, *others])
        waits = verdict.status is VerdictStatus.RETRACTED or any(item.state in UNDECIDED for item in items)
        if waits and taken_back.status is VerdictStatus.SUBMITTED:
            _keep_as_draft(conn, taken_back)
        item = queues.read_item(conn, step.item_id) if step.item_id else next(iter(items), None)
        return Decision(verdict, others, item, revealed)

    return ws.write(write)


def redo(ws: Workspace, reviewer: Reviewer, queue_id: str | None) -> Decision | None:
    """Record again what was undone last. `queue_id` is as for `undo`; `None` when nothing is left to redo.

    Raises:
        VerdictMovedError: other revisions of the verdict were made since.
        UqError: the queue is closed.
    """

    def write(conn: Connection) -> Decision | None:
        step = steps.first_undone(conn, reviewer.id, queue_id)
        if step is None:
            return None
        _require_queue_open(conn, step)
        beside = steps.beside(conn, step)
        content = _revision(conn, step)
        verdict = _redo(conn, step)
        others = tuple(_redo(conn, each, name_of(verdict)) for each in beside)
        items, revealed = settle(conn, [verdict, *others])
        _forget_draft(conn, content)
        item = queues.read_item(conn, step.item_id) if step.item_id else next(iter(items), None)
        return Decision(verdict, others, item, revealed)

    return ws.write(write)


def _undo(conn: Connection, step: Step, linked_to: str = "") -> Verdict:
    newest = _require_newest(conn, step)
    taken_back = _revision(conn, step)
    before = read_revision(conn, step.verdict_id, number_in(taken_back.record["supersedes"]))
    if before is None:
        by = restate(conn, newest, newest, VerdictStatus.RETRACTED, linked_to)
    else:
        by = restate(conn, newest, before, before.status, linked_to)
    steps.undone(conn, step, by)
    return by


def _redo(conn: Connection, step: Step, linked_to: str = "") -> Verdict:
    newest = _require_newest(conn, step)
    content = _revision(conn, step)
    by = restate(conn, newest, content, content.status, linked_to)
    steps.redone(conn, step, by)
    return by


def _require_newest(conn: Connection, step: Step) -> Verdict:
    newest = read_newest(conn, step.verdict_id)
    if newest is None:
        raise _gone(step.name)
    steps.require_newest(conn, step, newest.revision)
    return newest


def _revision(conn: Connection, step: Step) -> Verdict:
    found = read_revision(conn, step.verdict_id, step.revision)
    if found is None:
        raise _gone(step.name)
    return found


def _gone(name: str) -> StoreError:
    return StoreError(f"The verdict {name} is missing in the workspace.", hint="Restore the workspace from a backup.")


def _require_queue_open(conn: Connection, step: Step) -> None:
    if not step.queue_id:
        return
    queue = queues.read_queue(conn, step.queue_id)
    if queue.closed_at is not None:
        raise UqError(f"Nothing was changed: the queue “{queue.name}” is closed.", hint="Reopen it to go on.")


def _keep_as_draft(conn: Connection, taken_back: Verdict) -> None:
    this = taken_back.reviewer_id, taken_back.candidate_id
    role = role_of(taken_back.record)
    if drafts.read(conn, *this, role=role) is None:
        drafts.put(conn, *this, _entered(taken_back), role=role)


def _forget_draft(conn: Connection, content: Verdict) -> None:
    """The draft that undoing has left, unless it was changed since."""
    this = content.reviewer_id, content.candidate_id
    role = role_of(content.record)
    draft = drafts.read(conn, *this, role=role)
    if draft is not None and drafts.words(draft.form) == drafts.words(form_of(content.record)):
        drafts.forget(conn, *this, role=role)


def _entered(verdict: Verdict) -> VerdictForm:
    """The form a verdict was made from, the time it took included."""
    record = verdict.record
    form = form_of(record)
    return replace(form, seconds_active=record["seconds_active"], seconds_total=record["seconds_total"])
