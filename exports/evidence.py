"""What finished runs found as a file: one row a run and candidate."""

from collections.abc import Collection
from pathlib import Path

from exports.leading_rows import leading_first
from exports.rows import PLAIN, ExportReport, Manner, export_rows
from exports.verdicts import ALL, RowOptions
from store import evidence_records
from store.evidence_shape import SCHEMA_VERSION, SHAPE
from store.workspace import Workspace


def export_evidence(
    ws: Workspace, path: Path, options: RowOptions = ALL, *, without: Collection[str] = (), manner: Manner = PLAIN
) -> ExportReport:
    """Write evidence rows, of this workspace's runs and of those that came in files, as `export_rows` does.

    Of the options, time and version count: the rows name no reviewer and quote nothing. Those on questions `without`
    are left out.

    Raises:
        ExportError, SignatureError: as `export_rows`.
        StoreError: rows of runs that ended since the last time can't be kept.
    """
    evidence_records.write_due(ws, manner.is_cancelled)
    chosen = {"since": options.since, "dataset_version": options.dataset_version}
    rows = leading_first(lambda: evidence_records.records(ws, **chosen, without=without), SHAPE)
    return export_rows(path, rows, SCHEMA_VERSION, manner)
