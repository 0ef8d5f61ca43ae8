"""`uq-tui export --labels`: a reviewer's labels, one row an answer."""

from pathlib import Path
from typing import Any

import click

from exports.labels import LabelsReport, export_labels
from store.withheld import Withheld
from store.workspace import Workspace
from uq_tui.text import clean_line, counted


def write_labels(
    workspace: Workspace, path: Path, reviewer_id: str, without: Withheld, *, quiet: bool
) -> dict[str, Any]:
    """Write the file and say on standard error what is in it and what is not, unless `quiet`; what JSON says of it.

    Raises:
        ExportError: it can't be written, or its name ends in no format.
    """
    report = export_labels(workspace, path, reviewer_id=reviewer_id, without=without)
    if not quiet:
        click.echo(clean_line(_said(report)), err=True)
    return {
        "file": str(report.path),
        "rows": report.rows,
        "labels": dict(report.labels),
        "left_out": {why.name.lower(): n for why, n in report.left_out.items()},
    }


def _said(report: LabelsReport) -> str:
    by_label = ", ".join(f"{n:,} {label}" for label, n in sorted(report.labels.items()))
    left_out = ", ".join(f"{n:,} {why}" for why, n in sorted(report.left_out.items()))
    written = f"{counted(report.rows, 'label')} written to {report.path}" + (f": {by_label}" if by_label else "")
    return f"{written}. Left out: {left_out}." if left_out else f"{written}."
