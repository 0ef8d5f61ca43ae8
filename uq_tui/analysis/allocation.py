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

Where the number of rollouts was fixed beforehand and all are done there is one look, and bounds that hold at every look
are wider than need be. The same rule then takes the upper ends of score intervals (`analysis.intervals`) at the same
levels. These are approximate, and two-sided: nominally they leave out a - b on this side in half of the cases allowed.
The other half makes up for the approximation. Enumerated, with one neighbour and T of 4, 8, 16 and 64 or two and T of
4, 8 and 16, the best arm just over epsilon = .1 above k - 1 equal others, and delta = .05, the chance of naming a wrong
one is at most .049 for k = 2, .022 for 3, .015 for 5 and .010 for 10.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from uq_tui.analysis.intervals import difference, mean_of_proportions, observed_mean
from uq_tui.analysis.sequences import highest_difference
from uq_tui.words import Interval

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


def standing(
    arms: Sequence[Arm], *, epsilon: float = EPSILON, delta: float = DELTA, interval: Interval = Interval.ANYTIME
) -> Standing:
    """What completed rounds say about which arm is best.

    Args:
        arms: all that compete, with different keys. Control arms don't.
        epsilon: how much below the best arm the one that is named may be, on the scale of utilities.
        delta: the chance of naming one that is further below, over all looks together.
        interval: `SCORE` for the one look at arms whose numbers of rollouts were fixed beforehand and are all done;
            `open` are then those that may be above the leader by more than epsilon.

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
    others = [arm for arm in arms if arm is not leader]
    if interval is Interval.SCORE:
        above = _above_once(others, leader, level)
    else:
        above = {arm.key: highest_difference(arm.strata, leader.strata, alpha=level) for arm in others}
    excluded = tuple(key for key in keys if key != leader.key and above[key] < 0.0)
    if any(bound > epsilon for bound in above.values()):
        going = tuple(key for key in keys if key == leader.key or above[key] > epsilon)
        return Standing(None, (), excluded, going, decided=False)
    near = estimates[leader.key] - epsilon
    tied = tuple(key for key in keys if key not in excluded and estimates[key] >= near)
    return Standing(leader.key, tied, excluded, (), decided=True)


def _above_once(others: Sequence[Arm], leader: Arm, level: float) -> dict[str, float]:
    """The most that each may be above the leader, by score intervals; 1 where its mean isn't known."""
    best = mean_of_proportions(leader.strata, alpha=level)
    found = {arm.key: mean_of_proportions(arm.strata, alpha=level) for arm in others}
    return {key: 1.0 if own is None or best is None else difference(own, best).high for key, own in found.items()}
