"""How many calls a strategy takes for one candidate."""

from dataclasses import dataclass

from uq_tui.analysis.votes import VoteRule, fewest_to_decide
from uq_tui.strategies.tree import (
    Check,
    Debate,
    Ensemble,
    Node,
    Pipeline,
    Plugin,
    Reflect,
    Sample,
    Strategy,
    Vote,
)


@dataclass(frozen=True, slots=True)
class PlannedCalls:
    """Calls for one candidate, not counting the one retry that each unreadable reply may bring."""

    fewest: int
    most: int


def planned_calls(strategy: Strategy, *, exact: bool = False) -> PlannedCalls:
    """How many calls one candidate takes at least and at most. With `exact` nothing is skipped.

    A reply that fails can end a conversation earlier than `fewest` says.
    """
    most = most_calls(strategy.root)
    return PlannedCalls(most if exact else _fewest(strategy.root), most)


def most_calls(node: Node, *, each_plugin: int = 0) -> int:
    """Calls that a node takes when no vote is decided early; `each_plugin` counts a plug-in's judgement as calls."""
    match node:
        case Check(kind=kind):
            return kind.calls
        case Plugin():
            return each_plugin
        case Reflect(check=check, turns=turns):
            return check.kind.calls + turns - 1
        case Sample(node=child, n=n):
            return n * most_calls(child, each_plugin=each_plugin)
        case Ensemble(node=child, models=models):
            return len(models) * most_calls(child, each_plugin=each_plugin)
        case Debate(kind=kind, models=models):
            return len(models) * (kind.calls + 1)
        case Vote(stages=stages) | Pipeline(stages=stages):
            return sum(most_calls(stage.node, each_plugin=each_plugin) for stage in stages)


def _fewest(node: Node) -> int:
    match node:
        case Check() | Plugin():
            return most_calls(node)
        case Reflect(check=check, turns=turns, rule=rule):
            return check.kind.calls + _first(rule, turns) - 1
        case Sample(node=child, n=n, rule=rule):
            return _first(rule, n) * _fewest(child)
        case Ensemble(node=child, models=models, rule=rule):
            return _first(rule, len(models)) * _fewest(child)
        case Debate(kind=kind, models=models, rule=rule):
            return len(models) * kind.calls + _first(rule, len(models))
        case Vote(stages=stages, rule=rule):
            return sum(_fewest(stage.node) for stage in stages[: _first(rule, len(stages))])
        case Pipeline(stages=stages):
            return _fewest(stages[0].node)


def _first(rule: VoteRule, planned: int) -> int:
    """Votes of the first wave."""
    return fewest_to_decide(rule, (), planned)
