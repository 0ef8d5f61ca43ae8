"""A reader whose work the next piece of work interrupts: what is looked for while somebody types."""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

from store.driver import driver
from store.workspace import Workspace

T = TypeVar("T")

_STEPS = 5_000
"""Steps of SQLite's between two looks at whether somebody else's turn has come; some 0.1 ms."""


class OvertakenError(Exception):
    """Newer work has taken the reader's turn. Nothing is wrong, and nobody needs to be told."""


class LiveReader:
    """Reads a workspace for one asker at a time, the last one. May be called from any thread."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._lock = threading.Lock()
        self._turn = 0
        self._reading: sqlite3.Connection | None = None

    def run(self, read: Callable[[Connection], T]) -> T:
        """Interrupt what is being read, read this instead; what it returned.

        Raises:
            OvertakenError: `interrupt`, or another `run`, came before this one was done.
            StoreError: the workspace cannot be read.
        """
        turn = self.interrupt()
        with self._workspace.read() as db, self._interruptible(driver(db), turn):
            return read(db)

    def interrupt(self) -> int:
        """End what is being read, wherever it stands; the number of the turn that begins now."""
        with self._lock:
            self._turn += 1
            if self._reading is not None:
                self._reading.interrupt()
            return self._turn

    @contextmanager
    def _interruptible(self, raw: sqlite3.Connection, turn: int) -> Iterator[None]:
        # Both are needed: interrupt() reaches into the loops of the full-text index, but only a statement that runs;
        # the handler sees a turn that ended between two statements.
        def is_over() -> bool:
            return self._turn != turn

        with self._lock:
            if is_over():
                raise OvertakenError
            self._reading = raw
        raw.set_progress_handler(is_over, _STEPS)
        try:
            yield
        except (sqlite3.OperationalError, OperationalError) as error:
            cause = error.orig if isinstance(error, OperationalError) else error
            if getattr(cause, "sqlite_errorname", "") == "SQLITE_INTERRUPT":
                raise OvertakenError from error
            raise
        finally:
            with self._lock:
                if self._reading is raw:
                    self._reading = None
            raw.set_progress_handler(None, 0)
        if is_over():
            raise OvertakenError
