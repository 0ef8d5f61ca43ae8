"""Bringing a workspace file up to date when it is opened: refuse, copy, migrate, make triggers again, check."""

import os
import secrets
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from sqlite_utils import Database, Migrations

from store.derived import remake
from store.identity import uuid7
from store.migrations import MIGRATIONS
from uq_tui.errors import NewerSchemaError, StoreError

_SECRET_BYTES = 32


def upgrade(
    db: sqlite3.Connection,
    path: Path,
    migrations: Migrations = MIGRATIONS,
    on_older: Callable[[int], None] = lambda size: None,
) -> Path | None:
    """Apply what is pending in `migrations` to the file at `path`, opened in autocommit mode as `db`.

    Everything happens in one transaction: either all of it holds, or the file is as before. An existing workspace is
    copied beside itself first. That takes a minute for each GB or so, hence `on_older`: it is told the file's size in
    bytes before anything is done to one that holds something.

    Returns:
        The copy that was made, if any.

    Raises:
        NewerSchemaError: a newer uq-tui has written the file.
        StoreError: the file is the database of another program, or fails SQLite's checks after the change.
    """
    tables = Database(db, execute_plugins=False, recursive_triggers=False)
    if not _pending(tables, path, migrations):
        return None
    if migrations.applied(tables):
        on_older(path.stat().st_size)
    db.execute("BEGIN IMMEDIATE")
    try:
        # Asked again under the lock: another process may have done it meanwhile.
        pending = _pending(tables, path, migrations)
        copy = _copy(path, pending[0]) if pending and migrations.applied(tables) else None
        if pending:
            migrations.apply(tables)
            remake(db)
            _introduce(db)
            _check(db, path)
    except BaseException:
        db.rollback()
        raise
    db.commit()
    return copy


def _pending(tables: Database, path: Path, migrations: Migrations) -> list[str]:
    applied = {step.name for step in migrations.applied(tables)}
    with closing(sqlite3.connect(":memory:")) as empty:
        known = [step.name for step in migrations.pending(Database(empty, execute_plugins=False))]
    unknown = sorted(applied.difference(known))
    if unknown:
        raise NewerSchemaError(
            f"The workspace {path} was written by a newer uq-tui: this one doesn't know {', '.join(unknown)}.",
            hint="Install the newest uq-tui, or open another workspace.",
        )
    if not applied and tables.table_names():
        raise StoreError(
            f"{path} is the database of another program, not a workspace of uq-tui.",
            hint="Name another file; a workspace that doesn't exist is made.",
        )
    return [name for name in known if name not in applied]


def _copy(path: Path, step: str) -> Path:
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
    copy = path.with_name(f"{path.name}.before-{step}.{stamp}")
    os.close(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    # A second connection: VACUUM cannot run inside the transaction that holds the lock.
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as reader:
        reader.execute("VACUUM INTO ?", (str(copy),))
    return copy


def _introduce(db: sqlite3.Connection) -> None:
    facts = {"id": uuid7(), "secret": secrets.token_hex(_SECRET_BYTES)}
    db.executemany("INSERT INTO workspace (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING", facts.items())


def _check(db: sqlite3.Connection, path: Path) -> None:
    damage = [str(row[0]) for row in db.execute("PRAGMA integrity_check") if row[0] != "ok"]
    damage += [f"{row[0]} row {row[1]} names a missing {row[2]}" for row in db.execute("PRAGMA foreign_key_check")]
    if damage:
        raise StoreError(
            f"The workspace {path} fails SQLite's checks, so it was left as it was: {'; '.join(damage[:3])}.",
            hint="Restore it from a backup, or recover it with `sqlite3 FILE .recover`.",
        )
