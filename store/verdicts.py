"""Verdicts: append-only revisions, each frozen as the row that is exported."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, insert, select
from sqlmodel import col

from store import candidates, questions
from store.drafts import forget
from store.evidence import snapshot
from store.exposures import read_exposures
from store.frozen_rows import BadRecordError, Revision, retracted, sealed
from store.identity import now, uuid7
from store.intake import Taken
from store.record_shape import HASH_KEY
from store.rows import Reviewer, Verdict, VerdictForm
from store.stubs import ensure
from store.tables import VerdictTable
from store.units import raw_units, read_count
from store.verdict_form import anchored, check
from store.verdict_record import build
from store.workspace import Workspace
from uq_tui.errors import NotFoundError, UqError, VerdictFormError
from uq_tui.words import Label, NotJudged, VerdictStatus

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


def save(ws: Workspace, reviewer: Reviewer, candidate_id: str, form: VerdictForm, *, queue: str = "") -> Verdict:
    """Record what a reviewer decided about a candidate, and forget their draft.

    A second verdict of the same reviewer on the same candidate is the next revision of the first. The row freezes
    the evidence that the workspace holds at this moment, what this reviewer had been shown, and how much of the answer
    they had marked in their ledger.

    Raises:
        VerdictFormError: something is missing or out of range.
        NotFoundError: there is no such candidate, or it is a stub whose text has not been imported yet.
        UqError: it is the reference solution.
    """
    missing = check(form)
    if missing:
        raise VerdictFormError(missing)
    candidate = candidates.get(ws, candidate_id)
    if not candidate.answer.sha256:
        raise NotFoundError(
            f"The text of candidate {candidate_id} is not in this workspace.", hint="Import the answer, then judge it."
        )
    if candidate.reference:
        raise UqError(
            f"Candidate {candidate_id} is the reference solution: it is correct by definition and gets no verdict.",
            hint="It is scored like the others, so that they can be held against it.",
        )
    question = questions.get(ws, candidate.question_id)
    placed = anchored(form, candidate.answer.raw)
    units = raw_units(candidate.answer)

    def append(conn: Connection) -> Verdict:
        revision = _next(_latest(conn, reviewer.id, candidate_id), VerdictStatus.SUBMITTED)
        shown = read_exposures(conn, reviewer.id, candidate_id)
        ledger = read_count(conn, reviewer.id, candidate.answer.sha256, units)
        evidence = snapshot(conn, candidate_id)
        line = sealed(build(revision, question, candidate, reviewer, placed, shown, ledger, evidence, queue))
        forget(conn, reviewer.id, candidate_id)
        return _append(conn, line)

    return ws.write(append)


def retract(ws: Workspace, reviewer: Reviewer, candidate_id: str) -> Verdict:
    """Take back the reviewer's verdict on a candidate: a new revision that says what was retracted.

    Raises:
        NotFoundError: they have no verdict on it that stands.
    """

    def append(conn: Connection) -> Verdict:
        last = _latest(conn, reviewer.id, candidate_id)
        if last is None or last.status is VerdictStatus.RETRACTED:
            raise NotFoundError(f"{reviewer.handle} has no verdict on candidate {candidate_id} to retract.")
        return _append(conn, sealed(retracted(last.record, _next(last, VerdictStatus.RETRACTED))))

    return ws.write(append)


def latest(ws: Workspace, reviewer_id: str, candidate_id: str) -> Verdict | None:
    """The reviewer's newest revision on this candidate, a retraction included; None when there is none."""
    with ws.read() as conn:
        return _latest(conn, reviewer_id, candidate_id)


def of_candidate(ws: Workspace, candidate_id: str) -> tuple[Verdict, ...]:
    """The newest revision of every verdict on this candidate, retractions included, oldest first."""
    with ws.read() as conn:
        return _newest_revisions(conn, col(VerdictTable.candidate_id) == candidate_id)


def records(ws: Workspace, *, reviewer_id: str = "") -> Iterator[str]:
    """Every revision's row as it was frozen or imported, one line each without line feed; of one reviewer if named.

    In order of (created_at, verdict_id, revision), and all of one moment: writing goes on meanwhile unseen.
    """
    in_order = (col(VerdictTable.created_at), col(VerdictTable.verdict_id), col(VerdictTable.revision))
    query = select(col(VerdictTable.record)).order_by(*in_order)
    if reviewer_id:
        query = query.where(col(VerdictTable.reviewer_id) == reviewer_id)
    with ws.read() as conn:
        yield from conn.execute(query).scalars()


def _latest(conn: Connection, reviewer_id: str, candidate_id: str) -> Verdict | None:
    theirs = _newest_revisions(
        conn, col(VerdictTable.reviewer_id) == reviewer_id, col(VerdictTable.candidate_id) == candidate_id
    )
    return theirs[-1] if theirs else None


def _newest_revisions(conn: Connection, *where: ColumnElement[bool]) -> tuple[Verdict, ...]:
    query = (
        select(col(VerdictTable.verdict_id), col(VerdictTable.record))
        .where(*where)
        .order_by(col(VerdictTable.revision))
    )
    newest = {row.verdict_id: _verdict(json.loads(row.record)) for row in conn.execute(query)}
    return tuple(sorted(newest.values(), key=lambda verdict: (verdict.created_at, verdict.verdict_id)))


def _next(last: Verdict | None, status: VerdictStatus) -> Revision:
    if last is None:
        return Revision(uuid7(), 1, "", status, now())
    return Revision(last.verdict_id, last.revision + 1, f"{last.verdict_id}#{last.revision}", status, now())


def put_record(conn: Connection, record: Mapping[str, Any]) -> Taken:
    """Store a row that `verdict_record.verify` accepted, within a transaction: it is new or the same.

    An unknown question or candidate gets a stub, to be completed when its text arrives.

    Raises:
        BadRecordError: the same revision is stored with other content, or the stored candidate contradicts the row.
            Nothing is changed then.
    """
    verdict_id, revision = record["verdict_id"], record["revision"]
    this = (col(VerdictTable.verdict_id) == verdict_id, col(VerdictTable.revision) == revision)
    stored = conn.execute(select(col(VerdictTable.row_sha256)).where(*this)).scalar_one_or_none()
    if stored == record[HASH_KEY]:
        return Taken.SAME
    if stored is not None:
        raise BadRecordError(f"conflict: {verdict_id}#{revision} is stored with other content, which was kept")
    ensure(conn, record)
    _append(conn, sealed(record))
    return Taken.NEW


def _append(conn: Connection, line: str) -> Verdict:
    record = json.loads(line)
    values = {
        **{key: record[key] for key in _SAME_NAME},
        "reviewer_id": record["reviewer"]["id"],
        "reviewer": record["reviewer"]["handle"],
        "label": record["label"] or None,
        "not_judged": record["not_judged"] or None,
        "record": line,
    }
    conn.execute(insert(VerdictTable), values)
    return _verdict(record)


def _verdict(record: Mapping[str, Any]) -> Verdict:
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
