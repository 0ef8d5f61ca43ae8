"""cbu and rollouts: arms, the early stop, how answers were compared, and the attempts behind a utility."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from store import candidates, exposures, judgements, reviewers, runs
from store.rows import NewCandidate, Origin
from tests.commands.conftest import LONELY, MODEL, QUESTION, Desk, Run, document, model_at
from tests.fakes.openai_server import FakeServer, Rule
from uq_tui.commands import planned, utilities
from uq_tui.engine.requests import CbuRequest, ModelChoice
from uq_tui.words import AuthorKind, DecidedBy, Exposure, RunKind, TextFormat

Serve = Callable[..., FakeServer]
RIGHT, WRONG, ELSEWHERE = "Yes, by a sieve.", "No, 8 is not.", "One is, says [b]nobody[/b]."
TEACHES = (
    Rule(reply="Count: 2, 3, 5, 7.\n\\boxed{4}", contains=("How many primes", RIGHT)),
    Rule(reply="\x1b[2JSum:\n\\boxed{12}", contains=("What is 5 + 7?", RIGHT)),
    Rule(reply="\\boxed{9}"),
)
"""Solves a neighbour only with the right candidate as the example."""


@pytest.fixture
def placebo(desk: Desk) -> str:
    """Id of a candidate to another question."""
    workspace = desk.open()
    try:
        origin = Origin(AuthorKind.PERSON, person="tester")
        (added,) = candidates.add(workspace, [NewCandidate(LONELY, ELSEWHERE, TextFormat.MARKDOWN, origin)])
        return added
    finally:
        workspace.close()


def line_of(text: str, candidate_id: str) -> str:
    return next(line for line in text.splitlines() if line.startswith(candidate_id[:12]))


def test_the_best_candidate_comes_first_and_is_named(uq: Run, desk: Desk, served: Serve) -> None:
    options = ("--candidate", desk.wrong[:9], "--candidate", desk.right[:9], "--rollouts", "8")
    result = uq("cbu", QUESTION, *options, *model_at(served(*TEACHES)))

    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    first, second = (lines.index(line_of(result.stdout, one)) for one in (desk.right, desk.wrong))
    assert first < second
    assert "  score  " in lines[first]
    assert lines[first].rstrip().split("  ")[-1].startswith("best")
    assert "exact 16" in lines[first]
    assert "c1 is the best or within .1 of it, with an error of at most 5 %." in result.stdout


def test_an_early_stop_says_what_it_saved(uq: Run, desk: Desk, served: Serve) -> None:
    server = served(*TEACHES)
    result = uq("cbu", QUESTION, "--adaptive", *model_at(server))

    assert result.exit_code == 0
    made = len(server.requests)
    assert made < 3 * 2 * 64 / 2
    assert "Planned: 6 to 384 calls;" in result.stderr
    assert f"Made {made:,} of at most 384 rollouts: stopping early has saved {384 - made:,}." in result.stderr
    assert "  anytime  " in line_of(result.stdout, desk.right)
    workspace = desk.open()
    try:
        (run,) = runs.recent(workspace, 1)
        assert (run.done, run.total) == (made, made)
        assert run.spec["adaptive"] == {"epsilon": 0.1, "delta": 0.05}
        assert {one.stopped_early for one in judgements.utilities_of_run(workspace, run.id)} == {True}
    finally:
        workspace.close()


def test_candidates_alike_are_said_not_to_be_told_apart(uq: Run, desk: Desk, served: Serve) -> None:
    result = uq("cbu", QUESTION, "--adaptive", "--rollouts", "2", *model_at(served(Rule(reply="\\boxed{4}"))))

    assert "Not told apart: any of c1, c2 may be the best by more than .1." in result.stdout
    assert "Made 12 of at most 12 rollouts: nothing was saved." in result.stderr


def test_neighbours_that_are_too_easy_bring_advice(uq: Run, served: Serve) -> None:
    easy = (Rule(reply="\\boxed{4}", contains=("How many primes",)), Rule(reply="\\boxed{12}"))
    result = uq("cbu", QUESTION, "--rollouts", "4", *model_at(served(*easy)))

    assert (
        "8/8 solved without a candidate: the neighbours are too easy for this solver. Prefer a judge." in result.stderr
    )


def test_undecided_rollouts_stand_beside_utilities_with_a_word_of_caution(uq: Run, desk: Desk, served: Serve) -> None:
    words = Rule(reply="\\boxed{\\text{four}}", contains=("How many primes", RIGHT))
    result = uq("cbu", QUESTION, "--candidate", desk.right[:9], "--rollouts", "2", *model_at(served(words, *TEACHES)))

    assert "0/0 (2 undecided)" in line_of(result.stdout, desk.right)
    assert "c1: Undecided and left out: 2 of 4 rollouts. A mean is too high" in result.stderr


def test_neighbours_keep_their_numbers_when_one_is_set_aside(uq: Run, desk: Desk, served: Serve) -> None:
    added = uq("neighbours", "add", QUESTION, "--statement", "What is 4 + 5?", "--answer", "9")
    aside = uq("neighbours", "set-aside", QUESTION, "N1")
    assert (added.exit_code, aside.exit_code) == (0, 0)
    measured = uq("cbu", QUESTION, "--candidate", desk.right[:9], "--rollouts", "1", *model_at(served(*TEACHES)))
    heading = next(line for line in measured.stdout.splitlines() if line.startswith("candidate"))
    assert ("N1" in heading, "N2" in heading, "N3" in heading) == (False, True, True)

    listed = document(uq("neighbours", "list", QUESTION, "--json"))["neighbours"]
    numbers = {one["id"]: one["number"] for one in listed}
    rows = document(uq("rollouts", desk.right, "--json"))["rollouts"]
    assert {row["neighbour"] for row in rows} == {2, 3}
    assert all(numbers[row["neighbour_id"]] == row["neighbour"] for row in rows)


def test_everything_is_in_the_json(uq: Run, desk: Desk, served: Serve, placebo: str) -> None:
    options = ("--rollouts", "2", "--placebo", placebo[:9], "--fenced", "--json")
    found = document(uq("cbu", QUESTION, *options, *model_at(served(*TEACHES))))

    right, wrong = found["utilities"]
    assert (right["candidate_id"], right["mean"], right["interval"]) == (desk.right, 1.0, "score")
    assert (right["placebo_mean"], right["control_mean"], right["lift"]) == (0.0, 0.0, 1.0)
    assert [value["decided"] for value in right["placebo"]] == [2, 2]
    assert (right["decided_by"], wrong["stopped_early"]) == ({"exact": 4}, False)
    assert found["standing"].keys() == {"best", "tied", "excluded", "open", "decided", "epsilon", "delta", "interval"}
    assert found["standing"]["interval"] == "score"
    assert found["rollouts"] == {"made": 16, "most": 16}
    assert document(uq("runs", "show", found["run"]["id"], "--json"))["utilities"] == found["utilities"]


def test_a_run_without_figures_claims_no_best_candidate(desk: Desk) -> None:
    workspace = desk.open()
    try:
        spec = {"question_id": QUESTION, "candidates": [], "control": True, "neighbour_ids": ["n"], "rollouts": 8}
        found = utilities.as_json(workspace, runs.create(workspace, RunKind.CBU, "", spec, 8))
    finally:
        workspace.close()
    assert found == {"utilities": [], "standing": None, "rollouts": {"made": 0, "most": 8}}


def test_what_is_usual_for_a_solver_is_sent_and_said(uq: Run, served: Serve, home: Path) -> None:
    model = "openai/Qwen3-4B-Thinking-2507"
    (home / "config").mkdir(parents=True)
    (home / "config" / "config.toml").write_text(f'[models."{model}"]\ntemperature = 0.5\n', encoding="utf-8")
    server = served(*TEACHES)
    result = uq("cbu", QUESTION, "--rollouts", "1", "--model", model, "--api-base", server.base_url)

    assert result.exit_code == 0
    names = ("temperature", "top_p", "top_k", "min_p", "max_tokens")
    sent = {tuple(request.body[name] for name in names) for request in server.requests}
    assert sent == {(0.5, 0.8, 20, 0.0, 16384)}
    said = "temperature 0.5, top_p 0.8, max_tokens 16384, top_k 20, min_p 0"
    assert f"Replies of {model}: {said}; usual for Qwen3 Thinking where config.toml says nothing." in result.stderr


def test_nothing_is_said_of_a_solver_that_is_left_to_its_defaults(uq: Run, served: Serve) -> None:
    result = uq("cbu", QUESTION, "--rollouts", "1", *model_at(served(*TEACHES)))

    assert "Replies of" not in result.stderr


def test_a_model_at_the_same_address_compares_what_nothing_else_can(uq: Run, desk: Desk, served: Serve) -> None:
    words = Rule(reply="\\boxed{\\text{a dozen}}", contains=("What is 5 + 7?", RIGHT, "step by step"))
    comparer = Rule(reply="{tag}: accept", contains=("a dozen",))
    server = served(words, comparer, *TEACHES)
    options = ("--rollouts", "1", "--equivalence-model", "openai/comparer", "--json")
    found = document(uq("cbu", QUESTION, *options, *model_at(server)))

    assert found["utilities"][0]["decided_by"] == {"exact": 1, "model": 1}
    assert found["utilities"][0]["mean"] == 1.0
    listed = document(uq("rollouts", desk.right, "--json"))["rollouts"]
    assert {(row["neighbour"], row["decided_by"]) for row in listed} == {(1, "exact"), (2, "model")}


def test_a_rule_without_an_early_stop_is_wrong_usage(uq: Run) -> None:
    result = uq("cbu", QUESTION, "--model", MODEL, "--epsilon", "0.2")

    assert result.exit_code == 2
    assert "--adaptive" in result.stderr


def test_rollouts_are_listed_by_what_came_of_them(uq: Run, desk: Desk, served: Serve) -> None:
    cut = Rule(reply="I think", finish="length", contains=("How many primes", RIGHT))
    uq("cbu", QUESTION, "--rollouts", "2", *model_at(served(cut, *TEACHES)))
    result = uq("rollouts", desk.right[:9], "--controls")

    assert result.exit_code == 0
    rows = [line.split() for line in result.stdout.splitlines()[1:]]
    assert [row[:5] for row in rows if row[1] == "candidate"] == [
        *([number, "candidate", "N1", "cut", "off"] for number in ("1", "2")),
        *([number, "candidate", "N2", "solved", sample] for number, sample in (("3", "0"), ("4", "1"))),
    ]
    assert [row[1] for row in rows].count("control") == 4
    found = document(uq("rollouts", desk.right, "--json"))["rollouts"]
    assert [(one["value"], one["decided_by"], one["expected"]) for one in found] == [
        *[(None, DecidedBy.CUT_OFF.value, "4")] * 2,
        *[(1, DecidedBy.EXACT.value, "12")] * 2,
    ]
    workspace = desk.open()
    try:
        shown = exposures.of_candidate(workspace, reviewers.current(workspace).id, desk.right)
        assert Exposure.UTILITY in {one.what for one in shown}
    finally:
        workspace.close()


def test_the_reply_of_one_is_shown_whole_and_harmless(uq: Run, desk: Desk, served: Serve) -> None:
    uq("cbu", QUESTION, "--rollouts", "1", *model_at(served(*TEACHES)))
    found = document(uq("rollouts", desk.right, "--json"))["rollouts"]
    number = next(str(one["number"]) for one in found if one["neighbour"] == 2)
    result = uq("rollouts", desk.right, "--text", number)

    assert "\\boxed{12}" in result.stdout
    assert "\x1b" not in result.stdout
    assert "candidate, N2, sample 0: solved" in result.stderr
    whole = document(uq("rollouts", desk.right, "--text", number, "--json"))
    assert whole["reply"] == "\x1b[2JSum:\n\\boxed{12}"
    assert uq("rollouts", desk.right, "--text", "9").exit_code == 3


def test_a_candidate_without_rollouts_says_what_makes_some(uq: Run, desk: Desk) -> None:
    result = uq("rollouts", desk.right)

    assert result.exit_code == 3
    assert "uq-tui cbu" in result.stderr


@pytest.mark.parametrize(
    ("options", "fewest", "most"),
    [
        ({"placebo_id": "p"}, 64, 64),
        ({"adaptive": True, "rollouts": 64}, 6, 384),
        ({"equivalence": ModelChoice("m")}, 48, 96),
        ({"adaptive": True, "equivalence": ModelChoice("m")}, 6, 96),
    ],
)
def test_planned_calls(options: dict[str, Any], fewest: int, most: int) -> None:
    found = planned.of_cbu(CbuRequest("q", ModelChoice(MODEL), **options), candidates=2, neighbours=2)

    assert found == planned.Planned(fewest, most)


def test_a_reference_solution_gets_no_verdict(uq: Run, desk: Desk) -> None:
    workspace = desk.open()
    try:
        origin = Origin(AuthorKind.PERSON, person="expert")
        new = NewCandidate(QUESTION, "By definition.", TextFormat.MARKDOWN, origin, reference=True)
        (reference,) = candidates.add(workspace, [new])
    finally:
        workspace.close()
    result = uq("verdict", "give", reference, "--label", "correct", "--json")

    assert result.exit_code == 3
    assert "reference solution" in json.loads(result.stdout)["error"]["message"]
