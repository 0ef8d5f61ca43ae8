"""`uq-tui merge`: files of many people into the workspace, or into a file without one."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from store.ingest import sealed_jsonl
from tests.commands.conftest import Run, document
from tests.store.merged_rows import statement, verdict
from uq_tui.commands import merge
from uq_tui.words import Label

RIGHT, WRONG = verdict(label=Label.CORRECT), verdict(label=Label.INCORRECT)
OTHER, REVISED = verdict("w"), verdict("w", 2)
SAID = statement()


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, ...]:
    """Three files that disagree about a verdict; one revises another's, one has statements and a torn line."""
    contents = {"a": [RIGHT, OTHER], "b": [WRONG, REVISED], "c": [SAID, OTHER, REVISED[:300]]}
    for name, lines in contents.items():
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tuple(tmp_path / f"{name}.jsonl" for name in contents)


def test_a_report_over_all_files(uq: Run, files: tuple[Path, ...]) -> None:
    result = uq("merge", *map(str, files))
    assert result.exit_code == 1
    assert "3 files: 4 new, 1 the same." in result.stderr
    assert "1 row superseded by a later revision." in result.stderr
    assert "2 rows in quarantine: 1 damaged, 1 conflict." in result.stderr
    assert f"{files[1]}:1: conflict: v#1 is known with other content" in result.stderr
    assert f"{files[2]}:3: damaged: not JSON" in result.stderr


def test_what_is_in_quarantine_is_listed_and_merging_again_changes_nothing(uq: Run, files: tuple[Path, ...]) -> None:
    for _ in range(2):
        uq("merge", *map(str, files))
        kept = document(uq("merge", "--quarantine", "--json"))["quarantine"]
        assert [(one["reason"], one["row_id"]) for one in kept] == [("conflict", "v")] * 2 + [("damaged", "")]
    assert not any("line" in one for one in kept)
    shown = uq("merge", "--quarantine")
    assert "c.jsonl:3" in shown.stdout.replace("\n", "")
    assert "3 lines in quarantine." in shown.stderr


def test_a_union_is_written_without_a_workspace_whatever_the_order(uq: Run, files: tuple[Path, ...]) -> None:
    folder = files[0].parent
    told = set()
    for number, ordered in enumerate(permutations(files)):
        out = folder / str(number) / "all.jsonl"
        out.parent.mkdir()
        uq("merge", *map(str, ordered), "--out", str(out))
        told.add(tuple(sorted((path.name, path.read_bytes()) for path in out.parent.iterdir())))
    (found,) = told
    assert [name for name, _ in found if "manifest" not in name] == [
        "all.jsonl",
        "all.jsonl.quarantine.jsonl",
        "all.jsonl.statements.jsonl",
    ]
    assert dict(found)["all.jsonl"].decode().splitlines() == [OTHER, REVISED]
    assert document(uq("verdict", "list", "--all", "--json"))["verdicts"] == []


def test_a_union_merges_further_as_what_went_into_it(uq: Run, files: tuple[Path, ...]) -> None:
    folder = files[0].parent
    part, whole, at_once = (folder / f"{name}.jsonl" for name in ("part", "whole", "once"))
    uq("merge", str(files[0]), str(files[1]), "--out", str(part))
    parts = [part, folder / "part.jsonl.quarantine.jsonl"]
    result = document(uq("merge", *map(str, parts), str(files[2]), "--out", str(whole), "--json"))
    assert result["written"][0]["file"] == str(whole)
    uq("merge", *map(str, files), "--out", str(at_once))
    for beside in ("", ".quarantine.jsonl", ".statements.jsonl"):
        written = [path.with_name(path.name + beside).read_bytes() for path in (whole, at_once)]
        assert written[0] == written[1]


def test_files_of_an_earlier_merge_are_replaced_by_empty_ones(uq: Run, files: tuple[Path, ...]) -> None:
    out = files[0].parent / "all.jsonl"
    uq("merge", *map(str, files), "--out", str(out))
    assert uq("merge", str(files[0]), "--out", str(out)).exit_code == 0
    for what in ("quarantine", "statements"):
        assert out.with_name(f"all.jsonl.{what}.jsonl").read_bytes() == b""
    assert uq("merge", str(out.with_name("all.jsonl.quarantine.jsonl"))).exit_code == 0


def test_a_dry_run_changes_nothing(uq: Run, files: tuple[Path, ...]) -> None:
    told = document(uq("merge", *map(str, files), "--dry-run", "--json"))
    assert (told["dry_run"], told["total"]["new"]) == (True, 4)
    assert document(uq("merge", "--quarantine", "--json"))["quarantine"] == []


def test_files_that_are_not_merged_are_told_apart_and_the_others_are(uq: Run, files: tuple[Path, ...]) -> None:
    asked = files[0].with_name("q.jsonl")
    asked.write_text(json.dumps({"question_id": 7, "title": "Seven?", "body": "Is it?"}) + "\n", encoding="utf-8")
    newer = files[0].with_name("newer.jsonl")
    newer.write_text("\n".join([OTHER, SAID.replace('"schema_version":1', '"schema_version":2')]), encoding="utf-8")
    told = document(uq("merge", str(asked), str(newer), "absent.jsonl", str(files[0]), "--json"))
    reasons = [one["message"] for one in told["failed"]]
    assert ["only sealed rows are merged" in reasons[0], "schema version 2" in reasons[1]] == [True, True]
    assert (len(reasons), told["total"]["new"]) == (3, 2)


@pytest.mark.parametrize("arguments", [(), ("--quarantine", "a"), ("a", "--out", "b", "--dry-run")])
def test_what_makes_no_sense_is_refused(uq: Run, arguments: tuple[str, ...]) -> None:
    assert uq("merge", *arguments).exit_code == 2


def test_ctrl_c_stops_between_groups_and_what_is_stored_stays(
    uq: Run, files: tuple[Path, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    stop = threading.Event()

    @contextmanager
    def asked() -> Iterator[threading.Event]:
        yield stop

    def take(*told: Any) -> object:
        stop.set()
        return store(*told)

    store = sealed_jsonl._store
    monkeypatch.setattr(sealed_jsonl, "_store", take)
    monkeypatch.setattr(merge, "stoppable", asked)
    told = uq("merge", *map(str, files), "--json")
    assert told.exit_code == 130
    report = document(told)
    assert (report["stopped"], report["total"]["new"], len(report["files"])) == (True, 2, 1)
    assert "Stopped after 2 rows" in report["files"][0]["notes"][0]
