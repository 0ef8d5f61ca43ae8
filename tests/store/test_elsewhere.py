"""What runs elsewhere found of candidates, read from rows that came in files."""

from functools import partial
from json import loads
from pathlib import Path

import pytest

from store import elsewhere, evaluation, evidence_records, merging
from store.evaluation import Judged
from store.evidence_records import NO_VALIDATOR
from store.workspace import Workspace
from tests.found_elsewhere import AT, TWO, judge_row, put_row, put_validated, utility_row
from tests.new_workspace import new_workspace
from tests.store.evaluated import put_answers, put_validation, spec
from uq_tui.words import Exposure, Label, Outcome, RunKind

ANSWERS = {"An answer.": ("openai/o3", Label.INCORRECT), "Another.": ("openai/o3", Label.CORRECT)}


@pytest.fixture
def one(workspace: Workspace) -> str:
    return put_answers(workspace, ANSWERS)["An answer."]


def test_rows_of_a_candidate_come_in_the_order_in_which_runs_ended(workspace: Workspace, one: str) -> None:
    put_row(workspace, one, "late", RunKind.CBU, "2026-03-01T00:00:00.000000Z", utilities=[utility_row("late")])
    put_row(workspace, one, "early", RunKind.JUDGE, judges=[judge_row("early")])
    found = elsewhere.of_candidate(workspace, one)
    assert [(it.run_id, it.kind, it.at[:7]) for it in found] == [
        ("early", RunKind.JUDGE, "2026-02"),
        ("late", RunKind.CBU, "2026-03"),
    ]
    assert [it.exposes for it in found] == [{Exposure.SCORES}, {Exposure.UTILITY}]
    assert elsewhere.of_candidate(workspace, "absent") == ()


def test_of_two_rows_on_a_run_and_a_candidate_one_counts_in_whatever_order_they_come(
    workspace: Workspace, one: str, tmp_path: Path
) -> None:
    other = new_workspace(tmp_path / "other.uq.sqlite")
    put_answers(other, ANSWERS)
    words = (Outcome.ACCEPT, Outcome.REJECT)
    for ws, order in ((workspace, words), (other, words[::-1])):
        for word in order:
            put_validated(ws, one, word)
    assert len(elsewhere.of_candidate(workspace, one)) == 1
    assert elsewhere.validations(workspace) == elsewhere.validations(other)
    other.close()


def test_a_validation_is_told_as_it_would_be_where_it_ran(workspace: Workspace, one: str, tmp_path: Path) -> None:
    there = new_workspace(tmp_path / "there.uq.sqlite")
    put_answers(there, ANSWERS)
    run_id = put_validation(there, {one: Outcome.REJECT}, spec("two", "openai/o3", "m/other"))
    evidence_records.write_due(there)
    rows = [loads(line) for line in evidence_records.records(there)]
    for row in rows:
        workspace.write(partial(merging.put_record, record=row))
        there.write(partial(merging.put_record, record=row))
    assert elsewhere.validations(there) == (), "the run is there itself"
    ((run, judged),) = elsewhere.validations(workspace)
    assert (run,) == evaluation.finished_validations(there)
    assert judged == Judged(run_id, one, Outcome.REJECT, ((1, "fact_logic"),), calls=None)
    there.close()


def test_a_run_that_is_here_too_is_not_elsewhere(workspace: Workspace, one: str) -> None:
    run_id = put_validation(workspace, {one: Outcome.ACCEPT})
    put_validated(workspace, one, run_id=run_id)
    assert elsewhere.of_candidate(workspace, one) == ()
    assert elsewhere.validations(workspace) == ()


def test_what_does_not_say_how_it_judged_or_what_came_out_is_shown_but_does_not_count(
    workspace: Workspace, one: str
) -> None:
    put_validated(workspace, one, run_id="no-name", validator=NO_VALIDATOR)
    put_validated(workspace, one, "a word of another program", run_id="word")
    put_row(workspace, one, "no-end", validator=TWO, at=AT)
    put_row(workspace, one, "judge", RunKind.JUDGE, judges=[judge_row("judge")])
    assert elsewhere.validations(workspace) == ()
    assert len(elsewhere.of_candidate(workspace, one)) == 4
