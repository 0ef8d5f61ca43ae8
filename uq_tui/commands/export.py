"""`uq-tui export`: write verdicts to a file that others can read."""

import sys
from pathlib import Path
from typing import Any

import click

from exports.verdicts import export_verdicts
from store import reviewers, verdicts
from store.withheld import Withheld
from store.workspace import Workspace
from uq_tui.commands import blind
from uq_tui.commands.export_labels import write_labels
from uq_tui.commands.export_posting import write_for_posting
from uq_tui.commands.export_statements import write_statements
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.errors import NotFoundError
from uq_tui.text import clean, clean_line, counted

STDOUT = Path("-")
ME = "me"


@click.command("export", epilog=exit_codes())
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    metavar="FILE",
    help="The file to write, in place of an earlier one; - for standard output.",
)
@click.option(
    "--labels",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The labels of one reviewer, by default yours, one row an answer; CSV or JSON lines, by how FILE ends.",
)
@click.option(
    "--statements",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="What was said beside verdicts, as JSONL: second passes, comments, notes, acceptances.",
)
@click.option(
    "--reviewer", type=utf8, default="", metavar="ID", help="Only what this reviewer gave and said; `me` for your own."
)
@click.option(
    "--for-posting",
    "posting",
    type=(utf8, click.Path(path_type=Path, dir_okay=False)),
    metavar="CANDIDATE FILE",
    help="An answer as Markdown for its site, with who wrote and checked it. What the site says to that comes first.",
)
@click.option("--anyway", is_flag=True, help="With --for-posting: write it although its site forbids it.")
@json_option
@pass_invocation
def export(
    invocation: Invocation,
    out: Path | None,
    labels: Path | None,
    statements: Path | None,
    reviewer: str,
    posting: tuple[str, Path] | None,
    anyway: bool,
) -> None:
    """Write all verdicts as JSONL, one revision a line; with --labels, what they say of each answer as a table.

    Beside the file NAME.manifest.json says how many rows it has and its sha256. Exporting again gives the same bytes.
    Rows on problems that you still judge blind are held back, and their number is said: they name authors and scores.
    """
    if out is None and labels is None and statements is None and posting is None:
        raise click.UsageError("Name a file to write: --out, --labels or --statements FILE, or --for-posting.")
    if anyway and posting is None:
        raise click.UsageError("--anyway belongs to --for-posting.")
    if out == STDOUT and invocation.as_json:
        raise click.UsageError("--json reports on a file; with --out - standard output is the export itself.")
    said: dict[str, Any] = {}
    with invocation.open() as workspace:
        own = reviewers.current(workspace).id
        reviewer_id = own if reviewer == ME else reviewer
        if reviewer_id and (out or labels) and next(verdicts.records(workspace, reviewer_id=reviewer_id), None) is None:
            raise NotFoundError(
                f"There is no verdict of the reviewer {reviewer_id}.", hint="`uq-tui verdict list --all`."
            )
        withheld, quiet = blind.withheld(workspace), invocation.as_json
        if labels is not None:
            said["labels"] = write_labels(workspace, labels, reviewer_id or own, withheld, quiet=quiet)
        if statements is not None:
            masked = withheld.questions
            said["statements"] = write_statements(workspace, statements, reviewer_id, masked, quiet=quiet)
        if posting is not None:
            said["posting"] = write_for_posting(workspace, *posting, anyway=anyway, quiet=quiet)
        if out is not None:
            said |= _write_rows(workspace, out, reviewer_id, withheld, quiet=quiet)
    if invocation.as_json:
        write_json(said)


def _write_rows(
    workspace: Workspace, out: Path, reviewer_id: str, withheld: Withheld, *, quiet: bool
) -> dict[str, Any]:
    """Write verdict rows and say so on standard error, unless `quiet`; what JSON says of them."""
    held_back = verdicts.count(workspace, withheld, reviewer_id=reviewer_id)
    if held_back:
        click.echo(blind.held_back(held_back), err=True)
    if out == STDOUT:
        _write(workspace, reviewer_id, withheld)
        return {}
    report = export_verdicts(workspace, out, reviewer_id=reviewer_id, without=withheld)
    if not quiet:
        click.echo(clean_line(f"{counted(report.rows, 'row')} written to {report.path}"), err=True)
    return {"file": str(report.path), "rows": report.rows, "sha256": report.sha256, "held_back": held_back}


def _write(workspace: Workspace, reviewer_id: str, withheld: Withheld) -> None:
    """The rows byte by byte; on a terminal, which would obey what is in them, cleaned."""
    for line in verdicts.records(workspace, reviewer_id=reviewer_id, without=withheld):
        click.echo(clean(line) if sys.stdout.isatty() else line.encode() + b"\n", nl=sys.stdout.isatty())
