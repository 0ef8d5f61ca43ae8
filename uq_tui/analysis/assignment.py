"""Dividing problems among reviewers, some of them to be judged by more than one, balanced by field and length.

Every problem goes to one reviewer, whole. A share of the problems, chosen by a keyed hash, goes to two instead, or to
everyone. All rules are greedy over problems from the largest to the smallest, one field after the other, the longest of
a field first. Where the largest has M answers, one of n answers may go to whoever is at most M - n answers ahead of the
one who is furthest behind:

- one that is shared by two goes to such a pair, by the answers that pairs share so far;
- one that isn't goes to such a reviewer, by the answers that they have so far.

Of those who may get it, it goes to whoever has the fewest answers of its field, then the least to read, then the fewest
answers. In the end whoever has most to read and whoever has least trade problems of one field and one number of answers
that aren't shared, as long as that brings them closer.

With k reviewers, two shares differ by at most M max(1, k - 2) answers. No gap grows beyond M, since whoever gets a
problem is then at most M ahead. So what two pairs share differs by at most M, and each of two reviewers is in a pair
with the k - 2 others; what follows can't widen a gap beyond the larger of that and M. Where all problems have the same
number of answers and none is shared, each field's problems differ by at most one between two shares. Lengths come out
as even as that leaves room for: nothing is promised of them.
"""

from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from uq_tui.analysis.keyed import nearest, shuffled

_MOST_TRADES = 500


@dataclass(frozen=True, slots=True)
class Load:
    """What a problem is to whoever judges it."""

    answers: int
    """How many are judged."""
    field: str = ""
    length: int = 0
    """Characters to read."""


def divide(
    loads: Mapping[str, Load], reviewers: Sequence[str], *, overlap: float = 0.0, everyone: bool = False, key: bytes
) -> dict[str, frozenset[str]]:
    """Which problems each reviewer gets.

    Args:
        loads: what each problem is, by its id.
        reviewers: their ids, different ones, at least one.
        overlap: the share of problems, 0 to 1, that goes to more than one reviewer, to the nearest whole problem.
        everyone: these go to all reviewers, not to two.
        key: what decides between equals, and which problems are shared.

    Raises:
        ValueError: there is no reviewer, or one alone is to overlap.
    """
    if not reviewers or (overlap and len(reviewers) < 2):
        raise ValueError(f"{len(reviewers)} reviewers can't share")
    order = shuffled(key, "shared", loads)
    cut = nearest(overlap * len(order))
    most = max((load.answers for load in loads.values()), default=0)
    people = shuffled(key, "reviewers", reviewers)
    pairs = [tuple(people)] if everyone else list(combinations(people, 2))
    shares = {one: _Share() for one in people}
    for groups, problems in ((pairs, order[:cut]), ([(one,) for one in people], order[cut:])):
        ahead = {group: shares[group[0]].answers if len(group) == 1 else 0 for group in groups}
        for problem in _in_order(problems, loads):
            load = loads[problem]
            reach = min(ahead.values()) + most - load.answers
            group = min((some for some in groups if ahead[some] <= reach), key=lambda some: _weight(some, shares, load))
            ahead[group] += load.answers
            for one in group:
                shares[one].add(problem, load)
    _even_out(list(shares.values()), set(order[cut:]), loads)
    return {one: frozenset(shares[one].problems) for one in reviewers}


class _Share:
    """What a reviewer has so far."""

    def __init__(self) -> None:
        self.problems: list[str] = []
        self.answers = self.length = 0
        self.of_field: dict[str, int] = {}

    def add(self, problem: str, load: Load) -> None:
        self.problems.append(problem)
        self.answers += load.answers
        self.length += load.length
        self.of_field[load.field] = self.of_field.get(load.field, 0) + load.answers


def _weight(group: Sequence[str], shares: Mapping[str, _Share], load: Load) -> tuple[int, int, int]:
    """How little speaks for giving a problem to these."""
    those = [shares[one] for one in group]
    return (
        sum(one.of_field.get(load.field, 0) for one in those),
        sum(one.length for one in those),
        sum(one.answers for one in those),
    )


def _even_out(shares: Sequence[_Share], singles: Collection[str], loads: Mapping[str, Load]) -> None:
    """Trade problems that are alike but for their length between the share with most to read and that with least."""
    for _ in range(_MOST_TRADES):
        most = max(shares, key=lambda share: share.length)
        least = min(shares, key=lambda share: share.length)
        gap = most.length - least.length
        trade = min(_trades(most, least, singles, loads, gap), default=None)
        if trade is None or trade[0] >= gap:
            return
        _, given, taken = trade
        for one, other, problem in ((most, least, given), (least, most, taken)):
            one.problems.remove(problem)
            one.length -= loads[problem].length
            other.problems.append(problem)
            other.length += loads[problem].length


def _trades(
    most: _Share, least: _Share, singles: Collection[str], loads: Mapping[str, Load], gap: int
) -> Iterator[tuple[int, str, str]]:
    """For each problem of the one the best one of the other to trade it for, and the gap that this leaves."""
    others: dict[tuple[int, str], list[tuple[int, str]]] = {}
    for problem in least.problems:
        if problem in singles:
            load = loads[problem]
            others.setdefault((load.answers, load.field), []).append((load.length, problem))
    for alike in others.values():
        alike.sort()
    for problem in most.problems:
        load = loads[problem]
        alike = others.get((load.answers, load.field), []) if problem in singles else []
        at = bisect_left(alike, (load.length - gap // 2, ""))
        for length, other in alike[max(at - 1, 0) : at + 1]:
            if length < load.length:
                yield abs(gap - 2 * (load.length - length)), problem, other


def _in_order(problems: Sequence[str], loads: Mapping[str, Load]) -> list[str]:
    return sorted(problems, key=lambda one: (-loads[one].answers, loads[one].field, -loads[one].length))
