"""What solvers answered to a proposal, in words."""

import pytest

from store.run_rows import Attempt, Proposal
from tests import proposed_runs
from uq_tui.state.neighbours.proposed import Given, Proposed
from uq_tui.words import DecidedBy, ProposalState


def proposal(state: ProposalState = ProposalState.DISAGREED, *, answer: str = "", reason: str = "") -> Proposal:
    return Proposal("r", 1, "q", "How many?", "counting", state, answer, reason)


def attempts(solver: str, *given: str | DecidedBy, number: int = 1) -> list[Attempt]:
    return proposed_runs.attempts("r", number, solver, given)


NONE, CUT, FAILED = DecidedBy.NO_ANSWER, DecidedBy.CUT_OFF, DecidedBy.CALL_FAILED


def test_each_solver_says_which_answers_how_often_and_what_came_of_it() -> None:
    found = Proposed.of(
        proposal(reason="qwen: 2025, o3: 2024"),
        [*attempts("o3", "2024", "2024", "2024", "2025"), *attempts("qwen", "2025", NONE, "2025", NONE)],
    )
    assert found.outcome(under_way=False).split("\n") == [
        "- `o3` gave `2024` 3 times of 4, `2025` once.",
        "- `qwen` gave `2025` twice of 4, no answer twice.",
        "",
        "**Not agreed.** qwen: 2025, o3: 2024",
    ]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (["7"], "`s` gave `7` once."),
        ([NONE], "`s` gave no answer once."),
        ([FAILED, FAILED, CUT], "`s` gave no reply twice of 3, a reply that was cut off once."),
    ],
)
def test_what_brought_no_answer_is_no_answer_among_others(given: list[str | DecidedBy], sentence: str) -> None:
    (solver,) = Proposed.of(proposal(), attempts("s", *given)).solvers
    assert solver.sentence() == sentence
    assert solver.attempts == len(given)


def test_answers_that_read_the_same_are_one_as_it_was_written_first() -> None:
    (solver,) = Proposed.of(proposal(), attempts("s", "2,024", "$2024$", "2024.", "17")).solvers
    assert solver.given == (Given("2,024", 3), Given("17", 1))


def test_attempts_at_other_proposals_don_t_count() -> None:
    found = Proposed.of(proposal(), [*attempts("s", "1"), *attempts("s", "2", number=2)])
    assert [one.given for one in found.solvers] == [(Given("1", 1),)]


@pytest.mark.parametrize(
    ("first", "second", "commonest"),
    [
        (["5", "5", "6"], ["6", "6"], "6"),
        (["5", "5"], ["6", "6"], ""),
        (["5", NONE], [NONE, NONE], "5"),
        ([NONE], [FAILED], ""),
    ],
)
def test_the_commonest_answer_is_that_of_all_solvers_together_and_a_tie_is_none(
    first: list[str | DecidedBy], second: list[str | DecidedBy], commonest: str
) -> None:
    assert Proposed.of(proposal(), [*attempts("a", *first), *attempts("b", *second)]).commonest == commonest


@pytest.mark.parametrize(("under_way", "said"), [(True, "**Being solved.**"), (False, "**Not finished.**")])
def test_without_attempts_there_is_only_where_it_stands(under_way: bool, said: str) -> None:
    assert Proposed.of(proposal(ProposalState.ASKED), ()).outcome(under_way=under_way) == said


def test_foreign_words_stay_in_their_line() -> None:
    found = Proposed.of(proposal(reason="a\n# b"), attempts("so`lver\n- x", "1`\n\n# Head"))
    assert found.outcome(under_way=False).split("\n") == [
        "- `` so`lver - x `` gave `` 1` # Head `` once.",
        "",
        "**Not agreed.** a # b",
    ]
