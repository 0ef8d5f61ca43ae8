"""The bundled pack, judged by validators and people that are made up: what the pictures of Insights show.

Nothing in it is a finding. What each says of a candidate follows from the candidate's id, and is always the same.
"""

import hashlib
from dataclasses import replace

from store import calls, candidates, decisions, evaluation, judgements, reviewers, runs
from store.rows import Candidate, Reviewer, VerdictForm
from store.run_rows import Call, StageOutcome
from store.workspace import Workspace
from tests.kept_calls import stored_call
from uq_tui.words import Label, Outcome, RunKind, RunState

VALIDATORS = (
    ("3-iter", ("cycle_consistency", "fact_logic", "correctness"), ("made-up/judge-large",), 0.80),
    ("1-iter", ("cycle_consistency", "fact_logic", "correctness"), ("made-up/judge-small",), 0.65),
    ("correctness", ("correctness",), ("made-up/judge-large",), 0.72),
)
"""Strategies with their stages and models, and how often each is right."""
_PRICES = {"made-up/judge-large": 0.0123, "made-up/judge-small": None}
"""US dollars of a call; `None` is unknown."""
REVIEWERS = (("ada", 0.9), ("ben", 0.8))
"""Handles, and how often each gives the known label."""
AT = "2026-12-01T00:00:00.000000Z"


def judge(workspace: Workspace) -> None:
    """Have all of the pack's labelled candidates judged."""
    known = evaluation.known_labels(workspace)
    there = [candidates.get(workspace, key) for key in evaluation.labelled(workspace)]
    for number in range(len(VALIDATORS)):
        _validate(workspace, number, there, known)
    for place, (handle, share) in enumerate(REVIEWERS):
        reviewer = Reviewer(f"0199aaaa-0000-7000-8000-00000000000{place}", handle, "", ())
        reviewers.make(workspace, reviewer)
        for one in there:
            label = known[one.id] if _share(one, handle) < share else _OTHER[known[one.id]]
            form = VerdictForm(label=label, seconds_active=60 + 900 * _share(one, handle, "time"))
            decisions.record(workspace, reviewer, one.id, form, based_on=None)


_OTHER = {Label.CORRECT: Label.INCORRECT, Label.INCORRECT: Label.CORRECT}


def _validate(ws: Workspace, number: int, there: list[Candidate], known: dict[str, Label]) -> None:
    name, stages, models, share = VALIDATORS[number]
    spec = {
        "strategy": {"name": name, "notation": " => ".join(stages)},
        "models": [{"id": model, "api_base": ""} for model in models],
        "stages": list(stages),
        "inputs": [one.id for one in there],
    }
    run = runs.create(ws, RunKind.VALIDATE, name, spec, len(there)).id
    for one in there:
        right = _share(one, name) < share
        accepts = (known[one.id] is Label.CORRECT) == right
        failing = len(stages) if accepts else int(_share(one, name, "stage") * len(stages))
        outcome = Outcome.ACCEPT if accepts else Outcome.REJECT
        if _share(one, name, "unparsed") < 0.05:
            failing, outcome = len(stages), Outcome.UNPARSED
        judgements.save_outcomes(ws, _nodes(ws, run, one.id, stages, failing, outcome, models[0]))
    runs.set_state(ws, run, RunState.DONE)


def _nodes(
    ws: Workspace, run: str, candidate: str, stages: tuple[str, ...], failing: int, outcome: Outcome, model: str
) -> list[StageOutcome]:
    found = []
    for place, stage in enumerate(stages):
        asked = place <= failing
        last = place == len(stages) - 1
        came = Outcome.REJECT if place == failing else outcome if last else Outcome.ACCEPT
        key = f"{run}/{candidate}/{stage}"
        if asked:
            calls.save(ws, [_call(key, run, model)])
        called = (key,) if asked else ()
        came = came if asked else Outcome.SKIPPED
        found.append(StageOutcome(run, candidate, stage, came, "", key if asked else "", place + 1, AT, called))
    return [*found, StageOutcome(run, candidate, "", outcome, "", "", len(stages) + 1, AT, ())]


def _call(key: str, run: str, model: str) -> Call:
    drawn = _drawn(key.partition("/")[2] + model)
    return replace(
        stored_call(key, run, ""),
        model=model,
        tokens_in=900 + int(1_500 * drawn),
        tokens_out=200 + int(4_000 * drawn),
        cost_usd=_PRICES[model],
    )


def _share(one: Candidate, *what: str) -> float:
    return _drawn("\0".join((one.id, *what)))


def _drawn(text: str) -> float:
    """From 0 to 1, as if drawn at random, and always the same."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4]) / 2**32
