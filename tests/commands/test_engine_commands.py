"""generate, validate, cbu and runs: the engine in this process, against a loopback server."""

import math
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from store import runs
from store.workspace import Workspace
from tests.commands.conftest import LONELY, MODEL, QUESTION, Desk, Run, document, exposed, model_at
from tests.fakes.openai_server import FakeServer, Rule
from uq_tui.engine.runs import generate
from uq_tui.engine.spec import RunContext
from uq_tui.words import Exposure, RunKind, RunState

Serve = Callable[..., FakeServer]

ANSWER = Rule(reply="It follows by induction.", contains=("may never have been answered",))
REJECT = Rule(reply="8 = 3 + 5.\n{tag}: reject", contains=("No, 8 is not.",))
ACCEPT = Rule(reply="I see no fault.\n{tag}: accept")
REFUSED = Rule(status=401, error="no such \x1b[31mkey")


def test_generate_brings_in_candidates(uq: Run, served: Serve) -> None:
    server = served(ANSWER)
    result = uq("generate", LONELY, *model_at(server))
    assert result.exit_code == 0
    assert "Planned: 1 call;" in result.stderr
    assert LONELY in result.stdout
    assert "1 call asked" in result.stderr
    assert "It follows by induction." in uq("questions", "show", LONELY).stdout


def test_generate_as_json(uq: Run, desk: Desk, served: Serve) -> None:
    found = document(uq("generate", LONELY, "--samples", "2", *model_at(served(ANSWER)), "--json"))
    assert found["run"]["state"] == "done"
    assert (found["run"]["done"], found["run"]["total"], found["run"]["asked"]) == (2, 2, 2)
    assert (found["failures"], found["warning"]) == ([], "")
    (candidate,) = found["candidates"]  # both replies are the same, so they are one candidate
    assert (candidate["question_id"], candidate["answer"]) == (LONELY, "It follows by induction.")
    assert exposed(desk, candidate["id"]) == {Exposure.MODEL}


def test_an_unexpected_error_in_the_engine_goes_to_its_log(
    uq: Run, home: Path, served: Serve, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    async def run(ctx: RunContext, workspace: Workspace) -> None:
        raise ZeroDivisionError("nothing to divide")

    monkeypatch.setattr(generate, "run", run)
    result = uq("generate", LONELY, *model_at(served(ANSWER)))
    assert result.exit_code == 3
    assert "ZeroDivisionError" in result.stderr
    assert "Traceback" not in result.output + "".join(capfd.readouterr())
    log = home / "log" / "engine.log"
    assert str(log) in result.stderr
    assert "nothing to divide" in log.read_text(encoding="utf-8")


def test_an_unknown_question_asks_nothing(uq: Run, served: Serve) -> None:
    server = served(ANSWER)
    assert uq("generate", "nowhere:1", *model_at(server)).exit_code == 3
    assert server.requests == []


def test_validate_shows_every_stage_with_glyph_and_word(uq: Run, desk: Desk, served: Serve) -> None:
    result = uq("validate", "--question", QUESTION, *model_at(served(REJECT, ACCEPT)))
    assert result.exit_code == 0
    right, wrong = (next(line for line in result.stdout.splitlines() if one[:12] in line) for one in ids(desk))
    assert right.count("✓ accept") == 4
    assert "✗ reject" in wrong
    assert "· skipped" in wrong
    assert "Planned: 4 to 20 calls, and one more for each unreadable decision" in result.stderr


def ids(desk: Desk) -> tuple[str, str]:
    return desk.right, desk.wrong


def test_validate_as_json_has_every_node_and_is_recorded_as_shown(uq: Run, desk: Desk, served: Serve) -> None:
    result = uq("validate", desk.wrong[:8], "--strategy", "1-iter", *model_at(served(REJECT, ACCEPT)), "--json")
    found = document(result)
    assert found["run"]["kind"] == "validate"
    assert {one["candidate_id"] for one in found["outcomes"]} == {desk.wrong}
    whole = next(one for one in found["outcomes"] if one["path"] == "")
    assert whole["outcome"] == "reject"
    assert Exposure.OUTCOMES in exposed(desk, desk.wrong)
    assert exposed(desk, desk.right) == set()


def test_what_is_remembered_is_not_asked_again(uq: Run, desk: Desk, served: Serve) -> None:
    server = served(ACCEPT)
    first, second = (document(uq("validate", desk.right, *model_at(server), "--json"))["run"] for _ in range(2))
    assert (first["asked"], first["remembered"]) == (10, 0)
    assert (second["asked"], second["remembered"]) == (0, 10)
    assert len(server.requests) == 10


def test_fresh_asks_anew(uq: Run, desk: Desk, served: Serve) -> None:
    server = served(ACCEPT)
    uq("validate", desk.right, *model_at(server))
    again = document(uq("validate", desk.right, "--fresh", *model_at(server), "--json"))["run"]
    assert (again["asked"], again["remembered"]) == (10, 0)


def test_exact_asks_every_planned_vote(uq: Run, desk: Desk, served: Serve) -> None:
    server = served(REJECT, ACCEPT)
    result = uq("validate", desk.right, "--exact", *model_at(server))
    assert "Planned: 10 calls, and" in result.stderr
    assert len(server.requests) == 10


@pytest.mark.parametrize("arguments", [(), ("abcdef", "--question", QUESTION)])
def test_validate_needs_candidates_or_a_question(uq: Run, arguments: tuple[str, ...]) -> None:
    assert uq("validate", *arguments, "--model", MODEL).exit_code == 2


def test_validate_says_when_a_question_has_no_candidates(uq: Run) -> None:
    result = uq("validate", "--question", LONELY, "--model", MODEL)
    assert result.exit_code == 3
    assert "uq-tui generate" in result.stderr


def test_an_unknown_strategy_is_told_with_those_there_are(uq: Run, desk: Desk) -> None:
    result = uq("validate", desk.right, "--strategy", "4-iter", "--model", MODEL)
    assert result.exit_code == 2
    assert "3-iter" in result.stderr


def test_failed_calls_are_told_with_what_to_do(uq: Run, desk: Desk, served: Serve) -> None:
    result = uq("validate", desk.right, "--strategy", "1-iter", *model_at(served(REFUSED)))
    assert result.exit_code == 1
    assert "! failed" in result.stdout
    assert "api_key_env" in result.stderr
    assert "uq-tui runs resume" in result.stderr
    assert "\x1b" not in result.output


def test_failed_calls_as_json(uq: Run, desk: Desk, served: Serve) -> None:
    result = uq("validate", desk.right, "--strategy", "1-iter", *model_at(served(REFUSED)), "--json")
    assert result.exit_code == 1
    found = document(result)
    assert found["run"]["failed"] == sum(one["times"] for one in found["failures"]) > 0
    assert {one["kind"] for one in found["failures"]} == {"auth"}


def test_resuming_asks_the_failed_calls_again(uq: Run, desk: Desk, served: Serve) -> None:
    server = served(Rule(status=401, error="not yet", fail_times=1, reply="Now.\n{tag}: accept"))
    options = ("--strategy", "1-iter", *model_at(server))
    run_id = document(uq("validate", desk.right, *options, "--json"))["run"]["id"]
    result = uq("runs", "resume", run_id, "--json")
    assert result.exit_code == 0
    (resumed,) = document(result)["runs"]
    assert resumed["run"]["failed"] == 0
    assert next(one for one in resumed["outcomes"] if one["path"] == "")["outcome"] == "accept"


SOLVED = (
    Rule(reply="Count: 2, 3, 5, 7. \\boxed{4}", contains=("How many primes", "Yes, by a sieve.")),
    Rule(reply="\\boxed{12}", contains=("What is 5 + 7?",)),
    Rule(reply="\\boxed{9}"),
)


def test_cbu_shows_utility_neighbours_control_and_lift(uq: Run, desk: Desk, served: Serve) -> None:
    result = uq("cbu", QUESTION, "--rollouts", "2", *model_at(served(*SOLVED)))
    assert result.exit_code == 0
    assert "Planned: 12 calls;" in result.stderr
    right, wrong = (next(line for line in result.stdout.splitlines() if one[:12] in line) for one in ids(desk))
    assert right.split()[1:3] == ["c1", "1.00"]
    assert wrong.split()[1:3] == ["c2", "0.50"]
    assert right.count("2/2") == 2
    assert "0/2" in wrong
    assert "2/4" in right
    assert "+0.50" in right


def test_cbu_says_that_equal_replies_are_not_independent(uq: Run, desk: Desk, served: Serve) -> None:
    result = uq("cbu", QUESTION, "--rollouts", "2", *model_at(served(*SOLVED)))
    right, wrong = (next(line for line in result.stdout.splitlines() if one[:12] in line) for one in ids(desk))
    for line in (right, wrong):
        assert "4/8  " in line
        assert "≈ not independent" in line
    assert "Some replies are equal byte for byte." in result.stderr


def test_cbu_of_different_replies_marks_nothing(uq: Run, desk: Desk, served: Serve) -> None:
    result = uq("cbu", QUESTION, "--rollouts", "1", *model_at(served(*SOLVED)))
    assert "4/4" in result.stdout
    assert "≈" not in result.stdout + result.stderr


def test_cbu_as_json_and_recorded_as_shown(uq: Run, desk: Desk, served: Serve) -> None:
    options = ("--candidate", desk.right[:9], "--rollouts", "1", "--no-control")
    found = document(uq("cbu", QUESTION, *options, *model_at(served(*SOLVED)), "--json"))
    (utility,) = found["utilities"]
    assert (utility["candidate_id"], utility["mean"], utility["complete"]) == (desk.right, 1.0, True)
    assert [(value["replies"], value["distinct"]) for value in utility["neighbours"]] == [(1, 1), (1, 1)]
    assert utility["control"] == []
    assert utility["lift"] is None
    assert found["run"]["total"] == 2
    assert Exposure.UTILITY in exposed(desk, desk.right)


def test_cbu_without_neighbours_asks_nothing(uq: Run, desk: Desk, served: Serve) -> None:
    server = served(ANSWER, *SOLVED)
    uq("generate", LONELY, *model_at(server))
    result = uq("cbu", LONELY, *model_at(server))
    assert result.exit_code == 3
    assert "no neighbours" in result.stderr
    assert len(server.requests) == 1


def test_runs_lists_and_shows_what_there_was(uq: Run, desk: Desk, served: Serve) -> None:
    server = served(*SOLVED)
    made = document(uq("cbu", QUESTION, "--rollouts", "1", *model_at(server), "--json"))
    (listed,) = document(uq("runs", "--json"))["runs"]
    assert listed == made["run"]
    assert f"{made['run']['id'][:13]}  done" in uq("runs").stdout
    assert document(uq("runs", "show", made["run"]["id"], "--json"))["utilities"] == made["utilities"]
    assert "c1" in uq("runs", "show", made["run"]["id"]).stdout


def test_an_unknown_run_is_an_error(uq: Run) -> None:
    for verb in ("show", "resume"):
        result = uq("runs", verb, "nothing-such", "--json")
        assert result.exit_code == 3
        assert "nothing-such" in document(result)["error"]["message"]


def test_nothing_to_resume_is_no_error(uq: Run) -> None:
    result = uq("runs", "resume")
    assert result.exit_code == 0
    assert "No run is interrupted." in result.stderr


def test_a_run_that_another_process_holds_is_left_to_it(uq: Run, desk: Desk) -> None:
    workspace = desk.open()
    try:
        held = runs.create(workspace, RunKind.GENERATE, "one answer", {}, 1).id
        assert runs.claim(workspace, held, "another process")
    finally:
        workspace.close()
    result = uq("runs", "resume", held, "--json")
    assert result.exit_code == 3
    (shown,) = document(result)["runs"]
    assert shown["run"]["id"] == held
    assert "Another uq-tui works on run" in shown["error"]["message"]


def test_without_a_name_a_run_that_is_still_held_is_named_with_its_lease(uq: Run, desk: Desk) -> None:
    workspace = desk.open()
    try:
        held = runs.create(workspace, RunKind.GENERATE, "one answer", {}, 1).id
        runs.set_state(workspace, held, RunState.RUNNING)
        assert runs.claim(workspace, held, "a process that was killed")
        ((_, until),) = runs.held(workspace)
    finally:
        workspace.close()
    result = uq("runs", "resume", "--json")
    assert result.exit_code == 3
    assert "No run is interrupted" not in result.stderr
    (shown,) = document(result)["runs"]
    assert shown["run"]["id"] == held
    assert datetime.fromtimestamp(math.ceil(until), UTC).strftime("%H:%M:%S UTC") in shown["error"]["message"]
    assert f"uq-tui runs resume {held}" in result.stderr


def test_a_run_that_is_held_keeps_no_other_from_going_on(uq: Run, desk: Desk, served: Serve) -> None:
    made = document(uq("generate", LONELY, *model_at(served(ANSWER)), "--json"))["run"]["id"]
    workspace = desk.open()
    try:
        runs.set_state(workspace, made, RunState.INTERRUPTED)
        held = runs.create(workspace, RunKind.GENERATE, "one answer", {}, 1).id
        assert runs.claim(workspace, held, "another process")
    finally:
        workspace.close()
    result = uq("runs", "resume", "--json")
    assert result.exit_code == 1
    assert [(one["run"]["id"], "error" in one) for one in document(result)["runs"]] == [(held, True), (made, False)]


def test_a_run_whose_process_was_killed_is_listed_as_interrupted(uq: Run, desk: Desk) -> None:
    workspace = desk.open()
    try:
        left = runs.create(workspace, RunKind.GENERATE, "one answer", {}, 1).id
        runs.set_state(workspace, left, RunState.RUNNING)
    finally:
        workspace.close()
    (listed,) = document(uq("runs", "--json"))["runs"]
    assert (listed["id"], listed["state"]) == (left, "interrupted")
