"""judge, and what else shows scores: against a loopback server."""

from collections.abc import Callable
from typing import Any

import pytest

from store import runs, scores
from store.judge_rows import Score
from tests.commands.conftest import LONELY, MODEL, QUESTION, Desk, Run, document, exposed, model_at
from tests.fakes.openai_server import FakeServer, Rule
from uq_tui.words import Exposure, Reading, RunKind, RunState

Serve = Callable[..., FakeServer]

LOW = Rule(reply="8 = 3 + 5.\n{tag}: 3", contains=("No, 8 is not.",))
HIGH = Rule(reply="No gap.\n{tag}: 10")
REFUSED = Rule(status=401, error="no such \x1b[31mkey")
UNREADABLE = Rule(reply="Between 7 and 8, I'd say.")


def line_of(text: str, candidate: str) -> str:
    return next(line for line in text.splitlines() if candidate[:12] in line)


def judge(uq: Run, server: FakeServer, *arguments: str, samples: int = 2) -> dict[str, Any]:
    options = ("--samples", str(samples), *model_at(server), "--json")
    found: dict[str, Any] = document(uq("judge", *(arguments or ("--question", QUESTION)), *options))
    return found


def test_scores_are_shown_with_spread_ceiling_and_histogram(uq: Run, desk: Desk, served: Serve) -> None:
    result = uq("judge", "--question", QUESTION, "--samples", "3", *model_at(served(LOW, HIGH)))

    assert result.exit_code == 0
    assert "Planned: 6 calls, and one more for each unreadable score;" in result.stderr
    assert "± sd" in result.stdout
    right, wrong = line_of(result.stdout, desk.right), line_of(result.stdout, desk.wrong)
    assert right.split()[1:7] == ["c1", "10.00", "±", "0.00", "3/3", "0"]
    assert "100 % (3/3)" in right
    assert "·········█" in right
    assert "0 % (0/3)" in wrong
    assert "··█·······" in wrong


def test_equal_replies_are_marked(uq: Run, desk: Desk, served: Serve) -> None:
    result = uq("judge", desk.right, "--samples", "3", *model_at(served(HIGH)))

    assert "1/3" in line_of(result.stdout, desk.right)
    assert "≈ not independent" in line_of(result.stdout, desk.right)
    assert "equal byte for byte" in result.stderr


def test_the_binary_judge_shows_an_acceptance_rate_with_its_interval(uq: Run, desk: Desk, served: Serve) -> None:
    server = served(Rule(reply="Fine.\n{tag}: accept"))
    result = uq("judge", desk.right, "--judge", "uq_binary", "--samples", "4", *model_at(server))

    assert "1.00 [0.51, 1.00]" in line_of(result.stdout, desk.right)
    assert "[95 %]" in result.stdout


def test_json_has_summary_and_samples_and_is_recorded_as_shown(uq: Run, desk: Desk, served: Serve) -> None:
    found = document(uq("judge", desk.wrong[:8], "--samples", "2", *model_at(served(LOW, HIGH)), "--json"))

    assert found["run"]["kind"] == "judge"
    assert (found["run"]["done"], found["run"]["total"], found["warning"]) == (2, 2, "")
    (one,) = found["scores"]
    assert (one["candidate_id"], one["question_id"], one["judge"], one["model"]) == (
        desk.wrong,
        QUESTION,
        "scale_10",
        MODEL,
    )
    assert (one["mean"], one["sd"], one["low"], one["ceiling_share"], one["finished"]) == (3.0, 0.0, None, 0.0, True)
    assert one["histogram"] == [0, 0, 2, 0, 0, 0, 0, 0, 0, 0]
    assert [(sample["sample"], sample["score"], sample["state"]) for sample in one["samples"]] == [
        (0, 3.0, "read"),
        (1, 3.0, "read"),
    ]
    assert exposed(desk, desk.wrong) == {Exposure.SCORES}
    assert exposed(desk, desk.right) == set()


def test_unreadable_and_failed_are_counted_apart(uq: Run, desk: Desk, served: Serve) -> None:
    unread = document(uq("judge", desk.right, "--samples", "2", *model_at(served(UNREADABLE)), "--json"))
    (one,) = unread["scores"]
    assert (one["mean"], one["scored"], one["unparsed"], one["failed"]) == (None, 0, 2, 0)
    assert unread["run"]["asked"] == 4

    result = uq("judge", desk.wrong, "--samples", "2", *model_at(served(REFUSED)))
    assert result.exit_code == 1
    assert "0/2" in line_of(result.stdout, desk.wrong)
    assert "api_key_env" in result.stderr
    assert "\x1b" not in result.output


def test_the_exact_form_reads_the_papers_last_line(uq: Run, desk: Desk, served: Serve) -> None:
    server = served(Rule(reply="Weighed.\nScore: **8**/10"))
    found = document(uq("judge", desk.right, "--form", "exact", "--samples", "1", *model_at(server), "--json"))

    assert found["scores"][0]["mean"] == 8.0


def test_what_is_remembered_is_not_asked_again_and_fresh_asks_anew(uq: Run, desk: Desk, served: Serve) -> None:
    server = served(HIGH)
    judge(uq, server, desk.right)
    judge(uq, server, desk.right, samples=3)
    assert len(server.requests) == 3
    judge(uq, server, desk.right, "--fresh")
    assert len(server.requests) == 5


def test_a_run_is_shown_again_by_its_id(uq: Run, desk: Desk, served: Serve) -> None:
    made = judge(uq, served(LOW, HIGH))
    run = made["run"]

    assert document(uq("runs", "show", run["id"], "--json"))["scores"] == made["scores"]
    assert "c1" in uq("runs", "show", run["id"]).stdout


def test_resuming_asks_the_failed_samples_again(uq: Run, desk: Desk, served: Serve) -> None:
    server = served(Rule(status=401, error="not yet", fail_times=1, reply="Now.\n{tag}: 6"))
    made = judge(uq, server, desk.right, samples=1)
    run, (before,) = made["run"], made["scores"]
    assert (before["failed"], before["mean"], before["finished"]) == (1, None, True)

    (resumed,) = document(uq("runs", "resume", run["id"], "--json"))["runs"]
    (after,) = resumed["scores"]
    assert (after["failed"], after["mean"], after["finished"]) == (0, 6.0, True)


def test_a_run_that_stopped_before_its_end_is_shown_as_incomplete(uq: Run, desk: Desk) -> None:
    workspace = desk.open()
    try:
        pinned = {"name": "scale_10", "lowest": 1, "highest": 10, "prompt_sha256": "ab" * 32}
        spec = {"model": {"id": MODEL, "api_base": ""}, "samples": 2, "form": "tagged", "judge": pinned}
        run = runs.create(workspace, RunKind.JUDGE, "Judge", spec, 2)
        row = Score(run.id, desk.right, 0, "scale_10", 8.5, Reading.READ, "", "", "2026-01-31T12:00:00.000000Z")
        scores.save(workspace, [row])
        runs.set_state(workspace, run.id, RunState.INTERRUPTED)
    finally:
        workspace.close()
    line = line_of(uq("runs", "show", run.id).stdout, desk.right)

    assert line.split()[1:4] == ["c1", "8.50", "1/2"]
    assert "incomplete" in line


@pytest.mark.parametrize("arguments", [(), ("abcdef", "--question", QUESTION), ("abcdef", "--form", "loose")])
def test_wrong_usage(uq: Run, arguments: tuple[str, ...]) -> None:
    assert uq("judge", *arguments, "--model", MODEL).exit_code == 2


def test_what_does_not_exist_is_told_with_the_next_step(uq: Run, desk: Desk) -> None:
    unknown = uq("judge", desk.right, "--judge", "scale_5", "--model", MODEL)
    assert unknown.exit_code == 2
    assert "proof_grader" in unknown.stderr
    assert uq("judge", desk.right, "--samples", "1001", "--model", MODEL).exit_code == 2
    empty = uq("judge", "--question", LONELY, "--model", MODEL)
    assert empty.exit_code == 3
    assert "uq-tui generate" in empty.stderr


def test_revealing_a_question_shows_the_newest_scores(uq: Run, desk: Desk, served: Serve) -> None:
    judge(uq, served(LOW, HIGH), desk.right)
    judge(uq, served(UNREADABLE), desk.wrong, "--judge", "pairwise")
    before = document(uq("questions", "show", QUESTION, "--json"))
    assert [one["known"] for one in before["candidates"]] == [None, None]
    shown = uq("questions", "show", QUESTION, "--reveal").stdout

    assert f"scale_10 by {MODEL}: mean 10.00 of 2 scores (run " in shown
    assert f"pairwise by {MODEL}: no score, 2 unparsed (run " in shown
    right, wrong = document(uq("questions", "show", QUESTION, "--reveal", "--json"))["candidates"]
    assert [one["judge"] for one in right["known"]["scores"]] == ["scale_10"]
    assert [one["unparsed"] for one in wrong["known"]["scores"]] == [2]
    assert Exposure.SCORES in exposed(desk, desk.right) & exposed(desk, desk.wrong)


def test_a_verdict_row_that_is_shown_shows_its_scores(uq: Run, desk: Desk, served: Serve) -> None:
    judge(uq, served(HIGH), desk.wrong)
    given = document(uq("verdict", "give", desk.right, "--label", "correct", "--json"))
    assert given["evidence"]["judges"] == []
    assert Exposure.SCORES not in exposed(desk, desk.right)

    judge(uq, served(HIGH), desk.right)
    again = document(uq("verdict", "give", desk.right, "--label", "correct", "--json"))
    (frozen,) = again["evidence"]["judges"]
    assert (frozen["judge"], frozen["mean"], frozen["scored"]) == ("scale_10", 10.0, 2)
    assert again["blind"] is False
