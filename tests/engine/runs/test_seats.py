"""Models fill slots, and no two conversations of a strategy share a call."""

from collections import Counter

import pytest
from hypothesis import given

from tests.strategies.trees import strategies
from uq_tui.engine.judging.seats import fill, seats_of
from uq_tui.engine.requests import ModelChoice
from uq_tui.errors import ModelError
from uq_tui.strategies.notation import parse
from uq_tui.strategies.tree import (
    Check,
    CheckKind,
    Debate,
    Ensemble,
    Node,
    Pipeline,
    Plugin,
    Reflect,
    Sample,
    Strategy,
    Vote,
    models_in,
)

ONE, TWO, THREE = (ModelChoice(f"some/judge-{number}") for number in (1, 2, 3))


def samples(notation: str, *models: ModelChoice) -> dict[str, int]:
    root = parse(notation)
    return {path: seat.sample for path, seat in seats_of(root, fill(root, models or (ONE,))).items()}


def asked(notation: str, *models: ModelChoice) -> dict[str, str]:
    root = parse(notation)
    return {path: seat.model.id for path, seat in seats_of(root, fill(root, models)).items()}


@pytest.mark.parametrize(
    ("notation", "expected"),
    [
        ("correctness", {"correctness": 0}),
        ("correctness x3 majority", {f"correctness/{n}": n - 1 for n in (1, 2, 3)}),
        ("correctness r3 majority x2 majority", {"correctness/1": 0, "correctness/2": 1}),
        (
            "correctness x2 majority x2 unanimous",
            {"correctness/1/1": 0, "correctness/1/2": 1, "correctness/2/1": 2, "correctness/2/2": 3},
        ),
        ("correctness => fact_logic", {"correctness": 0, "fact_logic": 0}),
        ("a: correctness => b: correctness", {"a": 0, "b": 1}),
        ("a: correctness => b: correctness r3 majority", {"a": 0, "b": 1}),
        ("a: correctness x2 majority => b: correctness", {"a/1": 0, "a/2": 1, "b": 2}),
        (
            "s: {a: correctness, b: correctness} majority x2 majority",
            {"s/1/a": 0, "s/2/a": 1, "s/1/b": 2, "s/2/b": 3},
        ),
        ("plugin(numbers) => correctness", {"correctness": 0}),
    ],
)
def test_samples_multiply_and_repeated_checks_follow_each_other(notation: str, expected: dict[str, int]) -> None:
    assert samples(notation) == expected


def test_only_repeats_of_the_same_model_follow_each_other() -> None:
    assert samples("a: correctness => b: correctness@2", ONE, TWO) == {"a": 0, "b": 0}
    assert samples("correctness @[1, 2] majority", ONE, TWO) == {"correctness/1": 0, "correctness/2": 0}
    assert samples(
        "a: correctness => b: correctness @[1, 2] majority => c: correctness debate[2, 3] majority", ONE, TWO, THREE
    ) == {"a": 0, "b/1": 1, "b/2": 0, "c/1": 1, "c/2": 0}
    assert samples("a: correctness => b: correctness@some/judge-1", ONE) == {"a": 0, "b": 1}


def test_one_model_at_two_addresses_shares_no_sample_since_they_may_be_the_same() -> None:
    configured = ModelChoice(ONE.id, "http://configured.example/v1")

    assert samples("correctness @[1, 2] majority", ONE, configured) == {"correctness/1": 0, "correctness/2": 1}


def test_a_check_is_asked_of_its_own_model_else_of_the_ensembles_else_of_slot_1() -> None:
    notation = "correctness => s: {a: fact_logic, b: relevance@3} majority @[2, some/other] unanimous"

    assert asked(notation, ONE, TWO, THREE) == {
        "correctness": ONE.id,
        "s/1/a": TWO.id,
        "s/1/b": THREE.id,
        "s/2/a": "some/other",
        "s/2/b": THREE.id,
    }
    nested = "s: {a: correctness @[1, 2] majority, b: fact_logic} majority @[3, 1] majority"
    assert asked(nested, ONE, TWO, THREE) == {
        "s/1/a/1": ONE.id,
        "s/1/a/2": TWO.id,
        "s/1/b": THREE.id,
        "s/2/a/1": ONE.id,
        "s/2/a/2": TWO.id,
        "s/2/b": ONE.id,
    }


@pytest.mark.parametrize(
    ("notation", "models", "message"),
    [
        ("correctness @[1, 2] majority", (ONE,), "needs 2 models, and 1 is given"),
        ("correctness", (ONE, TWO), "needs 1 model, and 2 are given"),
        ("correctness@some/other", (ONE, TWO), "needs 1 model, and 2 are given"),
        ("correctness @[1, 2] majority", (ONE, ONE), "judge-1 would judge twice"),
        ("correctness @[1, some/judge-1] majority", (ONE,), "judge-1 would judge twice"),
        ("correctness debate[1, 2, 3] majority", (ONE, TWO, ONE), "judge-1 would judge twice"),
        (
            "correctness @[1, 2] majority",
            (ModelChoice("x/y", "http://h.example/v1"), ModelChoice("x/y", "http://h.example/v1/")),
            "x/y would judge twice",
        ),
    ],
)
def test_models_that_do_not_fit_are_refused(notation: str, models: tuple[ModelChoice, ...], message: str) -> None:
    with pytest.raises(ModelError, match=message) as caught:
        fill(parse(notation), models)
    assert caught.value.hint


def test_the_same_model_at_two_addresses_is_two_models() -> None:
    here, there = ModelChoice("x/y", "http://here.example"), ModelChoice("x/y", "http://there.example")

    assert fill(parse("correctness @[1, 2] majority"), (here, there)) == {1: here, 2: there}


@given(strategies())
def test_no_two_conversations_that_begin_alike_share_a_sample(strategy: Strategy) -> None:
    numbers = [slot for slot in models_in(strategy.root) if isinstance(slot, int)]
    models = fill(strategy.root, [ModelChoice(f"m/{n}") for n in range(1, max(numbers, default=1) + 1)])
    seats = seats_of(strategy.root, models)
    kinds = kinds_by_path(strategy)

    assert seats.keys() == kinds.keys()
    calls = Counter((kinds[path], seat.model, seat.sample) for path, seat in seats.items())
    assert max(calls.values(), default=1) == 1
    used: dict[tuple[CheckKind, ModelChoice], set[int]] = {}
    for path, seat in seats.items():
        used.setdefault((kinds[path], seat.model), set()).add(seat.sample)
    assert all(indices == set(range(len(indices))) for indices in used.values())


def kinds_by_path(strategy: Strategy) -> dict[str, CheckKind]:
    """The check of every conversation, by where it begins."""
    found: dict[str, CheckKind] = {}
    level: list[tuple[str, Node]] = [("", strategy.root)]
    while level:
        path, node = level.pop()
        parts: list[tuple[str, Node]] = []
        match node:
            case Check(kind=kind) | Reflect(check=Check(kind=kind)):
                found[path] = kind
            case Debate(kind=kind, models=models):
                found |= {f"{path}/{number}": kind for number in range(1, len(models) + 1)}
            case Sample(node=child, n=n):
                parts = [(str(number), child) for number in range(1, n + 1)]
            case Ensemble(node=child, models=models):
                parts = [(str(number), child) for number in range(1, len(models) + 1)]
            case Vote(stages=stages) | Pipeline(stages=stages):
                parts = [(stage.name, stage.node) for stage in stages]
            case Plugin():
                pass
        level += [(f"{path}/{name}".lstrip("/"), part) for name, part in parts]
    return found
