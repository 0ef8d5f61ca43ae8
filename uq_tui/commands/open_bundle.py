"""`uq-tui open`: begin to work on a bundle that somebody sent."""

import sys
from pathlib import Path

import click

from store.bundle_shape import Holds
from store.ingest import bundle_file
from store.ingest.bundle import import_bundle
from uq_tui import startup
from uq_tui.commands.import_files import as_json, show_reports
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, write_json
from uq_tui.errors import ImportFileError


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
    """
    if not (no_app or invocation.as_json):
        startup.check_terminal(sys.stdin, sys.stdout, sys.stderr)
    queue_id = _queue_of(file)
    with invocation.open() as workspace:
        report = import_bundle(workspace, file)
    if invocation.as_json:
        write_json({"queue_id": queue_id} | as_json([report], {}))
        return
    show_reports([report])
    if not no_app:
        from uq_tui.app import run_app

        ctx.exit(run_app(invocation.workspace_path(), queue_id=queue_id))


def _queue_of(file: Path) -> str:
    """The queue whose work is in a bundle. Raises NotFoundError, ImportFileError: there is no such bundle."""
    with bundle_file.opened(file) as bundle:
        if bundle.holds is not Holds.WORK:
            raise ImportFileError(
                f"{file} is a bundle that came back: it holds verdicts, and nothing to judge.",
                hint="`uq-tui merge` takes it in.",
            )
        return str(bundle.manifest["queue"]["id"])
