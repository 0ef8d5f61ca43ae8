"""What machines found about candidates: outcomes of strategies, rollouts on neighbours, utilities.

Rows are keyed by what they are about, so a resumed run may save them again.
"""

import json
from collections.abc import Collection, Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection, Row, bindparam, select, tuple_
from sqlmodel import col

from store.run_rows import NeighbourValue, Rollout, StageOutcome, Utility
from store.run_tables import OutcomeTable, RolloutTable, RunTable, UtilityTable
from store.tables import CandidateTable
from store.upsert import saving
from store.workspace import Workspace
from uq_tui.words import DecidedBy, Interval, Outcome

_SAVE_OUTCOMES = saving(OutcomeTable, ("run_id", "candidate_id", "path"), kept="created_at")
_SAVE_ROLLOUTS = saving(RolloutTable, ("run_id", "candidate_id", "neighbour_id", "sample"))
_SAVE_UTILITY = saving(UtilityTable, ("run_id", "candidate_id"))

# Built once: building a statement takes longer than running it.
_OUTCOMES_OF_CANDIDATE = (
    select(OutcomeTable)
    .join(RunTable, col(RunTable.id) == col(OutcomeTable.run_id))
    .where(col(OutcomeTable.candidate_id) == bindparam("candidate"))
    .order_by(col(RunTable.created_at), col(RunTable.id), col(OutcomeTable.round), col(OutcomeTable.path))
)
_UTILITIES_OF_CANDIDATE = (
    select(UtilityTable)
    .join(RunTable, col(RunTable.id) == col(UtilityTable.run_id))
    .where(col(UtilityTable.candidate_id) == bindparam("candidate"))
    .order_by(col(RunTable.created_at), col(RunTable.id))
)


def save_outcomes(ws: Workspace, outcomes: Sequence[StageOutcome]) -> None:
    """Store outcomes, all or none. One that is stored already keeps its time; one that differs is replaced."""
    rows = [
        {**asdict(outcome), "outcome": outcome.outcome.value, "call_keys": json.dumps(outcome.call_keys)}
        for outcome in outcomes
    ]
    if rows:
        ws.write(lambda conn: conn.execute(_SAVE_OUTCOMES, rows))


def outcomes_of_run(ws: Workspace, run_id: str, candidate_id: str = "") -> tuple[StageOutcome, ...]:
    """Outcomes of a run, by candidate, round and path; of one candidate when it is named."""
    query = select(OutcomeTable).where(col(OutcomeTable.run_id) == run_id)
    if candidate_id:
        query = query.where(col(OutcomeTable.candidate_id) == candidate_id)
    with ws.read() as conn:
        in_order = (col(OutcomeTable.candidate_id), col(OutcomeTable.round), col(OutcomeTable.path))
        return tuple(_outcome(row) for row in conn.execute(query.order_by(*in_order)))


def outcomes_of_candidate(ws: Workspace, candidate_id: str) -> tuple[StageOutcome, ...]:
    """A candidate's outcomes from all runs: the oldest run first, within it by round and path."""
    with ws.read() as conn:
        return read_outcomes(conn, candidate_id)


def read_outcomes(conn: Connection, candidate_id: str) -> tuple[StageOutcome, ...]:
    """`outcomes_of_candidate` within a transaction."""
    return tuple(_outcome(row) for row in conn.execute(_OUTCOMES_OF_CANDIDATE, {"candidate": candidate_id}))


def save_rollouts(ws: Workspace, rollouts: Sequence[Rollout]) -> None:
    """Store rollouts, all or none. One that differs from what is stored replaces it."""
    rows = [{**asdict(rollout), "decided_by": rollout.decided_by.value} for rollout in rollouts]
    if rows:
        ws.write(lambda conn: conn.execute(_SAVE_ROLLOUTS, rows))


def rollouts_of_run(
    ws: Workspace,
    run_id: str,
    *,
    candidate_ids: Collection[str] | None = None,
    neighbour_id: str = "",
    after: Rollout | None = None,
    limit: int | None = None,
) -> tuple[Rollout, ...]:
    """Rollouts of a run by candidate (the control arm first), neighbour and sample.

    Args:
        ws: where to look.
        run_id: the run.
        candidate_ids: only those with these candidates as the example, "" for none; `None` for all.
        neighbour_id: only those on this neighbour; "" for all.
        after: only what follows this one in the order, for the next page.
        limit: at most so many; `None` for all.
    """
    in_order = (col(RolloutTable.candidate_id), col(RolloutTable.neighbour_id), col(RolloutTable.sample))
    query = select(RolloutTable).where(col(RolloutTable.run_id) == run_id).order_by(*in_order)
    if candidate_ids is not None:
        query = query.where(col(RolloutTable.candidate_id).in_(list(candidate_ids)))
    if neighbour_id:
        query = query.where(col(RolloutTable.neighbour_id) == neighbour_id)
    if after is not None:
        query = query.where(tuple_(*in_order) > tuple_(after.candidate_id, after.neighbour_id, after.sample))
    with ws.read() as conn:
        return tuple(_rollout(row) for row in conn.execute(query.limit(limit)))


def save_utilities(ws: Workspace, utilities: Sequence[Utility]) -> None:
    """Store utilities, all or none, each in place of an earlier one of the same run and candidate."""
    rows = [
        {
            **asdict(one),
            "neighbours": _values_json(one.neighbours),
            "control": _values_json(one.control),
            "placebo": _values_json(one.placebo),
        }
        for one in utilities
    ]
    if rows:
        ws.write(lambda conn: conn.execute(_SAVE_UTILITY, rows))


def utilities_of_run(ws: Workspace, run_id: str) -> tuple[Utility, ...]:
    """A run's utilities, finished or not, in the candidates' order."""
    query = (
        select(UtilityTable)
        .join(CandidateTable, col(CandidateTable.id) == col(UtilityTable.candidate_id))
        .where(col(UtilityTable.run_id) == run_id)
        .order_by(col(CandidateTable.question_id), col(CandidateTable.number))
    )
    with ws.read() as conn:
        return tuple(_utility(row) for row in conn.execute(query))


def utilities_of_question(ws: Workspace, question_id: str) -> tuple[Utility, ...]:
    """For each candidate of the question that has one, the utility of its newest finished run, in their order.

    The first figures of a run that has only begun don't replace those of a finished one: where no run has finished, the
    newest one stands, with `complete` false. Nor does a run that brought no figure replace one that did.
    """
    query = (
        select(UtilityTable)
        .join(CandidateTable, col(CandidateTable.id) == col(UtilityTable.candidate_id))
        .join(RunTable, col(RunTable.id) == col(UtilityTable.run_id))
        .where(col(CandidateTable.question_id) == question_id)
        .order_by(col(CandidateTable.number), col(RunTable.created_at), col(RunTable.id))
    )
    with ws.read() as conn:
        found = [_utility(row) for row in conn.execute(query)]
    newest: dict[str, Utility] = {}
    for one in found:
        standing = newest.get(one.candidate_id)
        if standing is None or _weight(one) >= _weight(standing):
            newest[one.candidate_id] = one
    return tuple(newest.values())


def _weight(one: Utility) -> tuple[bool, bool]:
    """What has more of it stands for its candidate, however old."""
    return one.mean is not None, one.complete


def complete_utilities(ws: Workspace, question_id: str = "") -> tuple[Utility, ...]:
    """Finished utilities from all runs, the oldest run first; only of a question's candidates when it is named."""
    query = (
        select(UtilityTable)
        .join(CandidateTable, col(CandidateTable.id) == col(UtilityTable.candidate_id))
        .join(RunTable, col(RunTable.id) == col(UtilityTable.run_id))
        .where(col(UtilityTable.complete))
        .order_by(col(RunTable.created_at), col(RunTable.id), col(CandidateTable.number))
    )
    if question_id:
        query = query.where(col(CandidateTable.question_id) == question_id)
    with ws.read() as conn:
        return tuple(_utility(row) for row in conn.execute(query))


def utilities_of_candidate(ws: Workspace, candidate_id: str) -> tuple[Utility, ...]:
    """A candidate's utilities from all runs, finished or not, the oldest run first."""
    with ws.read() as conn:
        return _read_utilities(conn, candidate_id)


def read_complete_utilities(conn: Connection, candidate_id: str) -> tuple[Utility, ...]:
    """A candidate's finished utilities from all runs, the oldest run first; within a transaction."""
    return tuple(one for one in _read_utilities(conn, candidate_id) if one.complete)


def _read_utilities(conn: Connection, candidate_id: str) -> tuple[Utility, ...]:
    """A candidate's utilities by run, the oldest first."""
    return tuple(_utility(row) for row in conn.execute(_UTILITIES_OF_CANDIDATE, {"candidate": candidate_id}))


def _values_json(values: Sequence[NeighbourValue]) -> str:
    return json.dumps([asdict(value) for value in values])


def _values(text: str) -> tuple[NeighbourValue, ...]:
    # Rows written by uq-tui 0.1.0 have no counts of replies.
    return tuple(NeighbourValue(**value) for value in json.loads(text))


def _outcome(row: Row[Any]) -> StageOutcome:
    return StageOutcome(
        run_id=row.run_id,
        candidate_id=row.candidate_id,
        path=row.path,
        outcome=Outcome(row.outcome),
        reason=row.reason,
        call_key=row.call_key,
        round=row.round,
        created_at=row.created_at,
        call_keys=tuple(json.loads(row.call_keys)),
    )


def _rollout(row: Row[Any]) -> Rollout:
    return Rollout(
        run_id=row.run_id,
        candidate_id=row.candidate_id,
        neighbour_id=row.neighbour_id,
        sample=row.sample,
        value=row.value,
        decided_by=DecidedBy(row.decided_by),
        answer=row.answer,
        call_key=row.call_key,
        reason=row.reason,
    )


def _utility(row: Row[Any]) -> Utility:
    return Utility(
        run_id=row.run_id,
        candidate_id=row.candidate_id,
        solver=row.solver,
        mean=row.mean,
        low=row.low,
        high=row.high,
        rollouts=row.rollouts,
        neighbours=_values(row.neighbours),
        control=_values(row.control),
        control_mean=row.control_mean,
        lift=row.lift,
        lift_low=row.lift_low,
        lift_high=row.lift_high,
        complete=row.complete,
        constrained=row.constrained,
        interval=Interval(row.interval),
        stopped_early=row.stopped_early,
        placebo=_values(row.placebo),
        placebo_mean=row.placebo_mean,
    )
