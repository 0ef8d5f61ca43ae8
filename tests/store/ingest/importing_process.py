"""A process that imports a file and tells how far it is, to be killed."""

from multiprocessing.connection import Connection
from pathlib import Path

from store.ingest.importer import import_file
from store.workspace import Workspace


def import_and_tell(workspace: Path, file: Path, told: Connection) -> None:
    """Import a file; send the number of rows dealt with whenever there is one, and close at the end."""
    ws = Workspace.open(workspace)
    try:
        import_file(ws, file, on_progress=lambda at: told.send(at.rows))
    finally:
        ws.close()
        told.close()
