"""What the database keeps in step by itself: facet counts and the full-text index. Made anew after every migration."""

from sqlite3 import Connection

_FACETS = ("site", "status")

_FTS = """
CREATE VIRTUAL TABLE question_fts USING fts5(
    title, body, tags, content='question_search', content_rowid='seq', tokenize='unicode61 remove_diacritics 2'
)
"""

_FTS_COLUMNS = "rowid, title, body, tags"
_NEW = "new.seq, new.title, new.body, new.tags"
_OLD = "old.seq, old.title, old.body, old.tags"
_INDEX = f"INSERT INTO question_fts ({_FTS_COLUMNS}) VALUES ({_NEW});"
_UNINDEX = f"INSERT INTO question_fts (question_fts, {_FTS_COLUMNS}) VALUES ('delete', {_OLD});"


def _count(kind: str) -> str:
    return (
        f"INSERT INTO facet (kind, value, n) VALUES ('{kind}', new.{kind}, 1)"
        " ON CONFLICT (kind, value) DO UPDATE SET n = n + 1;"
    )


def _uncount(kind: str) -> str:
    return f"UPDATE facet SET n = n - 1 WHERE kind = '{kind}' AND value = old.{kind};"


def _triggers() -> list[str]:
    made = [
        f"CREATE TRIGGER question_search_added AFTER INSERT ON question_search BEGIN {_INDEX} END",
        f"CREATE TRIGGER question_search_changed AFTER UPDATE ON question_search BEGIN {_UNINDEX} {_INDEX} END",
        f"CREATE TRIGGER question_search_removed AFTER DELETE ON question_search BEGIN {_UNINDEX} END",
    ]
    for kind in _FACETS:
        made += [
            f"CREATE TRIGGER facet_{kind}_added AFTER INSERT ON question BEGIN {_count(kind)} END",
            f"CREATE TRIGGER facet_{kind}_changed AFTER UPDATE OF {kind} ON question"
            f" BEGIN {_uncount(kind)} {_count(kind)} END",
            f"CREATE TRIGGER facet_{kind}_removed AFTER DELETE ON question BEGIN {_uncount(kind)} END",
        ]
    return made


def remake(db: Connection) -> None:
    """Drop and make again all triggers, the full-text table with its index, and the facet counts.

    To be called within a transaction, with all tables at their newest shape.
    """
    for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        db.execute(f'DROP TRIGGER "{name}"')
    db.execute("DROP TABLE IF EXISTS question_fts")
    db.execute(_FTS)
    db.execute("INSERT INTO question_fts (question_fts) VALUES ('rebuild')")
    db.execute("DELETE FROM facet")
    for kind in _FACETS:
        db.execute(
            f"INSERT INTO facet (kind, value, n) SELECT '{kind}', {kind}, count(*) FROM question GROUP BY {kind}"
        )
    for statement in _triggers():
        db.execute(statement)
