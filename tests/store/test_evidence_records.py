"""What runs found as rows of its own: of finished runs, made once, taken in by others as they are."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from store import evidence_records, imported_runs, judgements, runs
from store.evidence_records import evidence_id, records, verify, write_due
from store.evidence_shape import SHAPE
from store.frozen_rows import BadRecordError, sealed
from store.imported_runs import Found, ImportedRun
from store.ingest.importer import import_file
from store.intake import Taken
from store.merging import put_record
from store.workspace import Workspace
from tests.new_workspace import new_workspace
from tests.store.records.samples import QUESTION_ID
from tests.store.records.stock import outcome, put_candidate, put_evidence, put_question, put_run, utility
from uq_tui.words import Outcome, RunKind, RunState


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Workspace]:
    opened = new_workspace(tmp_path / "elsewhere.uq.sqlite")
    yield opened
    opened.close()


def finished(ws: Workspace, candidate: str) -> tuple[str, str]:
    """A validation and a utility run of the candidate, both done; their ids."""
    validation = put_evidence(ws, candidate)
    measuring = put_run(ws, RunKind.CBU)
    judgements.save_utilities(ws, [utility(measuring, candidate)])
    for run_id in (validation, measuring):
        runs.set_state(ws, run_id, RunState.DONE)
    return validation, measuring


def rows(ws: Workspace, **chosen: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in records(ws, **chosen)]


def test_each_finished_run_has_a_row_a_candidate_with_what_it_found(workspace: Workspace) -> None:
    candidate = put_candidate(workspace)
    validation, measuring = finished(workspace, candidate)
    put_evidence(workspace, candidate)  # goes on
    write_due(workspace)
    found = {row["run_id"]: row for row in rows(workspace)}
    assert found.keys() == {validation, measuring}
    for row in found.values():
        verify(row)
        assert list(row) == list(SHAPE)
        assert (row["candidate_id"], row["question_id"]) == (candidate, QUESTION_ID)
        assert row["created_at"] == runs.get(workspace, row["run_id"]).finished_at
    assert [one["run_id"] for one in found[validation]["evidence"]["outcomes"]] == [validation] * 2
    assert found[validation]["evidence"]["utilities"] == []
    assert [one["mean"] for one in found[measuring]["evidence"]["utilities"]] == [0.75]
    assert found[validation]["evidence"]["prompt_hashes"] == ["ab" * 32]


def test_a_row_stays_as_it_was_made_whatever_becomes_of_its_question(workspace: Workspace) -> None:
    finished(workspace, put_candidate(workspace))
    write_due(workspace)
    before = list(records(workspace))
    workspace.write(lambda db: db.exec_driver_sql("UPDATE question SET title = 'Another'"))
    write_due(workspace)
    assert list(records(workspace)) == before


def test_rows_are_chosen_by_time_and_question(workspace: Workspace) -> None:
    put_question(workspace, "q2")
    finished(workspace, put_candidate(workspace))
    finished(workspace, put_candidate(workspace, "Other.", "q2"))
    write_due(workspace)
    assert {row["question_id"] for row in rows(workspace, without={QUESTION_ID})} == {"q2"}
    assert evidence_records.count_of_questions(workspace, {QUESTION_ID}) == 2
    assert rows(workspace, since="2099-01-01") == []
    assert len(rows(workspace, since="2020-01-01")) == 4


def test_they_go_through_an_empty_workspace_unchanged_and_are_not_doubled(
    workspace: Workspace, elsewhere: Workspace, tmp_path: Path
) -> None:
    candidate = put_candidate(workspace)
    finished(workspace, candidate)
    write_due(workspace)
    lines = list(records(workspace))
    file = tmp_path / "evidence.jsonl"
    file.write_bytes(b"".join(line.encode() + b"\n" for line in lines))
    report = import_file(elsewhere, file)
    assert (report.format, report.new, report.rejected_total) == ("evidence rows", 2, 0)
    assert import_file(elsewhere, file).same == 2
    write_due(elsewhere)
    assert list(records(elsewhere)) == lines
    assert import_file(workspace, file).same == 2
    write_due(workspace)
    assert list(records(workspace)) == lines


def test_a_row_with_another_id_or_content_is_refused(workspace: Workspace) -> None:
    finished(workspace, put_candidate(workspace))
    write_due(workspace)
    row = rows(workspace)[0]
    for change in ({"run_id": "other"}, {"evidence_id": "0" * 64}, {"run_kind": ""}, {"candidate_sha256": "x"}):
        with pytest.raises(BadRecordError):
            verify(json.loads(sealed({**row, **change})))
    more = {**row, "extra": {"note": "kept"}}
    more["evidence_id"] = evidence_id(more)
    again = json.loads(sealed(more))
    verify(again)
    assert workspace.write(lambda conn: put_record(conn, again)) is Taken.NEW, "another row, with another id"


def test_a_row_that_contradicts_the_stored_candidate_is_not_taken(workspace: Workspace, elsewhere: Workspace) -> None:
    finished(workspace, put_candidate(workspace))
    write_due(workspace)
    row = {**rows(workspace)[0], "question_id": "another"}
    put_candidate(elsewhere)
    with pytest.raises(BadRecordError):
        elsewhere.write(lambda conn: put_record(conn, row))
    assert rows(elsewhere) == []


def test_what_a_file_says_anew_of_an_imported_run_makes_its_row_anew(workspace: Workspace) -> None:
    candidate = put_candidate(workspace)
    run = ImportedRun("r-file", "uq.jsonl", "3-Iter", ("correctness",), ("correctness",), "m")
    for word in (Outcome.REJECT, Outcome.ACCEPT):
        found = Found(run, (outcome(run.id, candidate, outcome=word),), ())
        workspace.write(partial(imported_runs.put, found=[found]))
        write_due(workspace)
        assert [[one["outcome"] for one in row["evidence"]["outcomes"]] for row in rows(workspace)] == [[word]]
