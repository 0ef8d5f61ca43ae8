"""`uq-tui export --report`: one question with its answers and what was found of them, for people to read."""

from pathlib import Path
from typing import Any

import click

from store import reviewers
from store.workspace import Workspace
from uq_tui.state import question_report
from uq_tui.text import clean_line


def write_report(workspace: Workspace, question: str, path: Path, *, quiet: bool) -> dict[str, Any]:
    """Write the report and say so on standard error, unless `quiet`; what JSON says of it.

    Raises:
        NotFoundError: there is no such question.
        BlindError: its problem is judged blind.
        ExportError: its name says no format, or it can't be written.
    """
    question_report.write(workspace, reviewers.current(workspace), question, path)
    if not quiet:
        click.echo(clean_line(f"Written to {path}"), err=True)
    return {"file": str(path), "question_id": question}
