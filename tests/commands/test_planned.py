import pytest

from uq_tui.commands import planned
from uq_tui.engine.requests import (
    AuditRequest,
    CbuRequest,
    GenerateRequest,
    ModelChoice,
    NeighboursRequest,
    ValidateRequest,
)
from uq_tui.errors import StrategyError

MODEL = ModelChoice("openai/x")


def test_generation_plans_a_call_for_each_sample() -> None:
    assert planned.of_generation(GenerateRequest(("a", "b"), MODEL, samples=3)) == planned.Planned(6, 6)


@pytest.mark.parametrize(
    ("strategy", "exact", "fewest", "most"),
    [("3-iter", False, 2, 10), ("3-iter", True, 10, 10), ("3-iter-sampling", True, 12, 12), ("1-iter", False, 2, 4)],
)
def test_validation_plans_the_strategy_for_each_candidate(strategy: str, exact: bool, fewest: int, most: int) -> None:
    found = planned.of_validation(ValidateRequest(("a", "b"), MODEL, strategy, exact=exact))
    assert (found.fewest, found.most) == (2 * fewest, 2 * most)


def test_a_one_line_form_is_planned_too() -> None:
    found = planned.of_validation(ValidateRequest(("a", "b"), MODEL, "flc => (c r3 u) @[1, 2] m"))
    assert (found.fewest, found.most) == (2, 14)


def test_an_unknown_strategy_is_an_error() -> None:
    with pytest.raises(StrategyError, match="There is no strategy total_correctness"):
        planned.of_validation(ValidateRequest(("a",), MODEL, "total_correctness"))


@pytest.mark.parametrize(("control", "calls"), [(True, 3 * 2 * 8), (False, 2 * 2 * 8)])
def test_cbu_plans_every_arm(control: bool, calls: int) -> None:
    request = CbuRequest("q", MODEL, control=control)
    assert planned.of_cbu(request, candidates=2, neighbours=2) == planned.Planned(calls, calls)


def test_an_audit_plans_a_second_call_for_what_cannot_be_read() -> None:
    assert planned.of_audit(AuditRequest(("a", "b"), MODEL)) == planned.Planned(2, 4)


def test_neighbours_plan_every_solvers_samples_of_five_and_the_call_that_proposes_perhaps_twice() -> None:
    request = NeighboursRequest("q", MODEL, (MODEL, ModelChoice("openai/y"), ModelChoice("openai/z")), samples=4)
    assert planned.of_neighbours(request) == planned.Planned(61, 62)


def test_the_line_for_people() -> None:
    assert planned.Planned(1, 1).text().startswith("Planned: 1 call;")
    assert planned.Planned(4, 1200, retries=True).text().startswith("Planned: 4 to 1,200 calls, and one more")
