"""Statement rows in their table: appended and read. What is stored is never changed."""

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, insert

from store import resolution_status
from store.record_shape import HASH_KEY
from store.review_rows import Statement
from store.review_tables import StatementTable
from uq_tui.words import StatementKind, VerdictStatus

_APPEND = insert(StatementTable)


def append_line(conn: Connection, line: str) -> Statement:
    """Append a sealed row that was made here."""
    record = json.loads(line)
    conn.execute(_APPEND, values_of(record, line, imported=False))
    made = statement_of(record)
    if made.kind is StatementKind.RESOLUTION:
        resolution_status.refresh(conn, made.question_id)
    return made


def values_of(record: Mapping[str, Any], line: str, *, imported: bool) -> dict[str, Any]:
    """What the columns of the table say of a row; `line` is it, sealed."""
    return {
        "statement_id": record["statement_id"],
        "revision": record["revision"],
        "kind": record["kind"],
        "status": record["status"],
        "question_id": record["question_id"],
        "candidate_id": record["candidate_id"] or None,
        "reviewer_id": record["reviewer"]["id"],
        "reviewer": record["reviewer"]["handle"],
        "created_at": record["created_at"],
        "row_sha256": record[HASH_KEY],
        "record": line,
        "imported": imported,
    }


def statement_of(record: Mapping[str, Any]) -> Statement:
    """The revision that a row describes."""
    return Statement(
        statement_id=record["statement_id"],
        revision=record["revision"],
        kind=StatementKind(record["kind"]),
        status=VerdictStatus(record["status"]),
        question_id=record["question_id"],
        candidate_id=record["candidate_id"],
        reviewer_id=record["reviewer"]["id"],
        reviewer=record["reviewer"]["handle"],
        created_at=record["created_at"],
        record=record,
    )
