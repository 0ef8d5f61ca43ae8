"""Rows of Parquet files: what becomes of values, and files that are none."""

from pathlib import Path

import duckdb
import pytest

from store import questions
from store.ingest.importer import import_file
from store.ingest.parquet_rows import columns_of, read_parquet
from store.workspace import Workspace
from tests.shared import shared_file
from uq_tui.errors import ImportFileError, NotFoundError


def written(path: Path, select: str) -> Path:
    """A Parquet file of what a query gives."""
    with duckdb.connect() as db:
        db.execute("SET enable_progress_bar = false")
        quoted = str(path).replace("'", "''")
        db.execute(f"COPY ({select}) TO '{quoted}' (FORMAT parquet)")
    return path


def test_values_are_those_of_json(tmp_path: Path) -> None:
    select = """SELECT 1::BIGINT AS whole, 2.5::DECIMAL(4,2) AS dec, 'NaN'::DOUBLE AS missing, 0.5::DOUBLE AS f,
        TIMESTAMP '2020-01-02 03:04:05' AS at, DATE '2020-01-02' AS day, {'a': [1, NULL], 'b': 'é'} AS made,
        MAP {'k': 'v'} AS map, 'text'::BLOB AS bytes, NULL::VARCHAR AS none, true AS yes"""
    (row,) = read_parquet(written(tmp_path / "x", select))
    assert (row.line, row.problem) == (1, "")
    assert row.value == {
        "whole": 1,
        "dec": 2.5,
        "missing": None,
        "f": 0.5,
        "at": "2020-01-02T03:04:05",
        "day": "2020-01-02",
        "made": {"a": [1, None], "b": "é"},
        "map": {"k": "v"},
        "bytes": "text",
        "none": None,
        "yes": True,
    }


def test_bytes_that_are_no_text_spoil_only_their_row(tmp_path: Path) -> None:
    path = written(tmp_path / "x", "SELECT unnest(['ab'::BLOB, '\\xFF'::BLOB, 'cd'::BLOB]) AS b")
    assert [row.value.get("b", row.problem) for row in read_parquet(path)] == [
        "ab",
        "a cell has bytes that are not UTF-8 text",
        "cd",
    ]


@pytest.mark.parametrize("name", ["a*b?.parquet", "[x].parquet", "it's k=3.parquet"])
def test_a_name_is_no_pattern(tmp_path: Path, name: str) -> None:
    written(tmp_path / "aXbY.parquet", "SELECT 1 AS other")
    path = written(tmp_path / "plain", "SELECT 2 AS n").rename(tmp_path / name)
    assert columns_of(path) == ("n",)
    assert [row.value for row in read_parquet(path)] == [{"n": 2}]


@pytest.mark.parametrize("keep", [4, 40, -8])
def test_a_damaged_file_is_refused_in_words(workspace: Workspace, tmp_path: Path, keep: int) -> None:
    path = written(tmp_path / "x", "SELECT 'b' AS body FROM range(1000)")
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(ImportFileError, match="no Parquet file that can be read") as caught:
        import_file(workspace, path)
    assert "LINE 1" not in caught.value.message
    with pytest.raises(NotFoundError):
        columns_of(tmp_path / "none")


def test_the_uq_dataset_as_parquet(workspace: Workspace, tmp_path: Path) -> None:
    select = """SELECT 358423 + i AS question_id, 'Title &amp; ' || i AS title, 'Body ' || i AS body,
        ['algebra', 'rings'] AS tags, 'math' AS site, 'Science' AS category, 'diamond' AS grade,
        'https://math.stackexchange.com/questions/' || (358423 + i) AS link FROM range(600) t(i)"""
    path = written(tmp_path / "anything", select)
    first, again = import_file(workspace, path), import_file(workspace, path)
    assert (first.format, first.read, first.new, first.rejected) == ("questions", 600, 600, ())
    assert (again.new, again.changed, again.same) == (0, 0, 600)
    asked = questions.get(workspace, "math.stackexchange.com:358423")
    assert (asked.row.title, asked.row.tags, asked.category) == ("Title & 0", ("algebra", "rings"), "Science")
    assert asked.extra == {"grade": "diamond"}


@pytest.mark.shared
def test_a_real_file() -> None:
    """434 rows by SOURCE.txt."""
    path = shared_file("data/open-proof-corpus/test.parquet")
    rows = list(read_parquet(path))
    assert (len(rows), {row.problem for row in rows}) == (434, {""})
    assert rows[0].value["problem_id"] == "IMOSL_2015_29"
