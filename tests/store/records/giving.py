"""Verdicts outside queues, whatever stands before them."""

from store import decisions, reviewers
from store.rows import Reviewer, Verdict, VerdictForm
from store.workspace import Workspace


def give(ws: Workspace, reviewer: Reviewer, candidate_id: str, form: VerdictForm) -> Verdict:
    """Record a verdict, or the next revision of one, by somebody who is made known if need be."""
    if reviewer.id not in {one.id for one in reviewers.all_of(ws)}:
        reviewers.make(ws, reviewer)
    return decisions.record(ws, reviewer, candidate_id, form, based_on=None).verdict


def take_back(ws: Workspace, reviewer: Reviewer, candidate_id: str) -> Verdict:
    """Retract a verdict."""
    return decisions.retract(ws, reviewer, candidate_id).verdict
