"""The steps of reviewers: each revision they recorded in this workspace, in order, so that it can be undone and redone.

All of it is within a transaction of `store.decisions`. A revision that redoing a step records takes the place of the
step's first one; the one that undid it is named with it. So the newest revision of a verdict is always one that its
steps know, unless it came from elsewhere.
"""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, bindparam, insert, select, update
from sqlmodel import col

from store.identity import now
from store.review_tables import StepTable
from store.rows import Verdict
from store.tables import VerdictTable
from store.verdict_rows import name_of, number_in
from uq_tui.errors import VerdictMovedError
from uq_tui.words import StepState, VerdictStatus


@dataclass(frozen=True, slots=True)
class Step:
    """One recorded revision."""

    seq: int
    queue_id: str
    item_id: str
    """Both empty outside queues."""
    verdict_id: str
    revision: int
    state: StepState
    undone_by: int
    """Number of the revision that took it back last, 0 when none did."""
    beside: int | None

    @property
    def name(self) -> str:
        """The revision that stands for it, as rows name it."""
        return f"{self.verdict_id}#{self.revision}"


# Built once: building a statement takes longer than running it.
_DROP = (
    update(StepTable)
    .where(col(StepTable.reviewer_id) == bindparam("reviewer"), col(StepTable.state) == StepState.UNDONE.value)
    .values(state=StepState.DROPPED.value)
)
_OF_REVIEWER = select(StepTable).where(
    col(StepTable.reviewer_id) == bindparam("reviewer"),
    col(StepTable.state) == bindparam("state"),
    col(StepTable.beside).is_(None),
)
_ADD = insert(StepTable).returning(col(StepTable.seq))
_IN_QUEUE = _OF_REVIEWER.where(col(StepTable.queue_id) == bindparam("queue"))
_BESIDE = select(StepTable).where(col(StepTable.beside) == bindparam("main")).order_by(col(StepTable.seq))
_OF_VERDICT = select(StepTable).where(col(StepTable.verdict_id) == bindparam("verdict")).order_by(col(StepTable.seq))
_REPLAYED = (
    select(col(StepTable.item_id), col(VerdictTable.status))
    .join(
        VerdictTable,
        (col(VerdictTable.verdict_id) == col(StepTable.verdict_id))
        & (col(VerdictTable.revision) == col(StepTable.revision)),
    )
    .where(col(StepTable.verdict_id) == bindparam("verdict"), col(StepTable.state) == StepState.STANDING.value)
    .order_by(col(StepTable.seq))
)


def drop_undone(conn: Connection, reviewer_id: str) -> None:
    """Something new is recorded: what was undone can't be redone any more."""
    conn.execute(_DROP, {"reviewer": reviewer_id})


def add(conn: Connection, verdict: Verdict, *, queue_id: str = "", item_id: str = "", beside: int | None = None) -> int:
    """Log a revision that was just recorded; its number among the steps."""
    row = {
        "reviewer_id": verdict.reviewer_id,
        "queue_id": queue_id,
        "item_id": item_id,
        "verdict_id": verdict.verdict_id,
        "revision": verdict.revision,
        "at": now(),
        "state": StepState.STANDING.value,
        "undone_by": "",
        "beside": beside,
    }
    (seq,) = conn.execute(_ADD, row).one()
    return int(seq)


def last_standing(conn: Connection, reviewer_id: str, queue_id: str | None) -> Step | None:
    """What undoing takes back next: in one queue, outside queues (""), or wherever it was (`None`)."""
    return _one(conn, reviewer_id, queue_id, StepState.STANDING, newest=True)


def first_undone(conn: Connection, reviewer_id: str, queue_id: str | None) -> Step | None:
    """What redoing records next."""
    return _one(conn, reviewer_id, queue_id, StepState.UNDONE, newest=False)


def _one(conn: Connection, reviewer_id: str, queue_id: str | None, state: StepState, *, newest: bool) -> Step | None:
    query = _OF_REVIEWER if queue_id is None else _IN_QUEUE
    this = {"reviewer": reviewer_id, "state": state.value}
    if queue_id is not None:
        this["queue"] = queue_id
    seq = col(StepTable.seq)
    row = conn.execute(query.order_by(seq.desc() if newest else seq).limit(1), this).one_or_none()
    return None if row is None else _step(row)


def beside(conn: Connection, step: Step) -> tuple[Step, ...]:
    """The steps that were taken with one, and are in the same state."""
    found = (_step(row) for row in conn.execute(_BESIDE, {"main": step.seq}))
    return tuple(each for each in found if each.state is step.state)


def require_newest(conn: Connection, step: Step, newest: int) -> None:
    """Make sure that a step can be undone, or redone, upon the verdict's revision `newest`.

    Raises:
        VerdictMovedError: other revisions have come in between.
    """
    of_verdict = [_step(row) for row in conn.execute(_OF_VERDICT, {"verdict": step.verdict_id})]
    known = max(max(each.revision, each.undone_by) for each in of_verdict)
    if newest > known:
        raise VerdictMovedError(
            f"Nothing was changed: the verdict has revision {newest} by now, from another file or window.",
            hint="Read it in the verdict's history, and revise it in the form.",
            revision=newest,
        )
    if step.state is StepState.STANDING:
        between = [each for each in of_verdict if each.seq > step.seq and each.state is StepState.STANDING]
    else:
        between = [each for each in of_verdict if each.seq < step.seq and each.state is StepState.UNDONE]
    if between:
        raise VerdictMovedError(
            "Nothing was changed: the same verdict was revised elsewhere, in another queue, window or place.",
            hint="Undo or redo there first, or revise it in the form.",
            revision=newest,
        )


def undone(conn: Connection, step: Step, by: Verdict) -> None:
    """Note that a revision has taken the step back."""
    _set(conn, step, state=StepState.UNDONE.value, undone_by=name_of(by))


def redone(conn: Connection, step: Step, by: Verdict) -> None:
    """Note that a revision has recorded the step again, and stands for it now."""
    _set(conn, step, state=StepState.STANDING.value, revision=by.revision)


def _set(conn: Connection, step: Step, **values: Any) -> None:
    conn.execute(update(StepTable).where(col(StepTable.seq) == step.seq).values(**values))


def decided_items(conn: Connection, verdict_id: str) -> frozenset[str]:
    """Items that the standing steps of a verdict have decided, and none after that has taken back."""
    decided: set[str] = set()
    for item_id, status in conn.execute(_REPLAYED, {"verdict": verdict_id}):
        if status == VerdictStatus.RETRACTED:
            decided.clear()
        elif item_id:
            decided.add(item_id)
    return frozenset(decided)


def _step(row: Row[Any]) -> Step:
    return Step(
        seq=row.seq,
        queue_id=row.queue_id,
        item_id=row.item_id,
        verdict_id=row.verdict_id,
        revision=row.revision,
        state=StepState(row.state),
        undone_by=number_in(row.undone_by),
        beside=row.beside,
    )
