"""curate: a whole pass on the command line, with scripted models; and what it refuses."""

import json
import threading
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from tests.commands.conftest import Desk, Run, document
from tests.fakes.openai_server import FakeServer, Rule
from tests.store.stock import question, take
from uq_tui.commands import stopping
from uq_tui.curation.thresholds import default_toml

Serve = Callable[..., FakeServer]
FLOW = "stackoverflow.com"
ANSWERER, RATER = "openai/answers", "openai/rates"
RATES = "You help to choose unsolved questions"


@pytest.fixture
def stocked_site(desk: Desk) -> None:
    """Four questions that stand by the rules, one that falls for want of its views."""
    workspace = desk.open()
    try:
        told: dict[str, Any] = {"site": FLOW, "score": 10, "views": 900, "answers": 0, "asked_at": "2015-05-01"}
        rows = [question(n, **{**told, "id": f"{FLOW}:{n}", "title": f"What is {n}?"}) for n in range(1, 5)]
        unknown = {**told, "id": f"{FLOW}:5", "views": None}
        take(workspace, *rows, question(5, **unknown))
    finally:
        workspace.close()


def rating(code: str = "{tag}", **changes: object) -> str:
    """What a rater says; `{tag}` becomes the code that was asked for."""
    given = {
        "code": code,
        "Answer_Correctness": 20,
        "Expert_Solve_Probability": 30,
        "Answerable": True,
        "Clear": True,
        "Unambiguous_Answer": True,
        "Explanation": "Open\x1b[2J still.",
        **changes,
    }
    return json.dumps(given)


def rated(number: int, reply: str = "", **more: Any) -> Rule:
    return Rule(reply=reply, contains=(RATES, f"What is {number}?"), **more)


def stages(told: Mapping[str, Any]) -> dict[str, tuple[int, int, int, int]]:
    """By stage: entered, fallen, waiting, left."""
    return {one["stage"]: (one["entered"], one["fallen"], one["waiting"], one["left"]) for one in told["stages"]}


@pytest.mark.usefixtures("stocked_site")
def test_a_pass_from_rules_over_models_to_people(uq: Run, served: Serve, tmp_path: Path) -> None:
    told = document(uq("curate", "rules", "--name", "autumn", "--json"))
    # The two questions of the desk are of no known date.
    assert stages(told) == {"rules": (7, 3, 0, 4), "model": (4, 0, 4, 0), "review": (0, 0, 0, 0)}
    assert told["stages"][0]["unknown"] == {"age": 2, "views": 1}
    assert [(one["name"], one["questions"]) for one in told["domains"]] == [("Technology", 5), ("Science", 2)]
    assert told["domains"][0]["paper"]["review"] == 52

    server = served(
        rated(1, rating()),
        rated(2, rating(Clear=False)),
        rated(3, "I can't say."),
        Rule(reply="I can't say.", contains=("Your rating could not be read",)),
        rated(4, rating()),
        Rule(reply="Forty-two."),
    )
    models = ("curate", "models", "--model", ANSWERER, "--rater", RATER, "--api-base", server.base_url)
    ran = uq(*models, "--limit", "3", "--json")
    assert ran.exit_code == 0
    assert "Planned: 3 to 12 calls, and one more for each unreadable rating" in ran.stderr
    results = json.loads(ran.stdout)["questions"]
    assert {one["question_id"]: (one["stage"], one["fell"], one["detail"]) for one in results} == {
        f"{FLOW}:1": ("review", "", "answer correctness 20, expert solvability 30, means of 3"),
        f"{FLOW}:2": ("model", "well_defined", "well defined: no in 3 of 3 ratings"),
        f"{FLOW}:3": ("model", "", "undecided: 0 of 3 ratings read"),
    }
    again = uq(*models)
    assert f"{FLOW}:4" in again.stdout
    assert "1 of 2 questions decided on." in again.stderr

    path = uq("curate", "path", f"{FLOW}:1")
    assert "at review: answer correctness 20" in path.stdout
    assert "\x1b" not in path.output
    waiting = document(uq("curate", "review", "list", "--json"))["questions"]
    assert [one["question_id"] for one in waiting] == [f"{FLOW}:1", f"{FLOW}:4"]
    assert uq("curate", "review", "decide", f"{FLOW}:1", "keep").exit_code == 0
    other = tmp_path / "other.md"
    other.write_text("In other words, what is it?", encoding="utf-8")
    words = ("--reason", "clearer", "--title", "What is four?", "--file", str(other))
    assert uq("curate", "review", "decide", f"{FLOW}:4", "paraphrase", *words).exit_code == 0
    shown = uq("curate", "path", f"{FLOW}:4")
    assert "tester: paraphrase. clearer" in shown.stdout
    assert "In other words, what is it?" in shown.stdout
    told = document(uq("curate", "show", "--json"))
    assert stages(told) == {"rules": (7, 3, 0, 4), "model": (4, 1, 1, 2), "review": (2, 0, 0, 2)}
    assert told["kept"] == 2

    assert uq("curate", "review", "undo", f"{FLOW}:1").exit_code == 0
    assert uq("curate", "review", "decide", f"{FLOW}:1", "reject", "--reason", "too broad").exit_code == 0
    fell = uq("curate", "review", "list", "--fell", "reject")
    assert "fell at review: too broad" in fell.stdout
    table = uq("curate", "show", "--name", "autumn").stdout
    assert "fell: views not known" in table
    assert "33,916" in table


@pytest.mark.usefixtures("stocked_site")
def test_other_rules_are_another_pass(uq: Run, tmp_path: Path) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text(default_toml().replace("views = 500 ", "views = 901 "), encoding="utf-8")
    assert uq("curate", "rules", "--name", "first").exit_code == 0
    assert uq("curate", "rules", "--name", "first").exit_code == 0
    refused = uq("curate", "rules", "--name", "first", "--rules", str(rules))
    assert refused.exit_code == 3
    assert "was begun with other rules" in refused.stderr
    told = document(uq("curate", "rules", "--name", "second", "--rules", str(rules), "--json"))
    assert told["stages"][0]["fell"] == {"views": 4}
    # The newest pass is meant where none is named.
    assert document(uq("curate", "show", "--json"))["name"] == "second"
    assert "first" in uq("curate", "show").stdout
    nothing = uq("curate", "models", "--model", ANSWERER, "--rater", RATER)
    assert "No question of 'second' waits for models" in nothing.stderr


@pytest.mark.usefixtures("stocked_site")
def test_a_pass_that_is_stopped_goes_on_with_the_same_command(uq: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    command = ("curate", "rules", "--name", "first", "--site", "stackoverflow", "--json")
    stop = threading.Event()
    stop.set()
    with monkeypatch.context() as patched:
        patched.setattr(stopping, "stoppable", lambda: nullcontext(stop))
        stopped = uq(*command)
    assert stopped.exit_code == 130
    assert json.loads(stopped.stdout)["rules_applied"] is False
    assert "goes on from here" in stopped.stderr
    told = document(uq(*command))
    assert (told["rules_applied"], told["only_sites"], told["stages"][0]["entered"]) == (True, [FLOW], 5)
    other = uq(*command, "--site", "superuser")
    assert "was begun with other sites" in other.stdout


def test_the_shipped_thresholds_are_printed_as_they_are_read(uq: Run) -> None:
    assert uq("curate", "thresholds").stdout == default_toml()


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("show",), 3, "There is no pass of the funnel yet"),
        (("path", "x"), 3, "There is no pass of the funnel yet"),
        (("path", "x", "--name", "none"), 3, "no pass of the funnel called 'none'"),
        (("rules", "--name", " "), 3, "needs a name"),
    ],
)
def test_without_a_pass_it_says_so(uq: Run, arguments: tuple[str, ...], code: int, said: str) -> None:
    result = uq("curate", *arguments)
    assert result.exit_code == code
    assert said in result.stderr


def test_rules_that_are_wrong_begin_no_pass(uq: Run, tmp_path: Path) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text("[rules]\nvotes = 'many'\n", encoding="utf-8")
    result = uq("curate", "rules", "--name", "first", "--rules", str(rules))
    assert result.exit_code == 2
    assert "line 2: rules.votes must be a whole number" in result.stderr
    assert uq("curate", "show").exit_code == 3
