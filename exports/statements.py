"""All that people said beside verdicts as a file: second passes, comments, notes, acceptances."""

from collections.abc import Collection
from pathlib import Path

from exports.rows import ExportReport, export_rows
from store import statements
from store.statement_shape import SCHEMA_VERSION
from store.workspace import Workspace


def export_statements(
    ws: Workspace, path: Path, *, reviewer_id: str = "", without: Collection[str] = ()
) -> ExportReport:
    """Write all statement revisions, or those of one reviewer, as `export_rows` does. Raises ExportError.

    Those on the questions `without` are left out.
    """
    return export_rows(path, statements.records(ws, reviewer_id=reviewer_id, without=without), SCHEMA_VERSION)
