"""Marks of the calls a run is sending: made before, taken back when the call is saved.

Marks that are left when a run is resumed were in flight when it stopped. If its process was killed then, they may have
been paid for, so each says what its call could use at most.
"""

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass

from sqlalchemy import Connection, delete, func, select, update
from sqlalchemy.dialects.sqlite import insert
from sqlmodel import col

from store.identity import now
from store.tables import CallTable, RunCallTable, RunTable
from store.workspace import Workspace
from uq_tui.errors import NotFoundError

_PUT = insert(RunCallTable).on_conflict_do_nothing()


@dataclass(frozen=True, slots=True)
class Mark:
    """A call on its way, and the most it can use: US dollars (0 where the price is unknown) and tokens."""

    run_id: str
    call_key: str
    most_usd: float = 0.0
    most_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Used:
    """What a run has used, calls of unknown use with the most they could."""

    usd: float
    tokens: int


def put(ws: Workspace, marks: Sequence[Mark]) -> None:
    """Note, before they are sent, which calls runs send."""
    if marks:
        ws.write(lambda conn: _put(conn, marks))


def put_soon(ws: Workspace, marks: Sequence[Mark]) -> Future[None]:
    """Like `put`, for at least one mark and without waiting: the future is done once they are stored."""
    return ws.submit(lambda conn: _put(conn, marks))


def _put(conn: Connection, marks: Sequence[Mark]) -> None:
    at = now()
    rows = [
        {
            "run_id": mark.run_id,
            "call_key": mark.call_key,
            "asked_at": at,
            "most_usd": mark.most_usd,
            "most_tokens": mark.most_tokens,
        }
        for mark in marks
    ]
    conn.execute(_PUT, rows)


def count_left(ws: Workspace, run_id: str) -> int:
    """How many calls the run had in flight when it stopped, and must ask again. Raises NotFoundError.

    To be called once when a run resumes: the number is added to the run's `repeated`, what the calls could use to what
    is held against its budget, and the marks are removed, so that the next interruption counts its own.
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
    """What counts against the run's budget so far: known use of its calls, and what is held for unknown use."""
    calls = select(
        func.sum(col(CallTable.cost_usd)),
        func.sum(func.coalesce(col(CallTable.tokens_in), 0) + func.coalesce(col(CallTable.tokens_out), 0)),
    ).where(col(CallTable.run_id) == run_id)
    held = select(col(RunTable.held_usd), col(RunTable.held_tokens)).where(col(RunTable.id) == run_id)
    with ws.read() as conn:
        usd, tokens = conn.execute(calls).one()
        more = conn.execute(held).one_or_none()
    return Used((usd or 0.0) + (more.held_usd if more else 0.0), (tokens or 0) + (more.held_tokens if more else 0))
