"""Votes: tables, and that a decision made early is the one the full vote would have made."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.analysis.votes import VoteRule, decided, fewest_to_decide, pipeline, tally
from uq_tui.words import Outcome

A, R, U, F, S = Outcome.ACCEPT, Outcome.REJECT, Outcome.UNPARSED, Outcome.FAILED, Outcome.SKIPPED
CAST = (A, R, U, F)
CAST_OR_NOT_APPLYING = (*CAST, S)
RULES = st.sampled_from(VoteRule)


@pytest.mark.parametrize(
    ("votes", "outcome"),
    [
        ((A, A, A), A),
        ((A, A, R), R),
        ((R, U, F), R),
        ((R,), R),
        ((A, A, U), U),
        ((A, U, F), F),
        ((F, F, F), F),
        ((A, R, S), R),
        ((A, A, S), A),
        ((A, S, U), U),
        ((S, S, A), A),
        ((S, S, S), U),
    ],
)
def test_unanimous_of_three(votes: tuple[Outcome, ...], outcome: Outcome) -> None:
    assert tally(VoteRule.UNANIMOUS, votes, 3).outcome is outcome


@pytest.mark.parametrize(
    ("votes", "planned", "outcome"),
    [
        ((A, A, R), 3, A),
        ((A, A), 3, A),
        ((R, R), 3, R),
        ((A, R, U), 3, U),
        ((A, R, F), 3, F),
        ((A, U, U), 3, U),
        ((A, A, U, U), 4, U),
        ((A, A, A, F), 4, A),
        ((R, R, U, F), 4, R),
        ((A,), 1, A),
        ((R,), 1, R),
        ((A, S, S), 3, A),
        ((A, S, U), 3, U),
        ((R, S), 3, R),
        ((A, S), 3, U),
        ((R, R, S), 4, R),
        ((S, S), 2, U),
    ],
)
def test_majority(votes: tuple[Outcome, ...], planned: int, outcome: Outcome) -> None:
    result = tally(VoteRule.MAJORITY, votes, planned)

    assert result.outcome is outcome
    assert not result.tie


@pytest.mark.parametrize("votes", [(A, R), (R, A, A, R)])
def test_an_exact_tie_rejects_and_is_marked(votes: tuple[Outcome, ...]) -> None:
    result = tally(VoteRule.MAJORITY, votes, len(votes))

    assert (result.outcome, result.tie) == (R, True)
    assert "tie" in result.reason


def test_what_does_not_apply_can_make_a_tie() -> None:
    assert tally(VoteRule.MAJORITY, (A, S, R), 3).tie


def test_an_even_split_with_an_undecided_vote_is_no_tie() -> None:
    assert tally(VoteRule.MAJORITY, (A, R, U), 3).outcome is U


def test_reasons_say_how_the_votes_fell() -> None:
    assert tally(VoteRule.UNANIMOUS, (A, A, R), 3).reason == "2 of 3 accepted, 1 rejected, unanimous needs 3"
    assert tally(VoteRule.MAJORITY, (A, A), 3).reason == "2 of 3 accepted, 0 rejected, majority needs 2"
    assert (
        tally(VoteRule.MAJORITY, (A, S, A), 3).reason == "2 of 2 accepted, 0 rejected, 1 didn't apply, majority needs 2"
    )
    assert tally(VoteRule.MAJORITY, (S, S), 2).reason == "none of its votes applied"


@given(RULES, st.lists(st.sampled_from(CAST_OR_NOT_APPLYING), min_size=1, max_size=6), st.integers(0, 6))
def test_a_decision_stands_whatever_the_outstanding_votes_bring(
    rule: VoteRule, so_far: list[Outcome], outstanding: int
) -> None:
    planned = len(so_far) + outstanding
    early = decided(rule, so_far, planned)
    if early is None:
        return

    rests = product(CAST_OR_NOT_APPLYING, repeat=min(outstanding, 3))
    finals = {tally(rule, (*so_far, *rest), planned).outcome for rest in rests}

    assert finals == {early}


@given(RULES, st.lists(st.sampled_from(CAST), min_size=1, max_size=5), st.integers(0, 3))
def test_votes_that_do_not_apply_count_as_if_they_were_not_planned(
    rule: VoteRule, votes: list[Outcome], others: int
) -> None:
    planned = len(votes) + 1
    beside = (S,) * others

    assert tally(rule, (*beside, *votes), planned + others).outcome is tally(rule, votes, planned).outcome
    assert decided(rule, (*votes, *beside), planned + others) is decided(rule, votes, planned)
    assert fewest_to_decide(rule, (*votes, *beside), planned + others) == fewest_to_decide(rule, votes, planned)


@given(RULES, st.lists(st.sampled_from((A, R)), max_size=5), st.integers(1, 5))
def test_what_is_not_decided_can_still_go_either_way(rule: VoteRule, so_far: list[Outcome], outstanding: int) -> None:
    planned = len(so_far) + outstanding
    if decided(rule, so_far, planned) is not None:
        return

    finals = {tally(rule, (*so_far, *rest), planned).outcome for rest in product((A, R), repeat=outstanding)}

    assert finals == {A, R}


@given(RULES, st.permutations([A, A, R, U, F]))
def test_the_order_of_votes_does_not_matter(rule: VoteRule, votes: list[Outcome]) -> None:
    assert tally(rule, votes, 5) == tally(rule, sorted(votes), 5)


@given(RULES, st.lists(st.sampled_from(CAST_OR_NOT_APPLYING), max_size=6), st.integers(0, 6))
def test_the_fewest_votes_to_decide_can_decide_and_no_fewer_can(
    rule: VoteRule, so_far: list[Outcome], outstanding: int
) -> None:
    planned = len(so_far) + outstanding
    if not planned:
        return
    fewest = fewest_to_decide(rule, so_far, planned)

    assert 0 <= fewest <= outstanding
    for count in range(fewest):
        for more in product((A, R, S), repeat=count):
            if count:
                assert decided(rule, (*so_far, *more), planned) is None
    if fewest == 0 and outstanding:
        assert decided(rule, so_far, planned) is not None


def test_a_majority_of_three_needs_two_votes_at_first() -> None:
    assert fewest_to_decide(VoteRule.MAJORITY, (), 3) == 2
    assert fewest_to_decide(VoteRule.MAJORITY, (A, R), 3) == 1
    assert fewest_to_decide(VoteRule.MAJORITY, (A, A), 3) == 0


@pytest.mark.parametrize("planned", [0, 1])
def test_more_votes_than_planned_are_refused(planned: int) -> None:
    with pytest.raises(ValueError, match="planned"):
        tally(VoteRule.UNANIMOUS, (A, A), planned)


@pytest.mark.parametrize(
    ("outcomes", "outcome", "reason"),
    [
        ((A, A, A), A, "every stage accepted"),
        ((A, R, S), R, "s2 rejected"),
        ((U, R, S), R, "s2 rejected"),
        ((A, U, A), U, "no decision by s2"),
        ((F, U, A), F, "no decision by s1, s2"),
        ((A, A, F), F, "no decision by s3"),
        ((R, A, R), R, "s1 rejected"),
        ((S, A, A), A, "every other stage accepted, s1 didn't apply"),
        ((S, U, S), U, "no decision by s2"),
        ((S, R, S), R, "s2 rejected"),
        ((S, S), U, "none of its stages applied"),
    ],
)
def test_pipeline(outcomes: tuple[Outcome, ...], outcome: Outcome, reason: str) -> None:
    stages = [(f"s{number}", one) for number, one in enumerate(outcomes, start=1)]

    assert pipeline(stages).outcome is outcome
    assert pipeline(stages).reason == reason


def test_a_pipeline_needs_a_stage() -> None:
    with pytest.raises(ValueError, match="stage"):
        pipeline(())
