"""The exported file: whole, repeatable, and taken back in unchanged."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from exports.verdicts import RowOptions, export_verdicts
from store import judgements, reviewers
from store.ingest.sealed_jsonl import import_sealed
from store.manifest import Manifest, manifest_path, read_manifest
from store.sealed_kinds import VERDICT
from store.verdict_record import verify
from store.workspace import Workspace
from tests.exports.small_disk import small_disk
from tests.new_workspace import new_workspace
from tests.store.records.giving import give, take_back
from tests.store.records.samples import REVIEWER, form
from tests.store.records.stock import put_candidate, put_evidence, put_run, utility
from uq_tui.errors import ExportError
from uq_tui.words import RunKind

ODD_ANSWER = "odd \ud83d \0 \u2028 \x85 answer"


@pytest.fixture
def judged(workspace: Workspace) -> Workspace:
    """A workspace with evidence and four revisions of two verdicts, one of them retracted."""
    reviewers.save(workspace, REVIEWER)
    for answer in ("A plain answer.", ODD_ANSWER):
        candidate = put_candidate(workspace, answer)
        run_id = put_evidence(workspace, candidate)
        judgements.save_utilities(workspace, [utility(run_id, candidate)])
        give(workspace, REVIEWER, candidate, form(rationale=answer))
    give(workspace, REVIEWER, candidate, form(rationale="second thoughts"))
    take_back(workspace, REVIEWER, candidate)
    return workspace


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Workspace]:
    opened = new_workspace(tmp_path / "elsewhere.uq.sqlite")
    yield opened
    opened.close()


def test_each_revision_is_one_line_of_strict_json(judged: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    report = export_verdicts(judged, path)
    data = path.read_bytes()
    assert data.endswith(b"\n")
    assert b"\r" not in data
    rows = [json.loads(line) for line in data.decode("utf-8").split("\n")[:-1]]
    for row in rows:
        verify(row)
    assert [row["status"] for row in rows] == ["submitted", "submitted", "submitted", "retracted"]
    assert rows[1]["rationale"] == ODD_ANSWER
    assert (report.path, report.rows, report.sha256) == (path, 4, hashlib.sha256(data).hexdigest())


def test_the_manifest_describes_the_file(judged: Workspace, tmp_path: Path) -> None:
    report = export_verdicts(judged, tmp_path / "out.jsonl")
    assert read_manifest(tmp_path / "out.jsonl") == Manifest("out.jsonl", 4, 1, report.sha256)
    assert manifest_path(tmp_path / "out.jsonl").name == "out.jsonl.manifest.json"


def test_exporting_again_repeats_every_byte(judged: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    export_verdicts(judged, path)
    first = path.read_bytes(), manifest_path(path).read_bytes()
    export_verdicts(judged, path)
    assert (path.read_bytes(), manifest_path(path).read_bytes()) == first


def test_a_further_run_changes_no_byte(judged: Workspace, tmp_path: Path) -> None:
    before, after = tmp_path / "before.jsonl", tmp_path / "after.jsonl"
    export_verdicts(judged, before)
    candidate = put_candidate(judged, "A plain answer.")
    put_evidence(judged, candidate)
    judgements.save_utilities(judged, [utility(put_run(judged, RunKind.CBU), candidate, mean=0.0)])
    export_verdicts(judged, after)
    assert after.read_bytes() == before.read_bytes()


def test_the_file_comes_back_unchanged_into_the_same_workspace(judged: Workspace, tmp_path: Path) -> None:
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    export_verdicts(judged, first)
    report = import_sealed(judged, first, VERDICT.noun)
    assert (report.read, report.new, report.same, report.rejected_total, report.notes) == (4, 0, 4, 0, ())
    export_verdicts(judged, second)
    assert second.read_bytes() == first.read_bytes()


def test_the_file_goes_unchanged_through_an_empty_workspace(
    judged: Workspace, elsewhere: Workspace, tmp_path: Path
) -> None:
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    export_verdicts(judged, first)
    report = import_sealed(elsewhere, first, VERDICT.noun)
    assert (report.new, report.same, report.rejected_total, report.notes) == (4, 0, 0, ())
    export_verdicts(elsewhere, second)
    assert second.read_bytes() == first.read_bytes()


def test_one_reviewer_can_be_exported_alone(judged: Workspace, tmp_path: Path) -> None:
    assert export_verdicts(judged, tmp_path / "mine.jsonl", RowOptions(REVIEWER.id)).rows == 4
    assert export_verdicts(judged, tmp_path / "theirs.jsonl", RowOptions("someone-else")).rows == 0


def test_no_verdicts_make_an_empty_file(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    assert export_verdicts(workspace, path).rows == 0
    assert path.read_bytes() == b""
    assert import_sealed(workspace, path, VERDICT.noun).read == 0


def test_what_is_no_file_is_not_written_over(judged: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    manifest_path(path).mkdir()
    with pytest.raises(ExportError, match="not a regular file"):
        export_verdicts(judged, path)
    assert not path.exists()


def test_a_disk_that_fills_leaves_both_old_files(judged: Workspace, tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 16) as disk:
        path = disk / "out.jsonl"
        export_verdicts(judged, path, RowOptions("nobody"))
        before = {file.name: file.read_bytes() for file in disk.iterdir()}
        assert len(before) == 2
        with pytest.raises(ExportError, match="No space left"):
            export_verdicts(judged, path)
        assert {file.name: file.read_bytes() for file in disk.iterdir()} == before
