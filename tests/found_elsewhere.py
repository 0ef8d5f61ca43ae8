"""Evidence rows of runs elsewhere, put into a workspace as merging a file puts them there."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from store import candidates, evidence_records, merging, questions
from store.evidence_records import NO_VALIDATOR
from store.workspace import Workspace
from uq_tui.words import Outcome, RunKind

AT = "2026-02-03T04:05:06.000000Z"
TWO = {
    "strategy": "two",
    "notation": "two: fact_logic => correctness",
    "models": ["openai/o3"],
    "form": "tagged",
    "prompts": "0123abcd",
    "stages": ["fact_logic", "correctness"],
}
"""A validator of two stages."""


def put_row(
    ws: Workspace,
    candidate_id: str,
    run_id: str = "elsewhere-run",
    kind: RunKind = RunKind.VALIDATE,
    at: str = AT,
    validator: Mapping[str, Any] = NO_VALIDATOR,
    **found: Any,
) -> str:
    """One row, with what was found under the keys of evidence; the run's id."""
    candidate = candidates.get(ws, candidate_id)
    whole = {
        "outcomes": [],
        "judges": [],
        "utilities": [],
        "outside_scores": [],
        "prompt_hashes": [],
        "app_version": "0.2.0",
        **found,
    }
    question = questions.get(ws, candidate.question_id)
    row = evidence_records.build(run_id, kind.value, at, question, candidate, whole, validator)
    ws.write(partial(merging.put_record, record=row))
    return run_id


def put_validated(ws: Workspace, candidate_id: str, outcome: str = Outcome.REJECT, **more: Any) -> str:
    """A validation by `TWO`, whose first stage decided; the run's id."""
    run_id = more.pop("run_id", "elsewhere-run")
    return put_row(
        ws,
        candidate_id,
        run_id,
        outcomes=[outcome_row(run_id, "fact_logic", outcome), outcome_row(run_id, "", outcome)],
        **{"validator": TWO, **more},
    )


def outcome_row(run_id: str, stage: str, outcome: str, **changes: Any) -> dict[str, Any]:
    """What a strategy or a stage of it came to."""
    return {
        "run_id": run_id,
        "strategy": "two",
        "stage": stage,
        "outcome": outcome,
        "reason": f"because {stage or 'fact_logic'} says so",
        "judge": "openai/o3",
        "call_key": "key" if stage else "",
        "prompt_sha256": "ab" * 32,
        "constrained": False,
        **changes,
    }


def judge_row(run_id: str = "elsewhere-run", **changes: Any) -> dict[str, Any]:
    """What a judge made of a candidate."""
    return {
        "run_id": run_id,
        "judge": "scale_10",
        "model": "openai/o3",
        "lowest": 1,
        "highest": 10,
        "planned": 8,
        "scored": 6,
        "unparsed": 1,
        "failed": 1,
        "mean": 8.25,
        "sd": 1.5,
        "prompt_sha256": "ab" * 32,
        "constrained": False,
        "replies": 7,
        "distinct": 7,
        "cut_off": 0,
        "temperature": 0.7,
        **changes,
    }


def utility_row(run_id: str = "elsewhere-run", **changes: Any) -> dict[str, Any]:
    """A utility on one neighbour."""
    drawn = {"replies": 8, "distinct": 8, "cut_off": 0, "temperature": 0.7}
    arm = {"mean": 0.25, "solved": 2, "decided": 8, **drawn}
    return {
        "run_id": run_id,
        "solver": "openai/o3",
        "mean": 0.75,
        "low": 0.41,
        "high": 0.93,
        "t": 8,
        "neighbours": [{"neighbour_id": "n", "solved": 6, "decided": 8, "undecided": 0, **drawn}],
        "control": arm,
        "lift": 0.5,
        "lift_low": 0.05,
        "lift_high": 0.76,
        "interval": "score",
        "stopped_early": False,
        "placebo": {"mean": None, "solved": 0, "decided": 0, **dict.fromkeys(drawn, None)},
        **changes,
    }
