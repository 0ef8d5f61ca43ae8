"""Verdict rows in columns, as another reader of Parquet has them."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from exports.parquet import write_parquet
from exports.written import Job
from store.withheld import NOTHING
from store.workspace import Workspace
from tests.exports.full_rows import full_row, line_of
from tests.exports.small_disk import small_disk
from uq_tui.errors import ExportError


def read_back(ws: Workspace, path: Path, *rows: Mapping[str, Any]) -> list[dict[str, Any]]:
    assert write_parquet(Job(ws, path, map(line_of, rows), NOTHING)).rows == len(rows)
    return list(pq.read_table(path).to_pylist())


def test_columns_say_what_the_rows_say(workspace: Workspace, tmp_path: Path) -> None:
    line = line_of(full_row())
    whole = json.loads(line)
    (row,) = read_back(workspace, tmp_path / "rows.parquet", full_row())
    assert row == {**whole, "extra": json.dumps(whole["extra"], separators=(",", ":")), "sealed_row": line}


def test_what_a_column_cant_hold_is_in_the_whole_row(workspace: Workspace, tmp_path: Path) -> None:
    odd = full_row(rationale="a\0b\ud800", score_0_7=2**70, mood="sceptical")
    del odd["settles"]
    (row,) = read_back(workspace, tmp_path / "rows.parquet", odd)
    assert (row["rationale"], row["score_0_7"], row["settles"]) == ("a\ufffdb\ufffd", None, None)
    assert "mood" not in row
    assert row["sealed_row"] == line_of(odd)


def test_types_are_there_without_a_row_to_tell_them(workspace: Workspace, tmp_path: Path) -> None:
    read_back(workspace, tmp_path / "none.parquet")
    read_back(workspace, tmp_path / "one.parquet", full_row())
    assert pq.read_schema(tmp_path / "none.parquet") == pq.read_schema(tmp_path / "one.parquet")


def test_a_disk_that_fills_on_the_way_leaves_nothing_behind(workspace: Workspace, tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 32) as disk:
        lines = [line_of(full_row(verdict_id=f"v{number}")) for number in range(20)]
        with pytest.raises(ExportError, match="can't be written"):
            write_parquet(Job(workspace, disk / "rows.parquet", lines, NOTHING))
        assert not list(disk.iterdir())
