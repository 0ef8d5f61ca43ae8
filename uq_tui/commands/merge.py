"""`uq-tui merge`: bring files of many people together, into the workspace or into a file."""

import dataclasses
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from exports.merged import write_merged
from exports.rows import ExportReport, Manner
from store import quarantine
from store.ingest import under_way
from store.ingest.merge_files import merge_file, scratch
from store.ingest.rehearsal import rehearsed
from store.rows import ImportReport, Merging
from store.workspace import Workspace
from uq_tui.commands import display
from uq_tui.commands.import_files import (
    failures_as_json,
    importing,
    report_as_json,
    say_what_is_left,
    show_rejections,
)
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, write_json
from uq_tui.commands.reporting import report
from uq_tui.commands.stopping import stoppable
from uq_tui.errors import (
    EXIT_INTERRUPTED,
    EXIT_NOTHING_DONE,
    EXIT_OK,
    EXIT_PROBLEM,
    ExportError,
    ImportFileError,
    NotFoundError,
    StoreError,
    UqError,
)
from uq_tui.state import merge_report
from uq_tui.text import clean_line, counted

_PLACE = "line"


@click.command("merge", epilog=exit_codes("a row is in quarantine, or a file was not read", "no file could be read"))
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write the union to FILE, and statements, evidence and quarantine beside it; the workspace isn't used.",
)
@click.option("--dry-run", is_flag=True, help="Read everything, say what would come of it, and change nothing.")
@click.option("--quarantine", "listed", is_flag=True, help="List the lines that are in quarantine in the workspace.")
@json_option
@pass_invocation
@click.pass_context
def merge(
    ctx: click.Context,
    invocation: Invocation,
    files: tuple[Path, ...],
    out: Path | None,
    dry_run: bool,
    listed: bool,
) -> None:
    """Merge files of verdicts, statements and evidence, and bundles that came back.

    The result is the same whatever the order, and however often a file is merged. Rows that are damaged or contradict
    each other are kept in quarantine, all of them, and reported with file and line. Ctrl-C stops; what is stored by
    then stays.
    """
    if listed and (files or out or dry_run):
        raise click.UsageError("--quarantine lists what is in the workspace; it goes with no files and no --out.")
    if listed:
        with invocation.open() as workspace:
            _list(workspace, as_json=invocation.as_json)
        return
    if not files:
        raise click.UsageError("Name the files to merge, or --quarantine.")
    if out is not None and dry_run:
        raise click.UsageError("--dry-run changes nothing, so there is nothing to write to --out.")
    reports: list[ImportReport] = []
    failures: dict[Path, UqError] = {}
    written: tuple[ExportReport, ...] = ()
    with stoppable() as stop, _place(invocation, into_file=out is not None, dry_run=dry_run) as workspace:
        _merge_each(workspace, files, stop, reports, failures)
        if out is not None and reports and not stop.is_set():
            written = _write(workspace, out, stop)
    left = len(files) - len(reports) - len(failures)
    if invocation.as_json:
        write_json(_as_json(reports, failures, written) | {"dry_run": dry_run, "stopped": stop.is_set()})
    else:
        _show(reports, written)
        if out is not None and stop.is_set():
            click.echo(clean_line(f"Stopped: {out} was not written, or not all that belongs beside it."), err=True)
        say_what_is_left(left, stopped=stop.is_set() and out is None, dry_run=dry_run)
    for failure in failures.values():
        report(failure, as_json=False)
    ctx.exit(EXIT_INTERRUPTED if stop.is_set() else _exit_code(reports, failures))


@contextmanager
def _place(invocation: Invocation, *, into_file: bool, dry_run: bool) -> Iterator[Workspace]:
    """Where files are merged."""
    if into_file:
        with scratch() as made:
            yield made
        return
    with invocation.open() as opened:
        if not dry_run:
            yield opened
            return
        with rehearsed(opened) as copy:
            yield copy


def _merge_each(
    workspace: Workspace,
    files: Sequence[Path],
    stop: threading.Event,
    reports: list[ImportReport],
    failures: dict[Path, UqError],
) -> None:
    for file in files:
        if stop.is_set():
            return
        try:
            with importing(file) as tell:
                reports.append(merge_file(workspace, file, on_progress=tell, is_cancelled=stop.is_set))
        except (ImportFileError, NotFoundError) as error:
            failures[file] = error
        except StoreError as error:
            failures[file] = error
            return  # the next file would fare no better


def _write(workspace: Workspace, out: Path, stop: threading.Event) -> tuple[ExportReport, ...]:
    """Write the union; nothing is told of files where that was stopped."""
    with importing(out) as tell:
        manner = Manner(
            on_progress=lambda rows: tell(under_way.Progress("writing", rows, None, None)), is_cancelled=stop.is_set
        )
        try:
            return write_merged(workspace, out, manner)
        except ExportError:
            if stop.is_set():
                return ()
            raise


def _list(workspace: Workspace, *, as_json: bool) -> None:
    if as_json:
        # Not the line itself: it may be of a problem that is judged blind.
        found = [dataclasses.asdict(one) for one in quarantine.lines(workspace)]
        write_json({"quarantine": [{key: value for key, value in one.items() if key != _PLACE} for one in found]})
        return
    shown = display.table("reason", "what", "revision", "why", "where", right=("revision",), fold=("why", "where"))
    for one in quarantine.lines(workspace):
        what = f"{one.kind} {one.row_id}".strip()
        where = f"{one.file}:{one.line_number}" if one.file else ""
        cells = (one.reason.value, what, str(one.revision or ""), one.detail, where)
        shown.add_row(*(display.cell(cell) for cell in cells))
    display.print_table(shown)
    total = sum(quarantine.count_by_reason(workspace).values())
    click.echo(f"{counted(total, 'line')} in quarantine.", err=True)


def _show(reports: Sequence[ImportReport], written: Sequence[ExportReport]) -> None:
    if not reports:
        return
    numbers = ("read", "new", "same", "superseded", "quarantined")
    shown = display.table("file", "format", *numbers, right=numbers, fold=("file", "format"))
    for one in reports:
        superseded = one.merged.get(Merging.SUPERSEDED, 0)
        amounts = (one.read, one.new, one.same, superseded, merge_report.quarantined(one))
        shown.add_row(*(display.cell(value) for value in (one.file, one.format, *(f"{n:,}" for n in amounts))))
    display.print_table(shown)
    for line in merge_report.lines(reports):
        click.echo(line, err=True)
    for one in reports:
        for note in one.notes:
            click.echo(clean_line(f"{one.file}: {note}"), err=True)
        show_rejections(one)
    for file in written:
        click.echo(clean_line(f"{counted(file.rows, 'row')} written to {file.path}"), err=True)


def _as_json(
    reports: Sequence[ImportReport], failures: Mapping[Path, UqError], written: Sequence[ExportReport]
) -> dict[str, Any]:
    return {
        "total": dict(merge_report.figures(reports)),
        "files": [report_as_json(one) for one in reports],
        "failed": failures_as_json(failures),
        "written": [{"file": str(one.path), "rows": one.rows, "sha256": one.sha256} for one in written],
    }


def _exit_code(reports: Sequence[ImportReport], failures: Mapping[Path, UqError]) -> int:
    if not reports:
        return EXIT_NOTHING_DONE
    incomplete = any(one.rejected_total or Merging.INCOMPLETE in one.merged for one in reports)
    return EXIT_PROBLEM if failures or incomplete else EXIT_OK
