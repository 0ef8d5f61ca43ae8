"""`uq-tui import`: bring files into the workspace."""

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path

import click
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from store.ingest.importer import import_file
from store.rows import ImportReport
from store.workspace import Workspace
from uq_tui.commands import display
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.commands.reporting import error_object, report
from uq_tui.errors import (
    EXIT_NOTHING_DONE,
    EXIT_OK,
    EXIT_PROBLEM,
    ImportFileError,
    NotFoundError,
    UqError,
)
from uq_tui.text import clean_line, counted

SHOWN_REJECTIONS = 20


@click.command("import", epilog=exit_codes("a row or a file was rejected", "no file could be read"))
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--site", type=utf8, default="", metavar="HOST", help="The site of a dump that does not name it.")
@click.option(
    "--question", type=utf8, default="", metavar="ID", help="The question of candidates and neighbours that name none."
)
@click.option(
    "--reference", is_flag=True, help="The file, one answer to `--question`, is the expert's own solution of it."
)
@json_option
@pass_invocation
@click.pass_context
def import_files(
    ctx: click.Context, invocation: Invocation, files: tuple[Path, ...], site: str, question: str, reference: bool
) -> None:
    """Bring in files: questions, neighbours, candidates, verdicts, scores, a Stack Exchange Posts.xml, a pack's folder.

    A bad row is reported with its file and line; the good rows around it are kept. Importing a file twice
    changes nothing.
    """
    if reference and not question:
        raise click.UsageError("--reference needs --question ID: the question that the file solves.")
    reports: list[ImportReport] = []
    failures: dict[Path, UqError] = {}
    with invocation.open() as workspace:
        for file in files:
            try:
                reports.append(_import(workspace, file, site, question, reference=reference))
            except (ImportFileError, NotFoundError) as error:
                failures[file] = error
    if invocation.as_json:
        write_json(_as_json(reports, failures))
    elif reports:
        _show(reports)
    for failure in failures.values():
        report(failure, as_json=False)
    ctx.exit(_exit_code(reports, failures))


def _import(workspace: Workspace, file: Path, site: str, question: str, *, reference: bool) -> ImportReport:
    with Progress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        TextColumn("{task.completed:,.0f} rows"),
        TimeElapsedColumn(),
        console=display.note_console(),
        disable=not display.note_console().is_terminal,
        transient=True,
    ) as progress:
        task = progress.add_task(clean_line(file.name), total=None)
        return import_file(
            workspace,
            file,
            site=site,
            question_id=question,
            reference=reference,
            on_progress=lambda rows: progress.update(task, completed=rows),
        )


def _as_json(reports: Sequence[ImportReport], failures: Mapping[Path, UqError]) -> dict[str, object]:
    return {
        "files": [dataclasses.asdict(one) | {"counts": dict(one.counts)} for one in reports],
        "failed": [{"file": str(file)} | error_object(error) for file, error in failures.items()],
    }


def _show(reports: Sequence[ImportReport]) -> None:
    numbers = ("read", "new", "changed", "same", "passed over", "rejected")
    shown = display.table("file", *numbers, "what came in", right=numbers, fold=("file", "what came in"))
    for one in reports:
        amounts = (one.read, one.new, one.changed, one.same, one.passed_over, one.rejected_total)
        counts = ", ".join(f"{amount:,} {kind}" for kind, amount in sorted(one.counts.items()) if amount)
        shown.add_row(*(display.cell(value) for value in (one.file, *(f"{n:,}" for n in amounts), counts)))
    display.print_table(shown)
    for one in reports:
        for note in one.notes:
            click.echo(clean_line(f"{one.file}: {note}"), err=True)
        _show_rejections(one)


def _show_rejections(one: ImportReport) -> None:
    for row in one.rejected[:SHOWN_REJECTIONS]:
        click.echo(clean_line(f"{row.file}:{row.line}: {row.reason}"), err=True)
    more = one.rejected_total - min(len(one.rejected), SHOWN_REJECTIONS)
    if more:
        click.echo(f"and {counted(more, 'more rejected row')}", err=True)


def _exit_code(reports: Sequence[ImportReport], failures: Mapping[Path, UqError]) -> int:
    if not reports:
        return EXIT_NOTHING_DONE
    return EXIT_PROBLEM if failures or any(one.rejected_total for one in reports) else EXIT_OK
