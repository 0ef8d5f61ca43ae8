"""`uq-tui ledger`."""

from typing import Any

import pytest

from store import ledger, reviewers
from store.reading_rows import LedgerMark
from tests.commands.conftest import LONELY, QUESTION, Desk, Run, document, exposed
from uq_tui.words import Exposure, LedgerState

ANSWER = "# Proof\r\n\r\nLet it\x1b[2J\r\nbe.\r\n\r\n$$x^2$$\r\n\r\n- So.\r\n\r\n```\r\ncode\r\n```\r\n"


@pytest.fixture
def answer(desk: Desk) -> str:
    """The id of a candidate with four units."""
    return desk.answered(ANSWER)


def states(found: Any) -> list[tuple[int, str, str | None, str]]:
    return [(unit["number"], unit["kind"], unit["state"], unit["note"]) for unit in found["units"]]


def test_units_are_listed_with_their_numbers_and_nothing_is_obeyed(uq: Run, answer: str) -> None:
    result = uq("ledger", answer[:10])
    assert result.exit_code == 0
    assert [line.split()[:2] for line in result.stdout.splitlines()[1:]] == [
        ["1", "paragraph"],
        ["2", "formula"],
        ["3", "paragraph"],
        ["4", "code"],
    ]
    assert "\x1b" not in result.stdout
    assert "␛[2J be." in result.stdout
    assert result.stderr.endswith("0 of 4 units\n")


def test_units_are_marked_by_number_and_range(uq: Run, answer: str) -> None:
    uq("ledger", "mark", answer, "checked", "1", "3-4")
    result = uq("ledger", "mark", answer, "doubtful", "2", "--note", "sign?")
    assert result.exit_code == 0
    assert "~ doubtful" in result.stdout
    assert "4 of 4 units: 3 checked, 1 doubtful" in result.stderr
    assert states(document(uq("ledger", "show", answer, "--json"))) == [
        (1, "paragraph", "checked", ""),
        (2, "display", "doubtful", "sign?"),
        (3, "paragraph", "checked", ""),
        (4, "code", "checked", ""),
    ]


def test_the_json_has_the_places_in_the_raw_text_and_the_counts(uq: Run, answer: str) -> None:
    found = document(uq("ledger", "mark", answer, "wrong", "1", "--json"))
    assert (found["question_id"], found["candidate_id"]) == (QUESTION, answer)
    assert [ANSWER[unit["start"] : unit["end"]] for unit in found["units"][:2]] == ["Let it\x1b[2J\r\nbe.", "$$x^2$$"]
    assert found["units"][0]["text"] == "Let it\x1b[2J\nbe."
    assert found["count"] == {"units": 4, "checked": 0, "doubtful": 0, "wrong": 1, "skipped": 0}
    assert found["orphans"] == []


def test_a_mark_is_taken_back_and_its_note_on_its_own(uq: Run, answer: str) -> None:
    uq("ledger", "mark", answer, "skipped", "1-2", "--note", "later")
    found = document(uq("ledger", "mark", answer, "none", "1", "--json"))
    assert states(found)[:2] == [(1, "paragraph", None, "later"), (2, "display", "skipped", "later")]
    found = document(uq("ledger", "mark", answer, "none", "1-2", "--note", "", "--json"))
    assert states(found)[:2] == [(1, "paragraph", None, ""), (2, "display", None, "")]


@pytest.mark.parametrize("unit", ["0", "5", "3-9", "4-3", "x", "1,2", "-", "²", "1" * 30])
def test_numbers_that_name_no_unit_are_wrong_usage(uq: Run, answer: str, unit: str) -> None:
    result = uq("ledger", "mark", answer, "checked", "1", "--", unit)
    assert result.exit_code == 2
    assert document(uq("ledger", "show", answer, "--json"))["count"]["checked"] == 0


def test_the_body_of_a_question_can_be_marked_and_words_of_ours_do_not_count(uq: Run) -> None:
    found = document(uq("ledger", LONELY, "--json"))
    body = [unit["number"] for unit in found["units"] if unit["start"] is not None]
    assert found["count"]["units"] == len(body) == 1
    assert found["units"][body[0] - 1]["text"] == "One is."
    marked = document(uq("ledger", "mark", LONELY, "checked", str(body[0]), "--json"))
    assert marked["count"]["checked"] == 1
    ours = next(unit["number"] for unit in found["units"] if unit["start"] is None)
    refused = uq("ledger", "mark", LONELY, "checked", str(ours))
    assert refused.exit_code == 3
    assert "no place in a stored text" in refused.stderr


def test_reasoning_is_another_text_and_seeing_it_is_recorded(uq: Run, desk: Desk) -> None:
    uq("ledger", "mark", desk.right, "checked", "1")
    assert exposed(desk, desk.right) == set()
    found = document(uq("ledger", desk.right, "--reasoning", "--json"))
    assert [(unit["text"], unit["state"]) for unit in found["units"]] == [("Think of 8.", None)]
    assert exposed(desk, desk.right) == {Exposure.REASONING}


def test_marks_that_fit_no_unit_are_told(uq: Run, desk: Desk, answer: str) -> None:
    workspace = desk.open()
    try:
        mine = reviewers.current(workspace).id
        ledger.put(workspace, mine, ANSWER, [LedgerMark(0, 3, LedgerState.WRONG, "?", "2026-01-01T00:00:00.0Z")])
    finally:
        workspace.close()
    assert "1 mark belongs to no paragraph of today" in uq("ledger", answer).stderr
    assert document(uq("ledger", answer, "--json"))["orphans"] == [
        {"start": 0, "end": 3, "state": "wrong", "note": "?", "marked_at": "2026-01-01T00:00:00.0Z"}
    ]


def test_the_counts_go_out_with_the_verdict(uq: Run, answer: str) -> None:
    uq("ledger", "mark", answer, "checked", "1-3")
    row = document(uq("verdict", "give", answer, "--label", "unsure", "--json"))
    assert row["ledger"] == {"units": 4, "checked": 3, "doubtful": 0, "wrong": 0, "skipped": 0}


@pytest.mark.parametrize("arguments", [("nothing-like-it",), ("x",), (QUESTION, "--reasoning")])
def test_what_is_no_text_is_said(uq: Run, arguments: tuple[str, ...]) -> None:
    result = uq("ledger", *arguments)
    assert result.exit_code in (2, 3)
    assert "Traceback" not in result.output
