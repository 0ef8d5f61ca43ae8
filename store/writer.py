"""The one thread of a process that writes to a workspace."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine

from store.failures import explained
from uq_tui.errors import StoreError

T = TypeVar("T")

TURN_SECONDS = 0.05
"""Once a transaction has been open for so long, it takes no more jobs: other processes wait for the lock."""


class _Job:
    """A job that waits for its turn, and the promise of what it returns, kept once that is committed."""

    def __init__(self, work: Callable[[Connection], Any]) -> None:
        self.promise: Future[Any] = Future()
        self.result: Any = None
        self._work = work

    def run(self, connection: Connection) -> None:
        self.result = self._work(connection)


class Writer:
    """Runs jobs one after the other. Those that wait at the same time share a transaction, and the wait for the disk.

    Each is all or nothing for itself: what a job raises undoes its own changes only. A job should write for no more
    than about 50 ms.
    """

    def __init__(self, engine: Engine, path: Path) -> None:
        self._engine = engine
        self._path = path
        self._connection: Connection | None = None
        self._waiting: deque[_Job] = deque()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="store-writer")
        self._thread_id: int | None = None

    def submit(self, job: Callable[[Connection], T]) -> "Future[T]":
        """Queue a job. The future holds what it returned once that is committed, or what it raised.

        Raises:
            StoreError: the writer is closed.
        """
        queued = _Job(job)
        self._waiting.append(queued)
        try:
            self._thread.submit(self._take_turn)
        except RuntimeError as error:
            self._waiting.remove(queued)
            raise StoreError(f"The workspace {self._path} is closed.", hint="Open it again.") from error
        return queued.promise

    def write(self, job: Callable[[Connection], T]) -> T:
        """Run a job and return what it returned, after the commit. Not to be called from within a job."""
        if threading.get_ident() == self._thread_id:
            raise RuntimeError("a job of the writer cannot wait for another job of the writer")
        return self.submit(job).result()

    def close(self) -> None:
        """Finish the queued jobs, then take no more."""
        self._thread.shutdown(wait=True)
        self._thread_id = None  # another thread may get this number now
        if self._connection is not None:
            self._connection.close()

    def _take_turn(self) -> None:
        """One transaction with the jobs that wait. As many turns come as jobs, so many a turn finds none left."""
        self._thread_id = threading.get_ident()
        if not self._waiting:
            return
        together = [self._waiting.popleft()]
        try:
            with explained(self._path), self._transaction() as connection:
                until = time.monotonic() + TURN_SECONDS
                together[0].run(connection)
                while self._waiting and time.monotonic() < until:
                    self._run_next(connection, together)
        except BaseException as error:  # handed to whoever waits
            for job in together:
                job.promise.set_exception(error)
        else:
            for job in together:
                job.promise.set_result(job.result)

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        """On one connection, kept: taking it from the engine anew costs more than a small write."""
        if self._connection is None:
            self._connection = self._engine.connect()
        with self._connection.begin():
            yield self._connection

    def _run_next(self, connection: Connection, together: list[_Job]) -> None:
        """Run one more job in the transaction. One that fails is undone for itself and leaves `together`."""
        db: Any = connection.connection.driver_connection
        together.append(self._waiting.popleft())
        db.execute("SAVEPOINT job")
        try:
            with explained(self._path):
                together[-1].run(connection)
        except BaseException as error:
            if not db.in_transaction:
                raise  # SQLite has undone the whole transaction, as it does when the disk is full
            db.execute("ROLLBACK TO job")
            together.pop().promise.set_exception(error)
        db.execute("RELEASE job")
