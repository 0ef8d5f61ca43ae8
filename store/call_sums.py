"""What all calls took together, by the model that was asked and the kind of run that asked first. No text is read."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Mapped
from sqlmodel import col

from store.driver import among, listed
from store.run_tables import CallTable, RunTable
from store.workspace import Workspace
from uq_tui.words import CallErrorKind, CallState, RunKind

_CALL, _RUN = CallTable, RunTable
_OF_RUN = col(_RUN.id) == col(_CALL.run_id)


@dataclass(frozen=True, slots=True)
class CallSum:
    """What calls of one model for one kind of run took. Calls of which something is unknown are counted, not summed."""

    model: str
    kind: RunKind | None
    """`None` where the run is not in this store."""
    calls: int
    failed: int
    tokens_in: int
    unknown_in: int
    tokens_out: int
    unknown_out: int
    cost_usd: float
    unknown_costs: int
    retries: int
    """Attempts that failed and were made again."""


@dataclass(frozen=True, slots=True)
class Failures:
    """How many calls of a model failed for one reason, after all attempts."""

    model: str
    why: CallErrorKind | None
    calls: int


def sums(ws: Workspace, without: Collection[str] | None = None) -> tuple[CallSum, ...]:
    """All calls that are over, by model and kind of run, in that order.

    Args:
        ws: where to look.
        without: runs whose calls don't count; then calls of runs that are not in this store don't either, since nobody
            can tell what they are about. `None` for all calls.
    """
    query = (
        select(
            col(_CALL.model),
            col(_RUN.kind),
            func.count().label("calls"),
            _number(col(_CALL.state) == CallState.FAILED.value).label("failed"),
            _total(col(_CALL.tokens_in)).label("tokens_in"),
            _number(col(_CALL.tokens_in).is_(None)).label("unknown_in"),
            _total(col(_CALL.tokens_out)).label("tokens_out"),
            _number(col(_CALL.tokens_out).is_(None)).label("unknown_out"),
            _total(col(_CALL.cost_usd)).label("cost_usd"),
            _number(col(_CALL.cost_usd).is_(None)).label("unknown_costs"),
            func.sum(func.max(col(_CALL.attempts) - 1, 0)).label("retries"),
        )
        .select_from(_CALL)
        .outerjoin(_RUN, _OF_RUN)
        .where(*_conditions(without))
        .group_by(col(_CALL.model), col(_RUN.kind))
    )
    with ws.read() as db:
        rows = db.execute(query, _values(without))
        found = [CallSum(**{**row._mapping, "kind": RunKind(row.kind) if row.kind else None}) for row in rows]
    return tuple(sorted(found, key=lambda one: (one.model, one.kind or "")))


def failures(ws: Workspace, without: Collection[str] | None = None) -> tuple[Failures, ...]:
    """The calls that failed, by model and reason, the commonest first. The arguments are those of `sums`."""
    query = (
        select(col(_CALL.model), col(_CALL.error_kind), func.count().label("calls"))
        .select_from(_CALL)
        .outerjoin(_RUN, _OF_RUN)
        .where(col(_CALL.state) == CallState.FAILED.value, *_conditions(without))
        .group_by(col(_CALL.model), col(_CALL.error_kind))
    )
    with ws.read() as db:
        rows = db.execute(query, _values(without))
        found = [
            Failures(row.model, CallErrorKind(row.error_kind) if row.error_kind else None, row.calls) for row in rows
        ]
    return tuple(sorted(found, key=lambda one: (-one.calls, one.model, one.why or "")))


def _conditions(without: Collection[str] | None) -> Iterator[ColumnElement[bool]]:
    if without is not None:
        yield col(_RUN.id).is_not(None)
        yield ~among(col(_RUN.id), "hidden")


def _values(without: Collection[str] | None) -> dict[str, str]:
    return {} if without is None else {"hidden": listed(without)}


def _number(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return func.count().filter(condition)


def _total(column: Mapped[Any]) -> ColumnElement[Any]:
    return func.coalesce(func.sum(column), 0)
