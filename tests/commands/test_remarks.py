"""`uq-tui remarks`."""

import json
from pathlib import Path

import pytest

from tests.commands.conftest import LONELY, QUESTION, ROWS, Desk, Run, document

ANSWER = "Let 🙂 be even.\r\nIt is even; so it is.\x1b[2J Done."


@pytest.fixture
def answer(desk: Desk) -> str:
    return desk.answered(ANSWER)


def test_a_remark_is_kept_with_its_place_and_listed(uq: Run, answer: str) -> None:
    made = document(uq("remarks", "add", answer[:10], "which?", "--quote", "“be even.\nIt”", "--json"))
    assert ANSWER[made["start"] : made["end"]] == made["quote"] == "be even.\r\nIt"
    assert (made["prefix"], made["note"], made["removed_at"]) == ("Let 🙂 ", "which?", None)
    (listed,) = document(uq("remarks", answer, "--json"))["remarks"]
    assert listed == {**made, "unanchored": ""}


def test_the_table_obeys_nothing(uq: Run, answer: str) -> None:
    start = ANSWER.index("\x1b")
    uq("remarks", "add", answer, "see\x1b[31m", "--start", str(start), "--end", str(start + 4))
    result = uq("remarks", answer)
    assert "\x1b" not in result.output
    assert "␛[2J" in result.stdout
    assert "1 remark\n" in result.stderr


def test_the_table_shows_enough_of_an_id_to_name_a_remark(uq: Run, answer: str) -> None:
    made = document(uq("remarks", "add", answer, "which?", "--quote", "Done", "--json"))
    (row,) = (line for line in uq("remarks", answer).stdout.splitlines() if "which?" in line)
    shown, _, _ = row.partition(" ")
    assert len(shown) < len(made["id"])
    assert document(uq("remarks", "edit", shown, "this", "--json")) == {**made, "note": "this"}


@pytest.mark.parametrize("words", ["even", "odd", "it is. Done"])
def test_words_without_one_place_are_refused(uq: Run, answer: str, words: str) -> None:
    result = uq("remarks", "add", answer, "which?", "--quote", words)
    assert result.exit_code == 3
    assert "The remark was not kept: its words" in result.stderr
    assert document(uq("remarks", "list", answer, "--json"))["remarks"] == []


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--quote", "Let", "--start", "0", "--end", "3"),
        ("--start", "0"),
        ("--end", "3"),
        ("--start", "3", "--end", "3"),
        ("--start", "0", "--end", "1000"),
    ],
)
def test_what_is_no_place_is_wrong_usage(uq: Run, answer: str, options: tuple[str, ...]) -> None:
    assert uq("remarks", "add", answer, "which?", *options).exit_code == 2


def test_a_remark_is_edited_removed_and_restored(uq: Run, answer: str) -> None:
    key = document(uq("remarks", "add", answer, "which?", "--quote", "Done", "--json"))["id"]
    assert uq("remarks", "edit", key[:20], "this").stdout == f"{key}  edited, on Done\n"
    assert uq("remarks", "remove", key).exit_code == 0
    assert document(uq("remarks", answer, "--json"))["remarks"] == []
    (removed,) = document(uq("remarks", "list", answer, "--removed", "--json"))["remarks"]
    assert removed["removed_at"] is not None
    assert f"{ANSWER.index('Done')}-{ANSWER.index('Done') + 4}, removed" in uq("remarks", answer, "--removed").stdout
    assert document(uq("remarks", "restore", key, "--json"))["note"] == "this"
    assert len(document(uq("remarks", answer, "--json"))["remarks"]) == 1


@pytest.mark.parametrize("command", [("remove",), ("restore",), ("edit",)])
def test_an_unknown_remark_is_said(uq: Run, command: tuple[str, ...]) -> None:
    result = uq("remarks", *command, "0199aaaa-0000", *(("note",) if command == ("edit",) else ()))
    assert result.exit_code == 3
    assert "The id of no remark starts with" in result.stderr


def test_remarks_outlast_another_version_of_the_question(uq: Run, tmp_path: Path) -> None:
    for words in ("One is", "One is."):
        assert uq("remarks", "add", LONELY, words, "--quote", words).exit_code == 0
    changed = tmp_path / "changed.jsonl"
    changed.write_text(json.dumps({**ROWS[1], "body": "Edited, yes indeed. One is, as I said before."}) + "\n")
    assert uq("import", str(changed)).exit_code == 0
    found = document(uq("remarks", LONELY, "--json"))
    assert [(one["note"], one["start"], one["unanchored"]) for one in found["remarks"]] == [
        ("One is", None, "its words stand in the text once, but among others than before"),
        ("One is.", None, "its words are not in the text"),
    ]
    assert {one["text_sha256"] for one in found["remarks"]} != {found["text_sha256"]}
    assert "unanchored: its words are not in the text." in uq("remarks", LONELY).stderr


def test_candidates_that_are_imported_again_keep_their_remarks(uq: Run, answer: str, tmp_path: Path) -> None:
    uq("remarks", "add", answer, "which?", "--quote", "Done")
    before = document(uq("remarks", answer, "--json"))
    again = tmp_path / "again.jsonl"
    again.write_text(json.dumps({"question_id": QUESTION, "answer": ANSWER, "model": "another"}) + "\n")
    assert uq("import", str(again)).exit_code == 0
    assert document(uq("remarks", answer, "--json")) == before
