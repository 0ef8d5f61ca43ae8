"""The importer knows logs and results of validators by their content, whatever they are called."""

import json
import shutil
from pathlib import Path

import pytest

from store.ingest.importer import format_of, import_file
from store.workspace import Workspace
from tests.fixtures import FIXTURES
from tests.shared import shared_file
from tests.store.ingest.test_inspect_logs import HEADER, REAL, archive, sample
from uq_tui.errors import ImportFileError


def test_results_of_validators(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    shutil.copy(FIXTURES / "uq-validations.jsonl", path)
    for name in ("uq-questions.jsonl", "uq-answers.jsonl"):
        import_file(workspace, FIXTURES / name)
    report = import_file(workspace, path)
    assert (report.format, report.new, report.rejected_total) == ("UQ validator results", 4, 1)


def test_logs_of_our_own(workspace: Workspace, tmp_path: Path) -> None:
    path = archive(tmp_path, sample()).rename(tmp_path / "log.txt")
    assert import_file(workspace, path).format == "Inspect log"
    alone = tmp_path / "one-line.json"
    alone.write_text(json.dumps({**HEADER, "samples": [sample()]}))
    assert import_file(workspace, alone).new == 0


@pytest.mark.parametrize("name", REAL)
def test_real_logs(name: str) -> None:
    assert format_of(shared_file(f"data/inspect-ai-logs/{name}")).name == "Inspect log"


def test_pairs_of_final_answers_are_no_import(workspace: Workspace) -> None:
    with pytest.raises(ImportFileError, match="there is no question in it"):
        import_file(workspace, shared_file("data/inspect-ai-logs/math_cases.json"))
