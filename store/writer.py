"""The one thread of a process that writes to a workspace."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection, Engine

from store.failures import explained
from uq_tui.errors import StoreError

T = TypeVar("T")


class Writer:
    """Runs jobs one after the other, each in a transaction of its own.

    A job should write for no more than about 50 ms: other processes wait for the lock meanwhile.
    """

    def __init__(self, engine: Engine, path: Path) -> None:
        self._engine = engine
        self._path = path
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="store-writer")
        self._thread_id: int | None = None

    def submit(self, job: Callable[[Connection], T]) -> Future[T]:
        """Queue a job. The future holds what it returned once that is committed, or what it raised.

        Raises:
            StoreError: the writer is closed.
        """
        try:
            return self._thread.submit(self._run, job)
        except RuntimeError as error:
            raise StoreError(f"The workspace {self._path} is closed.", hint="Open it again.") from error

    def write(self, job: Callable[[Connection], T]) -> T:
        """Run a job and return what it returned, after the commit. Not to be called from within a job."""
        if threading.get_ident() == self._thread_id:
            raise RuntimeError("a job of the writer cannot wait for another job of the writer")
        return self.submit(job).result()

    def close(self) -> None:
        """Finish the queued jobs, then take no more."""
        self._thread.shutdown(wait=True)
        self._thread_id = None  # another thread may get this number now

    def _run(self, job: Callable[[Connection], T]) -> T:
        self._thread_id = threading.get_ident()
        with explained(self._path), self._engine.begin() as connection:
            return job(connection)
