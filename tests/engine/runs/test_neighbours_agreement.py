"""When solvers agree: worked by hand, with failures, ties and answers that can't be compared."""

from collections.abc import Mapping, Sequence

import pytest

from store.run_rows import Attempt
from tests.engine.runs.scripted import FAILED, Said, Scripted
from uq_tui.analysis.answers import MAX_LENGTH, compare
from uq_tui.engine.runs.neighbours_agreement import Agreement, agreement, plain, read_attempt
from uq_tui.words import DecidedBy, ProposalState

AGREED, DISAGREED, UNANSWERED = ProposalState.AGREED, ProposalState.DISAGREED, ProposalState.UNANSWERED
FAIL, CUT, NONE = DecidedBy.CALL_FAILED, DecidedBy.CUT_OFF, DecidedBy.NO_ANSWER
Given = Mapping[str, Sequence[str | DecidedBy]]


async def decided(given: Given) -> Agreement:
    """What comes of answers, or of why there is none, by solver."""
    attempts = [
        Attempt("run", 1, solver, sample, "", one, "key")
        if isinstance(one, DecidedBy)
        else Attempt("run", 1, solver, sample, one, None, "key")
        for solver, answers in given.items()
        for sample, one in enumerate(answers)
    ]

    async def equal(expected: str, answer: str) -> bool | None:
        return compare(expected, answer)

    return await agreement(attempts, equal)


@pytest.mark.parametrize(
    ("given", "state", "answer"),
    [
        # All say the same.
        ({"a": ["7"], "b": ["7"]}, AGREED, "7"),
        ({"a": ["7"] * 4, "b": ["7"] * 4, "c": ["7"] * 4}, AGREED, "7"),
        # More than half of the samples asked is enough, and half is not.
        ({"a": ["7", "7", "8"], "b": ["8", "7", "7"]}, AGREED, "7"),
        ({"a": ["7", "7", "8", "8"], "b": ["7"] * 4}, DISAGREED, ""),
        ({"a": ["7", "7", "8", "9"], "b": ["7"] * 4}, DISAGREED, ""),
        ({"a": ["7", "8"], "b": ["7", "7"]}, DISAGREED, ""),
        # What brought no answer counts among the samples, and never for an answer.
        ({"a": ["7", "7", "7", FAIL], "b": ["7", CUT, "7", "7"]}, AGREED, "7"),
        ({"a": ["7", "7", FAIL, FAIL], "b": ["7"] * 4}, UNANSWERED, ""),
        ({"a": ["7", "7", NONE], "b": ["7", "7", CUT]}, AGREED, "7"),
        ({"a": ["7", NONE, NONE], "b": ["7"] * 3}, UNANSWERED, ""),
        ({"a": ["7", "8", NONE], "b": ["7"] * 3}, DISAGREED, ""),
        ({"a": [FAIL], "b": ["7"]}, UNANSWERED, ""),
        ({"a": [FAIL] * 3, "b": [FAIL] * 3}, UNANSWERED, ""),
        # Each is sure of another answer.
        ({"a": ["7"] * 3, "b": ["8"] * 3}, DISAGREED, ""),
        ({"a": ["7"] * 3, "b": ["7"] * 3, "c": ["8"] * 3}, DISAGREED, ""),
        # The same number in other spellings is the same answer.
        ({"a": ["1,024", "1024", r"1{,}024"], "b": ["1024.0", "1024"]}, AGREED, "1024"),
        ({"a": ["1/2", r"\frac{1}{2}", "0.5"], "b": ["0.5"] * 3}, AGREED, "0.5"),
        # What can't be told to be the same is not.
        ({"a": ["the empty set"], "b": ["nothing"]}, DISAGREED, ""),
        ({"a": ["primes", "all primes", "primes"], "b": ["primes"] * 3}, AGREED, "primes"),
        ({"a": ["primes", "all primes"], "b": ["primes"] * 2}, DISAGREED, ""),
    ],
)
async def test_the_rule(given: Given, state: ProposalState, answer: str) -> None:
    found = await decided(given)
    assert (found.state, found.answer) == (state, answer)
    assert (found.reason == "") is (state is AGREED)


async def test_a_reason_names_every_solver_and_what_it_said() -> None:
    found = await decided({"m/a": ["7", "7", "8"], "m/b": ["8", "9", FAIL], "m/c": [NONE, "9", "9"]})
    assert found.reason == (
        "m/a says 7 (2 of 3); m/b has no majority: 8 (1 of 3), 9 (1 of 3), 1 failed; m/c says 9 (2 of 3)"
    )


async def test_a_reason_says_when_answers_could_not_be_compared() -> None:
    found = await decided({"a": ["the empty set"], "b": ["nothing at all"]})
    assert found.reason.endswith("b says nothing at all (1 of 1); whether these are the same could not be told")
    assert "could not be told" not in (await decided({"a": ["7"], "b": ["8"]})).reason


async def test_a_long_answer_is_shortened_in_a_reason() -> None:
    found = await decided({"a": ["7\n" * 300], "b": ["8"]})
    assert len(found.reason) < 150
    assert "\n" not in found.reason


@pytest.mark.parametrize("swap", [False, True])
async def test_the_order_of_solvers_does_not_matter(swap: bool) -> None:
    given: Given = {"a": ["7", "8", "7"], "b": ["7", FAIL, "7"], "c": [CUT, "7", "7"]}
    found = await decided(dict(reversed([*given.items()])) if swap else given)
    assert (found.state, found.answer) == (AGREED, "7")


@pytest.mark.parametrize(
    ("said", "answer", "state"),
    [
        (Said(r"So \boxed{1024}."), "1024", None),
        (Said("First \\boxed{3}.\nThat is wrong.\nSo \\boxed{1024}."), "1024", None),
        (Said(r"So \boxed{\frac{1}{2}}"), r"\frac{1}{2}", None),
        (Said(r"\boxed{1} or \boxed{2}"), "", DecidedBy.UNDECIDABLE),
        (Said(r"\boxed{all primes} or \boxed{primes}"), "", DecidedBy.UNDECIDABLE),
        (Said(r"\boxed{1{,}024}, that is \boxed{1024}"), "1024", None),
        (Said(rf"\boxed{{{'9' * (MAX_LENGTH + 1)}}}"), "", DecidedBy.UNDECIDABLE),
        (Said("1024"), "", NONE),
        (Said(""), "", NONE),
        (Said(r"\boxed{10", finish_reason="length"), "", CUT),
        (Said(r"\boxed{1024} but wait", finish_reason="length"), "", CUT),
        (FAILED, "", FAIL),
    ],
)
def test_what_a_solvers_reply_answers(said: Said, answer: str, state: DecidedBy | None) -> None:
    assert read_attempt(Scripted.call(said)) == (answer, state)


@pytest.mark.parametrize(
    ("answer", "kept"),
    [("1{,}024", "1024"), ("$1024$", "1024"), ("-7.0", "-7"), ("3/4", "3/4"), ("x+1", "x+1"), ("(1,2)", "(1,2)")],
)
def test_integers_are_kept_by_their_digits(answer: str, kept: str) -> None:
    assert plain(answer) == kept
