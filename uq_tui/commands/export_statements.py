"""`uq-tui export --statements`: what people said beside verdicts, as rows."""

from collections.abc import Collection
from pathlib import Path
from typing import Any

import click

from exports.statements import export_statements
from store import statements
from store.workspace import Workspace
from uq_tui.commands import blind
from uq_tui.text import clean_line, counted


def write_statements(
    workspace: Workspace, path: Path, reviewer_id: str, masked: Collection[str], *, quiet: bool
) -> dict[str, Any]:
    """Write the file and say on standard error what is in it, unless `quiet`, and what is held back; what JSON says.

    Raises:
        ExportError: it can't be written.
    """
    held_back = statements.count_of_questions(workspace, masked, reviewer_id=reviewer_id)
    if held_back:
        click.echo(blind.held_back(held_back), err=True)
    report = export_statements(workspace, path, reviewer_id=reviewer_id, without=masked)
    if not quiet:
        click.echo(clean_line(f"{counted(report.rows, 'statement')} written to {report.path}"), err=True)
    return {"file": str(report.path), "rows": report.rows, "sha256": report.sha256, "held_back": held_back}
