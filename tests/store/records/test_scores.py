"""Scores: kept by sample, read by run and candidate with how they were drawn, the newest finished run first."""

from collections.abc import Mapping
from typing import Any

import pytest

from store import calls, reviewers, runs, scores
from store.evidence import snapshot
from store.judge_rows import Score
from store.run_rows import Message
from store.verdict_record import verify
from store.workspace import Workspace
from tests.store.records.giving import give
from tests.store.records.samples import AT, form
from tests.store.records.stock import call, put_candidate, put_question
from uq_tui.analysis.scale import Scale
from uq_tui.analysis.scores import summarize
from uq_tui.words import CallState, Reading, RunKind, RunState

LATER = "2026-02-01T00:00:00.000000Z"


def put_judge_run(
    ws: Workspace,
    samples: int = 2,
    *,
    judge: str = "scale_10",
    model: str = "gpt-x",
    state: RunState = RunState.DONE,
    pinned: Mapping[str, Any] | None = None,
) -> str:
    spec = {
        "form": "tagged",
        "model": {"id": model, "api_base": ""},
        "samples": samples,
        "judge": {"name": judge, "lowest": 1, "highest": 10, "prompt_sha256": "cd" * 32},
        "templates": {"ending.score": {"sha256": "ee" * 32}, "retry.score": {"sha256": "dd" * 32}},
        **(pinned or {}),
    }
    run = runs.create(ws, RunKind.JUDGE, "Judge", spec, samples)
    runs.set_state(ws, run.id, state)
    return run.id


def score(run_id: str, candidate: str, sample: int = 0, value: float | None = 8.0, **changes: Any) -> Score:
    whole: dict[str, Any] = {"judge": "scale_10", "state": Reading.READ, "reason": "", "call_key": "", "created_at": AT}
    return Score(run_id=run_id, candidate_id=candidate, sample=sample, score=value, **{**whole, **changes})


def put_scores(ws: Workspace, run_id: str, candidate: str, *values: float | None, **changes: Any) -> None:
    """One sample a value; `None` is a failed one."""
    rows = []
    for sample, value in enumerate(values):
        state = Reading.FAILED if value is None else Reading.READ
        rows.append(score(run_id, candidate, sample, value, **{"state": state, **changes}))
    scores.save(ws, rows)


@pytest.fixture
def candidate(workspace: Workspace) -> str:
    return put_candidate(workspace)


def test_samples_come_back_in_order_with_what_the_run_pinned(workspace: Workspace, candidate: str) -> None:
    run_id = put_judge_run(workspace, 3)
    odd = score(run_id, candidate, 1, None, state=Reading.UNPARSED, reason="no tagged line \ud83d\0")
    scores.save(workspace, [score(run_id, candidate, 2, 8.5), odd, score(run_id, candidate)])

    (found,) = scores.of_run(workspace, run_id)
    assert [one.sample for one in found.scores] == [0, 1, 2]
    assert found.scores[1] == odd
    assert list(found.values) == [8.0, 8.5]
    assert (found.unparsed, found.failed, found.planned, found.finished) == (1, 0, 3, True)
    assert (found.judge, found.model, found.lowest, found.highest) == ("scale_10", "gpt-x", 1, 10)
    assert found.prompt_sha256 == "cd" * 32


def test_a_score_saved_again_keeps_its_time_and_one_that_differs_is_replaced(
    workspace: Workspace, candidate: str
) -> None:
    run_id = put_judge_run(workspace)
    put_scores(workspace, run_id, candidate, 8.0, None)
    put_scores(workspace, run_id, candidate, 8.0, 6.0, created_at=LATER)

    (found,) = scores.of_run(workspace, run_id)
    assert [(one.score, one.created_at) for one in found.scores] == [(8.0, AT), (6.0, LATER)]


def test_saving_nothing_is_nothing(workspace: Workspace) -> None:
    scores.save(workspace, [])
    assert scores.newest(workspace) == ()


@pytest.mark.parametrize(
    ("state", "values", "finished"),
    [
        (RunState.DONE, (7.0, None), True),
        (RunState.DONE, (7.0,), False),
        (RunState.RUNNING, (7.0, 7.0), False),
        (RunState.INTERRUPTED, (7.0, 7.0), False),
        (RunState.FAILED, (7.0, 7.0), False),
    ],
)
def test_finished_is_a_run_at_its_end_with_all_its_samples(
    workspace: Workspace, candidate: str, state: RunState, values: tuple[float | None, ...], finished: bool
) -> None:
    run_id = put_judge_run(workspace, 2, state=state)
    put_scores(workspace, run_id, candidate, *values)

    (found,) = scores.of_run(workspace, run_id)
    assert found.finished is finished
    assert len(scores.newest(workspace)) == len(workspace.write(lambda conn: snapshot(conn, candidate))["judges"])
    assert len(scores.newest(workspace)) == finished


def test_a_candidates_scores_come_from_all_runs_oldest_first(workspace: Workspace, candidate: str) -> None:
    made = [put_judge_run(workspace, 1) for _ in range(3)]
    for run_id in reversed(made):
        put_scores(workspace, run_id, candidate, 7.0)
        put_scores(workspace, run_id, put_candidate(workspace, "Another."), 1.0)

    assert [one.run_id for one in scores.of_candidate(workspace, candidate)] == made


def test_the_newest_finished_run_of_a_judge_and_model_stands(workspace: Workspace, candidate: str) -> None:
    other = put_candidate(workspace, "Another.")
    for value in (1.0, 2.0):
        run_id = put_judge_run(workspace, 1)
        put_scores(workspace, run_id, candidate, value)
        put_scores(workspace, run_id, other, value + 5)
    put_scores(workspace, put_judge_run(workspace, 2), candidate, 3.0)
    put_scores(workspace, put_judge_run(workspace, 1, model="b"), candidate, 4.0)
    put_scores(workspace, put_judge_run(workspace, 1, judge="pairwise"), candidate, 5.0, judge="pairwise")

    found = scores.newest(workspace)
    assert [(one.judge, one.model, one.number, one.values) for one in found] == [
        ("pairwise", "gpt-x", 1, (5.0,)),
        ("scale_10", "b", 1, (4.0,)),
        ("scale_10", "gpt-x", 1, (2.0,)),
        ("scale_10", "gpt-x", 2, (7.0,)),
    ]


def test_a_run_of_which_every_call_failed_hides_no_other(workspace: Workspace, candidate: str) -> None:
    first = put_judge_run(workspace, 1)
    put_scores(workspace, first, candidate, None)
    assert [one.run_id for one in scores.newest(workspace)] == [first]

    second = put_judge_run(workspace, 2)
    put_scores(workspace, second, candidate, 6.0, None)
    put_scores(workspace, put_judge_run(workspace, 2), candidate, None, None)
    assert [one.run_id for one in scores.newest(workspace)] == [second]


def test_scores_of_one_question_only(workspace: Workspace, candidate: str) -> None:
    elsewhere = put_candidate(workspace, "There.", put_question(workspace, "math.stackexchange.com:1"))
    run_id = put_judge_run(workspace, 1)
    put_scores(workspace, run_id, candidate, 3.0)
    put_scores(workspace, run_id, elsewhere, 4.0)

    assert [one.values for one in scores.newest(workspace, "math.stackexchange.com:1")] == [(4.0,)]
    assert len(scores.newest(workspace)) == 2


def test_how_the_replies_were_drawn(workspace: Workspace, candidate: str) -> None:
    run_id = put_judge_run(workspace, 7)
    kept = [
        call("k0", reply="One.", constrained=True),
        call("k1", reply="One.", sample=1),
        call("k2", reply="One.", reasoning="Otherwise thought."),
        call("k3", reply="Two \ud800.", finish_reason="length"),
        call("k4", reply="One.", state=CallState.FAILED),
        call("k5", reply="One.", template="retry.score", messages=(Message("assistant", "Eight or so."),)),
        call("k6", reply="One.", template="retry.score", messages=(Message("assistant", "Nine or so."),)),
    ]
    calls.save(workspace, kept)
    scores.save(workspace, [score(run_id, candidate, n, call_key=one.key) for n, one in enumerate(kept)])

    (found,) = scores.of_run(workspace, run_id)
    assert (found.replies, found.distinct, found.cut_off) == (6, 5, 1)
    assert (found.temperature, found.constrained) == (0.7, True)


@pytest.mark.parametrize("reasons", [("stop", "stop"), ("length", "stop"), ("length", "length")])
def test_replies_that_were_cut_are_counted(workspace: Workspace, candidate: str, reasons: tuple[str, ...]) -> None:
    run_id = put_judge_run(workspace, len(reasons))
    calls.save(workspace, [call(f"k{n}", finish_reason=reason) for n, reason in enumerate(reasons)])
    scores.save(workspace, [score(run_id, candidate, n, call_key=f"k{n}") for n in range(len(reasons))])

    (found,) = scores.of_run(workspace, run_id)
    assert type(found.cut_off) is int
    assert found.cut_off == reasons.count("length")


@pytest.mark.parametrize("other", [{}, {"temperature": 1.0}])
def test_replies_drawn_differently_have_no_common_temperature(
    workspace: Workspace, candidate: str, other: dict[str, Any]
) -> None:
    run_id = put_judge_run(workspace)
    calls.save(workspace, [call("k0"), call("k1", parameters=other)])
    scores.save(workspace, [score(run_id, candidate, n, call_key=f"k{n}") for n in range(2)])

    (found,) = scores.of_run(workspace, run_id)
    assert found.temperature is None


def test_evidence_has_each_finished_run_with_its_prompts(workspace: Workspace, candidate: str) -> None:
    run_id = put_judge_run(workspace, 4)
    calls.save(workspace, [call("k0", template_sha256="cd" * 32), call("k1", template_sha256="dd" * 32)])
    read = [score(run_id, candidate, n, value, call_key=f"k{n}") for n, value in enumerate((8.5, 10.0))]
    unread = score(run_id, candidate, 2, None, state=Reading.UNPARSED)
    scores.save(workspace, [*read, unread, score(run_id, candidate, 3, None, state=Reading.FAILED)])

    frozen = workspace.write(lambda conn: snapshot(conn, candidate))
    summary = summarize(Scale(1, 10), (8.5, 10.0), planned=4, unparsed=1, failed=1)
    assert frozen["judges"] == [
        {
            "run_id": run_id,
            "judge": "scale_10",
            "model": "gpt-x",
            "lowest": 1,
            "highest": 10,
            "planned": 4,
            "scored": 2,
            "unparsed": 1,
            "failed": 1,
            "mean": summary.mean,
            "sd": summary.sd,
            "prompt_sha256": "cd" * 32,
            "constrained": False,
            "replies": 2,
            "distinct": 1,
            "cut_off": 0,
            "temperature": 0.7,
        }
    ]
    assert frozen["prompt_hashes"] == ["cd" * 32, "dd" * 32, "ee" * 32]


def test_a_verdict_row_with_scores_is_one_that_others_can_read(workspace: Workspace, candidate: str) -> None:
    run_id = put_judge_run(workspace, 3)
    put_scores(workspace, run_id, candidate, 8.5, 10.0, None)
    calls.save(workspace, [call("k0")])
    scores.save(workspace, [score(run_id, candidate, 0, 8.5, call_key="k0")])
    put_scores(workspace, put_judge_run(workspace, 1, model="b"), candidate, None)

    saved = give(workspace, reviewers.current(workspace), candidate, form(errors=()))
    verify(saved.record)
    assert [(one["model"], one["mean"], one["failed"]) for one in saved.record["evidence"]["judges"]] == [
        ("gpt-x", 9.25, 1),
        ("b", None, 1),
    ]


def test_without_a_score_mean_and_spread_are_unknown(workspace: Workspace, candidate: str) -> None:
    put_scores(workspace, put_judge_run(workspace, 1), candidate, None)
    put_scores(workspace, put_judge_run(workspace, 1), candidate, 4.0)

    nothing, single = workspace.write(lambda conn: snapshot(conn, candidate))["judges"]
    assert (nothing["mean"], nothing["sd"], nothing["scored"], nothing["failed"]) == (None, None, 0, 1)
    assert (single["mean"], single["sd"]) == (4.0, None)
