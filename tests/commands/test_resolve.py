"""Resolutions on the command line: said, seen with who said it, taken back, and hidden while one judges blind."""

from tests.commands.conftest import LONELY, QUESTION, Desk, Run, document, exposed
from tests.commands.test_comment import blinded


def test_what_is_said_is_shown_with_who_said_it(uq: Run, desk: Desk) -> None:
    assert uq("resolve", QUESTION).stdout == f"{QUESTION}  open\n"
    said = ("--state", "resolved_by_model", "--why", "The sieve\x1b[2J works.", "--candidate", desk.right)
    made = uq("resolve", QUESTION, *said, "--verifier", "domain_expert")
    assert made.stdout == (
        f"{QUESTION}  resolved by a model: secret-model, c1; so says tester, on the word of a domain expert\n"
    )
    found = document(uq("resolve", QUESTION, "--history", "--json"))
    assert (found["resolution"], found["credit"], found["verifier"], found["candidate_id"]) == (
        "resolved_by_model",
        "secret-model",
        "domain_expert",
        desk.right,
    )
    (row,) = found["history"]
    assert (row["kind"], row["text"]) == ("resolution", "The sieve\x1b[2J works.")
    shown = uq("resolve", QUESTION, "--history")
    assert "resolved by a model (secret-model, c1), on the word of a domain expert\n    The sieve␛[2J works.\n" in (
        shown.stdout
    )
    assert "1 statement" in shown.stderr
    assert "model" in exposed(desk, desk.right)
    assert "- resolution: resolved by a model\n" in uq("questions", "show", QUESTION).stdout
    assert document(uq("questions", "show", QUESTION, "--json"))["resolution"] == "resolved by a model"


def test_others_words_get_no_further_than_an_accepted_answer(uq: Run, desk: Desk) -> None:
    said = ("--state", "resolved_by_person", "--why", "In a paper.", "--credit", "Gauss", "--url", "https://x.y/1")
    assert "`--verifier` says it" in uq("resolve", QUESTION, *said).stderr
    assert "an answer is accepted: Gauss; so says tester, on the word of somebody else" in (
        uq("resolve", QUESTION).stdout
    )
    assert "https://x.y/1" in uq("resolve", QUESTION, "--history").stdout


def test_what_was_said_is_taken_back(uq: Run, desk: Desk) -> None:
    uq("resolve", LONELY, "--state", "withdrawn", "--why", "Ill-posed.", "--verifier", "original_poster")
    assert "withdrawn" in uq("resolve", LONELY).stdout
    assert uq("resolve", LONELY, "--retract").stdout == f"{LONELY}  open\n"
    assert "took back: withdrawn" in uq("resolve", LONELY, "--history").stdout
    assert uq("resolve", LONELY, "--retract").exit_code == 3


def test_what_is_missing_is_asked_for(uq: Run, desk: Desk) -> None:
    assert uq("resolve", QUESTION, "--state", "open").exit_code == 3
    assert uq("resolve", QUESTION, "--why", "x").exit_code == 2
    assert uq("resolve", QUESTION, "--retract", "--state", "open").exit_code == 2
    assert uq("resolve", "nowhere").exit_code == 3
    words = uq("resolve", QUESTION, "--state", "open", "--why", "x", "--url", "The proof holds; see there")
    assert (words.exit_code, "The link is none." in words.stderr) == (3, True)
    stranger = uq("resolve", LONELY, "--state", "resolved_by_model", "--why", "x", "--candidate", desk.right)
    assert (stranger.exit_code, "is no answer to" in stranger.stderr) == (3, True)


def test_nothing_of_it_is_told_while_the_problem_is_judged_blind(uq: Run, desk: Desk) -> None:
    said = ("--state", "resolved_by_model", "--why", "Yes.", "--candidate", desk.right, "--verifier", "domain_expert")
    uq("resolve", QUESTION, *said)
    blinded(desk)
    for more in ((), ("--history",), ("--json",), said, ("--retract",)):
        refused = uq("resolve", QUESTION, *more)
        assert refused.exit_code == 2
        assert "secret-model" not in refused.output
        assert "resolved" not in refused.output
    assert "resolution" not in uq("questions", "show", QUESTION).stdout
