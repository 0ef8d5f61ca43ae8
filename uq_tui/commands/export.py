"""`uq-tui export`: write verdicts to a file that others can read."""

import sys
from pathlib import Path

import click

from exports.verdicts import export_verdicts
from store import reviewers, verdicts
from store.workspace import Workspace
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.errors import NotFoundError
from uq_tui.text import clean, clean_line, counted

STDOUT = Path("-")
ME = "me"


@click.command("export", epilog=exit_codes())
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    metavar="FILE",
    help="The file to write, in place of an earlier one; - for standard output.",
)
@click.option(
    "--reviewer", type=utf8, default="", metavar="ID", help="Only this reviewer's verdicts; `me` for your own."
)
@json_option
@pass_invocation
def export(invocation: Invocation, out: Path, reviewer: str) -> None:
    """Write all verdicts as JSONL, one revision a line.

    Beside the file NAME.manifest.json says how many rows it has and its sha256. Exporting again gives the same bytes.
    """
    if out == STDOUT and invocation.as_json:
        raise click.UsageError("--json reports on a file; with --out - standard output is the export itself.")
    with invocation.open() as workspace:
        reviewer_id = reviewers.current(workspace).id if reviewer == ME else reviewer
        if reviewer_id and next(verdicts.records(workspace, reviewer_id=reviewer_id), None) is None:
            raise NotFoundError(
                f"There is no verdict of the reviewer {reviewer_id}.", hint="`uq-tui verdict list --all`."
            )
        if out == STDOUT:
            _write(workspace, reviewer_id)
            return
        report = export_verdicts(workspace, out, reviewer_id=reviewer_id)
    if invocation.as_json:
        write_json({"file": str(report.path), "rows": report.rows, "sha256": report.sha256})
    else:
        click.echo(clean_line(f"{counted(report.rows, 'row')} written to {report.path}"), err=True)


def _write(workspace: Workspace, reviewer_id: str) -> None:
    """The rows byte by byte; on a terminal, which would obey what is in them, cleaned."""
    for line in verdicts.records(workspace, reviewer_id=reviewer_id):
        click.echo(clean(line) if sys.stdout.isatty() else line.encode() + b"\n", nl=sys.stdout.isatty())
