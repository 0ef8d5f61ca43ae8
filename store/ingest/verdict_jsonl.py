"""Verdict files, files of what people said beside verdicts, and files of what machines found."""

from pathlib import Path

from store.ingest.report import OnProgress
from store.ingest.sealed_jsonl import import_sealed
from store.rows import ImportReport
from store.sealed_kinds import EVIDENCE, STATEMENT, VERDICT
from store.workspace import Workspace


def import_verdicts(ws: Workspace, path: Path, *, on_progress: OnProgress | None = None) -> ImportReport:
    """Take in a file of verdict rows, as `import_sealed` does and with its errors."""
    return import_sealed(ws, path, VERDICT.noun, on_progress)


def import_statements(ws: Workspace, path: Path, *, on_progress: OnProgress | None = None) -> ImportReport:
    """Take in a file of statement rows, as `import_sealed` does and with its errors."""
    return import_sealed(ws, path, STATEMENT.noun, on_progress)


def import_evidence(ws: Workspace, path: Path, *, on_progress: OnProgress | None = None) -> ImportReport:
    """Take in a file of evidence rows, as `import_sealed` does and with its errors."""
    return import_sealed(ws, path, EVIDENCE.noun, on_progress)
