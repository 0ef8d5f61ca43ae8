"""Strategies: reading TOML, paths, and how many calls are planned."""

import pytest

from prompts.loader import load_strategy, strategy_names, template_names
from uq_tui.analysis.votes import VoteRule
from uq_tui.engine.strategy import (
    Check,
    Once,
    PlannedCalls,
    Reflect,
    Sample,
    Strategy,
    parse_strategy,
    planned_calls,
)
from uq_tui.errors import TemplateError

HEAD = 'title = "T"\npurpose = "P"\n'
STAGE = '[[stages]]\ncheck = "correctness"\n'


def shipped(name: str) -> Strategy:
    return parse_strategy(name, load_strategy(name))


def test_three_iter_is_three_stages_of_three_turns_in_unanimous_votes() -> None:
    stages = shipped("3-iter").root.stages

    assert [stage.name for stage in stages] == ["cycle_consistency", "fact_logic", "correctness"]
    assert [stage.node for stage in stages] == [
        Reflect(check, 3, VoteRule.UNANIMOUS)
        for check in (Check.CYCLE_CONSISTENCY, Check.FACT_LOGIC, Check.CORRECTNESS)
    ]


def test_paths_of_turns_and_samples() -> None:
    assert shipped("3-iter").root.stages[1].vote_paths == ("fact_logic/1", "fact_logic/2", "fact_logic/3")
    assert shipped("3-iter-sampling").root.stages[2].vote_paths == tuple(f"correctness/{n}" for n in (1, 2, 3))
    assert shipped("1-iter").root.stages[0].vote_paths == ()


@pytest.mark.parametrize(
    ("name", "fewest", "most"),
    [("1-iter", 2, 4), ("3-iter", 2, 10), ("3-iter-sampling", 2, 12)],
)
def test_planned_calls_of_shipped_strategies(name: str, fewest: int, most: int) -> None:
    assert planned_calls(shipped(name)) == PlannedCalls(fewest, most)
    assert planned_calls(shipped(name), exact=True) == PlannedCalls(most, most)


def test_a_majority_needs_two_of_three_before_it_can_reject() -> None:
    strategy = parse_strategy("m", HEAD + STAGE + 'samples = 3\nvote = "majority"\n')

    assert planned_calls(strategy) == PlannedCalls(2, 3)


@pytest.mark.parametrize("name", strategy_names())
def test_strategies_use_shipped_templates_only(name: str) -> None:
    assert set(shipped(name).templates) <= set(template_names())


def test_only_reflection_needs_the_reflect_template() -> None:
    assert "reflect" in shipped("3-iter").templates
    assert "reflect" not in shipped("3-iter-sampling").templates
    assert "retry.decision" in shipped("1-iter").templates


def test_every_kind_of_stage_is_read() -> None:
    source = HEAD + STAGE + 'name = "a"\n' + STAGE + 'name = "b"\nturns = 2\nvote = "majority"\n'
    source += STAGE + 'samples = 1\nvote = "unanimous"\n'
    stages = parse_strategy("s", source).root.stages

    assert [stage.name for stage in stages] == ["a", "b", "correctness"]
    assert [stage.node for stage in stages] == [
        Once(Check.CORRECTNESS),
        Reflect(Check.CORRECTNESS, 2, VoteRule.MAJORITY),
        Sample(Check.CORRECTNESS, 1, VoteRule.UNANIMOUS),
    ]


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("title =", "is not TOML"),
        (STAGE, "title must be a text"),
        (HEAD, "needs at least one"),
        (HEAD + "stages = 3", "needs at least one"),
        (HEAD + "stages = [1]", "needs at least one"),
        (HEAD + "colour = 1\n" + STAGE, "unknown key colour"),
        (HEAD + "[[stages]]\n", "check must be one of cycle_consistency, fact_logic, correctness"),
        (HEAD + '[[stages]]\ncheck = "vanilla"\n', "check must be one of"),
        (HEAD + "[[stages]]\ncheck = 3\n", "check must be one of"),
        (HEAD + STAGE + "rounds = 3\n", "stage 1: unknown key rounds"),
        (HEAD + STAGE + 'turns = 3\nsamples = 3\nvote = "majority"\n', "both turns and samples"),
        (HEAD + STAGE + 'turns = 0\nvote = "majority"\n', "turns must be a whole number from 1 to 64"),
        (HEAD + STAGE + 'turns = true\nvote = "majority"\n', "turns must be a whole number"),
        (HEAD + STAGE + 'samples = 65\nvote = "majority"\n', "samples must be a whole number"),
        (HEAD + STAGE + "turns = 3\n", "vote must be one of unanimous, majority"),
        (HEAD + STAGE + 'turns = 3\nvote = "most"\n', "vote must be one of"),
        (HEAD + STAGE + 'vote = "majority"\n', "vote needs turns or samples"),
        (HEAD + STAGE + 'name = "a/b"\n', "name must be of"),
        (HEAD + STAGE + STAGE, "two stages are called correctness"),
    ],
)
def test_a_malformed_strategy_is_refused(source: str, problem: str) -> None:
    with pytest.raises(TemplateError) as caught:
        parse_strategy("mine", source)

    assert caught.value.message.startswith("Strategy mine")
    assert problem in caught.value.message


def test_all_problems_are_named_at_once() -> None:
    with pytest.raises(TemplateError, match=r"title must .*stage 1: check must .*stage 2: vote must"):
        parse_strategy("s", 'purpose = "P"\n[[stages]]\n' + STAGE + "turns = 2\n")
