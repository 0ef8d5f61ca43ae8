"""A strategy in words, one node a line, so that what a one-line form means can be seen before it is used."""

from collections.abc import Iterator

from uq_tui.strategies.tree import (
    Check,
    Debate,
    Ensemble,
    Node,
    Pipeline,
    Plugin,
    Reflect,
    Sample,
    Slot,
    Stage,
    Vote,
    default_name,
    label_of,
)
from uq_tui.text import counted


def outline(root: Pipeline) -> tuple[str, ...]:
    """The tree's nodes in reading order, indented by two blanks a level."""
    return tuple(_stages(root.stages, 0))


def _stages(stages: tuple[Stage, ...], depth: int) -> Iterator[str]:
    for stage in stages:
        first, *more = _node(stage.node)
        name = stage.name.replace("_", " ")
        plain = stage.name == default_name(stage.node) and not isinstance(stage.node, Pipeline | Vote)
        yield "  " * depth + (first if plain else f"{name}: {first}")
        yield from ("  " * (depth + 1) + line for line in more)


def _node(node: Node) -> Iterator[str]:
    match node:
        case Check(kind=kind, model=model):
            yield _words(kind) + (f" by {label_of(model)}" if model is not None else "")
        case Plugin(name=name):
            yield f"plug-in {name}"
        case Reflect(check=check, turns=turns, rule=rule):
            yield f"{_one(check)}, {counted(turns, 'turn')}, {rule}"
        case Sample(node=child, n=n, rule=rule):
            yield from _spread(child, f"{counted(n, 'sample')}, {rule}")
        case Ensemble(node=child, models=models, rule=rule):
            yield from _spread(child, f"{_names(models)}, {rule}")
        case Debate(kind=kind, models=models, rule=rule):
            yield f"{_words(kind)}, debate of {_names(models)}, {rule}"
        case Vote(stages=stages, rule=rule):
            yield f"vote of {len(stages)}, {rule}"
            yield from _stages(stages, 0)
        case Pipeline(stages=stages):
            yield "in turn"
            yield from _stages(stages, 0)


def _spread(child: Node, votes: str) -> Iterator[str]:
    """A node that is asked several times."""
    first, *more = _node(child)
    yield f"{votes}, each {first}" if isinstance(child, Pipeline | Vote) else f"{first}; {votes}"
    yield from more


def _one(check: Check) -> str:
    return next(_node(check))


def _words(kind: str) -> str:
    return kind.replace("_", " ")


def _names(models: tuple[Slot, ...]) -> str:
    return f"{', '.join(map(label_of, models[:-1]))} and {label_of(models[-1])}"
