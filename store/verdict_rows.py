"""Verdict rows in their table: read, appended, restated. What is stored is never changed."""

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, CursorResult, bindparam, insert, select
from sqlmodel import col

from store.frozen_rows import Revision, retracted, sealed
from store.identity import now, uuid7
from store.record_shape import HASH_KEY
from store.rows import Verdict
from store.tables import VerdictTable
from uq_tui.words import Label, NotJudged, VerdictRole, VerdictStatus

_SAME_NAME = (
    "verdict_id",
    "revision",
    "status",
    "candidate_id",
    "question_id",
    "blind",
    "created_at",
    HASH_KEY,
)
"""Columns that repeat a key of the row under its own name."""


# Built once: building a statement takes longer than running it.
_LINES = select(col(VerdictTable.verdict_id), col(VerdictTable.record)).order_by(col(VerdictTable.revision))
_OF_REVIEWER = _LINES.where(
    col(VerdictTable.candidate_id) == bindparam("candidate"),
    col(VerdictTable.reviewer_id) == bindparam("reviewer"),
    col(VerdictTable.repeat).is_(False),
    col(VerdictTable.settles) == bindparam("settling"),
)
_OF_VERDICT = _LINES.where(col(VerdictTable.verdict_id) == bindparam("verdict"))
_REVISION = select(col(VerdictTable.record)).where(
    col(VerdictTable.verdict_id) == bindparam("verdict"), col(VerdictTable.revision) == bindparam("number")
)
_APPEND = insert(VerdictTable)


def name_of(verdict: Verdict) -> str:
    """How rows name a revision: `verdict_id#revision`."""
    return f"{verdict.verdict_id}#{verdict.revision}"


def number_in(name: str) -> int:
    """The number in the name of a revision; 0 for ""."""
    return int(name.rpartition("#")[2] or 0)


def read_latest(conn: Connection, reviewer_id: str, candidate_id: str, *, settling: bool = False) -> Verdict | None:
    """The newest revision of the reviewer's ordinary verdict on a candidate, a retraction included.

    With `settling` that of their adjudication.
    """
    this = {"reviewer": reviewer_id, "candidate": candidate_id, "settling": settling}
    theirs = _newest(conn.execute(_OF_REVIEWER, this))
    return theirs[-1] if theirs else None


def read_newest(conn: Connection, verdict_id: str) -> Verdict | None:
    """The newest revision of one verdict."""
    found = _newest(conn.execute(_OF_VERDICT, {"verdict": verdict_id}))
    return found[0] if found else None


def read_revision(conn: Connection, verdict_id: str, revision: int) -> Verdict | None:
    """One revision; `None` when there is none of that number, as below the first."""
    line = conn.execute(_REVISION, {"verdict": verdict_id, "number": revision}).scalar_one_or_none()
    return None if line is None else verdict_of(json.loads(line))


def _newest(rows: CursorResult[Any]) -> tuple[Verdict, ...]:
    """Of rows in order of revision the newest of each verdict, the one first that has it since longest."""
    lines = {row.verdict_id: row.record for row in rows}
    newest = (verdict_of(json.loads(line)) for line in lines.values())
    return tuple(sorted(newest, key=lambda verdict: (verdict.created_at, verdict.verdict_id)))


def revisions(conn: Connection, *where: ColumnElement[bool]) -> tuple[Verdict, ...]:
    """All revisions, in order of (created_at, verdict_id, revision)."""
    in_order = (col(VerdictTable.created_at), col(VerdictTable.verdict_id), col(VerdictTable.revision))
    lines = conn.execute(select(col(VerdictTable.record)).where(*where).order_by(*in_order)).scalars()
    return tuple(verdict_of(json.loads(line)) for line in lines)


def next_revision(last: Verdict | None, status: VerdictStatus) -> Revision:
    """What follows a revision of a verdict; the first of a new one without any."""
    if last is None:
        return Revision(uuid7(), 1, "", status, now())
    return Revision(last.verdict_id, last.revision + 1, name_of(last), status, now())


def restate(conn: Connection, newest: Verdict, content: Verdict, status: VerdictStatus, linked_to: str = "") -> Verdict:
    """Append a revision to `newest` that says, saw and knew what `content` did.

    `linked_to` names the revision that it goes along with now, where `content` went along with one or is taken back.
    """
    row = retracted(content.record, next_revision(newest, status))
    assignment = row.get("assignment")
    if linked_to and assignment and (assignment["linked_to"] or status is VerdictStatus.RETRACTED):
        row["assignment"] = {**assignment, "linked_to": linked_to}
    return append_line(conn, sealed(row))


def is_repeat(record: Mapping[str, Any]) -> bool:
    """Whether a row is of a verdict that was given once more; the first rows of this version don't say."""
    return bool(record.get("assignment", {}).get("repeat_of"))


def settles(record: Mapping[str, Any]) -> tuple[str, ...]:
    """The verdict revisions, as `verdict_id#revision`, between which a row decides; rows of 0.1.0 don't say."""
    return tuple(record.get("settles", ()))


def role_of(record: Mapping[str, Any]) -> VerdictRole:
    """Which of the reviewer's verdicts on the candidate a row is of."""
    if settles(record):
        return VerdictRole.ADJUDICATION
    return VerdictRole.REPEAT if is_repeat(record) else VerdictRole.ORDINARY


def append_line(conn: Connection, line: str) -> Verdict:
    """Append a sealed row that was made here."""
    record = json.loads(line)
    conn.execute(_APPEND, values_of(record, line, imported=False))
    return verdict_of(record)


def values_of(record: Mapping[str, Any], line: str, *, imported: bool) -> dict[str, Any]:
    """What the columns of the table say of a row; `line` is it, sealed."""
    return {
        **{key: record[key] for key in _SAME_NAME},
        "reviewer_id": record["reviewer"]["id"],
        "reviewer": record["reviewer"]["handle"],
        "label": record["label"] or None,
        "not_judged": record["not_judged"] or None,
        "record": line,
        "repeat": is_repeat(record),
        "settles": bool(settles(record)),
        "imported": imported,
    }


def verdict_of(record: Mapping[str, Any]) -> Verdict:
    """The revision that a row describes."""
    return Verdict(
        verdict_id=record["verdict_id"],
        revision=record["revision"],
        status=VerdictStatus(record["status"]),
        candidate_id=record["candidate_id"],
        question_id=record["question_id"],
        reviewer_id=record["reviewer"]["id"],
        reviewer=record["reviewer"]["handle"],
        label=Label(record["label"]) if record["label"] else None,
        not_judged=NotJudged(record["not_judged"]) if record["not_judged"] else None,
        blind=record["blind"],
        created_at=record["created_at"],
        record=record,
    )
