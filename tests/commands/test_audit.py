"""audit: the engine in this process, against a loopback server."""

import json
from collections.abc import Callable

import pytest

from tests.commands.conftest import LONELY, MODEL, QUESTION, Desk, Run, document, exposed, model_at
from tests.fakes.openai_server import FakeServer, Rule
from uq_tui.words import Exposure

Serve = Callable[..., FakeServer]


def found(*quotes: str) -> str:
    """An audit that finds fault with these quotes."""
    texts = [{"quote": one, "claim": "Not \x1b[2Jprime.", "problem": "3 + 5 = 8.", "fix": "Add."} for one in quotes]
    return json.dumps({"code": "{tag}", "findings": [{"category": "incorrect_reasoning", "quotes": texts}]})


FLAWED = Rule(reply=found("8 is not", "9 is not"), contains=("No, 8 is not.",))
CLEAN = Rule(reply='I see none.\n{"code": "{tag}", "findings": []}')
UNREADABLE = Rule(reply="It looks well.")
REFUSED = Rule(status=401, error="no such key")


def test_claims_are_shown_with_quotes_and_what_was_dropped(uq: Run, desk: Desk, served: Serve) -> None:
    result = uq("audit", "--question", QUESTION, *model_at(served(FLAWED, CLEAN)))

    assert result.exit_code == 0
    assert "Planned: 2 to 4 calls;" in result.stderr
    right, wrong, claim = (line for line in result.stdout.splitlines() if desk.right[:12] in line or "not" in line)
    assert right.split() == [desk.right[:12], "c1", "read", "0", "0", "–"]
    assert wrong.split()[1:5] == ["c2", "read", "1", "1"]
    assert wrong.endswith("1 quote not in the answer, dropped")
    assert "incorrect reasoning  8 is not  Not ␛[2Jprime.  3 + 5 = 8.  Add." in claim
    assert "\x1b" not in result.output


def test_the_json_has_claims_by_candidate_and_showing_them_is_recorded(uq: Run, desk: Desk, served: Serve) -> None:
    result = uq("audit", desk.wrong[:8], *model_at(served(FLAWED)), "--json")

    told = document(result)
    assert (told["run"]["kind"], told["run"]["done"], told["failures"]) == ("audit", 1, [])
    (audit,) = told["audits"]
    assert (audit["candidate_id"], audit["question_id"], audit["state"]) == (desk.wrong, QUESTION, "read")
    (claim,) = audit["claims"]
    assert (claim["category"], claim["quote"], claim["start"], claim["end"]) == (
        "incorrect_reasoning",
        "8 is not",
        4,
        12,
    )
    assert exposed(desk, desk.wrong) == {Exposure.CLAIMS}
    assert exposed(desk, desk.right) == set()


def test_runs_show_has_the_same(uq: Run, desk: Desk, served: Serve) -> None:
    told = document(uq("audit", desk.wrong, *model_at(served(FLAWED)), "--json"))
    again = uq("runs", "show", told["run"]["id"], "--json")

    assert document(again)["audits"] == told["audits"]
    assert "8 is not" in uq("runs", "show", told["run"]["id"]).stdout


def test_what_cannot_be_read_is_asked_again_once_and_shows_no_counts(uq: Run, desk: Desk, served: Serve) -> None:
    server = served(UNREADABLE)
    result = uq("audit", desk.right, *model_at(server))

    assert len(server.requests) == 2
    line = next(line for line in result.stdout.splitlines() if desk.right[:12] in line)
    assert line.split()[1:5] == ["c1", "unparsed", "–", "–"]
    assert line.endswith("no JSON object begins with the code, asked twice")
    assert exposed(desk, desk.right) == set()


def test_an_audit_is_read_from_the_second_reply(uq: Run, desk: Desk, served: Serve) -> None:
    server = served(Rule(reply="It looks well.", turn=1), Rule(reply=found("8 is not"), turn=2))

    (audit,) = document(uq("audit", desk.wrong, *model_at(server), "--json"))["audits"]
    assert (audit["state"], len(audit["claims"])) == ("read", 1)


def test_failed_calls_are_told(uq: Run, desk: Desk, served: Serve) -> None:
    result = uq("audit", desk.right, *model_at(served(REFUSED)))

    assert result.exit_code == 1
    line = next(line for line in result.stdout.splitlines() if desk.right[:12] in line)
    assert "failed" in line
    assert "uq-tui runs resume" in result.stderr


def test_fresh_asks_anew(uq: Run, desk: Desk, served: Serve) -> None:
    server = served(CLEAN)
    for arguments in ((), (), ("--fresh",)):
        uq("audit", desk.right, *arguments, *model_at(server))

    assert len(server.requests) == 2


@pytest.mark.parametrize("arguments", [(), ("abcdef", "--question", QUESTION)])
def test_audit_needs_candidates_or_a_question(uq: Run, arguments: tuple[str, ...]) -> None:
    assert uq("audit", *arguments, "--model", MODEL).exit_code == 2


def test_audit_says_when_a_question_has_no_candidates(uq: Run) -> None:
    result = uq("audit", "--question", LONELY, "--model", MODEL)

    assert result.exit_code == 3
    assert "uq-tui generate" in result.stderr
