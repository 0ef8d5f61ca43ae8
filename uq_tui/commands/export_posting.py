"""`uq-tui export --for-posting`: an answer as Markdown for its site, behind what that site says to it."""

from pathlib import Path
from typing import Any

import click

from exports.posting import export_for_posting
from store import reviewers
from store.workspace import Workspace
from uq_tui.commands import ids
from uq_tui.state.posting import policy_lines, read
from uq_tui.text import clean_line


def write_for_posting(workspace: Workspace, candidate: str, path: Path, *, anyway: bool, quiet: bool) -> dict[str, Any]:
    """Say on standard error what the site says to it, then write the file; what JSON says of it.

    Raises:
        NotFoundError: there is no such candidate, or its text is not here.
        BlindError: its problem is judged blind.
        ExportError: the site forbids it and it isn't to be written anyway, or it can't be written.
    """
    posting = read(workspace, reviewers.current(workspace), ids.candidate(workspace, candidate))
    if not quiet:
        for line in policy_lines(posting):
            click.echo(clean_line(line), err=True)
    export_for_posting(posting, path, anyway=anyway)
    if not quiet:
        click.echo(clean_line(f"Written to {path}"), err=True)
    policy = posting.policy
    return {
        "file": str(path),
        "site": posting.question.row.site,
        "policy": policy.rule.value,
        "policy_source": policy.source,
        "look_at": policy.look_at,
        "by_machine": posting.by_machine,
    }
