"""Arbitrary strategies for property tests. Each keeps to the limits and prints to a text that `parse` reads."""

from collections.abc import Iterable
from dataclasses import replace

from hypothesis import assume
from hypothesis import strategies as st

from uq_tui.analysis.votes import VoteRule
from uq_tui.strategies import limits
from uq_tui.strategies.notation import to_notation
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
    Slot,
    Stage,
    Strategy,
    Vote,
    default_name,
    models_in,
)

RULES = st.sampled_from(VoteRule)
NAMES = st.text("abcz019_-", min_size=1, max_size=6)
COUNTS = st.integers(1, 5)
IDS = st.sampled_from(("openai/o3", "local/tiny", "vertex_ai/claude@2025", "openrouter/a/b:free", "x/y.z-1+2~3"))
KINDS = tuple(CheckKind)


def pipelines(
    *, plugins: bool = True, slots: int = 3, leaves: int = 6, kinds: Iterable[CheckKind] = KINDS
) -> st.SearchStrategy[Pipeline]:
    """Roots that keep to every limit.

    Args:
        plugins: whether plug-ins may be in them.
        slots: how many slots they may have; 0 leaves only that of checks without a model.
        leaves: about how many leaves they have at most.
        kinds: the checks that may be in them.
    """
    return _roots(st.lists(_nodes(plugins, slots, leaves, kinds), min_size=1, max_size=3))


def strategies(
    *, plugins: bool = True, slots: int = 3, leaves: int = 6, kinds: Iterable[CheckKind] = KINDS
) -> st.SearchStrategy[Strategy]:
    """Strategies around `pipelines`, which has the same arguments."""
    return pipelines(plugins=plugins, slots=slots, leaves=leaves, kinds=kinds).map(
        lambda root: Strategy("arbitrary", "Arbitrary", "Stands for any strategy.", root, to_notation(root))
    )


@st.composite
def _roots(draw: st.DrawFn, nodes: st.SearchStrategy[list[Node]]) -> Pipeline:
    root = _packed(Pipeline(_named(draw(nodes), draw)))
    assume(not limits.root_problem(root) and len(to_notation(root)) <= limits.MAX_LENGTH)
    return root


def _nodes(plugins: bool, slots: int, leaves: int, kinds: Iterable[CheckKind]) -> st.SearchStrategy[Node]:
    model: st.SearchStrategy[Slot] = st.integers(1, slots) | IDS if slots else IDS
    several = st.lists(model, min_size=2, max_size=3, unique=True).map(tuple)
    kind = st.sampled_from(tuple(kinds))
    checks = st.builds(Check, kind, st.none() | model)
    leaf: st.SearchStrategy[Node] = st.one_of(
        checks, st.builds(Reflect, checks, COUNTS, RULES), st.builds(Debate, kind, several, RULES)
    )
    if plugins:
        leaf |= st.builds(Plugin, NAMES)

    def around(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
        return st.one_of(
            st.builds(Sample, inner, COUNTS, RULES).map(_or_part),
            st.builds(Ensemble, inner, several, RULES).map(_or_part),
            st.builds(Vote, _stages(inner), RULES),
            st.builds(Pipeline, _stages(inner)),
        )

    return st.recursive(leaf, around, max_leaves=leaves)


def _or_part(node: Sample | Ensemble) -> Node:
    """The node, or what it spreads where that cannot be spread."""
    return node.node if limits.problem(node) else node


@st.composite
def _stages(draw: st.DrawFn, inner: st.SearchStrategy[Node]) -> tuple[Stage, ...]:
    return _named(draw(st.lists(inner, min_size=2, max_size=3)), draw)


def _named(nodes: list[Node], draw: st.DrawFn) -> tuple[Stage, ...]:
    """The nodes as stages whose names differ; about half of them have their default names."""
    stages: list[Stage] = []
    for node in nodes:
        own = default_name(node) if draw(st.booleans()) else draw(NAMES)
        taken = {stage.name for stage in stages}
        name = next(name for name in (own, *(f"{own}-{n}" for n in range(2, 5))) if name not in taken)
        stages.append(Stage(name, node))
    return tuple(stages)


def _packed(root: Pipeline) -> Pipeline:
    """The same with its slots numbered without gaps."""
    used = [slot for slot in models_in(root) if isinstance(slot, int)]
    return Pipeline(_renumbered(root.stages, dict(zip(used, range(1, len(used) + 1), strict=True))))


def _renumbered(stages: tuple[Stage, ...], slots: dict[Slot, Slot]) -> tuple[Stage, ...]:
    return tuple(replace(stage, node=_with_slots(stage.node, slots)) for stage in stages)


def _with_slots(node: Node, slots: dict[Slot, Slot]) -> Node:
    match node:
        case Check(model=model):
            return node if model is None else replace(node, model=slots.get(model, model))
        case Plugin():
            return node
        case Reflect(check=Check(kind=kind, model=model)):
            return replace(node, check=Check(kind, model if model is None else slots.get(model, model)))
        case Debate(models=models):
            return replace(node, models=tuple(slots.get(model, model) for model in models))
        case Sample(node=child):
            return replace(node, node=_with_slots(child, slots))
        case Ensemble(node=child, models=models):
            return replace(
                node, node=_with_slots(child, slots), models=tuple(slots.get(model, model) for model in models)
            )
        case Vote(stages=stages) | Pipeline(stages=stages):
            return replace(node, stages=_renumbered(stages, slots))
