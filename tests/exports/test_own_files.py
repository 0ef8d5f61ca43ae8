"""What uq-tui itself has written goes through the importer, told by its content, and changes nothing a second time."""

import gzip
from pathlib import Path

import pytest

from exports.labels import export_labels
from exports.statements import export_statements
from exports.verdicts import export_verdicts
from store import candidates, reviewers, statements, verdicts
from store.ingest.importer import import_file
from store.review_rows import Said
from store.rows import Reviewer, VerdictForm
from store.workspace import Workspace
from tests.new_workspace import new_workspace
from tests.store.records.giving import give
from tests.store.stock import QUESTION, candidate, take
from uq_tui.words import Label, StatementKind


@pytest.fixture
def written(workspace: Workspace, tmp_path: Path) -> Path:
    """A folder with each kind of file, of a workspace in which somebody has judged two answers and said something."""
    take(workspace, QUESTION)
    first, second = candidates.add(workspace, [candidate("Yes."), candidate("No.")])
    ann = Reviewer("r-ann", "ann", "", ())
    reviewers.save(workspace, ann)
    give(workspace, ann, first, VerdictForm(label=Label.CORRECT, rationale="Plain."))
    give(workspace, ann, second, VerdictForm(label=Label.INCORRECT))
    statements.add(workspace, ann, StatementKind.COMMENT, QUESTION.id, Said("Hm."), candidate_id=first)
    export_verdicts(workspace, tmp_path / "verdicts.jsonl")
    export_statements(workspace, tmp_path / "statements.jsonl")
    export_labels(workspace, tmp_path / "labels.csv", reviewer_id=ann.id)
    return tmp_path


@pytest.mark.parametrize("packed", [False, True])
def test_they_are_recognised_and_taken_in_once(written: Path, tmp_path: Path, packed: bool) -> None:
    other = new_workspace(tmp_path / "other.uq.sqlite")
    take(other, QUESTION)
    seen = []
    for name in ("verdicts.jsonl", "statements.jsonl", "labels.csv"):
        data = (written / name).read_bytes()
        path = tmp_path / f"{name}.txt"
        path.write_bytes(gzip.compress(data) if packed else data)
        first, again = import_file(other, path), import_file(other, path)
        assert first.rejected == again.rejected == ()
        assert (again.new, again.changed, again.same) == (0, 0, first.read)
        seen.append((first.format, first.new))
    assert seen == [("verdicts", 2), ("statements", 1), ("labelled candidates", 2)]
    assert list(verdicts.records(other)) == (written / "verdicts.jsonl").read_text().splitlines()
    other.close()
