"""What the database keeps of other tables: facet counts and tags by triggers, the full-text index from stored texts.

All of it is made anew after every migration.
"""

import json
from collections.abc import Iterator
from itertools import islice
from sqlite3 import Connection

from store.search_index import GATHERING, MERGING, PUT, SEARCH_TABLE, SearchDoc, answer_doc, comment_doc, question_doc
from uq_tui.words import FacetKind, ScoreBand, TextFormat

_GATHERED, _USUAL = 1 << 26, 1 << 20
"""Bytes of the index that are gathered before they are written: while all of it is made, and otherwise."""
_AT_ONCE = 1000
"""Documents that are put into the index together."""

_BANDS = (
    (ScoreBand.NEGATIVE, "< 0"),
    (ScoreBand.NONE, "= 0"),
    (ScoreBand.FEW, "< 5"),
    (ScoreBand.SOME, "< 10"),
    (ScoreBand.MANY, "< 25"),
    (ScoreBand.MORE, "< 100"),
)


def _band(score: str) -> str:
    cases = " ".join(f"WHEN {score} {limit} THEN '{band}'" for band, limit in _BANDS)
    return f"CASE WHEN {score} IS NULL THEN '{ScoreBand.UNKNOWN}' {cases} ELSE '{ScoreBand.MOST}' END"


_COUNTED = {
    FacetKind.SITE: ("site", "{0}.site"),
    FacetKind.STATUS: ("status", "{0}.status"),
    FacetKind.DOMAIN: ("domain", "{0}.domain"),
    FacetKind.RESOLUTION: ("resolution", "{0}.resolution"),
    FacetKind.SCORE: ("score", _band("{0}.score")),
    FacetKind.YEAR: ("asked_at", "coalesce(substr({0}.asked_at, 1, 4), 'unknown')"),
}
"""Of each kind but tags: the column it depends on, and its value in a row."""

_ONE_MORE = "ON CONFLICT (kind, value) DO UPDATE SET n = n + 1"


def _value(kind: FacetKind, row: str) -> str:
    return _COUNTED[kind][1].format(row)


def _count(kind: FacetKind) -> str:
    return f"INSERT INTO facet (kind, value, n) VALUES ('{kind}', {_value(kind, 'new')}, 1) {_ONE_MORE};"


def _uncount(kind: FacetKind) -> str:
    return f"UPDATE facet SET n = n - 1 WHERE kind = '{kind}' AND value = {_value(kind, 'old')};"


_PUT_TAGS = "INSERT OR IGNORE INTO question_tag (tag, seq) SELECT value, new.seq FROM json_each(new.tags);"
_TAG = (
    f"{_PUT_TAGS}"
    f"INSERT INTO facet (kind, value, n) SELECT DISTINCT '{FacetKind.TAG}', value, 1 FROM json_each(new.tags)"
    f" WHERE true {_ONE_MORE};"
)
_UNTAG = (
    "DELETE FROM question_tag WHERE seq = old.seq AND tag IN (SELECT value FROM json_each(old.tags));"
    f"UPDATE facet SET n = n - 1 WHERE kind = '{FacetKind.TAG}' AND value IN (SELECT value FROM json_each(old.tags));"
)


def _triggers() -> Iterator[str]:
    """One for all counts of a new row, and one a kind for changes: most columns of a row rarely change."""
    values = " ".join(f"SELECT '{kind}' AS kind, {_value(kind, 'new')} AS value UNION ALL" for kind in _COUNTED)
    yield (
        # One statement for all counts of a row: one each takes twice the time.
        "CREATE TRIGGER question_added AFTER INSERT ON question BEGIN INSERT INTO facet (kind, value, n)"
        f" SELECT kind, value, 1 FROM ({values} SELECT DISTINCT '{FacetKind.TAG}', value FROM json_each(new.tags))"
        f" WHERE true {_ONE_MORE}; {_PUT_TAGS} END"
    )
    uncounts = " ".join(map(_uncount, _COUNTED))
    yield f"CREATE TRIGGER question_removed AFTER DELETE ON question BEGIN {uncounts} {_UNTAG} END"
    for kind, (column, _) in _COUNTED.items():
        yield (
            f"CREATE TRIGGER question_{column}_changed AFTER UPDATE OF {column} ON question"
            f" WHEN {_value(kind, 'old')} <> {_value(kind, 'new')} BEGIN {_uncount(kind)} {_count(kind)} END"
        )
    yield (
        "CREATE TRIGGER question_tags_changed AFTER UPDATE OF tags ON question WHEN old.tags <> new.tags"
        f" BEGIN {_UNTAG} {_TAG} END"
    )


def remake(db: Connection) -> None:
    """Drop and make again all triggers, the full-text index, the facet counts and the table of tags.

    To be called within a transaction, with all tables at their newest shape.
    """
    for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        db.execute(f'DROP TRIGGER "{name}"')
    db.execute("DROP TABLE IF EXISTS question_fts")
    db.execute("DROP TABLE IF EXISTS search")
    db.execute(SEARCH_TABLE)
    db.execute(MERGING)
    db.execute(GATHERING, (_GATHERED,))
    _index(db)
    db.execute(GATHERING, (_USUAL,))
    _count_all(db)
    for statement in _triggers():
        db.execute(statement)


def _count_all(db: Connection) -> None:
    db.execute("DELETE FROM question_tag")
    db.execute(
        "INSERT OR IGNORE INTO question_tag (tag, seq) SELECT value, seq FROM question, json_each(tags) ORDER BY 1, 2"
    )
    db.execute("DELETE FROM facet")
    for kind in _COUNTED:
        value = _value(kind, "question")
        db.execute(
            f"INSERT INTO facet (kind, value, n) SELECT '{kind}', {value}, count(*) FROM question GROUP BY {value}"
        )
    db.execute(
        f"INSERT INTO facet (kind, value, n) SELECT '{FacetKind.TAG}', tag, count(*) FROM question_tag GROUP BY tag"
    )


def _index(db: Connection) -> None:
    docs = _docs(db)
    while some := [doc.row for doc in islice(docs, _AT_ONCE)]:
        db.executemany(PUT, some)


_QUESTIONS = (
    "SELECT seq, title, body, body_format, tags FROM question LEFT JOIN text ON sha256 = body_sha256 ORDER BY seq"
)
_ANSWERS = (
    "SELECT seq, number, body, answer_format FROM question CROSS JOIN candidate ON question_id = question.id"
    " CROSS JOIN text ON sha256 = answer_sha256 ORDER BY seq, number"
)
_COMMENTS = (
    "SELECT seq, number, body FROM question CROSS JOIN post_comment ON question_id = question.id ORDER BY seq, number"
)
"""In the order of the index, as `search_index.put` wants it."""


def _docs(db: Connection) -> Iterator[SearchDoc]:
    """Everything that is searched, from the stored texts."""
    for seq, title, body, body_format, tags in db.execute(_QUESTIONS):
        yield question_doc(seq, _text(title), _text(body), TextFormat(body_format), json.loads(tags))
    for seq, number, body, answer_format in db.execute(_ANSWERS):
        if (answer := answer_doc(seq, number, _text(body), TextFormat(answer_format))) is not None:
            yield answer
    for seq, number, body in db.execute(_COMMENTS):
        if (comment := comment_doc(seq, number, _text(body))) is not None:
            yield comment


def _text(stored: str | bytes | None) -> str:
    """As `store.tables.ForeignText` and `store.texts` keep texts."""
    return stored.decode("utf-8", "surrogatepass") if isinstance(stored, bytes) else stored or ""
