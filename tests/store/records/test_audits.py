"""Audits and their claims: kept by run and candidate, replaced as a whole."""

from dataclasses import replace

import pytest

from store import audits
from store.judge_rows import Audit, Claim
from store.workspace import Workspace
from tests.store.records.samples import AT
from tests.store.records.stock import put_candidate, put_run
from uq_tui.words import ErrorCategory, Reading, RunKind


@pytest.fixture
def candidate(workspace: Workspace) -> str:
    return put_candidate(workspace)


def audit(run_id: str, candidate: str, state: Reading = Reading.READ) -> Audit:
    return Audit(run_id, candidate, state, "1 quote not in the answer, dropped", 1, "k1", AT)


def claim(run_id: str, candidate: str, position: int = 1) -> Claim:
    return Claim(
        run_id=run_id,
        candidate_id=candidate,
        position=position,
        id=f"{position:016x}",
        category=ErrorCategory.EXTERNAL_REFERENCES,
        quote="by \ud83d\0 Gauss",
        start=3,
        end=13,
        claim="a",
        problem="b",
        fix="c",
    )


def test_an_audit_comes_back_with_its_claims_in_order(workspace: Workspace, candidate: str) -> None:
    run_id = put_run(workspace, RunKind.AUDIT)
    claims = [claim(run_id, candidate, position) for position in (3, 1, 2)]
    audits.save(workspace, audit(run_id, candidate), claims)

    assert audits.of_run(workspace, run_id) == audits.of_candidate(workspace, candidate) == (audit(run_id, candidate),)
    assert audits.claims_of(workspace, run_id) == (claims[1], claims[2], claims[0])


def test_an_audit_saved_again_keeps_its_time_and_its_claims(workspace: Workspace, candidate: str) -> None:
    run_id = put_run(workspace, RunKind.AUDIT)
    for time in (AT, "2027-01-01T00:00:00.000000Z"):
        audits.save(workspace, replace(audit(run_id, candidate), created_at=time), [claim(run_id, candidate)])

    assert audits.of_run(workspace, run_id) == (audit(run_id, candidate),)
    assert audits.claims_of(workspace, run_id) == (claim(run_id, candidate),)


def test_an_audit_that_reads_otherwise_replaces_all_claims(workspace: Workspace, candidate: str) -> None:
    run_id = put_run(workspace, RunKind.AUDIT)
    audits.save(workspace, audit(run_id, candidate), [claim(run_id, candidate, 1), claim(run_id, candidate, 2)])
    unparsed = replace(audit(run_id, candidate, Reading.UNPARSED), reason="no JSON object begins with the code")
    audits.save(workspace, unparsed, [])

    assert audits.of_run(workspace, run_id) == (unparsed,)
    assert audits.claims_of(workspace, run_id) == ()


def test_audits_of_other_candidates_and_runs_stay(workspace: Workspace, candidate: str) -> None:
    other = put_candidate(workspace, "Another answer.")
    first, second = put_run(workspace, RunKind.AUDIT), put_run(workspace, RunKind.AUDIT)
    for run_id, one in ((second, candidate), (first, other), (first, candidate)):
        audits.save(workspace, audit(run_id, one), [claim(run_id, one)])
    audits.save(workspace, audit(first, candidate), [])

    assert [one.candidate_id for one in audits.of_run(workspace, first)] == [candidate, other]
    assert [one.run_id for one in audits.of_candidate(workspace, candidate)] == [first, second]
    assert audits.claims_of(workspace, first) == (claim(first, other),)
    assert audits.claims_of(workspace, first, candidate) == ()
    assert audits.claims_of(workspace, second, candidate) == (claim(second, candidate),)
