"""New workspaces for tests, copied from one that is made once: the migrations take seven times as long."""

import secrets
import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from store.identity import uuid7
from store.workspace import Workspace


def new_workspace(path: Path) -> Workspace:
    """Like `Workspace.open` where no file is at `path`."""
    put_copy(_made(), path)
    return Workspace.open(path)


def put_copy(workspace: bytes, path: Path) -> None:
    """Write the file of a workspace to `path`, with an id and a secret of its own."""
    path.touch(0o600)
    path.write_bytes(workspace)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("PRAGMA synchronous = OFF")
        facts = (("id", uuid7()), ("secret", secrets.token_hex(32)))
        db.executemany("UPDATE workspace SET value = ?2 WHERE key = ?1", facts)


@cache
def _made() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "new.uq.sqlite"
        Workspace.open(path).close()
        return path.read_bytes()
