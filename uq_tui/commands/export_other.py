"""`uq-tui export --as`: verdicts, answers and results in the formats of other tools."""

from pathlib import Path
from typing import Any

import click

from exports.formats import FORMATS
from exports.verdicts import RowOptions, lines
from exports.written import Job, OtherFormat
from store import verdicts
from store.withheld import Withheld
from store.workspace import Workspace
from uq_tui.commands import blind
from uq_tui.commands.export_rows import watching
from uq_tui.text import clean_line, counted


def require_fitting(name: str, options: RowOptions) -> None:
    """Refuse options that a format can't follow. Raises click.UsageError."""
    if refusal := FORMATS[name].refusal(options):
        raise click.UsageError(refusal)


def write_other(
    workspace: Workspace, name: str, path: Path, options: RowOptions, withheld: Withheld, *, quiet: bool
) -> dict[str, Any]:
    """Write a file and say on standard error what is in it and what is not, unless `quiet`; what JSON says of it.

    Raises:
        ExportError: it can't be written.
    """
    one: OtherFormat = FORMATS[name]
    held_back = verdicts.count(workspace, withheld, **options.chosen) if one.of_verdicts else 0
    if held_back:
        click.echo(blind.held_back(held_back), err=True)
    with watching(path) as manner:
        written = one.write(Job(workspace, path, lines(workspace, options, withheld), withheld, manner))
    if not quiet:
        left_out = ", ".join(f"{n:,} {why}" for why, n in sorted(written.left_out.items()))
        said = f"{counted(written.rows, one.noun)} written to {written.path}."
        click.echo(clean_line(f"{said} Left out: {left_out}." if left_out else said), err=True)
    return {
        "format": name,
        "file": str(written.path),
        "rows": written.rows,
        "left_out": dict(written.left_out),
        "held_back": held_back,
    }
