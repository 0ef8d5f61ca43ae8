"""SQLite's refusals in words: which file, what went wrong, what to do next."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import DBAPIError

from uq_tui.errors import StoreError

_CAUSES: tuple[tuple[str, str, str], ...] = (
    ("SQLITE_BUSY", "another program keeps it locked", "Close other programs that use it, then try again."),
    ("SQLITE_LOCKED", "another program keeps it locked", "Close other programs that use it, then try again."),
    ("SQLITE_FULL", "the disk is full", "Free some space, then try again; what was saved before is intact."),
    ("SQLITE_NOTADB", "it is not a SQLite database", "Name another file; a workspace that doesn't exist is made."),
    ("SQLITE_CORRUPT", "it is damaged", "Restore it from a backup, or recover it with `sqlite3 FILE .recover`."),
    ("SQLITE_READONLY", "it cannot be written", "Check the permissions of the file and of its folder."),
    ("SQLITE_CANTOPEN", "it cannot be opened", "Check the permissions of the file and of its folder."),
    ("SQLITE_PERM", "it cannot be opened", "Check the permissions of the file and of its folder."),
    ("SQLITE_IOERR", "reading or writing it failed", "Check the disk or the network folder it lies on."),
)
"""Start of SQLite's error name, cause, next step. Other errors are faults of the program and are not explained."""


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn what SQLite says about the file at `path` into StoreError; other exceptions pass."""
    try:
        yield
    except DBAPIError as error:
        _raise(path, error.orig, error)
        raise
    except sqlite3.Error as error:
        _raise(path, error, error)
        raise


def _raise(path: Path, cause: BaseException | None, error: Exception) -> None:
    name = getattr(cause, "sqlite_errorname", None) or ""
    for start, what, hint in _CAUSES:
        if name.startswith(start):
            raise StoreError(f"The workspace {path} cannot be used: {what} ({cause}).", hint=hint) from error
