"""Which candidates get more rollouts, and when one is known to be about the best.

The goal is an epsilon-best arm: one whose utility is at most epsilon below the highest. After every completed round the
rule looks at the arm with the highest estimate, the leader, and for each other arm at the most that it may be above the
leader. The next round goes to the leader and to those that may be above it by more than epsilon. To ask the leader and
its challengers is the idea of LUCB (Kalyanakrishnan, Tewari, Auer and Stone, ICML 2012), here in whole rounds and with
all challengers at once.

Why the answer is wrong with a chance of at most delta, over all looks: let a be the best arm. For each of the other
k - 1 arms b the bound of a - b has level delta / (k - 1), so with a chance of at least 1 - delta none of them is ever
below the truth. Then a is never found to be below another arm, and b is named only when the bound of a - b is within
epsilon, so the truth is too. Which arm is best is unknown, hence all pairs are computed at this level; but only those
with the best arm can make the answer wrong, hence k - 1 and not k (k - 1) / 2. The bounds hold for any choice of what
is drawn next, so leaving an arm out and taking it in again costs no error.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from uq_tui.analysis.intervals import observed_mean
from uq_tui.analysis.sequences import highest_difference

EPSILON = 0.1
"""How much below the best the arm that is named may be, unless a run says otherwise."""
DELTA = 0.05
"""The chance of naming one that is further below, unless a run says otherwise."""


@dataclass(frozen=True, slots=True)
class Arm:
    """A candidate's rollouts in completed rounds: (solved, decided) by neighbour, all neighbours in it."""

    key: str
    strata: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known of some arms. Keys are in the order of the arms."""

    best: str | None
    """An arm known to be within epsilon of the best; `None` while there is none."""
    tied: tuple[str, ...]
    """Once decided: `best`, and the arms not known to be below it whose estimates are within epsilon of its.

    An arm with a lower estimate may be in none of these lists: it is not better by more than epsilon, which is all that
    had to be known."""
    excluded: tuple[str, ...]
    """Known to be below the leader."""
    open: tuple[str, ...]
    """Those that get rollouts in the next round; an arm left out now may be in it again later. None once decided."""
    decided: bool


def standing(arms: Sequence[Arm], *, epsilon: float = EPSILON, delta: float = DELTA) -> Standing:
    """What completed rounds say about which arm is best.

    Args:
        arms: all that compete, with different keys. Control arms don't.
        epsilon: how much below the best arm the one that is named may be, on the scale of utilities.
        delta: the chance of naming one that is further below, over all looks together.

    Returns:
        Decided without arms, and with a single one. An arm with a neighbour on which no rollout is decided may be any
        good: nothing is decided while there is one, but the others compete meanwhile.
    """
    keys = tuple(arm.key for arm in arms)
    if len(arms) < 2:
        return Standing(keys[0] if keys else None, keys, (), (), decided=True)
    estimates = {arm.key: value for arm in arms if (value := observed_mean(arm.strata)) is not None}
    if not estimates:
        return Standing(None, (), (), keys, decided=False)
    # Of equals the one asked most often: it is the best known.
    leader = max(
        (arm for arm in arms if arm.key in estimates),
        key=lambda arm: (estimates[arm.key], sum(decided for _, decided in arm.strata)),
    )
    level = delta / (len(arms) - 1)
    above = {arm.key: highest_difference(arm.strata, leader.strata, alpha=level) for arm in arms if arm is not leader}
    excluded = tuple(key for key in keys if key != leader.key and above[key] < 0.0)
    if any(most > epsilon for most in above.values()):
        going = tuple(key for key in keys if key == leader.key or above[key] > epsilon)
        return Standing(None, (), excluded, going, decided=False)
    near = estimates[leader.key] - epsilon
    tied = tuple(key for key in keys if key not in excluded and estimates[key] >= near)
    return Standing(leader.key, tied, excluded, (), decided=True)
