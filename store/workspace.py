"""A workspace: one SQLite file with everything in it."""

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, QueuePool, StaticPool, create_engine, event

from store.failures import explained
from store.journal import preferred_mode, set_mode
from store.upgrade import upgrade
from store.writer import Writer
from uq_tui.errors import StoreError

T = TypeVar("T")

BUSY_TIMEOUT_S = 20.0
"""How long a read or a write waits for another process before it gives up."""

_WRITER_CACHE_KIB = 32 * 1024
"""Pages that the writer keeps: each row of an import goes to places all over the file, as hashes do."""
_LOOKED_OFTEN_S, _OFTEN_FOR_S, _LOOKED_SELDOM_S = 0.001, 1.0, 0.02
"""How often it is looked whether another process has stopped writing, for how long so often, and how often then."""
_READERS_KEPT = 4
_READERS_MORE = 60
"""Connections for reading: kept open, and opened beyond those while as many threads read at once."""


class Workspace:
    """An open workspace. All methods may be called from any thread.

    Attributes:
        path: the file, absolute.
        id: the workspace's UUID, the same wherever the file goes.
        secret: random bytes nobody outside knows, for keyed hashes.
        journal_mode: `wal` or `delete`.
        copy: the copy of the file made before it was migrated at this opening, if it was.
    """

    def __init__(
        self, path: Path, id: str, secret: bytes, journal_mode: str, copy: Path | None, busy_timeout_s: float
    ) -> None:
        """Use `open`."""
        self.path = path
        self.id = id
        self.secret = secret
        self.journal_mode = journal_mode
        self.copy = copy
        self._reading = _engine(
            lambda: _connect(path, busy_timeout_s, query_only=True),
            lambda connection: connection.exec_driver_sql("BEGIN"),
            poolclass=QueuePool,
            pool_size=_READERS_KEPT,
            max_overflow=_READERS_MORE,
        )
        self._writing = _engine(
            lambda: _connect(path, busy_timeout_s),
            lambda connection: _begin_writing(connection, busy_timeout_s),
            poolclass=StaticPool,
        )
        self._writer = Writer(self._writing, path)

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        busy_timeout_s: float = BUSY_TIMEOUT_S,
        on_older: Callable[[int], None] = lambda size: None,
    ) -> "Workspace":
        """Open the workspace at `path`; make it where there is no file, bring it up to date where it is older.

        Args:
            path: the file.
            busy_timeout_s: how long another process is waited for.
            on_older: told the size of an older file in bytes before it is copied and brought up to date, which takes
                minutes where it is large.

        Raises:
            NewerSchemaError: a newer uq-tui has written it.
            StoreError: it cannot be opened, read or written, is locked, damaged, or no workspace.
        """
        path = path.absolute()
        _make_private(path)
        with explained(path), closing(_connect(path, busy_timeout_s, foreign_keys=False)) as db:
            copy = upgrade(db, path, on_older=on_older)
            mode = set_mode(db, preferred_mode(path), timeout_s=busy_timeout_s)
            facts = dict(db.execute("SELECT key, value FROM workspace WHERE key IN ('id', 'secret')"))
        return cls(path, facts["id"], bytes.fromhex(facts["secret"]), mode, copy, busy_timeout_s)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A read-only connection for this thread; everything read within one block is of one moment.

        Raises:
            StoreError: the file cannot be read, or stays locked.
        """
        with explained(self.path), self._reading.connect() as connection:
            yield connection

    def write(self, job: Callable[[Connection], T]) -> T:
        """Run a job in a transaction on the writer thread; return what it returned, once that is on disk.

        What the job raises undoes its changes and is raised here. Not to be called from within a job.

        Raises:
            StoreError: the file cannot be written, stays locked, the disk is full, or the workspace is closed.
        """
        return self._writer.write(job)

    def submit(self, job: Callable[[Connection], T]) -> "Future[T]":
        """Like `write`, but without waiting. Raises StoreError when the workspace is closed."""
        return self._writer.submit(job)

    def close(self) -> None:
        """Finish the queued writes and close the file. Closing again does nothing."""
        self._writer.close()
        self._reading.dispose()
        # Last, so that SQLite tidies the write-ahead log away.
        self._writing.dispose()


def _make_private(path: Path) -> None:
    try:
        if path.is_dir():
            raise StoreError(f"The workspace {path} cannot be used: it is a folder.", hint="Name a file in it.")
        # SQLite gives the files of its journal the permissions of the database.
        if not path.exists():
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        elif path.stat().st_mode & 0o077:
            path.chmod(0o600)
    except FileExistsError:
        return
    except OSError as error:
        raise StoreError(
            f"The workspace {path} cannot be used: {error.strerror}.",
            hint="Check that its folder exists, and that you may read and write both.",
        ) from error


def _connect(
    path: Path, busy_timeout_s: float, *, query_only: bool = False, foreign_keys: bool = True
) -> sqlite3.Connection:
    db = sqlite3.connect(
        f"{path.as_uri()}?mode=rw",
        uri=True,
        timeout=busy_timeout_s,
        isolation_level=None,  # transactions are begun by us, never by the driver
        check_same_thread=False,  # the pools hand a connection to one thread at a time
    )
    db.execute(f"PRAGMA foreign_keys = {'ON' if foreign_keys else 'OFF'}")
    db.execute("PRAGMA synchronous = FULL")
    if query_only:  # not mode=ro: such a connection cannot make the files of the write-ahead log when it comes first
        db.execute("PRAGMA query_only = ON")
    else:
        db.execute(f"PRAGMA cache_size = -{_WRITER_CACHE_KIB}")
    return db


def _engine(connect: Callable[[], sqlite3.Connection], begin: Callable[[Connection], object], **pool: Any) -> Engine:
    engine = create_engine("sqlite://", creator=connect, **pool)
    event.listen(engine, "begin", begin)
    return engine


def _begin_writing(connection: Connection, busy_timeout_s: float) -> None:
    """Begin to write as soon as no other process does.

    SQLite itself looks up to 100 ms apart whether the lock is free. A process that imports holds it nearly all the time
    and lets go for a millisecond or two between its turns, so it is looked for often at first.
    """
    db: Any = connection.connection.driver_connection
    begun = time.monotonic()
    db.execute("PRAGMA busy_timeout = 0")
    try:
        while True:
            try:
                db.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                waited = time.monotonic() - begun
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or waited >= busy_timeout_s:
                    raise
                time.sleep(_LOOKED_OFTEN_S if waited < _OFTEN_FOR_S else _LOOKED_SELDOM_S)
            else:
                return
    finally:
        db.execute(f"PRAGMA busy_timeout = {round(busy_timeout_s * 1000)}")
