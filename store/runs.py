"""Runs: what was started, what it pinned, how far it is, and which process is at it.

A process that works on a run holds its lease and renews it. A run that is not finished and whose lease has run out
was interrupted; whoever claims it next resumes it. Leases compare wall clocks of processes on one machine.
"""

import json
import time
from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, func, insert, or_, select, update
from sqlmodel import col

from store.identity import now, uuid7
from store.run_rows import Run
from store.run_tables import RunTable
from store.search import id_range
from store.workspace import Workspace
from uq_tui.errors import NotFoundError
from uq_tui.words import RunKind, RunState

LEASE_SECONDS = 15.0
"""How long a lease lasts without being renewed. Owners renew at a third of this or faster."""

_COUNTS = (
    *("done", "asked", "remembered", "repeated", "retried", "failed", "unknown_costs", "tokens"),
    *("held_usd", "held_tokens"),
)
_WAITED_FOR = (RunState.QUEUED.value, RunState.RUNNING.value)
_OPEN = (*_WAITED_FOR, RunState.INTERRUPTED.value)
_FINISHED = (RunState.DONE, RunState.FAILED, RunState.CANCELLED)


def create(
    ws: Workspace,
    kind: RunKind,
    title: str,
    spec: Mapping[str, Any],
    total: int,
    *,
    budget_usd: float | None = None,
    budget_tokens: int | None = None,
) -> Run:
    """A new queued run. `spec` is JSON-ready and alone decides what the run asks; `total` counts its units."""
    run_id = uuid7()
    values = {
        "id": run_id,
        "kind": kind.value,
        "state": RunState.QUEUED.value,
        "title": title,
        "spec": json.dumps(dict(spec), allow_nan=False),
        "total": total,
        **dict.fromkeys(_COUNTS, 0),
        "cost_usd": None,
        "message": "",
        "created_at": now(),
        "finished_at": None,
        "lease_owner": "",
        "lease_until": None,
        "budget_usd": budget_usd,
        "budget_tokens": budget_tokens,
    }
    ws.write(lambda conn: conn.execute(insert(RunTable), values))
    return get(ws, run_id)


def get(ws: Workspace, run_id: str) -> Run:
    """The run. Raises NotFoundError."""
    found = _runs(ws, select(RunTable).where(col(RunTable.id) == run_id))
    if not found:
        raise _unknown(run_id)
    return found[0]


def find_by_prefix(ws: Workspace, prefix: str) -> tuple[str, ...]:
    """Ids of runs that start with `prefix`, sorted; at most ten."""
    key, (first, last) = col(RunTable.id), id_range(prefix)
    query = select(key).where(key >= first, key < last).order_by(key).limit(10)
    with ws.read() as conn:
        return tuple(conn.execute(query).scalars())


def recent(ws: Workspace, limit: int | None = 50) -> tuple[Run, ...]:
    """The newest runs, newest first; all with a `limit` of `None`."""
    return _runs(ws, select(RunTable).order_by(col(RunTable.created_at).desc(), col(RunTable.id).desc()).limit(limit))


def interrupted(ws: Workspace) -> tuple[Run, ...]:
    """Runs that are not finished and that no process holds, oldest first: stopped by the user, or cut short."""
    unfinished = col(RunTable.state).in_(_OPEN)
    in_order = (col(RunTable.created_at), col(RunTable.id))
    return _runs(ws, select(RunTable).where(unfinished, ~_held(time.time())).order_by(*in_order))


def cut_short(ws: Workspace) -> tuple[Run, ...]:
    """Of the interrupted runs those that nobody has stopped: their process ended, oldest first."""
    return tuple(run for run in interrupted(ws) if run.state is not RunState.INTERRUPTED)


def held(ws: Workspace) -> tuple[tuple[Run, float], ...]:
    """Runs that are not finished and that a process holds, with when its lease ends, in Unix time: oldest first.

    A process that was killed holds its runs so long, too.
    """
    query = select(RunTable).where(col(RunTable.state).in_(_OPEN), _held(time.time()))
    with ws.read() as conn:
        rows = conn.execute(query.order_by(col(RunTable.created_at), col(RunTable.id)))
        return tuple((_run(row), row.lease_until) for row in rows)


def held_by(ws: Workspace, owner: str) -> tuple[Run, ...]:
    """Runs that `owner` has claimed and is working on, oldest first."""
    in_order = (col(RunTable.created_at), col(RunTable.id))
    theirs = (col(RunTable.lease_owner) == owner, col(RunTable.state).in_(_WAITED_FOR), _held(time.time()))
    return _runs(ws, select(RunTable).where(*theirs).order_by(*in_order))


def set_budget(ws: Workspace, run_id: str, *, usd: float | None, tokens: int | None) -> None:
    """Replace the run's budget by what is given; `None` keeps what it has. Raises NotFoundError."""
    given = {"budget_usd": usd, "budget_tokens": tokens}
    values = {name: value for name, value in given.items() if value is not None}
    if values:
        ws.write(lambda conn: _change(conn, run_id, values))


def set_state(ws: Workspace, run_id: str, state: RunState, message: str = "") -> None:
    """Record where the run stands and why. A finished state sets `finished_at`. Raises NotFoundError."""
    values = {"state": state.value, "message": message, "finished_at": now() if state in _FINISHED else None}
    ws.write(lambda conn: _change(conn, run_id, values))


def add_counts(
    ws: Workspace,
    run_id: str,
    *,
    done: int | None = None,
    total: int | None = None,
    asked: int = 0,
    remembered: int = 0,
    failed: int = 0,
    cost_usd: float | None = None,
    unknown_costs: int = 0,
    retried: int = 0,
    tokens: int = 0,
) -> None:
    """Set `done` and `total` where given, and add the rest to what the run has counted so far.

    `cost_usd` of None adds nothing and keeps an unknown cost unknown. Raises NotFoundError.
    """
    values: dict[str, Any] = {
        "asked": col(RunTable.asked) + asked,
        "remembered": col(RunTable.remembered) + remembered,
        "failed": col(RunTable.failed) + failed,
        "unknown_costs": col(RunTable.unknown_costs) + unknown_costs,
        "retried": col(RunTable.retried) + retried,
        "tokens": col(RunTable.tokens) + tokens,
    }
    if done is not None:
        values["done"] = done
    if total is not None:
        values["total"] = total
    if cost_usd is not None:
        values["cost_usd"] = func.coalesce(col(RunTable.cost_usd), 0.0) + cost_usd
    ws.write(lambda conn: _change(conn, run_id, values))


def claim(ws: Workspace, run_id: str, owner: str) -> bool:
    """Take the run's lease for `owner`, a name no other process uses; False while another one holds it."""

    def take(conn: Connection) -> bool:
        at = time.time()
        free = or_(~_held(at), col(RunTable.lease_owner) == owner)
        return _lease(conn, run_id, free, {"lease_owner": owner, "lease_until": at + LEASE_SECONDS})

    return ws.write(take)


def renew(ws: Workspace, run_id: str, owner: str) -> bool:
    """Prolong the lease of `owner`; False when it is no longer theirs, and they must stop."""

    def prolong(conn: Connection) -> bool:
        until = time.time() + LEASE_SECONDS
        return _lease(conn, run_id, col(RunTable.lease_owner) == owner, {"lease_until": until})

    return ws.write(prolong)


def release(ws: Workspace, run_id: str, owner: str) -> None:
    """Give the lease of `owner` back; nothing happens when it is not theirs."""
    nobody = {"lease_owner": "", "lease_until": None}
    ws.write(lambda conn: _lease(conn, run_id, col(RunTable.lease_owner) == owner, nobody))


def _held(at: float) -> ColumnElement[bool]:
    # A lease that ends later than any owner could have asked for was written before the clock was set back.
    until = func.coalesce(col(RunTable.lease_until), 0.0)
    return and_(col(RunTable.lease_owner) != "", until > at, until <= at + 2 * LEASE_SECONDS)


def _lease(conn: Connection, run_id: str, where: ColumnElement[bool], values: Mapping[str, Any]) -> bool:
    return conn.execute(update(RunTable).where(col(RunTable.id) == run_id, where).values(**values)).rowcount == 1


def _change(conn: Connection, run_id: str, values: Mapping[str, Any]) -> None:
    if conn.execute(update(RunTable).where(col(RunTable.id) == run_id).values(**values)).rowcount != 1:
        raise _unknown(run_id)


def _unknown(run_id: str) -> NotFoundError:
    return NotFoundError(f"There is no run {run_id} in this workspace.", hint="`uq-tui runs` lists them.")


def _runs(ws: Workspace, query: Select[Any]) -> tuple[Run, ...]:
    with ws.read() as conn:
        return tuple(_run(row) for row in conn.execute(query))


def _run(row: Row[Any]) -> Run:
    return Run(
        id=row.id,
        kind=RunKind(row.kind),
        state=RunState(row.state),
        title=row.title,
        spec=json.loads(row.spec),
        done=row.done,
        total=row.total,
        asked=row.asked,
        remembered=row.remembered,
        repeated=row.repeated,
        failed=row.failed,
        cost_usd=row.cost_usd,
        unknown_costs=row.unknown_costs,
        message=row.message,
        created_at=row.created_at,
        finished_at=row.finished_at,
        retried=row.retried,
        tokens=row.tokens,
        budget_usd=row.budget_usd,
        budget_tokens=row.budget_tokens,
    )
