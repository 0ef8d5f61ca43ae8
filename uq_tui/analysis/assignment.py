"""Dividing problems among reviewers, some of them to be judged by more than one.

Every problem goes to one reviewer, whole. A share of the problems, chosen by a keyed hash, goes to two instead, or to
everyone. All rules are greedy over problems from the largest to the smallest, so that shares come out even:

- one that is shared by two goes to the pair that shares the fewest answers so far;
- one that isn't goes to whoever has the fewest answers so far.

With M answers in the largest problem and k reviewers, two shares differ by at most M max(1, k - 2) answers. What two
pairs share differs by at most M, and each of two reviewers is in a pair with the k - 2 others; what follows goes to the
smallest share, so that it can't widen a gap beyond M.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations

from uq_tui.analysis.keyed import nearest, shuffled


def divide(
    sizes: Mapping[str, int], reviewers: Sequence[str], *, overlap: float = 0.0, everyone: bool = False, key: bytes
) -> dict[str, frozenset[str]]:
    """Which problems each reviewer gets.

    Args:
        sizes: how many answers are judged of each problem, by its id.
        reviewers: their ids, different ones, at least one.
        overlap: the share of problems, 0 to 1, that goes to more than one reviewer, to the nearest whole problem.
        everyone: these go to all reviewers, not to two.
        key: what decides between equals, and which problems are shared.

    Raises:
        ValueError: there is no reviewer, or one alone is to overlap.
    """
    if not reviewers or (overlap and len(reviewers) < 2):
        raise ValueError(f"{len(reviewers)} reviewers can't share")
    order = shuffled(key, "shared", sizes)
    cut = nearest(overlap * len(order))
    shared, single = _largest_first(order[:cut], sizes), _largest_first(order[cut:], sizes)
    people = shuffled(key, "reviewers", reviewers)
    groups = [tuple(people)] if everyone else list(combinations(people, 2))
    together = dict.fromkeys(groups, 0)
    loads = dict.fromkeys(people, 0)
    given: dict[str, set[str]] = {one: set() for one in reviewers}
    for problem in shared:
        group = min(groups, key=lambda some: (together[some], sum(loads[one] for one in some)))
        together[group] += sizes[problem]
        for one in group:
            given[one].add(problem)
            loads[one] += sizes[problem]
    for problem in single:
        one = min(people, key=lambda person: loads[person])
        given[one].add(problem)
        loads[one] += sizes[problem]
    return {one: frozenset(problems) for one, problems in given.items()}


def _largest_first(problems: Sequence[str], sizes: Mapping[str, int]) -> list[str]:
    return sorted(problems, key=lambda one: -sizes[one])
