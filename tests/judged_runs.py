"""Runs that judged a candidate, as the store keeps them."""

from collections.abc import Mapping
from dataclasses import replace

from store import calls, judgements, runs
from store.run_rows import Call, Message, Run, StageOutcome
from store.workspace import Workspace
from tests.kept_calls import stored_call
from uq_tui.state.ladder.shape import LadderShape
from uq_tui.words import Outcome, RunKind, RunState

THREE_ITER = "cycle_consistency r3 unanimous => fact_logic r3 unanimous => correctness r3 unanimous"


def begun_run(
    ws: Workspace, notation: str, *, title: str = "3-Iter", model: str = "openai/o3", more_models: tuple[str, ...] = ()
) -> Run:
    """A run by this strategy that has not decided anything."""
    pinned = [{"id": name, "api_base": ""} for name in (model, *more_models)]
    spec = {
        "strategy": {"name": "a-name", "title": title, "notation": notation},
        "model": pinned[0],
        "slots": {str(slot): one for slot, one in enumerate(pinned, 1)},
        "stages": [],
        "exact": False,
        "form": "tagged",
    }
    return runs.create(ws, RunKind.VALIDATE, title, spec, 1)


def judged_run(
    ws: Workspace,
    candidate_id: str,
    notation: str,
    outcomes: Mapping[str, Outcome],
    *,
    reasons: Mapping[str, str] | None = None,
    title: str = "3-Iter",
    model: str = "openai/o3",
    more_models: tuple[str, ...] = (),
    cost: float | None = 0.0031,
) -> Run:
    """A finished run with these outcomes.

    Behind each decided place without parts stands a call with the reply `Reply at PATH.`; before those of the first
    turn of cycle consistency one more, `Inferred at PATH.`
    """
    run = begun_run(ws, notation, title=title, model=model, more_models=more_models)
    composed = {place.path for place in LadderShape.of(run.spec).places if place.composed}
    rows: list[StageOutcome] = []
    kept: list[Call] = []
    for path, outcome in outcomes.items():
        keys: list[str] = []
        if path not in composed and outcome is not Outcome.SKIPPED:
            if path in ("cycle_consistency", "cycle_consistency/1"):
                keys.append(f"{run.id} infer {path}")
                inferred = stored_call(keys[-1], run.id, f"Inferred at {path}.")
                kept.append(replace(inferred, template="check.cycle_infer", model=model))
            keys.append(f"{run.id} {path}")
            kept.append(replace(stored_call(keys[-1], run.id, f"Reply at {path}."), model=model))
        last = keys[-1] if keys else ""
        reason = (reasons or {}).get(path, "")
        rows.append(StageOutcome(run.id, candidate_id, path, outcome, reason, last, 0, "", tuple(keys)))
    shown = (Message("user", "Judge *this* ```answer```."),)
    calls.save(ws, [replace(call, tokens_in=1100, tokens_out=104, cost_usd=cost, messages=shown) for call in kept])
    judgements.save_outcomes(ws, rows)
    runs.set_state(ws, run.id, RunState.DONE)
    return runs.get(ws, run.id)


def three_iter(stages: str) -> dict[str, Outcome]:
    """Outcomes of 3-Iter by what its stages come to: `aar` accepts twice, then rejects at the second turn."""
    names = ("cycle_consistency", "fact_logic", "correctness")
    turns = {
        "a": (Outcome.ACCEPT,) * 4,
        "r": (Outcome.ACCEPT, Outcome.REJECT, Outcome.SKIPPED, Outcome.REJECT),
        "s": (Outcome.SKIPPED,) * 4,
        "u": (Outcome.ACCEPT, Outcome.UNPARSED, Outcome.ACCEPT, Outcome.UNPARSED),
    }
    outcomes = {}
    for name, letter in zip(names, stages, strict=True):
        for part, outcome in zip(("/1", "/2", "/3", ""), turns[letter], strict=True):
            outcomes[name + part] = outcome
    whole = Outcome.ACCEPT if stages == "aaa" else Outcome.REJECT if "r" in stages else Outcome.UNPARSED
    return {**outcomes, "": whole}
