"""neighbours: listing with advice, writing, setting aside, and having some proposed over a loopback server."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from store import neighbours
from store.rows import Neighbour
from tests.commands.conftest import LONELY, MODEL, QUESTION, SITE, Desk, Run, document
from tests.engine.runs.proposed import ANSWERS, STATEMENTS, reply
from tests.fakes.openai_server import FakeServer, Rule
from uq_tui.words import NeighbourUse

Serve = Callable[..., FakeServer]
AUTHOR, SOLVERS = "openai/author", ("openai/first", "openai/second")
PROPOSAL = "You write practice problems."


def stored(desk: Desk, question_id: str = QUESTION) -> tuple[Neighbour, ...]:
    workspace = desk.open()
    try:
        return neighbours.of_question(workspace, question_id)
    finally:
        workspace.close()


def proposing(server: FakeServer, *solvers: str, samples: int = 1) -> tuple[str, ...]:
    """The arguments that have neighbours proposed by the server's models."""
    given = [argument for solver in solvers or SOLVERS for argument in ("--solver", solver)]
    names = ("--model", AUTHOR, *given, "--api-base", server.base_url, "--samples", str(samples))
    return ("neighbours", "propose", LONELY, *names)


def solved(answers: tuple[str, ...] = ANSWERS) -> list[Rule]:
    """What every solver says to each problem."""
    return [
        Rule(reply=f"\\boxed{{{answer}}}", contains=(statement,))
        for statement, answer in zip(STATEMENTS, answers, strict=True)
    ]


PROPOSED = Rule(reply=reply(), contains=(PROPOSAL,))


def test_listing_shows_numbers_answers_and_what_speaks_against_each(uq: Run, desk: Desk) -> None:
    uq("neighbours", "add", QUESTION, "--statement", "What is 6 + 7?", "--answer", "13")
    uq("neighbours", "add", QUESTION, "--statement", "Which \x1b[2Jnumbers?", "--answer", "the even ones")
    uq("neighbours", "set-aside", QUESTION, "N2", "--note", "too easy")

    result = uq("neighbours", "list", QUESTION)
    assert result.exit_code == 0
    first, second, third, fourth = result.stdout.splitlines()[-4:]
    assert first.split()[0:5] == ["N1", stored(desk)[0].id[:12], "in", "use", "4"]
    assert "set aside" in second
    assert "too easy" in second
    assert "It is N2" not in third
    assert "can't be compared as mathematics" in fourth
    assert "\x1b" not in result.output


def test_the_json_has_everything_of_each(uq: Run, desk: Desk) -> None:
    uq("neighbours", "add", QUESTION, "--statement", "What is 6 + 7?", "--answer", "13")

    told = document(uq("neighbours", "list", QUESTION, "--json"))
    assert told["question_id"] == QUESTION
    _, second, third = told["neighbours"]
    assert second == {
        "id": stored(desk)[1].id,
        "statement": "What is 5 + 7?",
        "answer": "12",
        "source": "us",
        "use": "in_use",
        "note": "",
        "number": 2,
        "run_id": "",
        "control": None,
        "advice": [],
    }
    assert third["advice"] == [{"kind": "near_duplicate", "text": "It is N2 with other numbers.", "severe": True}]


def test_a_question_without_neighbours_is_told_the_ways_to_some(uq: Run) -> None:
    result = uq("neighbours", "list", LONELY)
    assert (result.exit_code, result.stdout) == (0, "")
    for way in ("neighbours add", "neighbours propose", "uq-tui import"):
        assert way in result.stderr


def test_one_is_written_and_belongs_to_who_wrote_it(uq: Run, desk: Desk) -> None:
    result = uq("neighbours", "add", LONELY, "--statement", " How many are lonely below 10?\n", "--answer", " 1 ")
    (made,) = stored(desk, LONELY)
    assert (made.statement, made.answer, made.source) == ("How many are lonely below 10?", "1", "tester")
    assert result.stdout == f"N1  {made.id[:12]}  is new\n"

    again = uq("neighbours", "add", LONELY, "--statement", "How many are lonely below 10?", "--answer", "1")
    assert again.stdout == f"N1  {made.id[:12]}  was there already\n"
    assert len(stored(desk, LONELY)) == 1


def test_a_statement_comes_from_a_file_or_from_standard_input(uq: Run, desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "statement.md"
    file.write_text("Let $n = 7$.\n\nHow many?\n", encoding="utf-8")
    uq("neighbours", "add", LONELY, "--file", str(file), "--answer", "3")
    uq("neighbours", "add", LONELY, "--statement", "-", "--answer", "4", stdin="And for $n = 8$?\n")
    assert [(one.statement, one.answer) for one in stored(desk, LONELY)] == [
        ("Let $n = 7$.\n\nHow many?", "3"),
        ("And for $n = 8$?", "4"),
    ]


def test_what_speaks_against_a_new_one_is_said_at_once(uq: Run) -> None:
    result = uq("neighbours", "add", QUESTION, "--statement", "What is 1 + 1?", "--answer", "2")
    assert result.exit_code == 0
    assert "! It is N2 with other numbers." in result.stderr


def test_setting_aside_and_taking_back(uq: Run, desk: Desk) -> None:
    key = stored(desk)[0].id
    aside = uq("neighbours", "set-aside", QUESTION, key[:8], "--note", "ambiguous")
    assert aside.stdout == f"N1  {key[:12]}  is now set aside\n"
    assert (stored(desk)[0].use, stored(desk)[0].note) == (NeighbourUse.SET_ASIDE, "ambiguous")
    assert "- neighbours: 2, 1 of them set aside" in uq("questions", "show", QUESTION).stdout
    told = document(uq("neighbours", "use", QUESTION, "n1", "--json"))
    assert (told["use"], told["note"]) == ("in_use", "")
    assert uq("neighbours", "use", QUESTION, "N1").stdout == f"N1  {key[:12]}  was in use\n"


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("list", f"{SITE}:404"), 3, "no question"),
        (("add", f"{SITE}:404", "--statement", "S?", "--answer", "1"), 3, "no question"),
        (("add", LONELY, "--answer", "1"), 2, "Give --statement or --file"),
        (("add", LONELY, "--statement", "S?", "--file", "x", "--answer", "1"), 2, "Give --statement or --file"),
        (("add", LONELY, "--statement", "S?"), 2, "Missing option '--answer'"),
        (("add", LONELY, "--statement", "S?", "--answer", " "), 3, "The answer is empty"),
        (("add", LONELY, "--statement", "\n", "--answer", "1"), 3, "The statement is empty"),
        (("add", LONELY, "--file", "/nowhere/at/all", "--answer", "1"), 3, "There is no file"),
        (("set-aside", QUESTION, "N9"), 3, "has no neighbour N9"),
        (("set-aside", QUESTION, "abc"), 3, "too short for the id of a neighbour"),
        (("use", QUESTION, "abcdef123"), 3, "The id of no neighbour starts with"),
        (("use", f"{SITE}:404", "N1"), 3, "no question"),
        (("propose", LONELY, "--model", MODEL), 2, "Missing option '--solver'"),
        (("propose", LONELY, "--model", MODEL, "--solver", MODEL), 3, "1 solver can't agree with another"),
        (("propose", f"{SITE}:404", "--model", MODEL, "--solver", MODEL), 3, "no question"),
        (("proposals", f"{SITE}:404"), 3, "no question"),
    ],
)
def test_errors_name_what_is_wrong(uq: Run, arguments: tuple[str, ...], code: int, said: str) -> None:
    result = uq("neighbours", *arguments)
    assert result.exit_code == code
    assert said in result.stderr
    error = json.loads(uq("neighbours", *arguments, "--json").stdout)["error"]
    assert said in error["message"]


def test_neighbours_are_proposed_solved_and_kept(uq: Run, desk: Desk, served: Serve) -> None:
    result = uq(*proposing(served(PROPOSED, *solved()), samples=2))

    assert result.exit_code == 0
    assert "Planned: 21 to 22 calls;" in result.stderr
    assert "5 proposals tried." in result.stderr
    found = stored(desk, LONELY)
    assert {one.statement: one.answer for one in found} == dict(zip(STATEMENTS, ANSWERS, strict=True))
    lines = result.stdout.splitlines()[-5:]
    assert [line.split()[1:3] for line in lines] == [[str(number), "agreed"] for number in range(1, 6)]
    listed = uq("neighbours", "list", LONELY).stdout
    assert f"run {found[0].source[:13]}" in listed
    assert "no integer above 1,000" in listed


def test_what_was_not_agreed_on_is_listed_with_every_attempt(uq: Run, desk: Desk, served: Serve) -> None:
    result = uq(*proposing(served(PROPOSED, *solved()[1:], Rule(reply="I can't say."))))

    assert result.exit_code == 0
    told = document(uq("neighbours", "proposals", LONELY, "--json"))
    assert told["question_id"] == LONELY
    first = told["proposals"][0]
    assert (first["number"], first["state"], first["neighbour_id"]) == (1, "unanswered", "")
    assert "openai/second has no majority: 1 without an answer" in first["reason"]
    assert [(one["solver"], one["sample"], one["state"]) for one in first["attempts"]] == [
        ("openai/first", 0, "no_answer"),
        ("openai/second", 0, "no_answer"),
    ]
    assert len(stored(desk, LONELY)) == 4
    shown = uq("neighbours", "proposals", LONELY).stdout
    assert "not answered" in shown
    assert "N4" in shown


def test_a_reply_that_cannot_be_read_ends_the_run_with_the_reason(uq: Run, desk: Desk, served: Serve) -> None:
    result = uq(*proposing(served(Rule(reply="Here are five ideas."))))

    assert result.exit_code == 3
    assert "no JSON object begins with the code, asked twice" in result.stderr
    assert stored(desk, LONELY) == ()
    nothing = uq("neighbours", "proposals", LONELY)
    assert (nothing.stdout, "Nothing was proposed yet" in nothing.stderr) == ("", True)


def test_a_finished_run_is_shown_with_its_proposals(uq: Run, served: Serve) -> None:
    told = document(uq(*proposing(served(PROPOSED, *solved())), "--json"))
    assert (told["run"]["kind"], told["run"]["done"], told["failures"]) == ("neighbours", 5, [])
    assert [one["answer"] for one in told["proposals"]] == list(ANSWERS)

    again = document(uq("runs", "show", told["run"]["id"], "--json"))
    assert again["proposals"] == told["proposals"]
