"""What the dialog for generating neighbours makes of what is entered."""

import pytest

from uq_tui.engine.requests import ModelChoice, NeighboursRequest
from uq_tui.state.neighbours.proposing import MOST_SOLVERS, ProposingEditor

APP = ModelChoice("openai/o3")


def editor(*solvers: str, proposer: str = "", samples: str = "4") -> ProposingEditor:
    begun = ProposingEditor("q:1", APP)
    begun.proposer, begun.samples = proposer, samples
    for number, text in enumerate(solvers, 1):
        begun.enter(number, text)
    return begun


def test_the_app_s_model_proposes_and_solves_unless_others_are_entered() -> None:
    assert editor("", "qwen").request() == NeighboursRequest("q:1", APP, (APP, ModelChoice("qwen")), 4)
    other = editor("a", "b http://127.0.0.1:1/v1", proposer=" c ", samples="8").request()
    solvers = (ModelChoice("a"), ModelChoice("b", "http://127.0.0.1:1/v1"))
    assert other == NeighboursRequest("q:1", ModelChoice("c"), solvers, 8)


def test_it_begins_with_the_solvers_entered_last() -> None:
    begun = ProposingEditor("q:1", APP, ("", "qwen", "r1"))
    assert (begun.solvers, begun.fields) == (["", "qwen", "r1"], 4)
    assert ProposingEditor("q:1", APP).solvers == ["", ""]


@pytest.mark.parametrize(
    ("solvers", "wrong", "problem"),
    [
        ((), 2, "Solver 2 needs a model"),
        (("a",), 2, "Solver 2 needs a model"),
        (("", "openai/o3"), 2, "Solver 2 is there twice"),
        (("a", "b", "a"), 3, "Solver 3 is there twice"),
        (("a", "a http://127.0.0.1:1"), 2, "Solver 2 is there twice"),
        (("a", "b"), None, ""),
        (("a", "", "b"), None, ""),
    ],
)
def test_two_different_solvers_are_needed(solvers: tuple[str, ...], wrong: int | None, problem: str) -> None:
    entered = editor(*solvers)
    assert entered.wrong_solver == wrong
    assert problem in entered.problem
    assert (entered.request() is None) == bool(problem)


@pytest.mark.parametrize("samples", ["", "0", "65", "2.5", "²", "four", "1" * 5000])
def test_other_numbers_of_samples_start_nothing(samples: str) -> None:
    entered = editor("a", "b", samples=samples)
    assert (entered.request(), entered.problem) == (None, "Samples are a number from 1 to 64.")


def test_there_is_a_field_more_than_solvers_and_never_less_than_two() -> None:
    assert [editor(*["m"] * number).fields for number in range(4)] == [2, 2, 3, 4]
    assert editor("a", "b", "c", "").fields == 4
    assert editor("a", "b", "", "").fields == 3
    assert editor(*["m"] * MOST_SOLVERS).fields == MOST_SOLVERS


def test_the_calls_are_told_as_long_as_it_can_be_started() -> None:
    assert editor("a", "b").planned.startswith("41–42 calls: one that proposes, ")
    assert "and 320 to each of 3 solvers." in editor("a", "b", "c", samples="64").planned
    assert editor("a").planned == ""
