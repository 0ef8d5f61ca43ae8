"""Strategies: checks composed into a tree, written in TOML.

A strategy is a list of stages that run one after the other. A stage asks one check once, again and again in the same
conversation (`turns`), or independently (`samples`); the last two end in a vote.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from uq_tui.analysis.votes import VoteRule, fewest_to_decide
from uq_tui.errors import TemplateError

MAX_VOTES = 64
"""Turns or samples a stage may have."""

_STAGE_KEYS = ("check", "name", "turns", "samples", "vote")
_STRATEGY_KEYS = ("title", "purpose", "stages")
_NAME = re.compile(r"[a-z0-9_-]+")


class Check(StrEnum):
    """The prompts that can judge a candidate."""

    CYCLE_CONSISTENCY = "cycle_consistency"
    """Two calls: infer the question from the answer alone, then compare."""
    FACT_LOGIC = "fact_logic"
    CORRECTNESS = "correctness"

    @property
    def calls(self) -> int:
        """Calls that one judgement by this check takes."""
        return len(self.templates)

    @property
    def templates(self) -> tuple[str, ...]:
        """Names of the templates that one judgement uses, in order; the last one asks for the decision."""
        if self is Check.CYCLE_CONSISTENCY:
            return ("check.cycle_infer", "check.cycle_compare")
        return (f"check.{self.value}",)


@dataclass(frozen=True, slots=True)
class Once:
    """The check, once."""

    check: Check


@dataclass(frozen=True, slots=True)
class Reflect:
    """The check, then `turns` - 1 times the request to look again, all in one conversation; a vote over the turns."""

    check: Check
    turns: int
    vote: VoteRule


@dataclass(frozen=True, slots=True)
class Sample:
    """The check `n` times, each in a conversation of its own; a vote over the samples."""

    check: Check
    n: int
    vote: VoteRule


Node = Once | Reflect | Sample


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of a pipeline. `name` is its path in outcomes."""

    name: str
    node: Node

    @property
    def vote_paths(self) -> tuple[str, ...]:
        """Paths of the single judgements under this stage; none for a check that is asked once."""
        match self.node:
            case Once():
                return ()
            case Reflect(turns=count) | Sample(n=count):
                return tuple(f"{self.name}/{number}" for number in range(1, count + 1))


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Stages one after the other; the first reject ends it."""

    stages: tuple[Stage, ...]


@dataclass(frozen=True, slots=True)
class Strategy:
    """A pipeline with its name."""

    name: str
    title: str
    purpose: str
    root: Pipeline

    @property
    def templates(self) -> tuple[str, ...]:
        """Names of all templates this strategy can use."""
        names = [name for stage in self.root.stages for name in stage.node.check.templates]
        if any(isinstance(stage.node, Reflect) for stage in self.root.stages):
            names.append("reflect")
        return (*dict.fromkeys(names), "retry.decision", "ending.decision")


@dataclass(frozen=True, slots=True)
class PlannedCalls:
    """Calls for one candidate, not counting the one retry that each unreadable reply may bring."""

    fewest: int
    most: int


def planned_calls(strategy: Strategy, *, exact: bool = False) -> PlannedCalls:
    """How many calls one candidate takes at least and at most. With `exact` nothing is skipped.

    A reply that fails can end a conversation earlier than `fewest` says.
    """
    stages = strategy.root.stages
    most = sum(_calls(stage.node, _votes(stage.node)) for stage in stages)
    if exact:
        return PlannedCalls(most, most)
    return PlannedCalls(_calls(stages[0].node, _fewest_votes(stages[0].node)), most)


def _votes(node: Node) -> int:
    match node:
        case Once():
            return 1
        case Reflect(turns=count) | Sample(n=count):
            return count


def _fewest_votes(node: Node) -> int:
    return 1 if isinstance(node, Once) else fewest_to_decide(node.vote, (), _votes(node))


def _calls(node: Node, votes: int) -> int:
    if isinstance(node, Reflect):
        return node.check.calls + votes - 1
    return node.check.calls * votes


def parse_strategy(name: str, source: str) -> Strategy:
    """Read a strategy's TOML.

    Args:
        name: what it is called; used in messages and kept.
        source: the TOML text.

    Raises:
        TemplateError: naming everything that is wrong at once.
    """
    try:
        data = tomllib.loads(source)
    except tomllib.TOMLDecodeError as error:
        raise TemplateError(f"Strategy {name} is not TOML: {error}") from error
    problems = [f"unknown key {key}" for key in sorted(data.keys() - set(_STRATEGY_KEYS))]
    problems += [
        f"{key} must be a text that is not empty"
        for key in ("title", "purpose")
        if not (isinstance(data.get(key), str) and data[key])
    ]
    tables = data.get("stages")
    if not (isinstance(tables, list) and tables and all(isinstance(table, dict) for table in tables)):
        problems.append("it needs at least one [[stages]] table")
        tables = []
    stages = [_stage(number, table, problems) for number, table in enumerate(tables, start=1)]
    names = [stage.name for stage in stages if stage is not None]
    problems += [
        f"two stages are called {twice}; give one a `name`" for twice in dict.fromkeys(names) if names.count(twice) > 1
    ]
    if problems:
        raise TemplateError(f"Strategy {name}: {'; '.join(problems)}.")
    return Strategy(name, data["title"], data["purpose"], Pipeline(tuple(stage for stage in stages if stage)))


def _stage(number: int, table: Mapping[str, Any], problems: list[str]) -> Stage | None:
    """The stage a table describes; what is wrong with it goes to `problems`."""
    wrong = [f"unknown key {key}" for key in sorted(table.keys() - set(_STAGE_KEYS))]
    check = table.get("check")
    if check not in set(Check):
        wrong.append(f"check must be one of {', '.join(Check)}")
    stage_name = table.get("name", check)
    if not (isinstance(stage_name, str) and _NAME.fullmatch(stage_name)):
        wrong.append("name must be of lower-case letters, digits, - and _")
    counts = [key for key in ("turns", "samples") if key in table]
    if len(counts) > 1:
        wrong.append("it has both turns and samples")
    wrong += [
        f"{key} must be a whole number from 1 to {MAX_VOTES}"
        for key in counts
        if type(table[key]) is not int or not 1 <= table[key] <= MAX_VOTES
    ]
    if counts and table.get("vote") not in set(VoteRule):
        wrong.append(f"vote must be one of {', '.join(VoteRule)}")
    if not counts and "vote" in table:
        wrong.append("vote needs turns or samples")
    if wrong:
        problems.append(f"stage {number}: {', '.join(wrong)}")
        return None
    return Stage(str(stage_name), _node(Check(str(check)), table))


def _node(check: Check, table: Mapping[str, Any]) -> Node:
    if "turns" in table:
        return Reflect(check, table["turns"], VoteRule(table["vote"]))
    if "samples" in table:
        return Sample(check, table["samples"], VoteRule(table["vote"]))
    return Once(check)
