"""The runs that judged a candidate, as ladders read from the store."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from store import call_uses, judgements, runs
from store.run_rows import Run, StageOutcome
from store.workspace import Workspace
from uq_tui.state.ladder.ladder import Ladder, keys_of
from uq_tui.state.ladder.shape import LadderShape


@dataclass(frozen=True, slots=True)
class Judged:
    """One run that judged a candidate, and what came of it."""

    run: Run
    ladder: Ladder


def runs_that_judged(ws: Workspace, candidate_id: str) -> tuple[Judged, ...]:
    """Every run with an outcome for the candidate, the oldest first."""
    return tuple(_judged(ws, run_id, kept) for run_id, kept in _by_run(ws, candidate_id))


def newest(ws: Workspace, candidate_id: str) -> Judged | None:
    """The newest run with an outcome for the candidate."""
    found = _by_run(ws, candidate_id)
    return _judged(ws, *found[-1]) if found else None


def _by_run(ws: Workspace, candidate_id: str) -> list[tuple[str, tuple[StageOutcome, ...]]]:
    outcomes = judgements.outcomes_of_candidate(ws, candidate_id)
    return [(run_id, tuple(group)) for run_id, group in groupby(outcomes, key=lambda kept: kept.run_id)]


def _judged(ws: Workspace, run_id: str, outcomes: Iterable[StageOutcome]) -> Judged:
    kept = tuple(outcomes)
    uses = call_uses.of_keys(ws, [key for outcome in kept for key in keys_of(outcome)])
    run = runs.get(ws, run_id)
    return Judged(run, Ladder.from_store(run_id, LadderShape.of(run.spec), kept, uses))
