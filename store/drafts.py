"""Verdict forms that are not submitted yet, saved at each pause in typing."""

import json
from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects.sqlite import insert
from sqlmodel import col

from store.identity import now
from store.rows import VerdictForm
from store.tables import DraftTable
from store.verdict_form import form_from_plain
from store.workspace import Workspace


def get(ws: Workspace, reviewer_id: str, candidate_id: str) -> VerdictForm | None:
    """The draft of this reviewer on this candidate, or None."""
    with ws.read() as conn:
        found = conn.execute(select(col(DraftTable.form)).where(*_this(reviewer_id, candidate_id))).scalar_one_or_none()
    return None if found is None else form_from_plain(json.loads(found))


def save(ws: Workspace, reviewer_id: str, candidate_id: str, form: VerdictForm) -> None:
    """Keep the form as it is, complete or not, in place of an earlier draft."""
    kept = {"form": json.dumps(asdict(form)), "updated_at": now()}
    statement = (
        insert(DraftTable)
        .values(reviewer_id=reviewer_id, candidate_id=candidate_id, repeat=False, version=1, **kept)
        .on_conflict_do_update(
            index_elements=["reviewer_id", "candidate_id", "repeat"],
            set_={**kept, "version": col(DraftTable.version) + 1},
        )
    )
    ws.write(lambda conn: conn.execute(statement))


def forget(conn: Connection, reviewer_id: str, candidate_id: str) -> None:
    """Within a transaction: forget the draft, if there is one."""
    conn.execute(delete(DraftTable).where(*_this(reviewer_id, candidate_id)))


def _this(reviewer_id: str, candidate_id: str) -> tuple[Any, ...]:
    return col(DraftTable.reviewer_id) == reviewer_id, col(DraftTable.candidate_id) == candidate_id
