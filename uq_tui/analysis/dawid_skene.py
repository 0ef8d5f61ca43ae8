"""What the labels of several people come to when each one's own mistakes are reckoned with.

Method: Dawid and Skene, Maximum Likelihood Estimation of Observer Error-Rates Using the EM Algorithm (Applied
Statistics 28, 1979, 20-28). Everybody is taken to err by themselves, with chances that depend only on what is true.
Labels may be missing. It starts from the shares of votes, so the same labels always come to the same.
"""

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

L = TypeVar("L", bound=Hashable)

MOST_ROUNDS = 500
CLOSE = 1e-8
"""The search ends when a round brings less to the logarithm of the likelihood, per unit."""
_LEAST = 1e-10
"""Chances are at least this, so that one label nobody expected doesn't rule everything out."""


@dataclass(frozen=True, slots=True)
class Reliability(Generic[L]):
    """How one person labels, as far as the estimate knows. `n` is the number of their labels."""

    n: int
    expected: Mapping[L, float]
    """How many of the units they labelled are truly of each label, in expectation."""
    says: Mapping[L, Mapping[L, float]]
    """Chance of each label that they give, by the true one."""

    @property
    def right(self) -> float:
        """The share of their labels that are right, in expectation."""
        return sum(count * self.says[label][label] for label, count in self.expected.items()) / self.n


@dataclass(frozen=True, slots=True)
class Estimated(Generic[L]):
    """What was found: chances sum to 1."""

    chances: Sequence[Mapping[L, float]]
    """Of each unit, in order, the chance that each label is the true one."""
    prevalence: Mapping[L, float]
    people: Mapping[str, Reliability[L]]
    rounds: int
    converged: bool


def dawid_skene(units: Sequence[Mapping[str, L]], labels: Sequence[L]) -> Estimated[L]:
    """Estimate what is true of units, and how reliable people are, from labels alone.

    Args:
        units: the labels of each unit by person, at least one; at least one unit.
        labels: all labels that there are, in order.

    Raises:
        ValueError: a unit has no label, or there is no unit.
    """
    if not units or not all(units):
        raise ValueError("a unit has no label" if units else "there is no unit")
    places = {label: number for number, label in enumerate(labels)}
    people = sorted({person for unit in units for person in unit})
    numbers = {person: number for number, person in enumerate(people)}
    # Units with the same labels by the same people have the same chances: they are reckoned once.
    kinds = [tuple(sorted((numbers[person], places[label]) for person, label in unit.items())) for unit in units]
    found = _Search(Counter(kinds), len(people), len(labels))
    rounds, converged = found.run()
    return Estimated(
        chances=[dict(zip(labels, found.chances[kind], strict=True)) for kind in kinds],
        prevalence=dict(zip(labels, found.prevalence, strict=True)),
        people={person: found.reliability(number, labels) for person, number in numbers.items()},
        rounds=rounds,
        converged=converged,
    )


_Kind = tuple[tuple[int, int], ...]
"""(person, label) of everybody who labelled a unit."""


class _Search:
    """Expectation and maximisation in turn, over kinds of units. People and labels are numbers."""

    def __init__(self, kinds: Counter[_Kind], people: int, labels: int) -> None:
        self._kinds = kinds
        self._people = people
        self._labels = range(labels)
        self.chances: dict[_Kind, list[float]] = {kind: _votes(kind, labels) for kind in kinds}
        self.prevalence: list[float] = []
        self._confusion: list[list[list[float]]] = []
        """Of each person, by true label, how often they are expected to have given each label."""

    def run(self) -> tuple[int, bool]:
        """Search until hardly anything changes; the number of rounds, and whether it came to that."""
        before, units = -math.inf, self._kinds.total()
        for done in range(1, MOST_ROUNDS + 1):
            self._maximise()
            now = self._expect()
            if now - before < CLOSE * units:
                return done, True
            before = now
        return MOST_ROUNDS, False

    def _maximise(self) -> None:
        """What people and labels are like, if units are as the chances say."""
        totals = [0.0 for _ in self._labels]
        self._confusion = [[[0.0 for _ in self._labels] for _ in self._labels] for _ in range(self._people)]
        for kind, count in self._kinds.items():
            for true, chance in enumerate(self.chances[kind]):
                weight = count * chance
                totals[true] += weight
                for person, label in kind:
                    self._confusion[person][true][label] += weight
        units = self._kinds.total()
        self.prevalence = [total / units for total in totals]

    def _expect(self) -> float:
        """What units are like, if people and labels are like that; the logarithm of the likelihood."""
        prior = [math.log(max(share, _LEAST)) for share in self.prevalence]
        # By person and label given, for each true label.
        logs = [
            [[math.log(says[label]) for says in map(_shares, rows)] for label in self._labels]
            for rows in self._confusion
        ]
        likelihood = 0.0
        for kind, count in self._kinds.items():
            found = prior
            for person, label in kind:
                found = [a + b for a, b in zip(found, logs[person][label], strict=True)]
            highest = max(found)
            powers = [math.exp(one - highest) for one in found]
            whole = sum(powers)
            self.chances[kind] = [power / whole for power in powers]
            likelihood += count * (highest + math.log(whole))
        return likelihood

    def reliability(self, person: int, labels: Sequence[L]) -> Reliability[L]:
        rows = self._confusion[person]
        return Reliability(
            n=sum(count for kind, count in self._kinds.items() for one, _ in kind if one == person),
            expected={label: sum(row) for label, row in zip(labels, rows, strict=True)},
            says={label: dict(zip(labels, _shares(row), strict=True)) for label, row in zip(labels, rows, strict=True)},
        )


def _votes(kind: _Kind, labels: int) -> list[float]:
    given = Counter(label for _, label in kind)
    return [given[label] / len(kind) for label in range(labels)]


def _shares(row: Sequence[float]) -> list[float]:
    """Chances in proportion to counts, none of them 0."""
    least = [max(count, _LEAST) for count in row]
    whole = sum(least)
    return [one / whole for one in least]
