"""Making a verdict row of a form: what is prepared before the write, and what is frozen within it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from store import candidates, questions, statements
from store.evidence import snapshot
from store.exposures import read_exposures
from store.frozen_rows import Revision, sealed
from store.rows import Candidate, Question, Reviewer, Verdict, VerdictForm
from store.units import raw_units, read_count
from store.verdict_form import anchored, check
from store.verdict_record import NO_ASSIGNMENT, Assignment, build
from store.verdict_rows import append_line, next_revision
from store.workspace import Workspace
from uq_tui.errors import NotFoundError, UqError, VerdictFormError
from uq_tui.words import VerdictStatus


@dataclass(frozen=True, slots=True)
class Prepared:
    """A form that can be recorded on a candidate: checked, and its quotes at their places in that answer."""

    question: Question
    candidate: Candidate
    form: VerdictForm
    units: tuple[tuple[int, int] | None, ...]
    """Places of the answer's units in its raw text."""


def prepare(ws: Workspace, candidate_id: str, form: VerdictForm) -> Prepared:
    """All that takes long with long answers, before the write.

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
    return placed(ws, candidate, form)


def placed(ws: Workspace, candidate: Candidate, form: VerdictForm) -> Prepared:
    """A form on a candidate whose text is here, complete or not."""
    question = questions.get(ws, candidate.question_id)
    return Prepared(question, candidate, anchored(form, candidate.answer.raw), raw_units(candidate.answer))


def append(
    conn: Connection,
    reviewer: Reviewer,
    prepared: Prepared,
    before: Verdict | None,
    assignment: Assignment = NO_ASSIGNMENT,
    settles: Sequence[str] = (),
) -> Verdict:
    """Within a transaction: record a form as the revision after `before`, or as a new verdict.

    The row freezes the evidence that the workspace holds at this moment, what this reviewer had been shown, what they
    had made of machines' claims, and how much of the answer they had marked in their ledger. `settles` names the
    revisions between which it decides.
    """
    revision = next_revision(before, VerdictStatus.SUBMITTED)
    return append_line(conn, sealed(row_of(conn, reviewer, prepared, revision, assignment, settles)))


def row_of(
    conn: Connection,
    reviewer: Reviewer,
    prepared: Prepared,
    revision: Revision,
    assignment: Assignment = NO_ASSIGNMENT,
    settles: Sequence[str] = (),
) -> dict[str, Any]:
    """The unsealed row that says as of this moment what `append` says it freezes."""
    candidate = prepared.candidate
    second_pass = statements.read_second_pass(conn, reviewer.id, candidate.id)
    return build(
        revision,
        prepared.question,
        candidate,
        reviewer,
        prepared.form,
        read_exposures(conn, reviewer.id, candidate.id),
        read_count(conn, reviewer.id, candidate.answer.sha256, prepared.units),
        snapshot(conn, candidate.id),
        assignment,
        second_pass.record if second_pass is not None else {},
        settles,
    )
