"""Verdict rows put into a store as if they had come in files: of any person, time, queue and revision."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection

from store.frozen_rows import Revision, reviewer_of, sealed
from store.rows import Reviewer
from store.verdict_rows import append_line
from store.workspace import Workspace
from tests.store.records.samples import record
from uq_tui.words import Label, NotJudged, Relation, VerdictStatus

ADA = Reviewer("0199aaaa-0000-7000-8000-00000000000a", "ada", "", ())
BOB = Reviewer("0199aaaa-0000-7000-8000-00000000000b", "bob", "", ())
EVE = Reviewer("0199aaaa-0000-7000-8000-00000000000e", "eve", "", ())


def row(
    verdict_id: str,
    candidate_id: str,
    reviewer: Reviewer,
    says: Label | NotJudged | None,
    *,
    revision: int = 1,
    day: int = 1,
    score: int | None = None,
    question_id: str = "",
    assignment: dict[str, Any] | None = None,
    **keys: Any,
) -> dict[str, Any]:
    """An unsealed row of the given day of February; `says` is `None` in a retraction.

    `assignment` and `keys` take the place of what the sample row has.
    """
    before = f"{verdict_id}#{revision - 1}" if revision > 1 else ""
    status = VerdictStatus.RETRACTED if says is None else VerdictStatus.SUBMITTED
    made = record(
        revision=Revision(verdict_id, revision, before, status, f"2026-02-{day:02}T00:00:00.000000Z"),
        label=Label.UNSURE if says is None else says if isinstance(says, Label) else None,
        not_judged=says if isinstance(says, NotJudged) else None,
        score_0_7=score,
    )
    return {
        **made,
        "candidate_id": candidate_id,
        "question_id": question_id or made["question_id"],
        "reviewer": reviewer_of(reviewer, Relation.OTHER),
        "assignment": {**made["assignment"], **(assignment or {})},
        **keys,
    }


def put(ws: Workspace, rows: Iterable[dict[str, Any]]) -> None:
    """Store rows, sealed, in one transaction."""
    lines = [sealed(one) for one in rows]

    def append(conn: Connection) -> None:
        for line in lines:
            append_line(conn, line)

    ws.write(append)
