"""What is left when a decision can't be written: everything as it was, the draft too."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from store import blindness, decided_items, decisions, drafts, queues
from store.workspace import Workspace
from tests.store.reviewing import ADA, RIGHT, WRONG, people, plain, problems, queue, share
from uq_tui.errors import StoreError

LONG = replace(WRONG, rationale="Because of this. " * 3_000)
DRAFT = replace(WRONG, rationale="Because")


def pragma(ws: Workspace, text: str) -> Any:
    """Set or read something of the one connection that writes."""
    connection: Any = ws._writer._connection
    return connection.connection.driver_connection.execute(f"PRAGMA {text}").fetchone()


@contextmanager
def full_disk(ws: Workspace) -> Iterator[None]:
    """No page more fits."""
    (pages,) = pragma(ws, "page_count")
    pragma(ws, f"max_page_count = {pages}")
    yield
    pragma(ws, "max_page_count = 1000000")


@contextmanager
def locked(ws: Workspace) -> Iterator[None]:
    """Another program writes, and goes on writing."""
    with closing(sqlite3.connect(ws.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@contextmanager
def read_only(ws: Workspace) -> Iterator[None]:
    """The file can't be written."""
    pragma(ws, "query_only = ON")
    yield
    pragma(ws, "query_only = OFF")


def everything(ws: Workspace) -> list[tuple[Any, ...]]:
    """All that deciding writes."""
    tables = ("queue_item", "reveal", "step", "draft", "draft_copy")
    with closing(sqlite3.connect(ws.path)) as db:
        rows = [row for table in tables for row in db.execute(f"SELECT * FROM {table}")]
        return [*rows, *db.execute("SELECT verdict_id, revision, row_sha256 FROM verdict")]


@pytest.mark.parametrize(
    ("trouble", "words"),
    [(full_disk, "the disk is full"), (locked, "keeps it locked"), (read_only, "be written")],
)
def test_what_can_not_be_written_leaves_all_as_it_was(
    tmp_path: Path, trouble: Callable[[Workspace], AbstractContextManager[None]], words: str
) -> None:
    with closing(Workspace.open(tmp_path / "w", busy_timeout_s=0.01)) as ws:
        people(ws)
        made = queue(ws, {ADA: plain(*problems(ws, 3, 1))})
        first, second, third = share(ws, made)
        decisions.decide(ws, ADA, first.id, LONG)
        decisions.decide(ws, ADA, third.id, LONG)
        decisions.undo(ws, ADA, made.id)
        drafts.save(ws, ADA.id, second.candidate_id, DRAFT, based_on=0)
        works: dict[str, Callable[[], Any]] = {
            "redo": lambda: decisions.redo(ws, ADA, made.id),
            "decide": lambda: decisions.decide(ws, ADA, second.id, LONG),
            "record": lambda: decisions.record(ws, ADA, second.candidate_id, LONG, based_on=None),
            "undo": lambda: decisions.undo(ws, ADA, None),
            "retract": lambda: decisions.retract(ws, ADA, first.candidate_id),
            "draft": lambda: drafts.save(ws, ADA.id, first.candidate_id, LONG, based_on=0),
        }
        before = everything(ws)
        for name, work in works.items():
            with trouble(ws), pytest.raises(StoreError, match=words):
                work()
            assert everything(ws) == before, name
        draft = drafts.get(ws, ADA.id, second.candidate_id)
        assert draft is not None
        assert draft.form == DRAFT
        for name, work in works.items():
            before = everything(ws)
            work()
            assert everything(ws) != before, name


def test_what_fails_half_way_leaves_all_as_it_was(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    people(workspace)
    made = queue(workspace, {ADA: plain(*problems(workspace, 1, 1))})
    (item,) = share(workspace, made)
    drafts.save(workspace, ADA.id, item.candidate_id, RIGHT, based_on=0)
    before = everything(workspace)

    def fail(conn: Connection, item_id: str, **values: Any) -> None:
        queues.set_item(conn, item_id, **values)
        raise OSError("ended here")

    with monkeypatch.context() as patch:
        patch.setattr(decided_items, "set_item", fail)
        with pytest.raises(OSError, match="ended here"):
            decisions.decide(workspace, ADA, item.id, RIGHT)
    assert everything(workspace) == before
    assert blindness.is_masked(workspace, ADA.id, "q0")
    assert decisions.decide(workspace, ADA, item.id, RIGHT).revealed
