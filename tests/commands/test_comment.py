"""Comments, acceptances and notes on the command line."""

from store import queues, reviewers, statements
from store.review_rows import NewItem, Said
from store.rows import Reviewer
from tests.commands.conftest import QUESTION, Desk, Run, document, exposed
from uq_tui.words import QueueMode, StatementKind

HOSTILE = "[b]see\x1b[2J\nagain"


def others_say(desk: Desk, text: str, candidate_id: str = "") -> None:
    ws = desk.open()
    bo = next((one for one in reviewers.all_of(ws) if one.handle == "bo"), None)
    bo = bo or reviewers.make(ws, Reviewer("", "bo", "", ()))
    statements.add(ws, bo, StatementKind.COMMENT, QUESTION, Said(text), candidate_id=candidate_id)
    ws.close()


def blinded(desk: Desk) -> None:
    ws = desk.open()
    share = {reviewers.current(ws).id: [NewItem(QUESTION, desk.right)]}
    queues.make(ws, name="q", mode=QueueMode.BLIND, spec={}, guideline="", shares=share)
    ws.close()


def test_what_was_said_is_listed_in_threads(uq: Run, desk: Desk) -> None:
    first = document(uq("comment", "add", QUESTION, HOSTILE, "--json"))["statement_id"]
    uq("comment", "add", QUESTION, "-", "--reply-to", first, stdin=" Because.\n")
    uq("comment", "add", desk.right, "On the answer.")
    shown = uq("comment", QUESTION)
    assert "\x1b" not in shown.stdout
    assert "[b]see␛[2J\n  again\n" in shown.stdout
    assert "\n    Because.\n" in shown.stdout
    assert "3 comments" in shown.stderr
    (only,) = document(uq("comment", desk.right, "--json"))["comments"]
    assert (only["text"], only["about"], only["mine"]) == ("On the answer.", "c1", True)


def test_own_words_can_be_changed_and_taken_back(uq: Run, desk: Desk) -> None:
    made = document(uq("comment", "add", QUESTION, "One.", "--json"))["statement_id"]
    assert "revision 2" in uq("comment", "edit", made, "Two.").stdout
    assert "retracted" in uq("comment", "retract", made).stdout
    assert document(uq("comment", QUESTION, "--json"))["comments"] == []
    assert uq("comment", "retract", made).exit_code == 3
    assert uq("comment", "add", QUESTION, " ").exit_code == 3
    assert uq("comment", "add", "nowhere", "x").exit_code == 3


def test_others_on_answers_are_hidden_while_blind_and_recorded_else(uq: Run, desk: Desk) -> None:
    others_say(desk, "Of the question.")
    others_say(desk, "The answer is SECRETLY wrong.", desk.right)
    blinded(desk)
    for arguments in ((QUESTION,), (desk.right,), (QUESTION, "--json")):
        result = uq("comment", *arguments)
        assert "SECRETLY" not in result.output
        assert "hidden while you judge this problem blind" in result.stderr
    assert exposed(desk, desk.right) == set()
    assert uq("queue", "reveal", QUESTION, "--yes").exit_code == 0
    assert "SECRETLY" in uq("comment", QUESTION).stdout
    assert "other_verdicts" in exposed(desk, desk.right)


def test_an_acceptance_is_evidence_of_its_own(uq: Run, desk: Desk) -> None:
    assert uq("comment", "accept", desk.right, "--by", "asker").exit_code == 3
    uq("comment", "accept", desk.right, "--by", "asker", "--at", "2026-01-30", "--url", "https://x.y/1")
    (row,) = document(uq("comment", QUESTION, "--json"))["comments"]
    assert (row["kind"], row["accepted_by"], row["accepted_at"], row["evidence_url"]) == (
        "acceptance",
        "asker",
        "2026-01-30",
        "https://x.y/1",
    )
    assert "by asker, 2026-01-30, https://x.y/1" in uq("comment", QUESTION).stdout


def test_a_note_is_written_and_read(uq: Run, desk: Desk) -> None:
    assert uq("comment", "note", QUESTION).stdout == ""
    uq("comment", "note", QUESTION, HOSTILE)
    assert uq("comment", "note", QUESTION).stdout == "[b]see␛[2J\nagain\n"
    uq("comment", "note", QUESTION, "Shorter.")
    assert document(uq("comment", "note", QUESTION, "--json"))["note"] == "Shorter."
    assert uq("comment", "note", "nowhere", "x").exit_code == 3
