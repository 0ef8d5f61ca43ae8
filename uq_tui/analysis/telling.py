"""Whose outcome or label a report gives away, though it shows counts only.

A count over a group tells of each one in it when the group is small, or when all in it are alike. What it tells a
reviewer must be known before their next verdict, which is then not blind.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

from uq_tui.analysis.cases import Case, Group, by_author
from uq_tui.analysis.evaluation import kin_cells

FEWEST = 5
"""In a group of fewer candidates each one is taken to be told."""


def gives_away(n: int, values: Iterable[Hashable]) -> bool:
    """Whether figures over a group tell of each one in it.

    Args:
        n: how many are in it.
        values: what they got, as finely as the figures show it.
    """
    return n < FEWEST or len(set(values)) == 1


def outcomes_told(groups: Iterable[Group]) -> frozenset[str]:
    """Ids of candidates whose outcome a report on these groups gives away."""
    told = set[str]()
    for group in groups:
        for cell in (*_shown(group), group.cases, *by_author(group.cases).values()):
            told |= _told(cell, lambda case: case.judgement.outcome)
    return frozenset(told)


def labels_told(groups: Sequence[Group]) -> frozenset[str]:
    """Ids of candidates whose label a report on these groups gives away."""
    told = set[str]()
    for group in groups:
        for cell in _shown(group):
            told |= _told(cell, lambda case: case.correct)
    every = {case.answer.candidate_id: case for group in groups for case in group.cases if case.labelled}
    for cell in by_author(every.values()).values():
        told |= _told(cell, lambda case: case.correct)
    return frozenset(told)


def _shown(group: Group) -> Iterator[Sequence[Case]]:
    """The groups of labelled candidates of which a report shows both outcomes and labels."""
    yield [case for case in group.cases if case.labelled]
    yield group.measured
    yield from kin_cells(group).values()


def _told(cell: Sequence[Case], of: Callable[[Case], Hashable]) -> set[str]:
    return {case.answer.candidate_id for case in cell} if gives_away(len(cell), map(of, cell)) else set()
