"""What a tree must keep to beyond its types: sizes, and nodes that would mean nothing."""

import re
from collections import Counter

from uq_tui.strategies.planning import most_calls
from uq_tui.strategies.tree import (
    MAX_VOTES,
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
    children,
    models_in,
)

MAX_DEPTH = 12
"""Levels of nodes beneath the root."""
MAX_CALLS = 4096
"""Calls, judgements of plug-ins included, that one candidate may take."""
MAX_LENGTH = 4000
"""Code points of the one-line form."""
MAX_NAME = 60
"""Characters of a stage's or plug-in's name."""
MAX_MODEL = 200
"""Characters of a model id."""

NAME = re.compile(r"[a-z0-9_-]+")
"""Names of stages, plug-ins and users' strategies."""
MODEL = re.compile(r"[\w.:/@+~-]+")
"""Model ids; those that a strategy names also hold a slash."""


def problem(node: Node, *, nested: bool = True) -> str:
    """What is wrong with a node whose parts are right, as part of a sentence; "" when nothing is.

    Args:
        node: any node.
        nested: it stands beneath another one; only a root may be a pipeline of one stage.
    """
    return _own_problem(node, nested) or _size_problem(node)


def root_problem(root: Pipeline) -> str:
    """What is wrong with a whole strategy whose stages are right; "" when nothing is."""
    return problem(root, nested=False) or _slot_problem(root)


def missing_slot(root: Pipeline) -> int | None:
    """The lowest slot that a strategy leaves out below one that it uses."""
    used = {slot for slot in models_in(root) if isinstance(slot, int)}
    return next((number for number in range(1, max(used, default=0)) if number not in used), None)


def _own_problem(node: Node, nested: bool) -> str:
    match node:
        case Check(model=model):
            return "" if model is None else _model_problem((model,))
        case Plugin(name=name):
            return _name_problem(name)
        case Reflect(turns=count) | Sample(n=count) if not 1 <= count <= MAX_VOTES:
            return f"a vote has 1 to {MAX_VOTES} votes, not {count:,}"
        case Sample(node=child) if not models_in(child):
            return "it asks no model, so that every sample would be the same"
        case Ensemble(node=child) if not _takes_model(child):
            return "no check in it leaves its model open, so that every model of the ensemble would be asked the same"
        case Ensemble(models=models) | Debate(models=models):
            return _models_problem(models)
        case Vote(stages=stages):
            return _stages_problem(stages, "a vote", 2)
        case Pipeline(stages=stages):
            return _stages_problem(stages, "a pipeline in brackets" if nested else "a strategy", 2 if nested else 1)
        case _:
            return ""


def _size_problem(node: Node) -> str:
    if _height(node) > MAX_DEPTH:
        return f"it is nested more than {MAX_DEPTH} levels deep"
    calls = most_calls(node, each_plugin=1)
    if calls > MAX_CALLS:
        return f"it takes up to {calls:,} calls for one candidate; {MAX_CALLS:,} are allowed"
    return ""


def _slot_problem(root: Pipeline) -> str:
    missing = missing_slot(root)
    return "" if missing is None else f"slot {missing} is left out; slots are numbered from 1 without gaps"


def _height(node: Node) -> int:
    return 1 + max((_height(child) for child in children(node)), default=0) if children(node) else 0


def _takes_model(node: Node) -> bool:
    """Whether a check in it takes its model from above."""
    match node:
        case Check(model=model):
            return model is None
        case Plugin() | Ensemble() | Debate():
            return False
        case _:
            return any(_takes_model(child) for child in children(node))


def _models_problem(models: tuple[Slot, ...]) -> str:
    if not 2 <= len(models) <= MAX_VOTES:
        return f"it needs 2 to {MAX_VOTES} models, not {len(models)}"
    twice = [model for model, times in Counter(models).items() if times > 1]
    if twice:
        return f"{'slot ' if isinstance(twice[0], int) else ''}{twice[0]} is named twice; models must differ"
    return _model_problem(models)


def _model_problem(models: tuple[Slot, ...]) -> str:
    for model in models:
        if isinstance(model, int):
            if not 1 <= model <= MAX_VOTES:
                return f"slots are numbered from 1 to {MAX_VOTES}"
        elif not (MODEL.fullmatch(model) and "/" in model):
            return f"{model[:MAX_MODEL]} is no model id: one has a slash, as in openai/o3"
        elif len(model) > MAX_MODEL:
            return f"a model id has at most {MAX_MODEL} characters"
    return ""


def _name_problem(name: str) -> str:
    if not NAME.fullmatch(name):
        return "names are made of lower-case letters, digits, - and _"
    return f"a name has at most {MAX_NAME} characters" if len(name) > MAX_NAME else ""


def _stages_problem(stages: tuple[Stage, ...], what: str, fewest: int) -> str:
    if not fewest <= len(stages) <= MAX_VOTES:
        return f"{what} has {fewest} to {MAX_VOTES} parts, not {len(stages)}"
    wrong = next((found for stage in stages if (found := _name_problem(stage.name))), "")
    twice = [name for name, times in Counter(stage.name for stage in stages).items() if times > 1]
    return wrong or (f"two parts are called {twice[0]}; give one a name" if twice else "")
