"""A copy of a workspace to try things on: whatever is done to it, the workspace itself stays as it is."""

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from store.failures import explained
from store.workspace import Workspace
from uq_tui.errors import StoreError

_ROOM_LEFT = 64 * 1024 * 1024


@contextmanager
def rehearsed(ws: Workspace) -> Iterator[Workspace]:
    """A throw-away copy of the workspace as it is now, in the folder for temporary files.

    Rows are imported in many small transactions, so that nobody waits for long to save a verdict; one large one that is
    rolled back in the end would make everybody wait. A copy takes a second or two for each GB.

    Raises:
        StoreError: there is no room for the copy, or the workspace cannot be read.
    """
    with tempfile.TemporaryDirectory(prefix="uq-tui-dry-run-") as folder:
        needed, free = ws.path.stat().st_size, shutil.disk_usage(folder).free
        if free < needed + _ROOM_LEFT:
            raise StoreError(
                f"A dry run works on a copy of the workspace ({needed / 1e9:.1f} GB), and {tempfile.gettempdir()} has"
                f" room for {free / 1e9:.1f} GB.",
                hint="Name a folder with more room in the variable TMPDIR.",
            )
        path = Path(folder) / ws.path.name
        with ws.read() as reader, explained(path), closing(sqlite3.connect(path)) as target:
            source: Any = reader.connection.driver_connection
            source.backup(target)
        copy = Workspace.open(path)
        try:
            yield copy
        finally:
            copy.close()
