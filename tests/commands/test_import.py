import gzip
import json
import os
import re
import signal
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from store import workspace
from store.ingest.importer import import_file
from store.rows import ImportReport
from tests.commands.conftest import QUESTION, Run, document
from tests.shared import shared_file
from uq_tui.commands import import_files

GOOD = {"question_id": 7, "title": "Seven?", "body": "Is it prime?", "site": "math.stackexchange.com"}


def write(path: Path, *lines: str) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def test_a_table_for_people(uq: Run, tmp_path: Path) -> None:
    file = write(tmp_path / "q.jsonl", json.dumps(GOOD))
    result = uq("import", str(file))
    assert result.exit_code == 0
    assert "questions" in result.stdout
    assert result.stderr == ""


def test_importing_again_changes_nothing(uq: Run, tmp_path: Path) -> None:
    file = write(tmp_path / "q.jsonl", json.dumps(GOOD))
    first, second = (document(uq("import", str(file), "--json"))["files"][0] for _ in range(2))
    assert (first["read"], first["new"], first["same"]) == (1, 1, 0)
    assert (second["read"], second["new"], second["same"]) == (1, 0, 1)


def test_a_bad_row_is_named_and_the_good_ones_are_kept(uq: Run, tmp_path: Path) -> None:
    file = write(tmp_path / "q.jsonl", json.dumps(GOOD), "{broken", json.dumps(GOOD | {"question_id": 8}))
    result = uq("import", str(file))
    assert result.exit_code == 1
    assert f"{file}:2: " in result.stderr
    assert document(uq("questions", "--json"))["count"] == 4


def test_rejected_rows_are_capped_for_people_and_whole_as_json(uq: Run, tmp_path: Path) -> None:
    file = write(tmp_path / "q.jsonl", json.dumps(GOOD), *(["{broken"] * 25))
    result = uq("import", str(file))
    assert result.stderr.count(f"{file}:") == 20
    assert "and 5 more rejected rows" in result.stderr
    found = document(uq("import", str(file), "--json"))["files"][0]
    assert found["rejected_total"] == 25
    assert [row["line"] for row in found["rejected"]] == list(range(2, 27))


def test_a_dry_run_changes_nothing(uq: Run, tmp_path: Path) -> None:
    file = write(tmp_path / "q.jsonl", json.dumps(GOOD))
    found = document(uq("import", str(file), "--dry-run", "--json"))
    assert (found["dry_run"], found["stopped"], found["files"][0]["new"]) == (True, False, 1)
    assert uq("import", str(file), "--dry-run").stderr == "A dry run: nothing was changed.\n"
    assert document(uq("questions", "--json"))["count"] == 2


def test_ctrl_c_stops_and_says_how_far_it_came(uq: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*args: Any, **named: Any) -> ImportReport:
        signal.raise_signal(signal.SIGINT)
        return import_file(*args, **named)

    monkeypatch.setattr(import_files, "import_file", interrupted)
    before = signal.getsignal(signal.SIGINT)
    file = write(tmp_path / "q.jsonl", json.dumps(GOOD))
    result = uq("import", str(file), str(file))
    assert result.exit_code == 130
    assert "Stopped before anything was stored." in result.stderr
    assert "Stopped: 1 file not read." in result.stderr
    assert signal.getsignal(signal.SIGINT) is before


def test_a_hostile_row_does_not_steer_the_terminal(uq: Run, tmp_path: Path) -> None:
    file = write(tmp_path / "q.jsonl", json.dumps(GOOD), json.dumps({"body": "x", "tags": {"\x1b]0;owned\x07": 1}}))
    assert "\x1b" not in uq("import", str(file)).output


def test_one_missing_file_does_not_stop_the_others(uq: Run, tmp_path: Path) -> None:
    file = write(tmp_path / "q.jsonl", json.dumps(GOOD))
    missing = tmp_path / "missing.jsonl"
    result = uq("import", str(missing), str(file), "--json")
    assert result.exit_code == 1
    found = document(result)
    assert [one["file"] for one in found["failed"]] == [str(missing)]
    assert found["failed"][0]["title"] == "Not found"
    assert [one["new"] for one in found["files"]] == [1]


def test_what_came_in_before_the_disk_was_full_is_told(
    uq: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = write(tmp_path / "first.jsonl", json.dumps(GOOD))
    large = [json.dumps(GOOD | {"question_id": n, "body": f"{n} " * 40_000}) for n in range(8, 18)]
    second, third = write(tmp_path / "second.jsonl", *large), write(tmp_path / "third.jsonl")
    open_file = workspace._connect

    def on_small_disk(*args: Any, **named: Any) -> sqlite3.Connection:
        db = open_file(*args, **named)
        pages = db.execute("PRAGMA page_count").fetchone()[0]
        db.execute(f"PRAGMA max_page_count = {pages + 100}")
        return db

    monkeypatch.setattr(workspace, "_connect", on_small_disk)
    result = uq("import", str(first), str(second), str(third), "--json")
    assert result.exit_code == 1
    found = document(result)
    assert [one["new"] for one in found["files"]] == [1]
    (failed,) = found["failed"]
    assert re.match(f"The import of {second} broke off; of .* came in: [1-9] new.* disk is full", failed["message"])
    assert "What has come in stays; import it again to go on." in failed["hint"]
    assert "Stopped: 1 file not read." in uq("import", str(first), str(second), str(third)).stderr


def test_nothing_but_missing_files_is_nothing_done(uq: Run, tmp_path: Path) -> None:
    result = uq("import", str(tmp_path / "missing.jsonl"))
    assert result.exit_code == 3
    assert "missing.jsonl" in result.stderr


def test_an_answer_in_a_text_file_goes_to_the_question_named(uq: Run, tmp_path: Path) -> None:
    file = write(tmp_path / "answer.md", "Because I say so.")
    assert uq("import", str(file), "--question", QUESTION).exit_code == 0
    assert "Because I say so." in uq("questions", "show", QUESTION).stdout


def test_an_experts_solution_in_a_text_file_is_the_reference(uq: Run, tmp_path: Path) -> None:
    file = write(tmp_path / "solution.md", "Count them.")
    imported = ("import", str(file), "--question", QUESTION, "--json")
    assert document(uq(*imported))["files"][0]["new"] == 1
    assert [document(uq(*imported, "--reference"))["files"][0][what] for what in ("changed", "same")] == [1, 1]
    listed = document(uq("report", "candidates", QUESTION, "--json"))["candidates"]
    assert [one["number"] for one in listed if one["reference"]] == [3]


def test_a_reference_needs_its_question(uq: Run, tmp_path: Path) -> None:
    result = uq("import", str(write(tmp_path / "solution.md", "Count them.")), "--reference")
    assert result.exit_code == 2
    assert "--reference needs --question" in result.stderr


def test_only_one_answer_by_a_person_is_taken_for_the_reference(uq: Run, tmp_path: Path) -> None:
    rows = write(tmp_path / "answers.jsonl", json.dumps({"answer": "Ten.", "model": "m"}))
    assert uq("import", str(rows), "--question", QUESTION).exit_code == 0
    same = write(tmp_path / "same.md")
    same.write_text("Ten.", encoding="utf-8")
    good = write(tmp_path / "solution.md", "Count them.")
    files = (str(rows), str(tmp_path), str(same), str(good))
    result = uq("import", *files, "--question", QUESTION, "--reference", "--json")
    assert result.exit_code == 1
    found = document(result)
    assert [one["file"] for one in found["files"]] == [str(good)]
    refused = {one["file"]: one["message"] for one in found["failed"]}
    assert list(refused) == list(files[:3])
    assert all("is not one answer to a question" in refused[file] for file in files[:2])
    assert "is here already" in refused[str(same)]


def test_a_folder_with_pack_json_is_a_pack(uq: Run, tmp_path: Path) -> None:
    write(tmp_path / "pack.json", json.dumps({"name": "mine", "version": "1", "licence": "MIT", "description": "x"}))
    write(tmp_path / "questions.jsonl", json.dumps({"key": "a", "title": "A?", "body": "What is A?"}))
    found = document(uq("import", str(tmp_path), "--json"))["files"][0]
    assert (found["format"], found["new"]) == ("pack", 1)


def test_no_file_is_wrong_usage(uq: Run) -> None:
    assert uq("import").exit_code == 2


@pytest.mark.shared
def test_a_stack_exchange_dump_with_its_site_named(run: Run, tmp_path: Path) -> None:
    posts = shared_file("data/se-dump-quantumcomputing-2018/Posts.xml")
    workspace = ("--workspace", str(tmp_path / "se.sqlite"))
    result = run(*workspace, "import", str(posts), "--site", "quantumcomputing.stackexchange.com", "--json")
    assert result.exit_code == 0
    found = document(result)["files"][0]
    assert (found["new"], found["counts"]["questions"], found["counts"]["posted answers"]) == (1672, 612, 1060)
    listed = document(run(*workspace, "questions", "--site", "quantumcomputing.stackexchange.com", "--json"))
    assert listed["count"] == 612


def test_hostile_files_end_in_a_documented_code(uq: Run, tmp_path: Path) -> None:
    good = write(tmp_path / "good.jsonl", json.dumps(GOOD))
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "empty").touch()
    (tmp_path / "bomb").write_bytes(b"\x1f\x8b" + gzip.compress(b" " * 999)[2:-9])
    deep = write(tmp_path / "deep\x1b[2J.json", "[" * 100_000)
    broken = write(
        tmp_path / "broken.jsonl", json.dumps(GOOD), '{"body": NaN}', '{"\\ud83d": "\\ud83d", "body": "\\u0000"}'
    )
    refused = [tmp_path / "pipe", tmp_path / "empty", tmp_path / "bomb", deep, tmp_path, Path("/dev/zero")]
    result = uq("import", str(good), *map(str, refused), str(broken), "--json")
    assert result.exit_code == 1, result.output
    assert isinstance(result.exception, SystemExit)
    found = document(result)
    assert [one["file"] for one in found["failed"]] == [str(path) for path in refused]
    assert [(one["read"], one["rejected_total"]) for one in found["files"]] == [(1, 0), (3, 1)]
    nothing = uq("import", *map(str, refused))
    assert (nothing.exit_code, type(nothing.exception)) == (3, SystemExit)
    assert "\x1b" not in nothing.output
