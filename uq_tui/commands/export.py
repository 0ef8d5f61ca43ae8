"""`uq-tui export`: write verdicts, and what belongs to them, to files that others can read."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from exports.formats import FORMATS
from exports.verdicts import RowOptions
from store import reviewers, verdicts
from store.workspace import Workspace
from uq_tui.commands import blind
from uq_tui.commands.export_labels import write_labels
from uq_tui.commands.export_other import require_fitting, write_other
from uq_tui.commands.export_posting import write_for_posting
from uq_tui.commands.export_report import write_report
from uq_tui.commands.export_rows import STDOUT, moment, write_evidence, write_statements, write_verdicts
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.errors import NotFoundError

ME = "me"


@click.command("export", epilog=exit_codes())
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    metavar="FILE",
    help="Verdicts: the file to write, in place of an earlier one; - for standard output.",
)
@click.option(
    "--statements",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="What was said beside verdicts, as JSONL: second passes, comments, notes, acceptances.",
)
@click.option(
    "--evidence",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="What finished runs found, as JSONL, one row a run and candidate.",
)
@click.option(
    "--as",
    "other",
    type=(click.Choice(list(FORMATS)), click.Path(path_type=Path, dir_okay=False)),
    metavar="FORMAT FILE",
    help=f"In a format of other tools: {', '.join(FORMATS)}.",
)
@click.option(
    "--labels",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The labels of one reviewer, by default yours, one row an answer; CSV or JSON lines, by how FILE ends.",
)
@click.option(
    "--reviewer", type=utf8, default="", metavar="ID", help="Only what this reviewer gave and said; `me` for your own."
)
@click.option(
    "--since",
    type=moment,
    default=None,
    metavar="DATE",
    help="Only rows made on that day (2026-01-31), or from that time (2026-01-31T12:00:00Z), or later.",
)
@click.option("--dataset-version", type=utf8, default="", metavar="NAME", help="Only rows that name this version.")
@click.option("--drafts", is_flag=True, help="With --out: also what was begun and not given, with that status.")
@click.option(
    "--anonymous",
    is_flag=True,
    help="Without who reviewers are: each gets an id that only this workspace can make.",
)
@click.option(
    "--without-text", is_flag=True, help="Without the answer's words in quotes; where they stand in it stays."
)
@click.option(
    "--sign",
    "key",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="KEY",
    help="Sign each file of rows with this SSH key, as FILE.sig beside it; `uq-tui verify` checks that.",
)
@click.option(
    "--report",
    type=(utf8, click.Path(path_type=Path, dir_okay=False)),
    metavar="QUESTION FILE",
    help="One question with its answers and all that was found of them, to be read: a page (.html) or Markdown (.md).",
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
    statements: Path | None,
    evidence: Path | None,
    other: tuple[str, Path] | None,
    labels: Path | None,
    reviewer: str,
    since: str | None,
    dataset_version: str,
    drafts: bool,
    anonymous: bool,
    without_text: bool,
    key: Path | None,
    report: tuple[str, Path] | None,
    posting: tuple[str, Path] | None,
    anyway: bool,
) -> None:
    """Write what is in the workspace to files for others. --out has all verdicts as JSONL, one revision a line.

    Beside a file of rows NAME.manifest.json says how many it has and its sha256. Exporting again gives the same bytes.
    Rows on problems that you still judge blind are held back, and their number is said: they name authors and scores.
    """
    if all(file is None for file in (out, statements, evidence, other, labels, report, posting)):
        raise click.UsageError(
            "Name a file to write: --out, --statements, --evidence or --labels FILE, --as, --report or --for-posting."
        )
    if anyway and posting is None:
        raise click.UsageError("--anyway belongs to --for-posting.")
    chosen = RowOptions(reviewer, since or "", dataset_version, drafts, anonymous, without_text)
    if other is not None:
        require_fitting(other[0], chosen)
    if drafts and out is None and other is None:
        raise click.UsageError("--drafts belongs to --out or --as.")
    if out == STDOUT and (invocation.as_json or key is not None):
        raise click.UsageError("--json and --sign go with a file; with --out - standard output is the export itself.")
    said: dict[str, Any] = {}
    with invocation.open() as workspace:
        own = reviewers.current(workspace).id
        reviewer_id = own if reviewer == ME else reviewer
        if reviewer_id and (out or other or labels):
            _require_verdicts(workspace, reviewer_id)
        options = replace(chosen, reviewer_id=reviewer_id)
        withheld, quiet = blind.withheld(workspace), invocation.as_json
        if labels is not None:
            said["labels"] = write_labels(workspace, labels, reviewer_id or own, withheld, quiet=quiet)
        if statements is not None:
            said["statements"] = write_statements(workspace, statements, options, withheld, key, quiet=quiet)
        if evidence is not None:
            said["evidence"] = write_evidence(workspace, evidence, options, withheld, key, quiet=quiet)
        if other is not None:
            said["as"] = write_other(workspace, *other, options, withheld, quiet=quiet)
        if report is not None:
            said["report"] = write_report(workspace, *report, quiet=quiet)
        if posting is not None:
            said["posting"] = write_for_posting(workspace, *posting, anyway=anyway, quiet=quiet)
        if out is not None:
            said |= write_verdicts(workspace, out, options, withheld, key, quiet=quiet)
    if invocation.as_json:
        write_json(said)


def _require_verdicts(workspace: Workspace, reviewer_id: str) -> None:
    if next(verdicts.records(workspace, reviewer_id=reviewer_id), None) is None:
        raise NotFoundError(f"There is no verdict of the reviewer {reviewer_id}.", hint="`uq-tui verdict list --all`.")
