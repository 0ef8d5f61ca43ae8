"""Which arms go on, and which is named the best."""

import math
import random
from collections.abc import Sequence
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.analysis.allocation import Arm, Standing, standing
from uq_tui.analysis.sequences import highest_difference
from uq_tui.words import Interval

EPSILON = 0.1


def arm(key: str, *strata: tuple[int, int]) -> Arm:
    return Arm(key, strata)


@st.composite
def some_arms(draw: st.DrawFn) -> list[Arm]:
    neighbours = draw(st.integers(1, 3))
    counts = st.integers(1, 200).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials)))
    strata = st.lists(counts, min_size=neighbours, max_size=neighbours)
    return [Arm(str(number), tuple(of)) for number, of in enumerate(draw(st.lists(strata, min_size=2, max_size=6)))]


def test_nothing_competes_without_arms() -> None:
    assert standing([]) == Standing(None, (), (), (), decided=True)


def test_a_single_arm_is_the_best_without_a_rollout() -> None:
    assert standing([arm("a", (0, 0))]) == Standing("a", ("a",), (), (), decided=True)


def test_while_an_arm_is_unknown_nothing_is_decided_and_the_others_compete() -> None:
    found = standing([arm("a", (32, 32), (32, 32)), arm("b", (0, 32), (0, 0)), arm("c", (0, 32), (0, 32))])

    assert found == Standing(None, (), ("c",), ("a", "b"), decided=False)


def test_all_go_on_while_none_is_known() -> None:
    assert standing([arm("a", (0, 0)), arm("b")]) == Standing(None, (), (), ("a", "b"), decided=False)


def test_few_rollouts_decide_nothing() -> None:
    found = standing([arm("a", (2, 2)), arm("b", (0, 2)), arm("c", (1, 2))])

    assert not found.decided
    assert found.best is None
    assert found.open == ("a", "b", "c")


def test_a_clear_winner_is_named_and_the_others_are_excluded() -> None:
    found = standing([arm("a", (1, 32), (2, 32)), arm("b", (30, 32), (28, 32)), arm("c", (0, 32), (0, 32))])

    assert found == Standing("b", ("b",), ("a", "c"), (), decided=True)


def test_equal_arms_end_as_tied() -> None:
    found = standing([arm("a", (1800, 2000)), arm("b", (1800, 2000)), arm("c", (200, 2000))])

    assert found == Standing("a", ("a", "b"), ("c",), (), decided=True)


def test_the_next_round_is_for_the_leader_and_those_that_may_be_better() -> None:
    found = standing([arm("a", (29, 32)), arm("b", (26, 32)), arm("c", (1, 32))])

    assert found == Standing(None, (), ("c",), ("a", "b"), decided=False)


def test_an_arm_left_out_comes_back_when_the_leader_falls() -> None:
    left_out = arm("b", (7, 12))

    assert "b" not in standing([arm("a", (40, 40)), left_out, arm("c", (38, 40))]).open
    assert "b" in standing([arm("a", (40, 80)), left_out, arm("c", (38, 80))]).open


@given(some_arms())
def test_what_is_said_follows_from_the_bounds(arms: list[Arm]) -> None:
    found = standing(arms, epsilon=EPSILON, delta=0.05)
    estimates = {of.key: sum(x / n for x, n in of.strata) / len(of.strata) for of in arms}
    by_key = {of.key: of for of in arms}

    def most(left: str, right: str) -> float:
        return highest_difference(by_key[left].strata, by_key[right].strata, alpha=0.05 / (len(arms) - 1))

    assert found.decided == (found.best is not None) == (not found.open)
    assert found == standing(arms, epsilon=EPSILON, delta=0.05)
    assert not set(found.excluded) & {*found.open, *found.tied}
    for key in found.excluded:
        assert any(most(key, other) < 0 for other in by_key if other != key)
    if found.best is not None:
        assert estimates[found.best] == max(estimates.values())
        assert found.best in found.tied
        assert all(most(key, found.best) <= EPSILON for key in by_key if key != found.best)
        assert all(estimates[key] >= estimates[found.best] - EPSILON for key in found.tied)
    else:
        assert any(estimates[key] == max(estimates.values()) for key in found.open)
        assert len(found.open) >= 2


@given(some_arms(), st.randoms(use_true_random=False))
def test_the_order_of_arms_matters_only_between_equal_leaders(arms: list[Arm], order: random.Random) -> None:
    shuffled = arms[:]
    order.shuffle(shuffled)
    highest = sorted(sum(x / n for x, n in of.strata) / len(of.strata) for of in arms)[-2:]
    if highest[0] == highest[1]:
        return
    one, other = standing(arms), standing(shuffled)

    assert one.best == other.best
    assert set(one.open) == set(other.open)
    assert set(one.excluded) == set(other.excluded)


def play(
    draws: random.Random, utilities: Sequence[tuple[float, ...]], *, undecided: float = 0.0, cap: int = 64
) -> tuple[Standing, int, int]:
    """Rounds until it is decided or there were `cap`; a rollout is undecided with a chance.

    Returns what is known then, the arm with the highest estimate and the number of rollouts.
    """
    counts = [[[0, 0] for _ in of] for of in utilities]
    going, rollouts = list(range(len(utilities))), 0
    for _ in range(cap):
        for key in going:
            for count, p in zip(counts[key], utilities[key], strict=True):
                rollouts += 1
                if draws.random() >= undecided:
                    count[0] += draws.random() < p
                    count[1] += 1
        found = standing([Arm(str(key), tuple((x, n) for x, n in of)) for key, of in enumerate(counts)])
        going = [int(key) for key in found.open]
        if not going:
            break
    return found, max(range(len(counts)), key=lambda key: sum(x / max(1, n) for x, n in counts[key])), rollouts


@pytest.mark.parametrize("undecided", [0.0, 0.2])
def test_a_good_arm_is_found_and_never_excluded(undecided: float) -> None:
    draws = random.Random(11)
    utilities = [(0.9, 0.7), (0.5, 0.4), (0.1, 0.2), (0.0, 0.0)]
    found = [play(draws, utilities, undecided=undecided)[0] for _ in range(20)]

    assert sum(of.best == "0" for of in found) >= 15
    assert all(of.best in ("0", None) for of in found)
    assert not any("0" in of.excluded for of in found)


def realistic(draws: random.Random) -> list[tuple[float, float]]:
    """Ten candidates and two neighbours: four or five good ones spread out, the others near 0."""
    good = draws.choice((4, 5))
    middles = [draws.uniform(0.3, 0.9) if number < good else draws.uniform(0.0, 0.2) for number in range(10)]
    return [(min(0.98, max(0.0, draws.gauss(of, 0.1))), min(0.98, max(0.0, draws.gauss(of, 0.1)))) for of in middles]


def wrong_and_share(questions: int) -> tuple[float, float]:
    """How often the arm named is too far below the best, and the rollouts made of 64 on each neighbour."""
    draws = random.Random(17)
    wrong = rollouts = 0
    for _ in range(questions):
        utilities = realistic(draws)
        _, named, made = play(draws, utilities)
        wrong += fmean(utilities[named]) < max(map(fmean, utilities)) - EPSILON
        rollouts += made
    return wrong / questions, rollouts / (questions * 10 * 2 * 64)


def test_a_realistic_question_takes_less_than_half_of_64_rollouts() -> None:
    wrong, share = wrong_and_share(20)

    assert wrong <= 0.05
    assert share <= 0.5


@pytest.mark.long
def test_many_realistic_questions_take_less_than_half_of_64_rollouts() -> None:
    wrong, share = wrong_and_share(500)

    assert wrong <= 0.05
    assert share <= 0.45


@pytest.mark.long
@pytest.mark.parametrize("gap", [0.11, 0.2])
def test_the_chance_of_a_wrong_arm_is_at_most_5_percent(gap: float) -> None:
    draws = random.Random(13)
    # The hardest case: all others are just too far below the best, and no cap saves the answer.
    utilities = [(0.5 + gap,), *[(0.5,)] * 4]
    found = [play(draws, utilities, cap=4000)[0] for _ in range(300)]

    assert all(of.decided for of in found)
    assert sum(of.best != "0" for of in found) / 300 <= 0.05


def chances(trials: int, p: float) -> list[float]:
    """How likely each number of successes is."""
    return [math.comb(trials, x) * p**x * (1 - p) ** (trials - x) for x in range(trials + 1)]


@pytest.mark.parametrize("trials", [4, 8, 16])
def test_one_look_at_a_fixed_number_names_a_wrong_arm_of_two_in_at_most_5_percent(trials: int) -> None:
    """Enumerated: the better arm is just over epsilon above the other one, or further."""
    pairs = [(x, y) for x in range(trials + 1) for y in range(x, trials + 1)]  # the worse one leads
    named = [
        (x, y)
        for x, y in pairs
        # Of equals the first leads.
        if standing([arm("worse", (y, trials)), arm("better", (x, trials))], interval=Interval.SCORE).best == "worse"
    ]
    wrong = []
    for percent in range(1, 100):
        for gap in (EPSILON + 1e-6, 0.12, 0.15, 0.2):
            p = percent / 100
            if p + gap <= 1.0:
                better, worse = chances(trials, p + gap), chances(trials, p)
                wrong.append(sum(better[x] * worse[y] for x, y in named))
    assert 0.0 < max(wrong) <= 0.05


@pytest.mark.long
def test_one_look_at_several_arms_names_a_wrong_one_in_at_most_5_percent() -> None:
    draws = random.Random(5)
    wrong = decided = 0
    for _ in range(1500):
        ps = [(0.61, 0.61), *[(0.5, 0.5)] * 4]
        arms = [
            Arm(str(key), tuple((sum(draws.random() < p for _ in range(64)), 64) for p in of))
            for key, of in enumerate(ps)
        ]
        found = standing(arms, interval=Interval.SCORE)
        decided += found.decided
        wrong += found.best not in (None, "0")
    assert decided > 750
    assert wrong / 1500 <= 0.05


def test_one_look_at_a_fixed_number_tells_more_than_looks_at_any_time() -> None:
    arms = [arm("a", (7, 8), (8, 8)), arm("b", (5, 8), (5, 8)), arm("c", (0, 8), (1, 8))]
    once, always = standing(arms, interval=Interval.SCORE), standing(arms)

    assert once == Standing("a", ("a",), ("c",), (), decided=True)
    assert (always.best, always.open, always.excluded) == (None, ("a", "b"), ("c",))


def test_an_arm_without_a_decided_rollout_leaves_a_single_look_open_too() -> None:
    found = standing([arm("a", (8, 8)), arm("b", (0, 0))], interval=Interval.SCORE)
    assert (found.best, found.open, found.decided) == (None, ("a", "b"), False)
