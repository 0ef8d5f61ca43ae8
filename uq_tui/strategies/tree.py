"""Strategies: checks composed into a tree, as Unsolved Questions (arXiv 2508.17580v1), Section 3.2, composes them.

A leaf brings one decision. A node that asks its child several times, or several children, counts their decisions as a
vote. A pipeline asks its stages one after the other. Models stand in a tree as slots, so that one tree serves any
models, or by their ids.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from uq_tui.analysis.votes import VoteRule

MAX_VOTES = 64
"""Votes that one node may have."""

Slot = int | str
"""A model: the number of a slot, from 1, that the user fills when a run starts, or a model id."""


class CheckKind(StrEnum):
    """The prompts that can judge a candidate (Unsolved Questions, Section 3.2 and Appendix E.7)."""

    CYCLE_CONSISTENCY = "cycle_consistency"
    """Two calls: infer the question from the answer alone, then compare."""
    FACT_LOGIC = "fact_logic"
    CORRECTNESS = "correctness"
    RELEVANCE = "relevance"
    FINAL_ANSWER = "final_answer"
    VANILLA = "vanilla"

    @property
    def calls(self) -> int:
        """Calls that one judgement by this check takes."""
        return len(self.templates)

    @property
    def templates(self) -> tuple[str, ...]:
        """Names of the templates that one judgement uses, in order; the last one asks for the decision."""
        if self is CheckKind.CYCLE_CONSISTENCY:
            return ("check.cycle_infer", "check.cycle_compare")
        return (f"check.{self.value}",)


@dataclass(frozen=True, slots=True)
class Check:
    """One judgement. Without a model of its own it is asked of the model that the nodes above it name, else slot 1."""

    kind: CheckKind
    model: Slot | None = None


@dataclass(frozen=True, slots=True)
class Plugin:
    """One judgement by an installed plug-in; asks no model."""

    name: str


@dataclass(frozen=True, slots=True)
class Reflect:
    """The check, then `turns` - 1 times the request to look again, all in one conversation; a vote over the turns."""

    check: Check
    turns: int
    rule: VoteRule


@dataclass(frozen=True, slots=True)
class Sample:
    """The node `n` times, independently of each other; a vote over the samples."""

    node: "Node"
    n: int
    rule: VoteRule


@dataclass(frozen=True, slots=True)
class Ensemble:
    """The node once by each of `models`, which differ; a vote over the models."""

    node: "Node"
    models: tuple[Slot, ...]
    rule: VoteRule


@dataclass(frozen=True, slots=True)
class Debate:
    """Each of `models` judges by the check, is shown once what the others wrote, and judges again.

    The vote is over the second judgements. The paper does not print how its debate goes; this is ours.
    """

    kind: CheckKind
    models: tuple[Slot, ...]
    rule: VoteRule


@dataclass(frozen=True, slots=True)
class Stage:
    """A named node. Names under one parent differ; they are made of lower-case letters, digits, - and _."""

    name: str
    node: "Node"


@dataclass(frozen=True, slots=True)
class Vote:
    """A vote over different nodes."""

    stages: tuple[Stage, ...]
    rule: VoteRule


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Stages one after the other; the first reject ends it."""

    stages: tuple[Stage, ...]


Node = Check | Plugin | Reflect | Sample | Ensemble | Debate | Vote | Pipeline


@dataclass(frozen=True, slots=True)
class Strategy:
    """A pipeline with its name. `notation` is its one-line form, which alone decides what is asked."""

    name: str
    title: str
    purpose: str
    root: Pipeline
    notation: str


@dataclass(frozen=True, slots=True)
class Place:
    """One node of a strategy by its path in outcomes: "" is the root, `/` separates the levels."""

    path: str
    label: str
    """What people read: `fact logic`, `turn 2`, `sample 3`, a model id, `model 2` for a slot."""
    depth: int
    """0 for the root, 1 for its stages."""
    composed: bool
    """Its outcome is a vote or a pipeline's; it has parts."""


def default_name(node: Node) -> str:
    """The name of a stage that is given none: its check or plug-in, else what kind of node it is."""
    match node:
        case Check(kind=kind) | Debate(kind=kind):
            return kind.value
        case Plugin(name=name):
            return name
        case Reflect(check=check):
            return check.kind.value
        case Sample(node=child) | Ensemble(node=child):
            return default_name(child)
        case Vote():
            return "vote"
        case Pipeline():
            return "pipeline"


def label_of(slot: Slot) -> str:
    """What people read where a model stands that is not filled in."""
    return slot if isinstance(slot, str) else f"model {slot}"


def places(strategy: Strategy) -> tuple[Place, ...]:
    """Every node in reading order: each is followed by its parts, in the order in which they are asked."""
    return tuple(_places(strategy.root, "", strategy.title, 0))


def paths_of(node: Node, path: str) -> tuple[str, ...]:
    """Path of a node that stands at `path`, and those of everything beneath it, in reading order."""
    return tuple(place.path for place in _places(node, path, "", 0))


def beneath(path: str, part: str) -> str:
    """The path of a part of the node at `path`."""
    return f"{path}/{part}" if path else part


def _places(node: Node, path: str, label: str, depth: int) -> Iterator[Place]:
    parts = list(_parts(node))
    yield Place(path, label, depth, bool(parts))
    for name, part_label, part in parts:
        where = beneath(path, name)
        if part is None:
            yield Place(where, part_label, depth + 1, composed=False)
        else:
            yield from _places(part, where, part_label, depth + 1)


def _parts(node: Node) -> Iterator[tuple[str, str, Node | None]]:
    """Name in paths, label and node of each part; `None` for a turn, which is no node of its own."""
    match node:
        case Check() | Plugin():
            return
        case Reflect(turns=turns):
            for turn in range(1, turns + 1):
                yield str(turn), f"turn {turn}", None
        case Sample(node=child, n=n):
            for sample in range(1, n + 1):
                yield str(sample), f"sample {sample}", child
        case Ensemble(node=child, models=models):
            for number, model in enumerate(models, start=1):
                yield str(number), label_of(model), child
        case Debate(models=models):
            for number, model in enumerate(models, start=1):
                yield str(number), label_of(model), _DEBATER
        case Vote(stages=stages) | Pipeline(stages=stages):
            for stage in stages:
                yield stage.name, stage.name.replace("_", " "), stage.node


_DEBATER = Reflect(Check(CheckKind.CORRECTNESS), 2, VoteRule.UNANIMOUS)
"""Stands for what one debater does, for the sake of its places: two turns."""


def children(node: Node) -> tuple[Node, ...]:
    """The nodes directly beneath a node, each once."""
    match node:
        case Reflect(check=check):
            return (check,)
        case Sample(node=child) | Ensemble(node=child):
            return (child,)
        case Debate(kind=kind, models=models):
            return tuple(Check(kind, model) for model in models)
        case Vote(stages=stages) | Pipeline(stages=stages):
            return tuple(stage.node for stage in stages)
        case _:
            return ()


def walk(node: Node) -> Iterator[Node]:
    """The node and everything beneath it, each once, top down."""
    yield node
    for child in children(node):
        yield from walk(child)


def models_in(node: Node) -> tuple[Slot, ...]:
    """Every model that a node and what is beneath it ask, each once: slots in ascending order, then ids.

    A check for which nothing names a model asks slot 1.
    """
    named: dict[Slot, None] = {}
    _collect(node, None, named)
    numbers = sorted(slot for slot in named if isinstance(slot, int))
    return (*numbers, *(slot for slot in named if isinstance(slot, str)))


def slot_count(node: Node) -> int:
    """How many slots a strategy leaves open: its highest, as they have no gaps."""
    return max((slot for slot in models_in(node) if isinstance(slot, int)), default=0)


def _collect(node: Node, current: Slot | None, named: dict[Slot, None]) -> None:
    match node:
        case Plugin():
            return
        case Check(model=model):
            named[model if model is not None else current if current is not None else 1] = None
        case Ensemble(node=child, models=models):
            for model in models:
                _collect(child, model, named)
        case _:
            for child in children(node):
                _collect(child, current, named)


def templates(strategy: Strategy) -> tuple[str, ...]:
    """Names of all templates that judgements of this strategy can use, without the one that asks again."""
    nodes = list(walk(strategy.root))
    names = [name for node in nodes if isinstance(node, Check) for name in node.kind.templates]
    if any(isinstance(node, Reflect) for node in nodes):
        names.append("reflect")
    if any(isinstance(node, Debate) for node in nodes):
        names.append("debate")
    return tuple(dict.fromkeys(names))
