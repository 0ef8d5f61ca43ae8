"""Votes over accept and reject where some votes may bring neither.

A vote has a fixed number of planned votes, so that a failed or unreadable judgement can't change what it takes to win.
An undecided vote counts for nobody: it never makes an accept, and never a reject either. A `skipped` vote is one
that doesn't apply, as a plug-in can say: it leaves the count, as if it had not been planned. Votes that were not asked
for, because the vote was decided without them, are left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from uq_tui.words import Outcome


class VoteRule(StrEnum):
    """How planned votes become one outcome."""

    UNANIMOUS = "unanimous"
    """Accept if every planned vote accepts; reject at the first reject."""
    MAJORITY = "majority"
    """Accept if more than half of the planned votes accept; reject if the rejects alone rule that out."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The outcome of a vote. `tie` marks a reject that came from exactly half accepting and half rejecting."""

    outcome: Outcome
    reason: str
    tie: bool = False


def decided(rule: VoteRule, votes: Sequence[Outcome], planned: int) -> Outcome | None:
    """The outcome that the votes so far force whatever the outstanding ones bring, else `None`.

    Args:
        rule: how votes become an outcome.
        votes: outcomes of the votes so far, at most `planned`.
        planned: number of planned votes, at least 1.
    """
    accepts, rejects, applying = _count(votes, planned)
    if not applying:
        return None
    if rule is VoteRule.UNANIMOUS:
        if rejects:
            return Outcome.REJECT
        return Outcome.ACCEPT if accepts == applying else None
    if 2 * accepts > applying:
        return Outcome.ACCEPT
    return Outcome.REJECT if 2 * rejects >= applying else None


def fewest_to_decide(rule: VoteRule, votes: Sequence[Outcome], planned: int) -> int:
    """The smallest number of further votes that could decide, 0 when decided or none is outstanding.

    Asking that many at once never asks a vote that an earlier one of the same wave could have saved, except where
    votes of a wave disagree.
    """
    if decided(rule, votes, planned) is not None:
        return 0
    accepts, rejects, applying = _count(votes, planned)
    outstanding = planned - len(votes)
    if rule is VoteRule.UNANIMOUS:
        return min(1, outstanding)
    return min(applying // 2 + 1 - accepts, (applying + 1) // 2 - rejects, outstanding)


def tally(rule: VoteRule, votes: Sequence[Outcome], planned: int) -> Tally:
    """The outcome of a finished vote: all planned votes are there, or it was decided without those outstanding.

    Without a decision the outcome is `failed` if any vote failed, else `unparsed`, also where none applied.

    Args:
        rule: how votes become an outcome.
        votes: outcomes of the votes.
        planned: number of planned votes, at least 1.
    """
    accepts, rejects, applying = _count(votes, planned)
    if not applying:
        return Tally(Outcome.UNPARSED, "none of its votes applied")
    counts = f"{accepts} of {applying} accepted, {rejects} rejected"
    if applying < planned:
        counts += f", {planned - applying} didn't apply"
    outcome = decided(rule, votes, planned)
    if outcome is None:
        outcome = Outcome.FAILED if Outcome.FAILED in votes else Outcome.UNPARSED
        return Tally(outcome, f"{counts}, the rest brought no decision: {rule.value} is undecided")
    if rule is VoteRule.UNANIMOUS:
        return Tally(outcome, f"{counts}, unanimous needs {applying}")
    tie = 2 * accepts == applying == 2 * rejects
    if tie:
        return Tally(outcome, f"{counts}: an exact tie, which rejects", tie)
    return Tally(outcome, f"{counts}, majority needs {applying // 2 + 1}")


def pipeline(stages: Sequence[tuple[str, Outcome]]) -> Tally:
    """The outcome of stages run one after the other: the first reject rejects, all must accept.

    An undecided stage lets the next ones run, but the whole can then only be rejected or undecided. Stages that don't
    apply (`skipped`) leave the count; a pipeline of nothing else has decided nothing and is `unparsed`.

    Args:
        stages: name and outcome of every planned stage in order, at least one.
    """
    if not stages:
        raise ValueError("a pipeline needs a stage")
    for name, outcome in stages:
        if outcome is Outcome.REJECT:
            return Tally(Outcome.REJECT, f"{name} rejected")
    passed_by = [name for name, outcome in stages if outcome is Outcome.SKIPPED]
    if len(passed_by) == len(stages):
        return Tally(Outcome.UNPARSED, "none of its stages applied")
    undecided = [name for name, outcome in stages if outcome not in (Outcome.ACCEPT, Outcome.SKIPPED)]
    if not undecided:
        if not passed_by:
            return Tally(Outcome.ACCEPT, "every stage accepted")
        return Tally(Outcome.ACCEPT, f"every other stage accepted, {', '.join(passed_by)} didn't apply")
    failed = any(outcome is Outcome.FAILED for _, outcome in stages)
    return Tally(Outcome.FAILED if failed else Outcome.UNPARSED, f"no decision by {', '.join(undecided)}")


def _count(votes: Sequence[Outcome], planned: int) -> tuple[int, int, int]:
    """Accepts, rejects, and how many of the planned votes apply, so far as is known."""
    if planned < 1 or len(votes) > planned:
        raise ValueError(f"{len(votes)} votes of {planned} planned")
    return votes.count(Outcome.ACCEPT), votes.count(Outcome.REJECT), planned - votes.count(Outcome.SKIPPED)
