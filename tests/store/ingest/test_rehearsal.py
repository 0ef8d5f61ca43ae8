"""Dry runs, and imports that are stopped."""

import json
import shutil
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from store import questions
from store.ingest.importer import import_file
from store.ingest.rehearsal import rehearsed
from store.ingest.under_way import Progress
from store.rows import QuestionFilter
from store.workspace import Workspace
from tests.store.stock import question, take
from uq_tui.errors import StoreError


def rows(path: Path, n: int) -> Path:
    path.write_text("".join(f"{json.dumps({'question_id': i, 'body': f'Body {i} ' * 400})}\n" for i in range(n)))
    return path


def test_a_dry_run_tells_what_an_import_would_do(workspace: Workspace, tmp_path: Path) -> None:
    file = rows(tmp_path / "q.jsonl", 30)
    file.write_text(file.read_text() + "not JSON\n")
    take(workspace, question(1))
    before = workspace.path.read_bytes()
    with rehearsed(workspace) as copy:
        place = copy.path
        assert questions.count(copy, QuestionFilter()).n == 1
        told = [import_file(copy, file) for _ in range(2)]
    assert not place.exists()
    assert workspace.path.read_bytes() == before
    assert questions.count(workspace, QuestionFilter()).n == 1
    assert told == [import_file(workspace, file) for _ in range(2)]
    assert [(report.new, report.same, report.rejected_total) for report in told] == [(30, 0, 1), (0, 30, 1)]


def test_a_copy_that_has_no_room_is_not_begun(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    class Usage(NamedTuple):
        free: int

    def full(path: Any) -> Usage:
        return Usage(0)

    monkeypatch.setattr(shutil, "disk_usage", full)
    with pytest.raises(StoreError, match=r"has room for 0\.0 GB") as caught, rehearsed(workspace):
        pass
    assert "TMPDIR" in caught.value.hint


def test_an_import_that_is_stopped_keeps_what_is_stored(workspace: Workspace, tmp_path: Path) -> None:
    file = rows(tmp_path / "q.jsonl", 400)
    seen: list[Progress] = []
    report = import_file(workspace, file, on_progress=seen.append, is_cancelled=lambda: len(seen) > 2)
    stored = questions.count(workspace, QuestionFilter()).n
    assert 0 < stored < 400
    assert (report.format, report.new, report.rejected) == ("questions", stored, ())
    assert report.notes[0].startswith("Stopped after ")
    assert "% of the file read." in report.notes[0]
    shares = [one.share for one in seen if one.share is not None]
    assert shares == sorted(shares)
    assert import_file(workspace, file).new == 400 - stored


def test_an_import_may_be_stopped_before_it_begins(workspace: Workspace, tmp_path: Path) -> None:
    report = import_file(workspace, rows(tmp_path / "q.jsonl", 3), is_cancelled=lambda: True)
    assert (report.read, report.notes) == (0, ("Stopped before anything was stored.",))
