"""Neighbours that models proposed, and what solvers answered to them: how a generated neighbourhood came about."""

from collections.abc import Sequence
from dataclasses import asdict

from sqlalchemy import ColumnElement, Connection, select
from sqlmodel import col

from store import texts
from store.identity import text_sha256
from store.run_rows import Attempt, Proposal
from store.run_tables import AttemptTable, ProposalTable, RunTable
from store.upsert import saving
from store.workspace import Workspace
from uq_tui.words import DecidedBy, ProposalState

_SAVE = saving(ProposalTable, ("run_id", "number"), kept="created_at")
_SAVE_ATTEMPT = saving(AttemptTable, ("run_id", "number", "solver", "sample"))


def save(ws: Workspace, proposals: Sequence[Proposal]) -> None:
    """Store proposals, all or none. One that is stored already and differs is replaced."""
    if proposals:
        ws.write(lambda db: put(db, proposals))


def put(db: Connection, proposals: Sequence[Proposal]) -> None:
    """Store at least one proposal, within a transaction."""
    texts.put(db, (one.statement for one in proposals))
    db.execute(_SAVE, [_row(one) for one in proposals])


def save_attempts(ws: Workspace, attempts: Sequence[Attempt]) -> None:
    """Store attempts, all or none. Their proposals must be stored already."""
    rows = [{**asdict(one), "state": one.state.value if one.state else ""} for one in attempts]
    if rows:
        ws.write(lambda db: db.execute(_SAVE_ATTEMPT, rows))


def of_run(ws: Workspace, run_id: str) -> tuple[Proposal, ...]:
    """What a run has proposed, in the model's order; none before its reply could be read."""
    return _read(ws, col(ProposalTable.run_id) == run_id)


def of_question(ws: Workspace, question_id: str) -> tuple[Proposal, ...]:
    """What all runs have proposed as neighbours of a question, the newest run first, each in the model's order."""
    return _read(ws, col(ProposalTable.question_id) == question_id)


def attempts(ws: Workspace, run_id: str) -> tuple[Attempt, ...]:
    """What the solvers of a run have answered so far, by proposal, then by solver and sample."""
    table = AttemptTable
    query = (
        select(table)
        .where(col(table.run_id) == run_id)
        .order_by(col(table.number), col(table.solver), col(table.sample))
    )
    with ws.read() as db:
        return tuple(
            Attempt(
                run_id=row.run_id,
                number=row.number,
                solver=row.solver,
                sample=row.sample,
                answer=row.answer,
                state=DecidedBy(row.state) if row.state else None,
                call_key=row.call_key,
            )
            for row in db.execute(query)
        )


def _row(one: Proposal) -> dict[str, object]:
    row = {**asdict(one), "state": one.state.value, "statement_sha256": text_sha256(one.statement)}
    del row["statement"]
    return row


def _read(ws: Workspace, which: ColumnElement[bool]) -> tuple[Proposal, ...]:
    table = ProposalTable
    query = (
        select(table)
        .join(RunTable, col(RunTable.id) == col(table.run_id))
        .where(which)
        .order_by(col(RunTable.created_at).desc(), col(table.run_id), col(table.number))
    )
    with ws.read() as db:
        return tuple(
            Proposal(
                run_id=row.run_id,
                number=row.number,
                question_id=row.question_id,
                statement=texts.read_raw(db, row.statement_sha256),
                skill=row.skill,
                state=ProposalState(row.state),
                answer=row.answer,
                reason=row.reason,
                neighbour_id=row.neighbour_id,
                created_at=row.created_at,
            )
            for row in db.execute(query).all()
        )
