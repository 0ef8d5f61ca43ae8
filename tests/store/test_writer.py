"""Jobs that wait at the same time share a transaction, and each is still all or nothing for itself."""

import sqlite3
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import closing
from typing import Any

import pytest
from sqlalchemy import Connection, insert

from store import writer
from store.tables import WorkspaceTable
from store.workspace import Workspace


def put(key: str) -> Callable[[Connection], str]:
    def job(db: Connection) -> str:
        db.execute(insert(WorkspaceTable), {"key": key, "value": ""})
        return key

    return job


def put_and_fail(key: str) -> Callable[[Connection], str]:
    def job(db: Connection) -> str:
        put(key)(db)
        raise ValueError(key)

    return job


def undo_all_and_fail(db: Connection) -> str:
    """What SQLite does by itself when the disk is full."""
    raw: Any = db.connection.driver_connection
    raw.execute("ROLLBACK")
    raise OSError("disk")


def seen_from_outside(ws: Workspace) -> set[str]:
    with closing(sqlite3.connect(ws.path)) as db:
        return {key for (key,) in db.execute("SELECT key FROM workspace")} - {"id", "secret"}


def waiting(ws: Workspace, *jobs: Callable[[Connection], Any]) -> "list[Future[Any]]":
    """Submit jobs while the file is locked, so that all of them wait; then let them go."""
    with closing(sqlite3.connect(ws.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        futures = [ws.submit(job) for job in jobs]
        other.execute("ROLLBACK")
    return futures


def ends(futures: "list[Future[Any]]") -> list[object]:
    """What each future holds, a raised error by its text."""
    return [str(future.exception()) if future.exception(30) else future.result() for future in futures]


def test_waiting_jobs_share_a_transaction(workspace: Workspace) -> None:
    futures = waiting(workspace, put("a"), lambda _: seen_from_outside(workspace), put("b"))
    assert ends(futures) == ["a", set(), "b"]
    assert seen_from_outside(workspace) == {"a", "b"}


def test_a_transaction_takes_no_more_jobs_when_its_time_is_up(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "TURN_SECONDS", 0.0)
    assert ends(waiting(workspace, put("a"), lambda _: seen_from_outside(workspace))) == ["a", {"a"}]


def test_a_result_comes_after_the_commit(workspace: Workspace) -> None:
    seen: list[set[str]] = []
    first, second = waiting(workspace, put("a"), put("b"))
    first.add_done_callback(lambda _: seen.append(seen_from_outside(workspace)))
    second.result()
    first.result()
    assert seen == [{"a", "b"}]


def test_a_job_that_fails_undoes_only_itself(workspace: Workspace) -> None:
    futures = waiting(workspace, put("a"), put_and_fail("b"), put("c"))
    assert ends(futures) == ["a", "b", "c"]
    assert isinstance(futures[1].exception(), ValueError)
    assert seen_from_outside(workspace) == {"a", "c"}


def test_a_first_job_that_fails_takes_no_other_with_it(workspace: Workspace) -> None:
    futures = waiting(workspace, put_and_fail("a"), put("b"), put("c"))
    assert ends(futures) == ["a", "b", "c"]
    assert seen_from_outside(workspace) == {"b", "c"}


def test_jobs_fail_together_when_sqlite_has_undone_their_transaction(workspace: Workspace) -> None:
    futures = waiting(workspace, put("a"), undo_all_and_fail, put("b"))
    assert ends(futures) == ["disk", "disk", "b"]
    assert seen_from_outside(workspace) == {"b"}
