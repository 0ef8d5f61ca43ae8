"""What tests of graded work look at."""

from pathlib import Path

from store import candidates, external_scores, questions
from store.identity import question_id_for_text
from store.ingest.importer import format_of, import_file
from store.rows import Candidate, ImportReport, KnownLabel, Question
from store.workspace import Workspace
from tests.fixtures import FIXTURES

GRADED = FIXTURES / "graded"
"""Files of our own, one of each form."""


def brought_twice(ws: Workspace, path: Path) -> ImportReport:
    """The report of importing a file; another import of it changes nothing."""
    report = import_file(ws, path)
    assert report.format == format_of(path).name
    again = import_file(ws, path)
    assert (again.new, again.changed, again.rejected) == (0, 0, report.rejected)
    return report


def of_statement(ws: Workspace, statement: str) -> tuple[Question, tuple[Candidate, ...]]:
    """A problem by its statement, and the answers to it."""
    question_id = question_id_for_text("source", statement)
    return questions.get(ws, question_id), candidates.of_question(ws, question_id)


def label_of(ws: Workspace, candidate: Candidate) -> KnownLabel:
    """The label that came with an answer."""
    label = candidates.known_label(ws, candidate.id)
    assert label is not None
    return label


def score_of(ws: Workspace, candidate: Candidate) -> tuple[str, float]:
    """The one outside score of an answer."""
    (score,) = (one for one in external_scores.every(ws) if one.candidate_id == candidate.id)
    return score.scorer, score.value
