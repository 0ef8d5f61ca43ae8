"""Rollouts of the rule that stops early against fixed numbers, with a solver of known success rates.

A question has 10 candidates, 2 neighbours and a control arm, as in the paper's set. A candidate has a utility, and on
each neighbour a success rate around it (normal deviation .1, kept in 0 to .98); a rollout is a draw of these. The rule
ends when the best is known to within .1, or after 64 rollouts a neighbour; then the highest estimate is named, as with
a fixed number. All ways see the same draws. Control rollouts count: each round has them.

    mix        4 or 5 candidates with utilities of .3 to .9, the others of 0 to .2
    clear      one of .9, one each of .6, .5 and .4, the others of 0 to .2
    close      4 of .7 to .9, the others of 0 to .2
    low        2 of .2 to .5, the others of 0 to .1: a solver that hardly can
    undecided  as mix, and a tenth of the rollouts never comes to an answer
    five       as mix, with 5 neighbours
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from benchmarks.results import Result
from uq_tui.analysis.allocation import Arm, standing

QUESTIONS = 200
"""Of each regime."""
CANDIDATES = 10
EPSILON = 0.1
MOST = 64
"""Rollouts on each neighbour."""
FEW = 8
SIZES = tuple(range(FEW, MOST + 1, FEW))
_DEVIATION = 0.1

Rollouts = tuple[tuple[tuple[int | None, ...], ...], ...]
"""Values by candidate, neighbour and round: 1 solved, 0 not, `None` undecided."""


@dataclass(frozen=True, slots=True)
class Regime:
    """A kind of questions. `good` is (lowest, highest utility) of its good candidates, the rest go from 0 to `rest`."""

    name: str
    good: tuple[tuple[float, float], ...]
    maybe: tuple[float, float] | None = None
    """One more good candidate in half of the questions."""
    rest: float = 0.2
    neighbours: int = 2
    undecided: float = 0.0


_MIXED = (0.3, 0.9)
REGIMES = (
    Regime("mix", (_MIXED,) * 4, _MIXED),
    Regime("clear", ((0.9, 0.9), (0.6, 0.6), (0.5, 0.5), (0.4, 0.4))),
    Regime("close", ((0.7, 0.9),) * 4),
    Regime("low", ((0.2, 0.5),) * 2, rest=0.1),
    Regime("undecided", (_MIXED,) * 4, _MIXED, undecided=0.1),
    Regime("five", (_MIXED,) * 4, _MIXED, neighbours=5),
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a way of asking came to on one question."""

    calls: int
    wrong: bool
    """The candidate named is more than epsilon below the best."""
    decided: bool


@dataclass(frozen=True, slots=True)
class Question:
    """A question with all rollouts that could be asked for."""

    utilities: tuple[float, ...]
    rollouts: Rollouts

    @classmethod
    def drawn(cls, regime: Regime, draws: random.Random) -> "Question":
        """A question of a regime."""
        ranges = [*regime.good]
        if regime.maybe is not None and draws.random() < 0.5:
            ranges.append(regime.maybe)
        ranges += [(0.0, regime.rest)] * (CANDIDATES - len(ranges))
        rates = []
        for low, high in ranges:
            around = draws.uniform(low, high)
            rates.append([min(0.98, max(0.0, draws.gauss(around, _DEVIATION))) for _ in range(regime.neighbours)])

        def value(rate: float) -> int | None:
            return None if draws.random() < regime.undecided else int(draws.random() < rate)

        rollouts = tuple(tuple(tuple(value(rate) for _ in range(MOST)) for rate in own) for own in rates)
        return cls(tuple(fmean(own) for own in rates), rollouts)

    def fixed(self, size: int) -> Outcome:
        """So many rounds of all candidates."""
        arms = [_arm(number, own, range(size)) for number, own in enumerate(self.rollouts)]
        neighbours = len(self.rollouts[0])
        return Outcome((CANDIDATES + 1) * neighbours * size, self._wrong(arms), decided=True)

    def adaptive(self) -> Outcome:
        """Rounds of those that `standing` leaves open."""
        asked: list[list[int]] = [[] for _ in self.rollouts]
        going = list(range(len(self.rollouts)))
        calls = 0
        arms: list[Arm] = []
        for number in range(MOST):
            for candidate in going:
                asked[candidate].append(number)
            calls += (len(going) + 1) * len(self.rollouts[0])
            arms = [_arm(place, own, asked[place]) for place, own in enumerate(self.rollouts)]
            found = standing(arms, epsilon=EPSILON)
            if found.decided:
                return Outcome(calls, self._wrong(arms), decided=True)
            going = [int(key) for key in found.open]
        return Outcome(calls, self._wrong(arms), decided=False)

    def _wrong(self, arms: Sequence[Arm]) -> bool:
        named = max(arms, key=lambda arm: fmean(solved / max(1, decided) for solved, decided in arm.strata))
        return self.utilities[int(named.key)] < max(self.utilities) - EPSILON


def _arm(number: int, own: Sequence[Sequence[int | None]], rounds: Sequence[int]) -> Arm:
    seen = [[values[place] for place in rounds] for values in own]
    return Arm(str(number), tuple((values.count(1), len(values) - values.count(None)) for values in seen))


def questions(regime: Regime, number: int) -> Iterator[Question]:
    """Always the same ones."""
    draws = random.Random(regime.name)
    for _ in range(number):
        yield Question.drawn(regime, draws)


def measure() -> list[Result]:
    """`cbu.adaptive_calls`, a regime each: rollouts a question of the rule, against 64 a neighbour."""
    return [_measured(regime) for regime in REGIMES]


def _measured(regime: Regime) -> Result:
    adaptive = []
    fixed: dict[int, list[Outcome]] = {size: [] for size in SIZES}
    for question in questions(regime, QUESTIONS):
        adaptive.append(question.adaptive())
        for size in SIZES:
            fixed[size].append(question.fixed(size))
    wrong = {size: fmean(of.wrong for of in found) for size, found in fixed.items()}
    calls = {size: fmean(of.calls for of in found) for size, found in fixed.items()}
    own_calls, own_wrong = fmean(of.calls for of in adaptive), fmean(of.wrong for of in adaptive)
    equal = next((size for size in SIZES if wrong[size] <= own_wrong), None)
    return Result(
        name="cbu.adaptive_calls" if regime is REGIMES[0] else f"cbu.adaptive_calls.{regime.name}",
        value=own_calls,
        unit="rollouts",
        baseline=calls[MOST],
        ratio=own_calls / calls[MOST],
        runs=QUESTIONS,
        what=(
            f"a question, against {MOST} a neighbour; {fmean(of.decided for of in adaptive):.0%} decided; wrong by "
            f"more than {EPSILON}: {own_wrong:.1%}, {MOST} a neighbour {wrong[MOST]:.1%}, {FEW} ({calls[FEW]:.0f}) "
            f"{wrong[FEW]:.1%}; as often right: "
            + ("no fixed number" if equal is None else f"{equal} a neighbour ({calls[equal]:.0f})")
            + ("; aim <= 0.5" if regime is REGIMES[0] else "")
        ),
    )
