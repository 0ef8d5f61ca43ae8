"""`uq-tui export`: rows that uq-tui reads back, of verdicts, statements and what runs found."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from exports.evidence import export_evidence
from exports.rows import ExportReport, Manner
from exports.signature import signature_path
from exports.statements import export_statements
from exports.verdicts import RowOptions, export_verdicts, lines
from store import evidence_records, statements, verdicts
from store.row_choice import since_when
from store.withheld import Withheld
from store.workspace import Workspace
from uq_tui.commands import blind, display
from uq_tui.commands.invocation import utf8
from uq_tui.text import clean, clean_line, counted

STDOUT = Path("-")


def moment(said: str) -> str:
    """The type of `--since`: a day or a UTC time."""
    try:
        return since_when(utf8(said))
    except ValueError as error:
        raise click.BadParameter(f"{error}.") from error


def write_verdicts(
    workspace: Workspace, path: Path, options: RowOptions, withheld: Withheld, key: Path | None, *, quiet: bool
) -> dict[str, Any]:
    """Write verdict rows to a file or standard output, and say what is held back; what JSON says of it."""
    held_back = verdicts.count(workspace, withheld, **options.chosen)
    if path == STDOUT:
        _say_held_back(held_back)
        _print(workspace, options, withheld)
        return {}
    with watching(path, key) as manner:
        report = export_verdicts(workspace, path, options, without=withheld, manner=manner)
    return _told(report, "row", held_back, key, quiet=quiet)


def write_statements(
    workspace: Workspace, path: Path, options: RowOptions, withheld: Withheld, key: Path | None, *, quiet: bool
) -> dict[str, Any]:
    """Write statement rows, likewise."""
    masked = withheld.questions
    held_back = statements.count_of_questions(workspace, masked, **options.chosen)
    with watching(path, key) as manner:
        report = export_statements(workspace, path, options, without=masked, manner=manner)
    return _told(report, "statement", held_back, key, quiet=quiet)


def write_evidence(
    workspace: Workspace, path: Path, options: RowOptions, withheld: Withheld, key: Path | None, *, quiet: bool
) -> dict[str, Any]:
    """Write evidence rows, likewise."""
    masked = withheld.questions
    with watching(path, key) as manner:
        report = export_evidence(workspace, path, options, without=masked, manner=manner)
    chosen = {"since": options.since, "dataset_version": options.dataset_version}
    held_back = evidence_records.count_of_questions(workspace, masked, **chosen)
    return _told(report, "evidence row", held_back, key, quiet=quiet)


@contextmanager
def watching(path: Path, key: Path | None = None) -> Iterator[Manner]:
    """Signed by the key, with the rows counted on a terminal."""
    console = display.note_console()
    with Progress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        TextColumn("{task.completed:,} rows", markup=False),
        TimeElapsedColumn(),
        console=console,
        disable=not console.is_terminal,
        transient=True,
    ) as progress:
        task = progress.add_task(clean_line(path.name), total=None)
        yield Manner(key, lambda rows: progress.update(task, completed=rows))


def _told(report: ExportReport, noun: str, held_back: int, key: Path | None, *, quiet: bool) -> dict[str, Any]:
    """Say what was written on standard error, unless `quiet`, and what is held back; what JSON says of it."""
    _say_held_back(held_back)
    signed = {} if key is None else {"signature": str(signature_path(report.path))}
    if not quiet:
        by = f", signed: {signed['signature']}" if signed else ""
        click.echo(clean_line(f"{counted(report.rows, noun)} written to {report.path}{by}"), err=True)
    written = {"file": str(report.path), "rows": report.rows, "sha256": report.sha256, "held_back": held_back}
    return {**written, **signed}


def _say_held_back(rows: int) -> None:
    if rows:
        click.echo(blind.held_back(rows), err=True)


def _print(workspace: Workspace, options: RowOptions, withheld: Withheld) -> None:
    """The rows byte by byte; on a terminal, which would obey what is in them, cleaned."""
    for line in lines(workspace, options, withheld):
        click.echo(clean(line) if sys.stdout.isatty() else line.encode() + b"\n", nl=sys.stdout.isatty())
