"""All that a reviewer has said about one candidate, revision by revision, and what changed between them."""

from collections.abc import Sequence
from dataclasses import dataclass

from store import blindness, decisions
from store.rows import Verdict, VerdictForm
from store.verdict_form import form_of
from store.verdict_rows import role_of
from store.workspace import Workspace
from uq_tui.errors import BlindError
from uq_tui.state.verdict.changes import Change, changes
from uq_tui.words import VerdictRole, VerdictStatus


@dataclass(frozen=True, slots=True)
class Step:
    """One revision, and what it changed."""

    verdict: Verdict
    changes: tuple[Change, ...]
    """Against the revision before it, or an empty form. A retraction changes nothing but that."""
    role: VerdictRole
    """Which of the reviewer's verdicts on the candidate it is of."""


def history(ws: Workspace, reviewer_id: str, candidate_id: str) -> tuple[Step, ...]:
    """Every revision of the reviewer's verdicts on a candidate, oldest first. Raises StoreError.

    Raises:
        BlindError: a queue has it judged once more, without what was said before.
    """
    refuse_repeat(ws, reviewer_id, candidate_id)
    return steps(decisions.history(ws, reviewer_id, candidate_id))


def refuse_repeat(ws: Workspace, reviewer_id: str, candidate_id: str) -> None:
    """Refuse what would tell of a verdict that is to be given once more. Raises BlindError, StoreError."""
    if blindness.hides_own_verdict(ws, reviewer_id, candidate_id):
        raise BlindError(
            "A queue has you judge this answer once more, without seeing what you said before.",
            hint="Decide it there first.",
        )


def steps(revisions: Sequence[Verdict]) -> tuple[Step, ...]:
    """Revisions of any number of verdicts, each with what it changed of its own verdict."""
    before: dict[str, VerdictForm] = {}
    found = []
    for verdict in revisions:
        form, last = form_of(verdict.record), before.get(verdict.verdict_id, VerdictForm())
        retracted = verdict.status is VerdictStatus.RETRACTED
        found.append(Step(verdict, () if retracted else changes(last, form), role_of(verdict.record)))
        before[verdict.verdict_id] = form
    return tuple(found)
