"""Utilities of a question as they are shown: the newest of each candidate, with what it was measured by."""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from store import judgements, rollout_counts, runs
from store.run_rows import NeighbourValue, Utility
from store.workspace import Workspace
from uq_tui.analysis.allocation import DELTA, EPSILON
from uq_tui.analysis.intervals import mean_of_proportions
from uq_tui.analysis.neighbour_advice import TOO_EASY
from uq_tui.analysis.utility import Rolls
from uq_tui.words import DecidedBy, Interval

_HARDLY = 0.1
"""Up to this share of rollouts a solver solves hardly anything."""


_MANY = 0.1
"""An arm with a larger share of its rollouts undecided is told of."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A candidate's utility in one run."""

    utility: Utility
    solver: str
    """The solver's model id."""
    basis: str
    """Equal where utilities can be compared: same solver, neighbours, prompts and parameters."""
    epsilon: float = EPSILON
    """How closely candidates are compared; adaptive runs pin their own, `delta` too."""
    delta: float = DELTA
    equivalence: str = ""
    """The model that was asked whether answers are equal; empty where none was."""
    placebo_id: str = ""
    under_way: bool = False
    decided: Mapping[DecidedBy, int] = field(default_factory=dict)
    """How many of the candidate's rollouts were decided in which way."""
    advice: str = ""
    """What `advice` says beside every candidate that can be compared with this one."""


def newest(ws: Workspace, question_id: str, running: Collection[str]) -> dict[str, Utility]:
    """By candidate, the utility to show: of a run under way once it has a figure, else of the newest finished one.

    Args:
        running: ids of the runs under way.

    Raises:
        StoreError: the workspace cannot be read.
    """
    found = {one.candidate_id: one for one in judgements.utilities_of_question(ws, question_id)}
    for run_id in running:
        for one in judgements.utilities_of_run(ws, run_id):
            if one.mean is not None or one.candidate_id not in found:
                found[one.candidate_id] = one
    return found


def read(ws: Workspace, question_id: str, running: Collection[str]) -> dict[str, Measured]:
    """`newest` with what each was measured by. Raises StoreError."""
    found = newest(ws, question_id, running)
    run_ids = {one.run_id for one in found.values()}
    specs = {run_id: runs.get(ws, run_id).spec for run_id in run_ids}
    decided = {run_id: rollout_counts.decided_by(ws, run_id) for run_id in run_ids}
    read = {
        candidate_id: _measured(
            one,
            specs[one.run_id],
            under_way=one.run_id in running,
            decided=decided[one.run_id].get(candidate_id, {}),
        )
        for candidate_id, one in found.items()
    }
    unadvised = {one.basis for one in read.values() if not advice(one.utility)}
    return {
        key: one if one.basis in unadvised else replace(one, advice=advice(one.utility)) for key, one in read.items()
    }


def _measured(
    utility: Utility, spec: Mapping[str, Any], *, under_way: bool, decided: Mapping[DecidedBy, int]
) -> Measured:
    adaptive, placebo, equivalence = spec.get("adaptive"), spec.get("placebo"), spec.get("equivalence")
    return Measured(
        utility,
        solver=spec["model"]["id"],
        basis=_basis(spec),
        epsilon=adaptive["epsilon"] if adaptive else EPSILON,
        delta=adaptive["delta"] if adaptive else DELTA,
        equivalence=equivalence["id"] if equivalence else "",
        placebo_id=placebo["candidate"]["id"] if placebo else "",
        under_way=under_way,
        decided=decided,
    )


def _basis(spec: Mapping[str, Any]) -> str:
    prompts = {name: one["sha256"] for name, one in spec.get("templates", {}).items() if name.startswith("cbu.rollout")}
    parts = [spec["model"], sorted(spec.get("neighbour_ids", ())), prompts, spec.get("sampling")]
    return json.dumps([*parts, spec.get("equivalence")], sort_keys=True)


def rolls(values: Iterable[NeighbourValue]) -> list[Rolls]:
    """Counts as the estimators take them."""
    return [Rolls(one.solved, one.decided, one.undecided) for one in values]


def interval_text(measured: Measured) -> str:
    """What kind of interval stands there, in a few words."""
    own = measured.utility
    if measured.under_way:
        return "live: holds at every look" if own.interval is Interval.ANYTIME else "live: not to stop by"
    if not own.complete:
        return "incomplete: holds at every look" if own.interval is Interval.ANYTIME else "incomplete"
    if own.interval is Interval.SCORE:
        return f"T = {own.rollouts} fixed"
    return "stopped early: holds at every look" if own.stopped_early else "all T done: holds at every look"


def decided_text(measured: Measured) -> str:
    """How rollouts were decided, where not all were by exact reading: `2 by algebra, 1 by a model, 1 undecidable`."""
    found = measured.decided
    model = f"by {measured.equivalence}" if measured.equivalence else "by a model"
    words = {
        DecidedBy.SYMBOLIC: "by algebra",
        DecidedBy.MODEL: model,
        DecidedBy.NO_ANSWER: "without an answer",
        DecidedBy.CUT_OFF: "cut off",
        DecidedBy.CALL_FAILED: "failed",
        DecidedBy.UNDECIDABLE: "undecidable",
        DecidedBy.FAILED: "not compared",
    }
    return ", ".join(f"{found[way]} {said}" for way, said in words.items() if found.get(way))


def advice(utility: Utility) -> str:
    """What the control arm says of the neighbours: too easy or too hard for this solver. Empty where nothing is odd.

    Where the solver solves nearly all without a candidate, or nearly nothing with or without one, no candidate can
    stand out: Consequence-Based Utility (arXiv 2602.06291v1) needs neighbours in between. This is about neighbours, so
    it holds only where it is said beside all candidates: one that is no help may stand among others that are. Nothing
    is said of so few rollouts that the control's interval holds a half: `2/2` is no sign of anything.
    """
    alone = mean_of_proportions([(one.solved, one.decided) for one in utility.control])
    if alone is None or alone.low < 0.5 < alone.high:
        return ""
    solved, decided = (sum(getattr(one, name) for one in utility.control) for name in ("solved", "decided"))
    seen = f"{solved}/{decided} solved without a candidate"
    if alone.value >= TOO_EASY:
        return f"{seen}: the neighbours are too easy for this solver. Prefer a judge."
    if alone.value <= _HARDLY and utility.mean is not None and utility.mean <= _HARDLY:
        return f"{seen}, and no more with it: the neighbours may be too hard for this solver. Prefer a judge."
    return ""


def odd_text(values: Iterable[NeighbourValue]) -> str:
    """`3 undecided (2 cut off)`: the rollouts on these neighbours that say nothing; empty when all are decided.

    Rollouts of uq-tui 0.1.0 that were cut behind a box are decided: `1 cut off` stands by itself then.
    """
    own = tuple(values)
    undecided, cut = sum(one.undecided for one in own), sum(one.cut_off or 0 for one in own)
    if undecided and 0 < cut <= undecided:
        return f"{undecided:,} undecided ({cut:,} cut off)"
    return ", ".join(f"{number:,} {word}" for number, word in ((undecided, "undecided"), (cut, "cut off")) if number)


def caution(utility: Utility) -> str:
    """What to think of means that leave out more than a tenth of an arm's rollouts; empty where none does.

    A solver that answers in words, or too long, where it is wrong has its wrong answers left undecided more often than
    its right ones.
    """
    arms = (("", utility.neighbours), (" of the control", utility.control), (" of the placebo", utility.placebo))
    said = []
    for whose, values in arms:
        undecided = sum(one.undecided for one in values)
        made = undecided + sum(one.decided for one in values)
        if undecided > _MANY * made:
            said.append(f"{undecided:,} of {made:,} rollouts{whose}")
    if not said:
        return ""
    return f"Undecided and left out: {', '.join(said)}. A mean is too high where those left out were wrong."


def neighbours_text(count: int) -> str:
    """The estimand in a few words."""
    return f"over these {count} neighbours only" if count > 1 else "over this neighbour only"
