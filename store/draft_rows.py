"""Drafts as verdict rows, for who wants to see how far a colleague is. No workspace takes such rows for verdicts."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, select
from sqlmodel import col

from store import candidates, reviewers
from store.frozen_rows import Revision, sealed
from store.rows import Candidate
from store.tables import DraftTable
from store.verdict_form import form_from_plain
from store.verdict_record import Assignment
from store.verdict_rows import read_latest
from store.verdict_saving import placed, row_of
from store.withheld import NOTHING, Withheld
from store.workspace import Workspace
from uq_tui.words import VerdictRole, VerdictStatus

_ID_DIGITS = 32


def records(
    ws: Workspace,
    *,
    reviewer_id: str = "",
    since: str = "",
    dataset_version: str = "",
    without: Withheld = NOTHING,
) -> Iterator[str]:
    """A row for each draft with the status `draft`, one line each, in order of (created_at, verdict_id).

    `created_at` is when it was last kept. The id is made of reviewer, candidate and role, and is no verdict's;
    `extra` names the role. What machines have found is as of now. Choices are those of `store.verdicts.records`.
    """
    query = select(DraftTable).where(col(DraftTable.updated_at) >= since)
    if reviewer_id:
        query = query.where(col(DraftTable.reviewer_id) == reviewer_id)
    with ws.read() as conn:
        found = [(_id(draft), draft) for draft in conn.execute(query)]
    for verdict_id, draft in sorted(found, key=lambda one: (one[1].updated_at, one[0])):
        candidate = candidates.get(ws, draft.candidate_id)
        if not candidate.answer.sha256:
            continue
        row = _row(ws, verdict_id, draft, candidate)
        if dataset_version in ("", row["dataset_version"]) and not without.holds(row):
            yield sealed(row)


def _id(draft: Any) -> str:
    named = f"{draft.reviewer_id}\0{draft.candidate_id}\0{draft.role}"
    return f"draft-{hashlib.sha256(named.encode('utf-8', 'surrogatepass')).hexdigest()[:_ID_DIGITS]}"


def _row(ws: Workspace, verdict_id: str, draft: Any, candidate: Candidate) -> dict[str, Any]:
    prepared = placed(ws, candidate, form_from_plain(json.loads(draft.form)))
    reviewer = reviewers.get(ws, draft.reviewer_id)
    revision = Revision(verdict_id, 1, "", VerdictStatus.DRAFT, draft.updated_at)
    with ws.read() as conn:
        row = row_of(conn, reviewer, prepared, revision, _assignment(conn, draft))
    return {**row, "extra": {"role": draft.role}}


def _assignment(conn: Connection, draft: Any) -> Assignment:
    first = read_latest(conn, draft.reviewer_id, draft.candidate_id) if draft.role == VerdictRole.REPEAT else None
    return Assignment(repeat_of=first.verdict_id if first is not None else "")
