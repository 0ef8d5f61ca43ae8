"""Proposed neighbours and what solvers answered: kept by run and number, replaced when they are decided."""

from dataclasses import replace

import pytest

from store import proposals
from store.run_rows import Attempt, Proposal
from store.workspace import Workspace
from tests.store.records.samples import AT, QUESTION_ID
from tests.store.records.stock import put_question, put_run
from uq_tui.words import DecidedBy, ProposalState, RunKind

AWKWARD = "by \ud83d\0 Gauss"


@pytest.fixture
def run_id(workspace: Workspace) -> str:
    put_question(workspace)
    return put_run(workspace, RunKind.NEIGHBOURS)


def proposal(run_id: str, number: int = 1) -> Proposal:
    return Proposal(run_id, number, QUESTION_ID, f"{AWKWARD} {number}?", AWKWARD, ProposalState.ASKED, created_at=AT)


def attempt(run_id: str, solver: str, sample: int, answer: str = "1024") -> Attempt:
    return Attempt(run_id, 1, solver, sample, answer, None if answer else DecidedBy.CUT_OFF, "key")


def test_proposals_come_back_in_the_models_order(workspace: Workspace, run_id: str) -> None:
    proposals.save(workspace, [proposal(run_id, number) for number in (3, 1, 2)])

    assert proposals.of_run(workspace, run_id) == tuple(proposal(run_id, number) for number in (1, 2, 3))


def test_of_a_question_the_newest_run_comes_first(workspace: Workspace, run_id: str) -> None:
    later = put_run(workspace, RunKind.NEIGHBOURS)
    proposals.save(workspace, [proposal(run_id), proposal(later, 2), proposal(later)])

    assert proposals.of_question(workspace, QUESTION_ID) == (proposal(later), proposal(later, 2), proposal(run_id))


def test_a_proposal_that_is_decided_keeps_its_time(workspace: Workspace, run_id: str) -> None:
    proposals.save(workspace, [proposal(run_id)])
    agreed = replace(proposal(run_id), state=ProposalState.AGREED, answer="1024", neighbour_id="n", reason=AWKWARD)
    for _ in range(2):
        proposals.save(workspace, [agreed])

    assert proposals.of_run(workspace, run_id) == (agreed,)


def test_saving_nothing_is_no_error(workspace: Workspace, run_id: str) -> None:
    proposals.save(workspace, [])
    proposals.save_attempts(workspace, [])

    assert proposals.of_run(workspace, run_id) == ()
    assert proposals.attempts(workspace, run_id) == ()


def test_attempts_come_by_solver_and_sample(workspace: Workspace, run_id: str) -> None:
    proposals.save(workspace, [proposal(run_id)])
    new = [attempt(run_id, "b", 0, AWKWARD), attempt(run_id, "a", 1), attempt(run_id, "a", 0, "")]
    proposals.save_attempts(workspace, new)

    assert proposals.attempts(workspace, run_id) == (new[2], new[1], new[0])


def test_an_attempt_that_is_made_again_replaces_the_one_before(workspace: Workspace, run_id: str) -> None:
    proposals.save(workspace, [proposal(run_id)])
    proposals.save_attempts(workspace, [attempt(run_id, "a", 0, "")])
    proposals.save_attempts(workspace, [attempt(run_id, "a", 0)])

    assert proposals.attempts(workspace, run_id) == (attempt(run_id, "a", 0),)
