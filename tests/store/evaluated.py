"""Finished validations in a store, as the engine leaves them."""

from collections.abc import Mapping, Sequence
from typing import Any

from store import candidates, judgements, runs
from store.rows import KnownLabel, NewCandidate, Origin
from store.run_rows import StageOutcome
from store.workspace import Workspace
from tests.store.stock import QUESTION, take
from uq_tui.words import AuthorKind, Label, Outcome, RunKind, RunState, TextFormat

STAGES = ("fact_logic", "correctness")
AT = "2026-01-31T12:00:00.000000Z"


def spec(name: str = "two", *models: str, prompt: str = "a", **changes: Any) -> dict[str, Any]:
    """What a run of a strategy of two stages pins, as far as reports look at it."""
    asked = models or ("openai/o3",)
    return {
        "strategy": {"name": name, "title": name, "notation": f"{name}: fact_logic => correctness"},
        "models": [{"id": model, "api_base": ""} for model in asked],
        "model": {"id": asked[0], "api_base": ""},
        "stages": list(STAGES),
        "form": "tagged",
        "templates": {"check.correctness": {"version": "1", "sha256": prompt * 64, "source": ""}},
        **changes,
    }


def put_answers(ws: Workspace, labels: Mapping[str, tuple[str, Label | None]]) -> dict[str, str]:
    """Answers by model and with a known label where there is one; their ids by answer."""
    take(ws, QUESTION)
    new = [
        NewCandidate(
            QUESTION.id,
            answer,
            TextFormat.MARKDOWN,
            Origin(AuthorKind.MODEL, model=model, source="f.jsonl"),
            known_label=KnownLabel(label, "", "f.jsonl") if label else None,
        )
        for answer, (model, label) in labels.items()
    ]
    return dict(zip(labels, candidates.add(ws, new), strict=True))


def put_validation(
    ws: Workspace,
    outcomes: Mapping[str, Outcome],
    pinned: Mapping[str, Any] | None = None,
    state: RunState = RunState.DONE,
) -> str:
    """A run that judged candidates, by id; each was asked one call, and a second one unless the first rejected."""
    run_id = runs.create(ws, RunKind.VALIDATE, "validation", pinned or spec(), len(outcomes)).id
    for candidate_id, outcome in outcomes.items():
        judgements.save_outcomes(ws, nodes(run_id, candidate_id, outcome))
    runs.set_state(ws, run_id, state)
    return run_id


def nodes(run_id: str, candidate_id: str, outcome: Outcome) -> Sequence[StageOutcome]:
    """The first stage rejects what is rejected; else it accepts and the second one brings the outcome."""
    first = Outcome.REJECT if outcome is Outcome.REJECT else Outcome.ACCEPT
    second = Outcome.SKIPPED if outcome is Outcome.REJECT else outcome
    return [
        _node(run_id, candidate_id, "fact_logic", first, 1),
        _node(run_id, candidate_id, "correctness", second, 2),
        StageOutcome(run_id, candidate_id, "", outcome, "", "", 3, AT),
    ]


def _node(run_id: str, candidate_id: str, path: str, outcome: Outcome, number: int) -> StageOutcome:
    asked = outcome is not Outcome.SKIPPED
    key = f"{run_id}/{candidate_id}/{path}" if asked else ""
    return StageOutcome(run_id, candidate_id, path, outcome, "", key, number, AT, (key,) if asked else ())
