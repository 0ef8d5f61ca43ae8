"""Audits of candidates and the claims they make. A resumed run may save its audits again."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select
from sqlmodel import col

from store.judge_rows import Audit, Claim
from store.run_tables import AuditTable, ClaimTable, RunTable
from store.tables import CandidateTable
from store.upsert import saving
from store.workspace import Workspace
from uq_tui.words import ErrorCategory, Reading

_SAVE = saving(AuditTable, ("run_id", "candidate_id"), kept="created_at")
_OF_CLAIM = (col(ClaimTable.run_id), col(ClaimTable.candidate_id))


def save(ws: Workspace, audit: Audit, claims: Sequence[Claim]) -> None:
    """Store an audit with all its claims, in place of what the same run had stored about the candidate.

    An audit that is stored already keeps its time.
    """
    row = {**asdict(audit), "state": audit.state.value}
    rows = [{**asdict(claim), "category": claim.category.value} for claim in claims]
    before = delete(ClaimTable).where(_OF_CLAIM[0] == audit.run_id, _OF_CLAIM[1] == audit.candidate_id)

    def put(conn: Connection) -> None:
        conn.execute(_SAVE, row)
        conn.execute(before)
        if rows:
            conn.execute(insert(ClaimTable), rows)

    ws.write(put)


def of_run(ws: Workspace, run_id: str) -> tuple[Audit, ...]:
    """A run's audits, in the candidates' order."""
    query = (
        select(AuditTable)
        .join(CandidateTable, col(CandidateTable.id) == col(AuditTable.candidate_id))
        .where(col(AuditTable.run_id) == run_id)
        .order_by(col(CandidateTable.question_id), col(CandidateTable.number))
    )
    with ws.read() as conn:
        return tuple(_audit(row) for row in conn.execute(query))


def of_candidate(ws: Workspace, candidate_id: str) -> tuple[Audit, ...]:
    """A candidate's audits from all runs, the oldest run first."""
    query = (
        select(AuditTable)
        .join(RunTable, col(RunTable.id) == col(AuditTable.run_id))
        .where(col(AuditTable.candidate_id) == candidate_id)
        .order_by(col(RunTable.created_at), col(RunTable.id))
    )
    with ws.read() as conn:
        return tuple(_audit(row) for row in conn.execute(query))


def claims_of(ws: Workspace, run_id: str, candidate_id: str = "") -> tuple[Claim, ...]:
    """A run's claims by candidate, then in the order in which the audit names them; of one candidate when named."""
    query = select(ClaimTable).where(_OF_CLAIM[0] == run_id)
    if candidate_id:
        query = query.where(_OF_CLAIM[1] == candidate_id)
    with ws.read() as conn:
        return tuple(_claim(row) for row in conn.execute(query.order_by(_OF_CLAIM[1], col(ClaimTable.position))))


def _audit(row: Row[Any]) -> Audit:
    return Audit(
        run_id=row.run_id,
        candidate_id=row.candidate_id,
        state=Reading(row.state),
        reason=row.reason,
        dropped=row.dropped,
        call_key=row.call_key,
        created_at=row.created_at,
    )


def _claim(row: Row[Any]) -> Claim:
    return Claim(
        run_id=row.run_id,
        candidate_id=row.candidate_id,
        position=row.position,
        id=row.id,
        category=ErrorCategory(row.category),
        quote=row.quote,
        start=row.start,
        end=row.end,
        claim=row.claim,
        problem=row.problem,
        fix=row.fix,
    )
