"""What judges, validators and outside scorers gave to a question's candidates, beside their utilities."""

from collections.abc import Mapping
from dataclasses import dataclass

from store.workspace import Workspace
from uq_tui.state.reports import candidate_scores
from uq_tui.state.reports.candidate_scores import Given
from uq_tui.state.reports.figures import DASH, decimal, number
from uq_tui.state.reports.labels import Against, Labels
from uq_tui.state.reports.scorers import Kind, Scorer
from uq_tui.text import clean_line


@dataclass(frozen=True, slots=True)
class Column:
    """One scorer's figures."""

    name: str
    texts: Mapping[str, str]
    """By candidate; those it has not scored are left out."""


def read(ws: Workspace, reviewer_id: str, question_id: str, where: str) -> tuple[Column, ...]:
    """Everybody else's figures, once it is recorded that they are shown. Raises StoreError.

    Args:
        ws: where to look.
        reviewer_id: who sees them.
        question_id: whose candidates.
        where: the place that exposures name.
    """
    found = candidate_scores.read(ws, question_id, Labels(against=Against.KNOWN))
    candidate_scores.record_shown(ws, reviewer_id, found.rows, where, labels=False)
    return tuple(
        Column(
            clean_line(found.names[scorer]),
            {row.place.candidate_id: text_of(scorer, row.given[scorer]) for row in found.rows if scorer in row.given},
        )
        for scorer in found.scorers
        if scorer.kind is not Kind.UTILITY
    )


def text_of(scorer: Scorer, given: Given) -> str:
    """`8.25 (8)` with the number of scores, `accept`, `-0.013`; a dash for what is unknown."""
    if given.outcome is not None:
        return given.outcome.value
    if given.value is None:
        return DASH
    if scorer.kind is Kind.JUDGE:
        return f"{decimal(given.value)} ({given.n if given.n == given.planned else f'{given.n} of {given.planned}'})"
    return number(given.value)
