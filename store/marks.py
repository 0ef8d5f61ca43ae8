"""What runs are sending and what it has used: a call is marked before it is sent, and its mark taken back at its end.

Use is counted in the transaction that takes the mark back, so a kill at any moment leaves a mark, which says what the
call could use at most, or the true count. Marks that are left when a run is resumed were in flight when it stopped.
"""

from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass

from sqlalchemy import Connection, Delete, Update, bindparam, delete, func, select, update
from sqlalchemy.dialects.sqlite import insert
from sqlmodel import col

from store import calls
from store.identity import now
from store.run_rows import Call
from store.run_tables import RunCallTable, RunTable
from store.workspace import Workspace
from uq_tui.errors import NotFoundError
from uq_tui.words import CallErrorKind


@dataclass(frozen=True, slots=True)
class Used:
    """US dollars (0 where the price is unknown) and tokens, of calls of unknown use the most they could."""

    usd: float
    tokens: int

    def __add__(self, other: "Used") -> "Used":
        return Used(self.usd + other.usd, self.tokens + other.tokens)


NOTHING = Used(0.0, 0)


@dataclass(frozen=True, slots=True)
class Mark:
    """A run is about to send a request for a call.

    `most` is what the request can use; `used` is what earlier requests for the call have used and is not counted yet.
    """

    run_id: str
    call_key: str
    most: Used = NOTHING
    used: Used = NOTHING


@dataclass(frozen=True, slots=True)
class End:
    """A run sends no more requests for a call.

    `used` is what its requests have used and is not counted yet; `call` is what to keep of them, if anything.
    """

    run_id: str
    call_key: str
    used: Used = NOTHING
    call: Call | None = None


def put(ws: Workspace, notes: Sequence[Mark | End]) -> None:
    """Note marks and ends, all or none; marks come first.

    A mark replaces the run's earlier one of the same call. An end takes it back, except when its call was cut off
    because its runs have stopped: then they will ask it again.
    """
    ws.write(lambda conn: _put(conn, notes))


def put_soon(ws: Workspace, notes: Sequence[Mark | End]) -> Future[None]:
    """Like `put`, without waiting: the future is done once they are stored."""
    return ws.submit(lambda conn: _put(conn, notes))


def _put(conn: Connection, notes: Sequence[Mark | End]) -> None:
    marks = [note for note in notes if isinstance(note, Mark)]
    ends = [note for note in notes if isinstance(note, End)]
    if marks:
        at = now()
        conn.execute(_MARK, [_values(mark, at) for mark in marks])
    if ends:
        calls.put(conn, [end.call for end in ends if end.call is not None])
        _execute(conn, _KEEP, [end for end in ends if _cut_off(end)])
        _execute(conn, _TAKE_BACK, [end for end in ends if not _cut_off(end)])
    _count(conn, notes)


def _cut_off(end: End) -> bool:
    return end.call is not None and end.call.error_kind is CallErrorKind.CANCELLED


def _execute(conn: Connection, statement: Update | Delete, ends: Sequence[End]) -> None:
    if ends:
        conn.execute(statement, [{"its_run": end.run_id, "its_call": end.call_key} for end in ends])


def _count(conn: Connection, notes: Iterable[Mark | End]) -> None:
    used: dict[str, Used] = {}
    for note in notes:
        if note.used != NOTHING:
            used[note.run_id] = used.get(note.run_id, NOTHING) + note.used
    if used:
        conn.execute(
            _HOLD, [{"its_run": run_id, "more_usd": use.usd, "more_tokens": use.tokens} for run_id, use in used.items()]
        )


def count_left(ws: Workspace, run_id: str) -> int:
    """How many calls the run had in flight when it stopped, and must ask again. Raises NotFoundError.

    To be called once when a run resumes: the number is added to the run's `repeated`, what the calls could use to what
    counts against its budget, and the marks are removed, so that the next interruption counts its own.
    """

    def count(conn: Connection) -> int:
        own = col(RunCallTable.run_id) == run_id
        sums = (func.sum(col(RunCallTable.most_usd)), func.sum(col(RunCallTable.most_tokens)))
        left, usd, tokens = conn.execute(select(func.count(), *sums).where(own)).one()
        conn.execute(delete(RunCallTable).where(own))
        changed = conn.execute(
            update(RunTable)
            .where(col(RunTable.id) == run_id)
            .values(
                repeated=col(RunTable.repeated) + left,
                held_usd=col(RunTable.held_usd) + (usd or 0.0),
                held_tokens=col(RunTable.held_tokens) + (tokens or 0),
            )
        )
        if changed.rowcount != 1:
            raise NotFoundError(f"There is no run {run_id} in this workspace.", hint="`uq-tui runs` lists them.")
        return int(left)

    return ws.write(count)


def used(ws: Workspace, run_id: str) -> Used:
    """What counts against the run's budget, marks apart: all that its requests have used."""
    held = select(col(RunTable.held_usd), col(RunTable.held_tokens)).where(col(RunTable.id) == run_id)
    with ws.read() as conn:
        usd, tokens = conn.execute(held).one()
    return Used(usd, tokens)


def _values(mark: Mark, at: str) -> dict[str, object]:
    return {
        "run_id": mark.run_id,
        "call_key": mark.call_key,
        "asked_at": at,
        "most_usd": mark.most.usd,
        "most_tokens": mark.most.tokens,
    }


# Made once: putting a statement together takes longer than running it.
_NEW = insert(RunCallTable)
_MARK = _NEW.on_conflict_do_update(
    index_elements=[col(RunCallTable.run_id), col(RunCallTable.call_key)],
    set_={"most_usd": _NEW.excluded.most_usd, "most_tokens": _NEW.excluded.most_tokens},
)
_ITS = (
    col(RunCallTable.run_id) == bindparam("its_run"),
    col(RunCallTable.call_key) == bindparam("its_call"),
)
_TAKE_BACK = delete(RunCallTable).where(*_ITS)
_KEEP = update(RunCallTable).where(*_ITS).values(most_usd=0.0, most_tokens=0)
_HOLD = (
    update(RunTable)
    .where(col(RunTable.id) == bindparam("its_run"))
    .values(
        held_usd=col(RunTable.held_usd) + bindparam("more_usd"),
        held_tokens=col(RunTable.held_tokens) + bindparam("more_tokens"),
    )
)
