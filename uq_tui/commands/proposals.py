"""Proposed neighbours as a table and as JSON: what solvers answered, and what became of each."""

import dataclasses
from collections.abc import Sequence

from rich.table import Table

from store import neighbours, proposals
from store.rows import Neighbour
from store.run_rows import Proposal
from store.workspace import Workspace
from uq_tui.commands import display
from uq_tui.words import NeighbourUse, ProposalState

_OUTCOMES = {
    ProposalState.ASKED: "not finished",
    ProposalState.AGREED: "agreed",
    ProposalState.DISAGREED: "not agreed",
    ProposalState.UNANSWERED: "not answered",
}
_ATTEMPT = ("solver", "sample", "answer", "state", "call_key")
LONGEST_CELL = 200
"""Characters of a statement in a table; the JSON has all of it."""


def table(workspace: Workspace, found: Sequence[Proposal]) -> Table:
    """One line a proposal: run, number, outcome, the neighbour made of it, the answer agreed on, why, the statement."""
    made = _neighbours(workspace, found)
    shown = display.table("run", "no.", "outcome", "neighbour", "answer", "why", "statement", fold=("why", "statement"))
    for one in found:
        values = (
            display.short_run(one.run_id),
            one.number,
            _OUTCOMES[one.state],
            _named(made[one.neighbour_id]) if one.neighbour_id in made else None,
            one.answer or None,
            one.reason,
            shortened(one.statement),
        )
        shown.add_row(*(display.cell(value) for value in values))
    return shown


def as_json(workspace: Workspace, found: Sequence[Proposal]) -> list[dict[str, object]]:
    """The proposals with every attempt at them."""
    attempts = {run_id: proposals.attempts(workspace, run_id) for run_id in dict.fromkeys(one.run_id for one in found)}
    return [
        {
            **dataclasses.asdict(one),
            "attempts": [
                {name: getattr(made, name) for name in _ATTEMPT}
                for made in attempts[one.run_id]
                if made.number == one.number
            ],
        }
        for one in found
    ]


def shortened(text: str) -> str:
    """A text as one line for a table."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_CELL else f"{line[: LONGEST_CELL - 1]}…"


def _neighbours(workspace: Workspace, found: Sequence[Proposal]) -> dict[str, Neighbour]:
    asked = dict.fromkeys(one.question_id for one in found)
    return {one.id: one for question_id in asked for one in neighbours.of_question(workspace, question_id)}


def _named(one: Neighbour) -> str:
    return f"N{one.number}" if one.use is NeighbourUse.IN_USE else f"N{one.number}, set aside"
