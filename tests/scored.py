"""Finished measurements of utility and other scores of candidates, as the store keeps them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from store import calls, candidates, external_scores, judgements, neighbours, runs
from store.external_scores import ExternalScore
from store.rows import KnownLabel, Neighbour, NewCandidate, Origin
from store.run_rows import NeighbourValue, Rollout, Utility
from store.workspace import Workspace
from tests.kept_calls import stored_call
from tests.store.stock import question, take
from uq_tui.analysis.utility import Rolls, estimate
from uq_tui.words import AuthorKind, DecidedBy, Label, RunKind, RunState, TextFormat

Counts = Sequence[tuple[int, int]]
"""(solved, decided) by neighbour."""


def put_labelled(ws: Workspace, number: int, labels: Sequence[Label | str | None]) -> tuple[str, tuple[str, ...]]:
    """A question with two neighbours and a candidate for each label; "reference" makes an expert's solution.

    Returns:
        The question's id, and the candidates'.
    """
    asked = question(number)
    take(ws, asked)
    neighbours.add(ws, asked.id, [Neighbour("", f"What is {number} + {k}?", str(number + k), "us") for k in (1, 2)])
    new = [
        NewCandidate(
            asked.id,
            f"Answer {place} to {number}.",
            TextFormat.MARKDOWN,
            Origin(AuthorKind.PERSON if label == "reference" else AuthorKind.MODEL, model="m", source="f.jsonl"),
            known_label=KnownLabel(label, "", "f.jsonl") if isinstance(label, Label) else None,
            reference=label == "reference",
        )
        for place, label in enumerate(labels, 1)
    ]
    return asked.id, candidates.add(ws, new)


def measured(
    ws: Workspace,
    question_id: str,
    solved: Mapping[str, Counts],
    control: Counts = (),
    *,
    solver: str = "openai/solver",
    rollouts: int = 8,
    complete: bool = True,
    **pinned: Any,
) -> str:
    """A run that measured the utility of these candidates on the question's neighbours, first to last; its id."""
    around = [one.id for one in neighbours.in_use(ws, question_id)]
    spec = {
        "model": {"id": solver, "api_base": ""},
        "question_id": question_id,
        "neighbour_ids": around,
        "rollouts": rollouts,
        **pinned,
    }
    run = runs.create(ws, RunKind.CBU, "Utility", spec, 1)
    for candidate_id, counts in solved.items():
        judgements.save_utilities(
            ws, [_utility(run.id, candidate_id, solver, rollouts, around, counts, control, complete)]
        )
    if complete:
        runs.set_state(ws, run.id, RunState.DONE)
    return run.id


def _utility(
    run_id: str,
    candidate_id: str,
    solver: str,
    rollouts: int,
    around: Sequence[str],
    counts: Counts,
    control: Counts,
    complete: bool,
) -> Utility:
    found = estimate([Rolls(*one, 0) for one in counts], [Rolls(*one, 0) for one in control])
    return Utility(
        run_id=run_id,
        candidate_id=candidate_id,
        solver=solver,
        mean=found.utility.value if found.utility else None,
        low=found.utility.low if found.utility else None,
        high=found.utility.high if found.utility else None,
        rollouts=rollouts,
        neighbours=tuple(NeighbourValue(key, *one, 0) for key, one in zip(around, counts, strict=False)),
        control=tuple(NeighbourValue(key, *one, 0) for key, one in zip(around, control, strict=False)),
        control_mean=found.control.value if found.control else None,
        lift=found.lift.value if found.lift else None,
        lift_low=found.lift.low if found.lift else None,
        lift_high=found.lift.high if found.lift else None,
        complete=complete,
        constrained=False,
    )


def scored_outside(ws: Workspace, scorer: str, values: Mapping[str, float]) -> None:
    """Scores by a scorer outside uq-tui."""
    rows = [ExternalScore(candidate_id, scorer, value, "rm.csv") for candidate_id, value in values.items()]
    ws.write(lambda db: external_scores.put(db, rows))


def put_rollouts(ws: Workspace, run_id: str, candidate_id: str, replies: Sequence[Sequence[str]]) -> None:
    """Rollouts with these replies of 20 tokens, by neighbour of the run; nothing is decided of them."""
    around = runs.get(ws, run_id).spec["neighbour_ids"]
    kept, rows = [], []
    for neighbour_id, texts in zip(around, replies, strict=True):
        for sample, text in enumerate(texts):
            key = f"{run_id} {candidate_id} {neighbour_id} {sample}"
            kept.append(replace(stored_call(key, run_id, text), tokens_out=20))
            rows.append(Rollout(run_id, candidate_id, neighbour_id, sample, None, DecidedBy.UNDECIDABLE, "", key))
    calls.save(ws, kept)
    judgements.save_rollouts(ws, rows)
