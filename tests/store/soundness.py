"""Whether a workspace is whole: SQLite's own checks, and what is kept of other tables against a recount of those."""

import sqlite3
from contextlib import closing
from pathlib import Path

from store.derived import remake

_OF_THE_MOMENT = frozenset(("created_at", "updated_at", "at"))
_KEPT = {
    "word": "SELECT term, doc, col, offset FROM temp.words",
    "document": "SELECT id FROM search_docsize",
    "facet": "SELECT kind, value, n FROM facet WHERE n > 0",
    "tag": "SELECT tag, seq FROM question_tag",
}
_NOT_COMPARED = ("workspace", "facet", "_sqlite", "sqlite", "search")

Row = tuple[object, ...]


def assert_sound(path: Path) -> None:
    """Nothing is damaged or dangling, and the search index, facets and tags are what the stored texts make them.

    The workspace is not changed.
    """
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.text_factory = lambda stored: stored.decode("utf-8", "surrogatepass")
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        there = _kept(db)
        db.execute("BEGIN IMMEDIATE")
        remake(db)
        recounted = _kept(db)
        db.execute("ROLLBACK")
    for what, rows in there.items():
        assert rows == recounted[what], what


def _kept(db: sqlite3.Connection) -> dict[str, set[Row]]:
    db.execute("CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, search, instance)")
    found = {what: set(db.execute(query).fetchall()) for what, query in _KEPT.items()}
    db.execute("DROP TABLE temp.words")
    return found


def contents(path: Path) -> dict[str, set[Row]]:
    """All rows of all tables, without what differs from one import of the same file to the next: times."""
    with closing(sqlite3.connect(path)) as db:
        db.text_factory = bytes
        names = [name.decode() for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: _rows(db, name) for name in names if not name.startswith(_NOT_COMPARED)}


def _rows(db: sqlite3.Connection, table: str) -> set[Row]:
    columns = [row[1].decode() for row in db.execute(f'PRAGMA table_info("{table}")')]
    compared = ", ".join(f'"{name}"' for name in columns if name not in _OF_THE_MOMENT)
    return set(db.execute(f'SELECT {compared} FROM "{table}"').fetchall())
