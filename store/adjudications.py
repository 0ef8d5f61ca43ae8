"""Adjudications: verdicts that settle a conflict, recorded and taken back.

An adjudication is a verdict of its own, beside the adjudicator's ordinary one if they have given any. It names the
revisions it decides between, so that it no longer fits once one of these is revised. It is undone as others are.
"""

from collections.abc import Sequence

from sqlalchemy import Connection

from store import conflicts, drafts, steps
from store.review_rows import Decision
from store.rows import Reviewer, Verdict, VerdictForm
from store.verdict_rows import read_latest, restate
from store.verdict_saving import append, prepare
from store.withheld import withheld
from store.workspace import Workspace
from uq_tui.errors import NotFoundError, VerdictMovedError
from uq_tui.words import VerdictRole, VerdictStatus


def latest(ws: Workspace, reviewer_id: str, candidate_id: str) -> Verdict | None:
    """The newest revision of the reviewer's adjudication on a candidate, a retraction included."""
    with ws.read() as conn:
        return read_latest(conn, reviewer_id, candidate_id, settling=True)


def settle(
    ws: Workspace,
    reviewer: Reviewer,
    candidate_id: str,
    form: VerdictForm,
    between: Sequence[str],
    *,
    based_on: int | None = None,
) -> Decision:
    """Record what decides between verdicts, as a verdict or the next revision of one; forget its draft.

    Args:
        ws: where to.
        reviewer: who decides, who may be one of those that disagree.
        candidate_id: what it is on.
        form: what it says.
        between: the revisions that the reviewer was shown, as `verdict_id#revision`: all that stand on the candidate.
        based_on: number of the adjudication's revision that the form started from, 0 for none; `None` not to check.

    Raises:
        VerdictFormError: something is missing or out of range.
        VerdictMovedError: other verdicts stand than `between`, or the adjudication has another newest revision.
        NotFoundError: there is no such candidate or its text isn't here, or no verdicts on it disagree.
        UqError: it is the reference solution.
        StoreError: it could not be written. As with all of these, nothing was recorded, and the draft is there.
    """
    prepared = prepare(ws, candidate_id, form)
    hidden = withheld(ws, reviewer.id)

    def write(conn: Connection) -> Decision:
        conflict = conflicts.read_of_candidate(conn, prepared.question.row.id, candidate_id, hidden)
        before = read_latest(conn, reviewer.id, candidate_id, settling=True)
        newest = before.revision if before is not None else 0
        if set(between) != set(conflict.names):
            raise VerdictMovedError(
                "Nothing was recorded: one of the verdicts was revised or taken back since, or another one was given.",
                hint="Read them again, then settle what stands.",
                revision=newest,
            )
        if based_on is not None and based_on != newest:
            raise VerdictMovedError(
                "Nothing was recorded: the adjudication was revised in another window, or is in a file that was"
                " imported.",
                hint="Read it, then record again to have yours follow it.",
                revision=newest,
            )
        steps.drop_undone(conn, reviewer.id)
        drafts.recorded(conn, reviewer.id, candidate_id, form, role=VerdictRole.ADJUDICATION)
        verdict = append(conn, reviewer, prepared, before, settles=conflict.names)
        steps.add(conn, verdict)
        return Decision(verdict, (), None, revealed=False)

    return ws.write(write)


def retract(ws: Workspace, reviewer: Reviewer, candidate_id: str) -> Decision:
    """Take back the reviewer's adjudication on a candidate: the conflict is open again.

    Raises:
        NotFoundError: they have none that stands.
    """

    def write(conn: Connection) -> Decision:
        standing = read_latest(conn, reviewer.id, candidate_id, settling=True)
        if standing is None or standing.status is VerdictStatus.RETRACTED:
            raise NotFoundError(f"{reviewer.handle} has settled nothing on candidate {candidate_id}.")
        steps.drop_undone(conn, reviewer.id)
        verdict = restate(conn, standing, standing, VerdictStatus.RETRACTED)
        steps.add(conn, verdict)
        return Decision(verdict, (), None, revealed=False)

    return ws.write(write)
