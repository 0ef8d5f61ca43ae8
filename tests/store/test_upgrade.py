"""Migrations: from nothing, from an older file, from a newer one, and when something goes wrong."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy.dialects import sqlite
from sqlite_utils import Database, Migrations
from sqlmodel import SQLModel

from store import (
    curation_tables,
    intake,
    questions,
    review_tables,
    run_tables,
    sharing_tables,
    source_tables,
    tables,
)
from store.derived import remake
from store.intake import NewQuestion
from store.migrations import (
    MIGRATIONS,
    m001_first_tables,
    m002_budgets_and_retries,
    m003_judges_and_audits,
    m004_neighbourhoods,
    m005_reading,
    m006_reviewing,
    m007_sources_and_curation,
    m008_sharing,
)
from store.rows import QuestionFilter
from store.search_index import PARTS
from store.upgrade import upgrade
from store.workspace import Workspace
from uq_tui.errors import NewerSchemaError, StoreError
from uq_tui.words import FacetKind, TextFormat

STEPS = (
    m001_first_tables,
    m002_budgets_and_retries,
    m003_judges_and_audits,
    m004_neighbourhoods,
    m005_reading,
    m006_reviewing,
    m007_sources_and_curation,
    m008_sharing,
)
QUESTION = NewQuestion(
    id="source:1", title="Is every graph small?", body="What holds?", format=TextFormat.MARKDOWN, source="f", site="x"
)


def test_the_migrated_schema_is_that_of_the_metadata(workspace: Workspace) -> None:
    metadata = SQLModel.metadata
    for one in (
        tables.QuestionTable,
        run_tables.RunTable,
        review_tables.QueueTable,
        source_tables.SiteUserTable,
        curation_tables.CurationTable,
        sharing_tables.BundleTable,
    ):
        assert one.metadata is metadata
    dialect = sqlite.dialect()
    with workspace.read() as db:
        names = set(db.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'").scalars())
        ours = {name for name in names if not name.startswith(("sqlite_", "_sqlite_", "search"))}
        assert ours == set(SQLModel.metadata.tables)
        for table in SQLModel.metadata.tables.values():
            key = [column.name for column in table.primary_key.columns]
            wanted = {
                (
                    column.name,
                    column.type.compile(dialect),
                    not column.nullable,
                    key.index(column.name) + 1 if column.primary_key else 0,
                )
                for column in table.columns
            }
            found = db.exec_driver_sql(f'PRAGMA table_info("{table.name}")')
            assert {(row.name, row.type, bool(row.notnull), row.pk) for row in found} == wanted, table.name
            keys = db.exec_driver_sql(f'PRAGMA foreign_key_list("{table.name}")')
            references = {(row[3], row[2], row[4], row[6]) for row in keys}
            assert references == {
                (key.parent.name, key.column.table.name, key.column.name, "NO ACTION") for key in table.foreign_keys
            }, table.name
            indexes = db.exec_driver_sql(f'PRAGMA index_list("{table.name}")').all()
            assert {row.name for row in indexes if row.origin == "c"} == {index.name for index in table.indexes}


def test_nothing_but_migrations_makes_tables() -> None:
    with closing(sqlite3.connect(":memory:")) as db:
        for step in STEPS:
            step(Database(db, execute_plugins=False))
        made = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert set(SQLModel.metadata.tables) <= made


def test_repeats_that_an_earlier_version_took_in_are_known_as_such() -> None:
    of_first, deep = '{"assignment":{"repeat_of":"v0"}}', "[" * 2_000 + "]" * 2_000
    records = (of_first, '{"assignment":{"repeat_of":""}}', '{"rationale":"\\"repeat_of\\":\\"v0\\""}', deep)
    with closing(sqlite3.connect(":memory:")) as db:
        for step in STEPS[:5]:
            step(Database(db, execute_plugins=False))
        for number, record in enumerate(records):
            values = (f"v{number}", 1, "submitted", "c", "q", "r", "ada", "correct", None, True, "", "", record)
            db.execute(f"INSERT INTO verdict VALUES ({', '.join('?' * len(values))})", values)
        m006_reviewing(Database(db, execute_plugins=False))
        assert db.execute("SELECT repeat FROM verdict ORDER BY verdict_id").fetchall() == [(1,), (0,), (0,), (0,)]


def test_questions_of_an_earlier_version_are_sorted_into_domains() -> None:
    asked: dict[str, tuple[str, str | bytes]] = {
        "a": ("math.stackexchange.com", ""),
        "b": ("nowhere.org", " business"),
        "c": ("nowhere.org", ""),
        "d": ("cooking.stackexchange.com", "Science"),
        "e": ("math.stackexchange.com", b"\xed\xa0\x80"),
    }
    with closing(sqlite3.connect(":memory:")) as db:
        for step in STEPS[:6]:
            step(Database(db, execute_plugins=False))
        for key, (site, category) in asked.items():
            columns = "id, site, category, title, status, tags, body_format, link, author, licence, dataset_version"
            values = (key, site, category, "", "", "[]", "", "", "", "", "", "", "{}")
            places = ", ".join("?" * len(values))
            db.execute(f"INSERT INTO question ({columns}, created_at, extra) VALUES ({places})", values)
        m007_sources_and_curation(Database(db, execute_plugins=False))
        domains = dict(db.execute("SELECT id, domain FROM question"))
    assert domains == {"a": "Science", "b": "Business", "c": "", "d": "Science", "e": "Science"}


def later(change: Callable[[Database], None]) -> Migrations:
    """Our migrations and one more."""
    more = Migrations(MIGRATIONS.name)
    for step in STEPS:
        more()(step)
    more(name="m900_later")(change)
    return more


def autocommit(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None)


def filled(path: Path) -> Path:
    with closing(Workspace.open(path)) as ws:
        ws.write(lambda db: intake.put(db, [QUESTION]))
    return path


def rebuild_tables(db: Database) -> None:
    # sqlite-utils copies the tables, which loses their triggers.
    db.table("question").transform(drop=["extra"])


def test_an_old_file_is_copied_then_migrated_with_its_triggers(tmp_path: Path) -> None:
    path = filled(tmp_path / "w")
    size, told = path.stat().st_size, list[int]()
    with closing(autocommit(path)) as db:
        copy = upgrade(db, path, later(rebuild_tables), told.append)
        assert copy is not None
        assert told == [size]
        assert copy.parent == tmp_path
        assert copy.name.startswith("w.before-m900_later.")
        assert copy.stat().st_mode & 0o777 == 0o600
        assert "extra" not in {row[1] for row in db.execute("PRAGMA table_info(question)")}
        assert db.execute("SELECT value, n FROM facet WHERE kind = 'site'").fetchall() == [("x", 1)]
        found = "SELECT rowid FROM search WHERE search MATCH 'graph'"
        assert db.execute(found).fetchall() == [(PARTS,)]
        db.execute("UPDATE question SET site = 'y'")
        sites = db.execute("SELECT value, n FROM facet WHERE kind = 'site' ORDER BY n").fetchall()
        assert sites == [("x", 0), ("y", 1)]
    with closing(Workspace.open(copy)) as ws:
        assert questions.get(ws, "source:1").body.raw == "What holds?"
        assert questions.page(ws, QuestionFilter(text="graph")).rows


def test_an_up_to_date_file_is_not_touched(tmp_path: Path) -> None:
    path = filled(tmp_path / "w")
    before = path.read_bytes()
    with closing(autocommit(path)) as db:
        told: list[int] = []
        assert upgrade(db, path, on_older=told.append) is None
        assert told == []
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["w"]


def test_a_failing_migration_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = filled(tmp_path / "w")

    def fail(db: Database) -> None:
        db.execute("DROP TABLE draft")
        raise RuntimeError("half-way")

    with closing(autocommit(path)) as db, pytest.raises(RuntimeError, match="half-way"):
        upgrade(db, path, later(fail))
    with closing(Workspace.open(path)) as ws, ws.read() as reading:
        assert reading.exec_driver_sql("SELECT count(*) FROM draft").scalar_one() == 0
        assert reading.exec_driver_sql("SELECT count(*) FROM question").scalar_one() == 1


def test_a_migration_that_breaks_references_is_undone(tmp_path: Path) -> None:
    path = filled(tmp_path / "w")

    def orphan(db: Database) -> None:
        db.execute("DELETE FROM text")

    with closing(autocommit(path)) as db, pytest.raises(StoreError, match=r"names a missing text"):
        upgrade(db, path, later(orphan))
    with closing(Workspace.open(path)) as ws:
        assert questions.get(ws, "source:1").body.raw == "What holds?"


def test_a_newer_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = filled(tmp_path / "w")
    with closing(autocommit(path)) as db:
        upgrade(db, path, later(lambda db: None))
    before = path.read_bytes()
    with pytest.raises(NewerSchemaError, match="m900_later") as caught:
        Workspace.open(path)
    assert "Install the newest uq-tui" in caught.value.hint
    assert path.read_bytes() == before


def test_triggers_and_index_can_be_made_again_any_time(workspace: Workspace) -> None:
    workspace.write(lambda db: intake.put(db, [QUESTION]))
    with closing(autocommit(workspace.path)) as db:
        db.execute("BEGIN IMMEDIATE")
        db.execute("UPDATE facet SET n = 99")
        remake(db)
        remake(db)
        db.execute("COMMIT")
    kinds = (FacetKind.SITE, FacetKind.STATUS)
    assert [facet.n for facet in questions.facets(workspace, kinds)] == [1, 1]
    assert len(questions.page(workspace, QuestionFilter(text="graph")).rows) == 1
