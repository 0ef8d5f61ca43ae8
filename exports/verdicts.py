"""All verdicts of a workspace as a file."""

from pathlib import Path

from exports.rows import ExportReport, export_rows
from store import verdicts
from store.verdict_shape import SCHEMA_VERSION
from store.withheld import NOTHING, Withheld
from store.workspace import Workspace


def export_verdicts(ws: Workspace, path: Path, *, reviewer_id: str = "", without: Withheld = NOTHING) -> ExportReport:
    """Write all verdict revisions, or those of one reviewer, as `export_rows` does. Raises ExportError.

    Those `without` are left out.
    """
    return export_rows(path, verdicts.records(ws, reviewer_id=reviewer_id, without=without), SCHEMA_VERSION)
