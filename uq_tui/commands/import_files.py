"""`uq-tui import`: bring files into the workspace."""

import dataclasses
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

import click
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn

from store.ingest import under_way
from store.ingest.importer import import_file
from store.ingest.rehearsal import rehearsed
from store.rows import ImportReport
from store.workspace import Workspace
from uq_tui.commands import display
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.commands.reporting import error_object, report
from uq_tui.commands.stopping import stoppable
from uq_tui.errors import (
    EXIT_INTERRUPTED,
    EXIT_NOTHING_DONE,
    EXIT_OK,
    EXIT_PROBLEM,
    ImportFileError,
    NotFoundError,
    StoreError,
    UqError,
)
from uq_tui.text import clean_line, counted

SHOWN_REJECTIONS = 20


@dataclasses.dataclass(frozen=True, slots=True)
class _Wanted:
    """How files are to be imported."""

    site: str
    question_id: str
    reference: bool
    questions_only: bool


@click.command("import", epilog=exit_codes("a row or a file was rejected", "no file could be read"))
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--site", type=utf8, default="", metavar="HOST", help="The site of a dump that does not name it.")
@click.option(
    "--question", type=utf8, default="", metavar="ID", help="The question of candidates and neighbours that name none."
)
@click.option(
    "--reference", is_flag=True, help="The file, one answer to `--question`, is the expert's own solution of it."
)
@click.option("--questions-only", is_flag=True, help="Leave out the answers and comments that were posted.")
@click.option("--dry-run", is_flag=True, help="Read everything, say what would come in, and change nothing.")
@json_option
@pass_invocation
@click.pass_context
def import_files(
    ctx: click.Context,
    invocation: Invocation,
    files: tuple[Path, ...],
    site: str,
    question: str,
    reference: bool,
    questions_only: bool,
    dry_run: bool,
) -> None:
    """Bring in files: questions, neighbours, candidates, verdicts, scores, dumps of Stack Exchange, a pack's folder.

    Each file's format is told by its content, packed or not. A bad row is reported with its file and line; the good
    rows around it are kept. Importing a file twice changes nothing. Ctrl-C stops; what is stored by then stays.
    """
    if reference and not question:
        raise click.UsageError("--reference needs --question ID: the question that the file solves.")
    wanted = _Wanted(site, question, reference, questions_only)
    reports: list[ImportReport] = []
    failures: dict[Path, UqError] = {}
    with invocation.open() as opened, stoppable() as stop, _place(opened, dry_run=dry_run) as workspace:
        for file in files:
            if stop.is_set():
                break
            try:
                reports.append(_import(workspace, file, wanted, stop))
            except (ImportFileError, NotFoundError) as error:
                failures[file] = error
            except StoreError as error:
                failures[file] = error
                break  # the next file would fare no better
    if invocation.as_json:
        write_json(as_json(reports, failures) | {"dry_run": dry_run, "stopped": stop.is_set()})
    else:
        if reports:
            show_reports(reports)
        say_what_is_left(len(files) - len(reports) - len(failures), stopped=stop.is_set(), dry_run=dry_run)
    for failure in failures.values():
        report(failure, as_json=False)
    ctx.exit(EXIT_INTERRUPTED if stop.is_set() else _exit_code(reports, failures))


def _place(workspace: Workspace, *, dry_run: bool) -> AbstractContextManager[Workspace]:
    """Where files are imported to."""
    return rehearsed(workspace) if dry_run else nullcontext(workspace)


def _import(workspace: Workspace, file: Path, wanted: _Wanted, stop: threading.Event) -> ImportReport:
    with importing(file) as tell:
        return import_file(workspace, file, **dataclasses.asdict(wanted), on_progress=tell, is_cancelled=stop.is_set)


@contextmanager
def importing(file: Path) -> Iterator[Callable[[under_way.Progress], None]]:
    """A progress bar for a file that is read; what is yielded is told how far it is."""
    with Progress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[rows]:,} rows", markup=False),
        TimeElapsedColumn(),
        console=display.note_console(),
        disable=not display.note_console().is_terminal,
        transient=True,
    ) as progress:
        task = progress.add_task(clean_line(file.name), total=None, rows=0)

        def tell(at: under_way.Progress) -> None:
            name = clean_line(f"{file.name} ({at.format})")
            progress.update(task, description=name, completed=at.done or 0, total=at.size, rows=at.rows)

        yield tell


def as_json(reports: Sequence[ImportReport], failures: Mapping[Path, UqError]) -> dict[str, object]:
    return {
        "files": [report_as_json(one) for one in reports],
        "failed": failures_as_json(failures),
    }


def report_as_json(one: ImportReport) -> dict[str, object]:
    """What `--json` says of one file."""
    counted_besides = {kind.value: n for kind, n in one.merged.items()}
    return dataclasses.asdict(one) | {"counts": dict(one.counts), "merged": counted_besides}


def failures_as_json(failures: Mapping[Path, UqError]) -> list[dict[str, object]]:
    """What `--json` says of files that could not be read."""
    return [{"file": str(file)} | error_object(error) for file, error in failures.items()]


def say_what_is_left(files: int, *, stopped: bool, dry_run: bool) -> None:
    """Say that files were not read since it was stopped, and what of all that stays."""
    if files:
        click.echo(f"Stopped: {counted(files, 'file')} not read.", err=True)
    if stopped and not dry_run:
        click.echo("What is stored stays; import it again to go on.", err=True)
    if dry_run:
        click.echo("A dry run: nothing was changed.", err=True)


def show_reports(reports: Sequence[ImportReport]) -> None:
    """Print what came in as a table, then what is to be said of each file."""
    numbers = ("read", "new", "changed", "same", "passed over", "rejected")
    folded = ("file", "format", "what came in")
    shown = display.table("file", "format", *numbers, "what came in", right=numbers, fold=folded)
    for one in reports:
        amounts = (one.read, one.new, one.changed, one.same, one.passed_over, one.rejected_total)
        there = sorted((kind, amount) for kind, amount in one.counts.items() if amount)
        counts = ", ".join(counted(amount, kind.removesuffix("s"), kind) for kind, amount in there)
        shown.add_row(*(display.cell(value) for value in (one.file, one.format, *(f"{n:,}" for n in amounts), counts)))
    display.print_table(shown)
    for one in reports:
        for note in one.notes:
            click.echo(clean_line(f"{one.file}: {note}"), err=True)
        show_rejections(one)


def show_rejections(one: ImportReport) -> None:
    """Say which rows of a file were rejected, and why."""
    for row in one.rejected[:SHOWN_REJECTIONS]:
        click.echo(clean_line(f"{row.file}:{row.line}: {row.reason}"), err=True)
    more = one.rejected_total - min(len(one.rejected), SHOWN_REJECTIONS)
    if more:
        click.echo(f"and {counted(more, 'more rejected row')}", err=True)


def _exit_code(reports: Sequence[ImportReport], failures: Mapping[Path, UqError]) -> int:
    if not reports:
        return EXIT_NOTHING_DONE
    return EXIT_PROBLEM if failures or any(one.rejected_total for one in reports) else EXIT_OK
