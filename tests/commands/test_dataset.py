"""Versions of a dataset on the command line."""

import json
from pathlib import Path

from tests.commands.conftest import LONELY, QUESTION, Desk, Run, document
from tests.commands.test_comment import blinded

RESOLVED = ("--state", "resolved_by_person", "--why", "Shown.", "--credit", "Gauss", "--verifier", "domain_expert")


def test_a_version_is_made_changed_and_shown(uq: Run, desk: Desk) -> None:
    assert uq("dataset", "make", "v1", QUESTION, "--note", "first").stdout == "v1  made: 1 question\n"
    assert document(uq("dataset", "add", "v1", LONELY, "--why", "asked for", "--json"))["changed"] == [LONELY]
    assert "1 question" in uq("dataset", "move", "v1", "diamond", LONELY, "--why", "hard").stdout
    shown = uq("dataset", "show", "v1").stdout
    assert "\x1b" not in shown
    assert "1 main, 1 diamond" in shown
    assert "Whose word resolves a question: original poster, domain expert" in shown
    assert f"{LONELY}  moved: to diamond: hard" in shown
    found = document(uq("dataset", "show", "v1", "--json"))
    assert [(one["question_id"], one["subset"]) for one in found["entries"]] == [
        (QUESTION, "main"),
        (LONELY, "diamond"),
    ]
    assert document(uq("questions", "show", LONELY, "--json"))["dataset_version"] == "v1"
    assert "1 question" in uq("dataset", "remove", "v1", LONELY, "--why", "a duplicate").stdout
    (listed,) = document(uq("dataset", "--json"))["versions"]
    assert (listed["version"], listed["counts"], listed["note"]) == ("v1", {"main": 1}, "first")


def test_a_version_is_due_when_a_fifth_is_resolved(uq: Run, desk: Desk) -> None:
    assert uq("dataset", "propose").exit_code == 3
    uq("dataset", "make", "v1", "--site", "math.stackexchange.com")
    assert "0 of 2 main questions are resolved (0.0 %); a new version is due" in uq("dataset", "propose").stdout
    uq("resolve", QUESTION, *RESOLVED)
    assert "`uq-tui dataset make NAME --from v1 --without-resolved` makes it." in uq("dataset", "propose").stdout
    due = document(uq("dataset", "propose", "--json"))
    assert due == {"version": "v1", "resolved": 1, "main_questions": 2, "share": 0.5, "due": True, "left_out": 0}
    uq("dataset", "make", "v2", "--from", "v1", "--without-resolved", "--note", "the solved one is out")
    changes = document(uq("dataset", "show", "v2", "--json"))["changes"]
    assert [(one["question_id"], one["change"], one["reason"]) for one in changes] == [
        (QUESTION, "removed", "the solved one is out")
    ]
    refused = uq("dataset", "add", "v1", QUESTION, "--why", "x")
    assert (refused.exit_code, "v1 stays as it is: v2 was made from it" in refused.stderr) == (3, True)


def test_a_version_is_written_and_made_again_from_its_file(uq: Run, desk: Desk, tmp_path: Path) -> None:
    uq("dataset", "make", "v1", LONELY, "--subset", "diamond")
    uq("dataset", "add", "v1", QUESTION, "--why", "more")
    out = tmp_path / "v1.jsonl"
    assert document(uq("dataset", "export", "v1", "--out", str(out), "--json"))["rows"] == 2
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [(row["question_id"], row["subset"]) for row in rows] == [(LONELY, "diamond"), (QUESTION, "main")]
    uq("dataset", "make", "again", "--ids", str(out), "--subset", "development")
    entries = document(uq("dataset", "show", "again", "--json"))["entries"]
    assert [(one["question_id"], one["subset"]) for one in entries] == [(LONELY, "diamond"), (QUESTION, "main")]
    plain = tmp_path / "ids.txt"
    plain.write_text(f"\ufeff{LONELY}\r\n\n {QUESTION} \n", encoding="utf-8")
    assert "2 questions" in uq("dataset", "make", "plain", "--ids", str(plain)).stdout


def test_files_that_hold_no_ids_are_refused(uq: Run, desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "ids.jsonl"
    for content in (b"{", b'{"question_id": 1}', b'{"question_id": "a", "subset": "best"}', b"\xff", b"nowhere", b""):
        file.write_bytes(content)
        result = uq("dataset", "make", "v1", "--ids", str(file))
        assert (result.exit_code, isinstance(result.exception, SystemExit)) == (3, True), content
    assert uq("dataset", "make", "v1", "--ids", str(tmp_path / "none")).exit_code == 3
    assert uq("dataset", "make", "v1", QUESTION, "--without-resolved").exit_code == 2
    assert uq("dataset", "make", "v1", QUESTION, "--development", "3").exit_code == 2
    assert document(uq("dataset", "list", "--json"))["versions"] == []


def test_what_is_resolved_is_not_told_of_problems_judged_blind(uq: Run, desk: Desk) -> None:
    uq("dataset", "make", "v1", QUESTION, LONELY)
    uq("resolve", QUESTION, *RESOLVED)
    blinded(desk)
    assert document(uq("dataset", "propose", "--json")) == {
        "version": "v1",
        "resolved": 0,
        "main_questions": 1,
        "share": 0.0,
        "due": False,
        "left_out": 1,
    }
    assert "Left out: 1 problem that you still judge blind." in uq("dataset", "propose").stdout
    assert "Gauss" not in uq("dataset", "show", "v1").stdout
    assert uq("dataset", "make", "v2", "--from", "v1", "--without-resolved").exit_code == 2


def test_a_search_finds_problems_judged_blind_by_their_own_words_alone(uq: Run, desk: Desk) -> None:
    in_answer = ("--search", "sieve")
    assert document(uq("dataset", "make", "v1", *in_answer, "--json"))["changed"] == [QUESTION]
    blinded(desk)
    assert uq("dataset", "make", "v2", *in_answer).exit_code != 0
