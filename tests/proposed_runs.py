"""Runs that proposed neighbours, as the store keeps them."""

from collections.abc import Mapping, Sequence

from store import proposals, runs
from store.run_rows import Attempt, Proposal, Run
from store.workspace import Workspace
from uq_tui.words import DecidedBy, ProposalState, RunKind

AT = "2026-01-02T12:03:00.000000Z"
Answers = Mapping[str, Sequence[str | DecidedBy]]
"""By solver, an answer or why there is none."""


def begun_proposing(ws: Workspace, question_id: str) -> Run:
    """A run that has not brought anything."""
    return runs.create(ws, RunKind.NEIGHBOURS, "Neighbours", {"question_id": question_id}, 5)


def put_proposal(
    ws: Workspace,
    run: Run,
    number: int,
    statement: str,
    answers: Answers | None = None,
    *,
    state: ProposalState = ProposalState.ASKED,
    reason: str = "",
    answer: str = "",
    neighbour_id: str = "",
) -> Proposal:
    """One proposal of a run, with what its solvers answered."""
    proposal = Proposal(
        run_id=run.id,
        number=number,
        question_id=run.spec["question_id"],
        statement=statement,
        skill="counting",
        state=state,
        answer=answer,
        reason=reason,
        neighbour_id=neighbour_id,
        created_at=AT,
    )
    proposals.save(ws, [proposal])
    proposals.save_attempts(
        ws,
        [attempt for solver, given in (answers or {}).items() for attempt in attempts(run.id, number, solver, given)],
    )
    return proposal


def attempts(run_id: str, number: int, solver: str, given: Sequence[str | DecidedBy]) -> list[Attempt]:
    """A solver's attempts at a proposal, in order."""
    return [
        Attempt(
            run_id=run_id,
            number=number,
            solver=solver,
            sample=sample,
            answer="" if isinstance(one, DecidedBy) else one,
            state=one if isinstance(one, DecidedBy) else None,
            call_key=f"{run_id} {number} {solver} {sample}",
        )
        for sample, one in enumerate(given)
    ]
