"""`uq-tui open`: begin to work on a bundle that somebody sent."""

import sys
from pathlib import Path

import click

from store.bundle_shape import Holds
from store.ingest.bundle_file import manifest_of
from store.ingest.importer import import_file
from uq_tui import startup
from uq_tui.commands.import_files import as_json, importing, show_reports
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, write_json
from uq_tui.commands.stopping import stoppable
from uq_tui.errors import EXIT_INTERRUPTED, ImportFileError


@click.command("open", epilog=exit_codes())
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--no-app", is_flag=True, help="Only bring it in.")
@json_option
@pass_invocation
@click.pass_context
def open_bundle(ctx: click.Context, invocation: Invocation, file: Path, no_app: bool) -> None:
    """Bring in the bundle FILE and go to its queue in the app. From then on you are its reviewer in this workspace.

    What you need is in the file: no network, key or model. `uq-tui bundle return` writes what goes back. Opening a
    bundle again, or a newer one of the same queue, adds what is missing and changes nothing that you have decided.
    Ctrl-C stops; opening it again goes on.
    """
    if not (no_app or invocation.as_json):
        startup.check_terminal(sys.stdin, sys.stdout, sys.stderr)
    queue_id = _queue_of(file)
    with invocation.open() as workspace, stoppable() as stop, importing(file) as tell:
        report = import_file(workspace, file, on_progress=tell, is_cancelled=stop.is_set)
    if invocation.as_json:
        write_json({"queue_id": queue_id} | as_json([report], {}) | {"stopped": stop.is_set()})
    else:
        show_reports([report])
    if stop.is_set():
        click.echo("What is stored stays; open it again to go on.", err=True)
        ctx.exit(EXIT_INTERRUPTED)
    if not (no_app or invocation.as_json):
        from uq_tui.app import run_app

        ctx.exit(run_app(invocation.workspace_path(), queue_id=queue_id))


def _queue_of(file: Path) -> str:
    """The queue whose work is in a bundle. Raises NotFoundError, ImportFileError: there is no such bundle."""
    manifest = manifest_of(file)
    if manifest["holds"] != Holds.WORK:
        raise ImportFileError(
            f"{file} is a bundle that came back: it holds verdicts, and nothing to judge.",
            hint="`uq-tui merge` takes it in.",
        )
    return str(manifest["queue"]["id"])
