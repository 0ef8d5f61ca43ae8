"""Verdict files, files of what people said beside verdicts, and files of what machines found."""

from pathlib import Path

from store import evidence_records, statement_record, statements, verdict_record, verdicts
from store.ingest.report import OnProgress
from store.ingest.sealed_jsonl import Kind, import_sealed
from store.rows import ImportReport
from store.workspace import Workspace

_VERDICTS = Kind("verdicts", verdict_record.verify, verdicts.put_record)
_STATEMENTS = Kind("statements", statement_record.verify, statements.put_record)
_EVIDENCE = Kind("evidence rows", evidence_records.verify, evidence_records.put_record)


def import_verdicts(ws: Workspace, path: Path, *, on_progress: OnProgress | None = None) -> ImportReport:
    """Take in a file of verdict rows, as `import_sealed` does and with its errors."""
    return import_sealed(ws, path, _VERDICTS, on_progress)


def import_statements(ws: Workspace, path: Path, *, on_progress: OnProgress | None = None) -> ImportReport:
    """Take in a file of statement rows, as `import_sealed` does and with its errors."""
    return import_sealed(ws, path, _STATEMENTS, on_progress)


def import_evidence(ws: Workspace, path: Path, *, on_progress: OnProgress | None = None) -> ImportReport:
    """Take in a file of evidence rows, as `import_sealed` does and with its errors."""
    return import_sealed(ws, path, _EVIDENCE, on_progress)
