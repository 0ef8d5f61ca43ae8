"""What a verdict freezes of what machines had found."""

from dataclasses import replace
from importlib import metadata

import pytest

from store import calls, evidence, external_scores, judgements
from store.evidence import snapshot
from store.external_scores import ExternalScore
from store.run_rows import NeighbourValue
from store.workspace import Workspace
from tests.store.records.stock import (
    NEIGHBOUR,
    call,
    outcome,
    put_candidate,
    put_evidence,
    put_neighbour,
    put_run,
    rollout,
    utility,
)
from uq_tui.words import Interval, Outcome, RunKind


@pytest.fixture
def candidate(workspace: Workspace) -> str:
    return put_candidate(workspace)


def test_without_judgements_there_is_only_the_version(workspace: Workspace, candidate: str) -> None:
    frozen = workspace.write(lambda conn: snapshot(conn, candidate))
    assert list(frozen) == ["outcomes", "judges", "utilities", "outside_scores", "prompt_hashes", "app_version"]
    assert list(frozen.values())[:-1] == [[], [], [], [], []]


def test_an_outcome_names_strategy_stage_judge_and_prompt(workspace: Workspace, candidate: str) -> None:
    run_id = put_evidence(workspace, candidate)
    frozen = workspace.write(lambda conn: snapshot(conn, candidate))
    stage, whole = frozen["outcomes"]
    assert stage == {
        "run_id": run_id,
        "strategy": "3-iter",
        "stage": "correctness",
        "outcome": "reject",
        "reason": "",
        "judge": "openai/gpt-x",
        "call_key": f"{run_id}/1",
        "prompt_sha256": "ab" * 32,
        "constrained": True,
    }
    assert whole == {**stage, "stage": "", "call_key": "", "prompt_sha256": ""}
    assert frozen["prompt_hashes"] == ["ab" * 32]


def test_a_node_names_every_model_that_judged_beneath_it_and_a_plug_in_none(
    workspace: Workspace, candidate: str
) -> None:
    run_id = put_run(workspace)
    calls.save(workspace, [call("one", model="openai/o3"), call("two", model="anthropic/claude")])
    leaves = [
        outcome(run_id, candidate, "vote/1", call_key="one"),
        outcome(run_id, candidate, "vote/2", call_key="two"),
        outcome(run_id, candidate, "numeric_identity"),
        outcome(run_id, candidate, "never", outcome=Outcome.SKIPPED),
    ]
    judgements.save_outcomes(workspace, [*leaves, *(outcome(run_id, candidate, path) for path in ("", "vote"))])
    frozen = workspace.write(lambda conn: snapshot(conn, candidate))
    assert {found["stage"]: found["judge"] for found in frozen["outcomes"]} == {
        "": "openai/o3, anthropic/claude",
        "vote": "openai/o3, anthropic/claude",
        "vote/1": "openai/o3",
        "vote/2": "anthropic/claude",
        "numeric_identity": "",
        "never": "",
    }


def test_prompts_of_all_calls_behind_an_outcome_are_named(workspace: Workspace, candidate: str) -> None:
    run_id = put_run(workspace)
    shas = {"infer": "01" * 32, "compare": "02" * 32, "retry": "03" * 32}
    calls.save(workspace, [call(key, template_sha256=sha256) for key, sha256 in shas.items()])
    judgements.save_outcomes(
        workspace, [outcome(run_id, candidate, "cycle_consistency", call_key="retry", call_keys=tuple(shas))]
    )
    frozen = workspace.write(lambda conn: snapshot(conn, candidate))
    assert frozen["prompt_hashes"] == sorted(shas.values())


def test_constrained_calls_mark_only_what_they_are_part_of(workspace: Workspace, candidate: str) -> None:
    run_id = put_run(workspace)
    calls.save(workspace, [call("free"), call("held", constrained=True)])
    leaves = [outcome(run_id, candidate, "a/1", call_key="free"), outcome(run_id, candidate, "b/1", call_key="held")]
    nodes = [outcome(run_id, candidate, path) for path in ("", "a", "b", "bb")]
    judgements.save_outcomes(workspace, [*leaves, *nodes])
    frozen = workspace.write(lambda conn: snapshot(conn, candidate))
    marked = {found["stage"] for found in frozen["outcomes"] if found["constrained"]}
    assert marked == {"", "b", "b/1"}


def test_an_outcome_whose_call_is_not_stored_still_stands(workspace: Workspace, candidate: str) -> None:
    run_id = put_run(workspace)
    judgements.save_outcomes(workspace, [outcome(run_id, candidate, "a", call_key="gone", outcome=Outcome.UNPARSED)])
    (found,) = workspace.write(lambda conn: snapshot(conn, candidate))["outcomes"]
    assert (found["outcome"], found["judge"], found["prompt_sha256"]) == ("unparsed", "gpt-x", "")


def test_a_utility_is_frozen_by_neighbour_with_its_control(workspace: Workspace, candidate: str) -> None:
    run_id = put_run(workspace, RunKind.CBU)
    judgements.save_utilities(workspace, [utility(run_id, candidate)])
    (found,) = workspace.write(lambda conn: snapshot(conn, candidate))["utilities"]
    assert found == {
        "run_id": run_id,
        "solver": "gpt-x",
        "mean": 0.75,
        "low": 0.5,
        "high": 0.9,
        "t": 4,
        "neighbours": [
            {
                "neighbour_id": NEIGHBOUR.id,
                "solved": 3,
                "decided": 4,
                "undecided": 0,
                "replies": 4,
                "distinct": 3,
                "cut_off": 0,
                "temperature": 0.7,
            }
        ],
        "control": {
            "mean": 1 / 3,
            "solved": 1,
            "decided": 3,
            "replies": 4,
            "distinct": 4,
            "cut_off": 1,
            "temperature": 0.7,
        },
        "lift": 0.4,
        "lift_low": -0.1,
        "lift_high": 0.8,
        "interval": "score",
        "stopped_early": False,
        "placebo": {
            "mean": None,
            "solved": 0,
            "decided": 0,
            "replies": 0,
            "distinct": 0,
            "cut_off": 0,
            "temperature": None,
        },
    }


def test_a_placebo_and_how_it_was_measured_are_evidence(workspace: Workspace, candidate: str) -> None:
    run_id = put_run(workspace, RunKind.CBU)
    whole = utility(run_id, candidate)
    stopped = replace(whole, interval=Interval.ANYTIME, stopped_early=True, placebo=whole.neighbours, placebo_mean=0.75)
    judgements.save_utilities(workspace, [stopped])
    (found,) = workspace.write(lambda conn: snapshot(conn, candidate))["utilities"]
    assert (found["interval"], found["stopped_early"]) == ("anytime", True)
    counts = {"replies": 4, "distinct": 3, "cut_off": 0, "temperature": 0.7}
    assert found["placebo"] == {"mean": 0.75, "solved": 3, "decided": 4, **counts}


def test_a_control_arm_that_was_not_run_has_no_mean(workspace: Workspace, candidate: str) -> None:
    run_id = put_run(workspace, RunKind.CBU)
    bare = utility(run_id, candidate, control=(), control_mean=None, lift=None, lift_low=None, lift_high=None)
    judgements.save_utilities(workspace, [bare])
    (found,) = workspace.write(lambda conn: snapshot(conn, candidate))["utilities"]
    nothing = {"solved": 0, "decided": 0, "replies": 0, "distinct": 0, "cut_off": 0}
    assert (found["control"], found["lift"]) == ({"mean": None, **nothing, "temperature": None}, None)


def test_replies_that_were_not_counted_are_unknown_not_none_at_all(workspace: Workspace, candidate: str) -> None:
    run_id = put_run(workspace, RunKind.CBU)
    control = (*utility(run_id, candidate).control, NeighbourValue("ff" * 32, 1, 2, 0))
    judgements.save_utilities(workspace, [utility(run_id, candidate, control=control)])
    (found,) = workspace.write(lambda conn: snapshot(conn, candidate))["utilities"]
    unknown = dict.fromkeys(("replies", "distinct", "cut_off", "temperature"))
    assert found["control"] == {"mean": 1 / 3, "solved": 2, "decided": 5, **unknown}


def test_unfinished_utilities_are_no_evidence(workspace: Workspace, candidate: str) -> None:
    judgements.save_utilities(workspace, [utility(put_run(workspace, RunKind.CBU), candidate, complete=False)])
    assert workspace.write(lambda conn: snapshot(conn, candidate))["utilities"] == []


def test_outside_scores_are_frozen_by_scorer_with_their_file(workspace: Workspace, candidate: str) -> None:
    other = put_candidate(workspace, "Another answer.")
    given = [(candidate, "rm b", 3.0), (candidate, "rm a", -1.75), (other, "rm a", 9.0)]
    scores = [ExternalScore(key, scorer, value, "rm.csv") for key, scorer, value in given]
    workspace.write(lambda conn: external_scores.put(conn, scores))
    assert workspace.write(lambda conn: snapshot(conn, candidate))["outside_scores"] == [
        {"scorer": "rm a", "value": -1.75, "source": "rm.csv"},
        {"scorer": "rm b", "value": 3.0, "source": "rm.csv"},
    ]


def test_evidence_is_of_this_candidate_only(workspace: Workspace, candidate: str) -> None:
    other = put_candidate(workspace, "Another answer.")
    put_evidence(workspace, other)
    judgements.save_utilities(workspace, [utility(put_run(workspace, RunKind.CBU), other)])
    frozen = workspace.write(lambda conn: snapshot(conn, candidate))
    assert (frozen["outcomes"], frozen["utilities"], frozen["prompt_hashes"]) == ([], [], [])


def test_prompts_of_rollouts_and_of_their_control_count(workspace: Workspace, candidate: str) -> None:
    put_neighbour(workspace)
    run_id = put_run(workspace, RunKind.CBU)
    other = put_candidate(workspace, "Another answer.")
    asked = {f"{who}{n}": f"{n}{digit}" * 32 for who, digit in (("exemplar", "c"), ("", "b")) for n in range(4)}
    for sample, (key, sha256) in enumerate(asked.items()):
        calls.save(workspace, [call(key, template_sha256=sha256)])
        who = candidate if key.startswith("exemplar") else ""
        judgements.save_rollouts(workspace, [rollout(run_id, who, sample, call_key=key)])
    calls.save(workspace, [call("of the other", template_sha256="dd" * 32)])
    judgements.save_rollouts(workspace, [rollout(run_id, other, call_key="of the other")])
    judgements.save_utilities(workspace, [utility(run_id, candidate)])
    frozen = workspace.write(lambda conn: snapshot(conn, candidate))
    assert frozen["prompt_hashes"] == sorted(asked.values())


def test_strategy_and_model_may_be_pinned_by_name_alone() -> None:
    assert evidence._pinned({"model": "gpt-x"}, "model", "id") == "gpt-x"
    assert evidence._pinned({}, "model", "id") == ""


def test_a_version_that_is_not_installed_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", absent)
    assert evidence.app_version.__wrapped__() == "0+unknown"
