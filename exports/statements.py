"""What people said beside verdicts as a file: second passes, comments, notes, acceptances."""

from collections.abc import Collection
from pathlib import Path

from exports.leading_rows import leading_first
from exports.redaction import Redactor
from exports.rows import PLAIN, ExportReport, Manner, export_rows
from exports.verdicts import ALL, RowOptions
from store import statements
from store.statement_shape import SCHEMA_VERSION, SHAPE
from store.workspace import Workspace


def export_statements(
    ws: Workspace, path: Path, options: RowOptions = ALL, *, without: Collection[str] = (), manner: Manner = PLAIN
) -> ExportReport:
    """Write statement revisions, as `export_rows` does and with its errors; those on questions `without` are left out.

    Their words are the reviewers' own, so they are the same without the answers' text.
    """
    rows = leading_first(lambda: statements.records(ws, **options.chosen, without=without), SHAPE)
    return export_rows(path, Redactor(SHAPE, options.left_out, ws.secret).lines(rows), SCHEMA_VERSION, manner)
