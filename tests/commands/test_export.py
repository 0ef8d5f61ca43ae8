import csv
import json
from pathlib import Path

from tests.commands.conftest import QUESTION, Desk, Run, document


def judged(uq: Run, desk: Desk) -> None:
    uq("verdict", "give", desk.right, "--label", "correct")
    uq("verdict", "give", desk.wrong, "--label", "incorrect")


def test_the_file_has_a_row_for_each_revision_and_a_manifest(uq: Run, desk: Desk, tmp_path: Path) -> None:
    judged(uq, desk)
    out = tmp_path / "verdicts.jsonl"
    report = document(uq("export", "--out", str(out), "--json"))
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [row["candidate_id"] for row in rows] == [desk.right, desk.wrong]
    assert (report["file"], report["rows"]) == (str(out), 2)
    assert report["sha256"] in (tmp_path / "verdicts.jsonl.manifest.json").read_text(encoding="utf-8")


def test_a_person_reads_how_much_was_written(uq: Run, desk: Desk, tmp_path: Path) -> None:
    judged(uq, desk)
    result = uq("export", "--out", str(tmp_path / "verdicts.jsonl"))
    assert result.stdout == ""
    assert "2 rows written" in result.stderr


def test_standard_output_carries_the_same_bytes(uq: Run, desk: Desk, tmp_path: Path) -> None:
    judged(uq, desk)
    out = tmp_path / "verdicts.jsonl"
    uq("export", "--out", str(out))
    assert uq("export", "--out", "-").stdout_bytes == out.read_bytes()


def test_exporting_again_gives_the_same_bytes(uq: Run, desk: Desk, tmp_path: Path) -> None:
    judged(uq, desk)
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    for out in (first, second):
        assert uq("export", "--out", str(out)).exit_code == 0
    assert first.read_bytes() == second.read_bytes()


def test_an_export_imports_into_an_empty_workspace_and_comes_out_the_same(
    uq: Run, run: Run, desk: Desk, tmp_path: Path
) -> None:
    judged(uq, desk)
    out, again = tmp_path / "verdicts.jsonl", tmp_path / "again.jsonl"
    uq("export", "--out", str(out))
    other = ("--workspace", str(tmp_path / "other.sqlite"))
    assert run(*other, "import", str(out)).exit_code == 0
    assert run(*other, "export", "--out", str(again)).exit_code == 0
    assert again.read_bytes() == out.read_bytes()


def test_only_ones_own(uq: Run, desk: Desk) -> None:
    judged(uq, desk)
    assert uq("export", "--out", "-", "--reviewer", "me").stdout.count("\n") == 2


def test_a_reviewer_nobody_knows_is_an_error_and_no_file(uq: Run, desk: Desk, tmp_path: Path) -> None:
    judged(uq, desk)
    out = tmp_path / "verdicts.jsonl"
    assert uq("export", "--out", str(out), "--reviewer", "nobody").exit_code == 3
    assert not out.exists()


def test_nothing_is_written_unless_a_file_is_named(uq: Run) -> None:
    assert uq("export").exit_code == 2


def test_a_report_cannot_share_standard_output_with_the_rows(uq: Run) -> None:
    assert uq("export", "--out", "-", "--json").exit_code == 2


def test_a_place_that_cannot_be_written_is_an_error(uq: Run, tmp_path: Path) -> None:
    result = uq("export", "--out", str(tmp_path / "missing" / "verdicts.jsonl"))
    assert result.exit_code == 3
    assert result.stderr.startswith("Export: ")


def test_labels_are_a_table_of_ones_own_standing_verdicts(uq: Run, desk: Desk, tmp_path: Path) -> None:
    judged(uq, desk)
    out = tmp_path / "labels.csv"
    report = document(uq("export", "--labels", str(out), "--json"))
    assert report["labels"] == {
        "file": str(out),
        "rows": 2,
        "labels": {"correct": 1, "incorrect": 1},
        "left_out": {},
    }
    with out.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["problem_id"], row["label"]) for row in rows] == [(QUESTION, "correct"), (QUESTION, "incorrect")]


def test_a_person_reads_which_labels_were_written_and_what_was_left_out(uq: Run, desk: Desk, tmp_path: Path) -> None:
    judged(uq, desk)
    uq("verdict", "give", desk.wrong, "--label", "unsure")
    result = uq("export", "--labels", str(tmp_path / "labels.jsonl"), "--out", str(tmp_path / "verdicts.jsonl"))
    assert "1 label written" in result.stderr
    assert "Left out: 1 unsure." in result.stderr
    assert "3 rows written" in result.stderr
