"""Runs that measured utility, as the store keeps them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from store import calls, judgements, neighbours, runs
from store.rows import Neighbour
from store.run_rows import NeighbourValue, Rollout, Run, Utility
from store.workspace import Workspace
from tests.engine.runs.scripted import QUESTION, add_candidates, add_question
from tests.kept_calls import stored_call
from uq_tui.analysis.utility import Rolls, estimate
from uq_tui.words import CallState, DecidedBy, Interval, RunKind

DECIDED: Mapping[str, tuple[int | None, DecidedBy]] = {
    "1": (1, DecidedBy.EXACT),
    "0": (0, DecidedBy.EXACT),
    "n": (0, DecidedBy.NO_ANSWER),
    "c": (None, DecidedBy.CUT_OFF),
    "!": (None, DecidedBy.CALL_FAILED),
    "?": (None, DecidedBy.UNDECIDABLE),
    "e": (None, DecidedBy.FAILED),
}
"""A rollout in one character."""


def question_with(ws: Workspace, candidates: int, *, neighbours: int = 1) -> list[str]:
    """A question with so many candidates and neighbours; returns the candidates' ids."""
    add_question(ws)
    add_neighbours(ws, QUESTION, neighbours)
    return list(add_candidates(ws, *(f"Answer {number}." for number in range(1, candidates + 1))))


def add_neighbours(ws: Workspace, question_id: str, count: int) -> None:
    """`What is 1 + 1?` with the answer 2, and so on."""
    new = [Neighbour("", f"What is {n} + {n}?", str(2 * n), "tests") for n in range(1, count + 1)]
    neighbours.add(ws, question_id, new)


def measured_by(
    ws: Workspace,
    arms: Mapping[str, Sequence[str]],
    *,
    control: Sequence[str] = (),
    question_id: str = QUESTION,
    complete: bool = True,
    planned: int = 8,
    adaptive: bool = False,
    model: str = "solver",
) -> Run:
    """A run's rows: for each candidate, and for the control arm, the rollouts on each neighbour as in `DECIDED`.

    Behind each stands a call with the reply `Reply N of ARM on NEIGHBOUR NUMBER.`
    """
    width = len(next(iter(arms.values())))
    around = [one.id for one in neighbours.of_question(ws, question_id)][:width]
    spec = {
        "model": {"id": model, "api_base": ""},
        "question_id": question_id,
        "candidates": [{"id": key, "sha256": ""} for key in arms],
        "neighbour_ids": around,
        "rollouts": planned,
        "control": bool(control),
        "adaptive": {"epsilon": 0.1, "delta": 0.05} if adaptive else None,
        "templates": {"cbu.rollout": {"version": "1", "sha256": "ab" * 32, "source": ""}},
    }
    run = runs.create(ws, RunKind.CBU, "Utility", spec, 1)
    for key, rolled in (*arms.items(), ("", control)):
        _put(ws, run, key, around, rolled)
    alone = _values(around, control)
    kind = Interval.ANYTIME if adaptive or not complete else Interval.SCORE
    for key, rolled in arms.items():
        own = _values(around, rolled)
        found = estimate(_rolls(own), _rolls(alone), interval=kind)
        utility, lift = found.utility, found.lift
        row = Utility(
            run_id=run.id,
            candidate_id=key,
            solver=model,
            mean=utility.value if utility else None,
            low=utility.low if utility else None,
            high=utility.high if utility else None,
            rollouts=planned,
            neighbours=own,
            control=alone,
            control_mean=found.control.value if found.control else None,
            lift=lift.value if lift else None,
            lift_low=lift.low if lift else None,
            lift_high=lift.high if lift else None,
            complete=complete,
            constrained=False,
            interval=kind,
            stopped_early=complete and adaptive and len(rolled[0]) < planned,
        )
        judgements.save_utilities(ws, [row])
    return run


def _put(ws: Workspace, run: Run, arm: str, around: Sequence[str], rolled: Sequence[str]) -> None:
    kept, rows = [], []
    for at, (neighbour_id, marks) in enumerate(zip(around, rolled, strict=False), 1):
        for sample, mark in enumerate(marks):
            value, decided_by = DECIDED[mark]
            key = f"{run.id} {arm} {at} {sample}"
            state = CallState.FAILED if mark == "!" else CallState.DONE
            reply = f"Reply {sample + 1} of {arm or 'control'} on N{at}."
            kept.append(replace(stored_call(key, run.id, reply, state), template="cbu.rollout"))
            answer = {"1": str(2 * at), "0": "17", "?": "x^x"}.get(mark, "")
            reason = "both read, no proof either way" if mark == "?" else ""
            rows.append(Rollout(run.id, arm, neighbour_id, sample, value, decided_by, answer, key, reason))
    calls.save(ws, kept)
    judgements.save_rollouts(ws, rows)


def _values(around: Sequence[str], rolled: Sequence[str]) -> tuple[NeighbourValue, ...]:
    values = []
    for key, marks in zip(around, rolled, strict=False):
        decided = [value for mark in marks if (value := DECIDED[mark][0]) is not None]
        replies = len(marks) - marks.count("!")
        undecided = len(marks) - len(decided)
        values.append(NeighbourValue(key, sum(decided), len(decided), undecided, replies, replies, marks.count("c")))
    return tuple(values)


def _rolls(values: Sequence[NeighbourValue]) -> list[Rolls]:
    return [Rolls(one.solved, one.decided, one.undecided) for one in values]
