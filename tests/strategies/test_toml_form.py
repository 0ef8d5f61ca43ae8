"""Strategies in TOML: what is read, and that everything wrong is named at once."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given

from tests.strategies.trees import strategies
from uq_tui.analysis.votes import VoteRule
from uq_tui.errors import StrategyError
from uq_tui.strategies.notation import parse
from uq_tui.strategies.toml_form import parse_strategy
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
    Stage,
    Strategy,
    Vote,
)

HEAD = 'title = "T"\npurpose = "P"\n'
STAGE = '[[stages]]\ncheck = "correctness"\n'


def inline(value: object) -> str:
    """A value as TOML on one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} = {inline(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(inline, value)) + "]"
    return str(value) if isinstance(value, int) else f'"{value}"'


def table(node: Node) -> dict[str, Any]:
    """A node as the table that stands for it, with `of` wherever something is spread."""
    match node:
        case Check(kind=kind, model=None):
            return {"check": kind.value}
        case Check(kind=kind, model=model):
            return {"check": kind.value, "model": model}
        case Reflect(check=check, turns=turns, rule=rule):
            return {**table(check), "turns": turns, "vote": rule.value}
        case Sample(node=child, n=n, rule=rule):
            return {"of": table(child), "samples": n, "vote": rule.value}
        case Ensemble(node=child, models=models, rule=rule):
            return {"of": table(child), "models": models, "vote": rule.value}
        case Debate(kind=kind, models=models, rule=rule):
            return {"check": kind.value, "debate": models, "vote": rule.value}
        case Plugin(name=name):
            return {"plugin": name}
        case Vote(stages=stages, rule=rule):
            return {"parts": [named(stage) for stage in stages], "vote": rule.value}
        case Pipeline(stages=stages):
            return {"stages": [named(stage) for stage in stages]}


def named(stage: Stage) -> dict[str, Any]:
    return {**table(stage.node), "name": stage.name}


def root_of(source: str) -> Pipeline:
    return parse_strategy("s", source).root


@given(strategies())
def test_every_strategy_can_be_written_in_toml(strategy: Strategy) -> None:
    source = "".join(f"{key} = {inline(value)}\n" for key, value in table(strategy.root).items())

    assert root_of(source) == strategy.root


def test_the_stages_of_0_1_0_are_read() -> None:
    source = HEAD + STAGE + 'name = "a"\n' + STAGE + 'name = "b"\nturns = 2\nvote = "majority"\n'
    source += STAGE + 'samples = 1\nvote = "unanimous"\n'
    strategy = parse_strategy("mine", source)

    assert (strategy.name, strategy.title, strategy.purpose) == ("mine", "T", "P")
    assert strategy.notation == "a: correctness => b: correctness r2 majority => correctness x1 unanimous"
    check = Check(CheckKind.CORRECTNESS)
    assert [stage.node for stage in strategy.root.stages] == [
        check,
        Reflect(check, 2, VoteRule.MAJORITY),
        Sample(check, 1, VoteRule.UNANIMOUS),
    ]


@pytest.mark.parametrize(
    ("source", "notation"),
    [
        (STAGE + "model = 1", "correctness@1"),
        (STAGE + 'model = "openai/o3"', "correctness@openai/o3"),
        (STAGE + 'models = [1, "openai/o3"]\nvote = "majority"', "correctness @[1, openai/o3] majority"),
        (STAGE + 'debate = [1, 2]\nvote = "majority"', "correctness debate[1, 2] majority"),
        ('[[stages]]\nplugin = "spot"\n' + STAGE, "plugin(spot) => correctness"),
        (
            '[[stages]]\nsamples = 5\nvote = "majority"\nof = {check = "correctness", turns = 3, vote = "unanimous"}',
            "correctness r3 unanimous x5 majority",
        ),
        (
            '[[stages]]\nmodels = [1, 2]\nvote = "unanimous"\n'
            '[[stages.stages]]\ncheck = "fact_logic"\n[[stages.stages]]\ncheck = "correctness"\nname = "last"',
            "(fact_logic => last: correctness) @[1, 2] unanimous",
        ),
        (
            '[[stages]]\nname = "all"\nvote = "majority"\nparts = [{check = "correctness"}, {check = "relevance"}]',
            "all: {correctness, relevance} majority",
        ),
        ('notation = "c x3 m"', "correctness x3 majority"),
    ],
)
def test_every_kind_of_table(source: str, notation: str) -> None:
    strategy = parse_strategy("mine", source)

    assert strategy.notation == notation
    assert strategy.root == parse(notation)
    assert (strategy.title, strategy.purpose) == ("mine", "")


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("title =", "is not TOML"),
        ("a = " + "[" * 5000, "is not TOML"),
        ("#" * 70_000, "longer than 65,536 bytes"),
        ('title = ""\n' + STAGE, "title must be a text that is not empty"),
        ("purpose = 3\n" + STAGE, "purpose must be a text"),
        (HEAD, "needs at least one [[stages]] table, or a notation"),
        (
            '[[stages]]\nsamples = 3\nvote = "majority"\nof = {check = "correctness", name = "again"}',
            "stage 1: what is in of has no name; give one to the table around it",
        ),
        ('notation = "c"\n' + STAGE, "not both"),
        ("notation = 3", "notation must be a text"),
        ('notation = "c => c"', "notation, at character 6: A second part is called correctness"),
        (HEAD + "stages = 3", "stages must be an array of tables"),
        (HEAD + "stages = []", "stages must be an array of tables"),
        (HEAD + "stages = [1]", "stages must be an array of tables"),
        (HEAD + "colour = 1\n" + STAGE, "unknown key colour"),
        ("[[stages]]\n", "stage 1: it needs one of check, plugin, stages, parts, of"),
        (STAGE + 'plugin = "a"', "it needs one of check, plugin, stages, parts, of, not check and plugin"),
        ('[[stages]]\ncheck = "vanila"\n', "check must be one of cycle_consistency, fact_logic"),
        ("[[stages]]\ncheck = 3\n", "check must be one of"),
        ("[[stages]]\ncheck = []\n", "check must be one of"),
        ("[[stages]]\nplugin = 3\n", "plugin must be the name of one"),
        ('[[stages]]\nplugin = "A b"\n', "names are made of lower-case letters"),
        ("[[stages]]\nof = 3\nsamples = 2\nvote = 'majority'\n", "of must be a table"),
        (STAGE + "rounds = 3\n", "stage 1: unknown key rounds"),
        (STAGE + 'turns = 3\nsamples = 3\nvote = "majority"\n', "it has both turns and samples"),
        (STAGE + 'turns = 0\nvote = "majority"\n', "turns must be a whole number from 1 to 64"),
        (STAGE + 'turns = true\nvote = "majority"\n', "turns must be a whole number"),
        (STAGE + 'samples = 65\nvote = "majority"\n', "samples must be a whole number"),
        (STAGE + "turns = 3\n", "vote must be one of unanimous, majority"),
        (STAGE + 'turns = 3\nvote = "most"\n', "vote must be one of"),
        (STAGE + 'turns = 3\nvote = ["majority"]\n', "vote must be one of"),
        (STAGE + 'vote = "majority"\n', "vote needs turns, samples, models, debate or parts"),
        (STAGE + 'name = "a/b"\n', "names are made of lower-case letters"),
        (STAGE + "name = 3\n", "name must be a text"),
        (STAGE + STAGE, "two parts are called correctness"),
        (STAGE + "model = 1.5\n", "model must be a slot number or a model id"),
        (STAGE + 'model = "gpt"\nsamples = 2\nvote = "majority"\n', "gpt is no model id"),
        (STAGE + "model = 2\n", "slot 1 is left out"),
        (STAGE + 'models = 3\nvote = "majority"\n', "models must be a list of slot numbers"),
        (STAGE + 'models = [1]\nvote = "majority"\n', "it needs 2 to 64 models, not 1"),
        (STAGE + 'debate = [1, 1]\nvote = "majority"\n', "slot 1 is named twice"),
        (STAGE + 'debate = [1, 2]\nmodel = 1\nvote = "majority"\n', "debate names its models itself"),
        ("[[stages]]\nplugin = 'a'\nmodel = 1", "model goes with check only"),
        ("[[stages]]\nplugin = 'a'\nturns = 3\nvote = 'majority'", "turns goes with check only"),
        ("[[stages]]\nvote = 'majority'\nparts = [{check = 'correctness'}]", "a vote has 2 to 64 parts, not 1"),
        ("[[stages]]\nvote = 'majority'\nsamples = 2\nparts = [{check = 'correctness'}]", "parts has its own vote"),
        ("[[stages]]\nstages = [{check = 'correctness'}]", "a pipeline in brackets has 2 to 64 parts, not 1"),
        ("[[stages]]\nstages = [{check = 'correctness'}, {check = 'x'}]", "stage 1, stage 2: check must be one of"),
        ("stages = [" + "{of = " * 20 + "{check = 'vanilla'}" + "}" * 20 + "]", "nested more than 12 levels"),
    ],
)
def test_a_malformed_strategy_is_refused(source: str, problem: str) -> None:
    with pytest.raises(StrategyError) as caught:
        parse_strategy("mine", source)

    assert caught.value.message.startswith("Strategy mine")
    assert problem in caught.value.message
    assert caught.value.position is None


def test_all_problems_are_named_at_once() -> None:
    source = (
        'title = 3\n[[stages]]\nmodel = 1.5\n[[stages]]\nparts = [{check = "x"}, {turns = 2}]\n' + STAGE + "turns = 2\n"
    )
    with pytest.raises(StrategyError) as caught:
        parse_strategy("s", source)

    assert [part.strip() for part in caught.value.message.removesuffix(".").split(";")] == [
        "Strategy s: title must be a text that is not empty",
        "stage 1: it needs one of check, plugin, stages, parts, of, model goes with check only, "
        "model must be a slot number or a model id",
        "stage 2: vote must be one of unanimous, majority",
        f"stage 2, part 1: check must be one of {', '.join(CheckKind)}",
        "stage 2, part 2: it needs one of check, plugin, stages, parts, of, turns goes with check only, "
        "vote must be one of unanimous, majority",
        "stage 3: vote must be one of unanimous, majority",
    ]
