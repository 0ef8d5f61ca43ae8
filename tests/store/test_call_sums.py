"""Sums over calls: what is unknown is counted, never taken for nothing."""

from dataclasses import replace

from store import call_sums, calls, runs
from store.call_sums import CallSum, Failures
from store.run_rows import Call
from store.workspace import Workspace
from tests.kept_calls import stored_call
from uq_tui.words import CallErrorKind, CallState, RunKind


def put(ws: Workspace) -> tuple[str, str]:
    """Calls of two models for two runs, and one of a run that isn't here; the ids of the runs."""
    judging = runs.create(ws, RunKind.JUDGE, "judge", {}, 1).id
    making = runs.create(ws, RunKind.GENERATE, "generate", {}, 1).id

    def call(key: str, run_id: str, model: str = "m", **changes: object) -> Call:
        return replace(stored_call(key, run_id, ""), model=model, **changes)  # type: ignore[arg-type]  # any field

    calls.save(
        ws,
        [
            call("a", judging, tokens_in=10, tokens_out=5, cost_usd=0.25),
            call("b", judging, tokens_in=20, attempts=3),
            call("c", judging, state=CallState.FAILED, error_kind=CallErrorKind.TIMEOUT, attempts=2),
            call("d", making, tokens_in=0, tokens_out=0, cost_usd=0.0),
            call("e", making, "n", state=CallState.FAILED),
            call("f", "elsewhere", "n", tokens_in=7, tokens_out=7, cost_usd=1.5),
        ],
    )
    return judging, making


def test_calls_are_summed_by_model_and_kind_of_run(workspace: Workspace) -> None:
    put(workspace)
    assert call_sums.sums(workspace) == (
        CallSum("m", RunKind.GENERATE, 1, 0, 0, 0, 0, 0, 0.0, 0, 0),
        CallSum("m", RunKind.JUDGE, 3, 1, 30, 1, 5, 2, 0.25, 2, 3),
        CallSum("n", None, 1, 0, 7, 0, 7, 0, 1.5, 0, 0),
        CallSum("n", RunKind.GENERATE, 1, 1, 0, 1, 0, 1, 0, 1, 0),
    )
    assert call_sums.failures(workspace) == (
        Failures("m", CallErrorKind.TIMEOUT, 1),
        Failures("n", None, 1),
    )


def test_calls_of_runs_that_are_left_out_and_of_unknown_ones_dont_count(workspace: Workspace) -> None:
    judging, making = put(workspace)
    assert [(one.model, one.kind) for one in call_sums.sums(workspace, {judging})] == [
        ("m", RunKind.GENERATE),
        ("n", RunKind.GENERATE),
    ]
    assert [one.model for one in call_sums.failures(workspace, {making})] == ["m"]
    assert sum(one.calls for one in call_sums.sums(workspace, ())) == 5


def test_nothing_was_called_in_a_new_store(workspace: Workspace) -> None:
    assert (call_sums.sums(workspace), call_sums.failures(workspace, {"x"})) == ((), ())
