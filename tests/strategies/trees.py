"""Arbitrary strategies for property tests. Each keeps to the limits and prints to a text that `parse` reads."""

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
)

RULES = st.sampled_from(VoteRule)
KINDS = st.sampled_from(CheckKind)
NAMES = st.text("abcz019_-", min_size=1, max_size=6)
COUNTS = st.integers(1, 5)
IDS = st.sampled_from(("openai/o3", "local/tiny", "vertex_ai/claude@2025", "openrouter/a/b:free", "x/y.z-1+2~3"))


def models(slots: int) -> st.SearchStrategy[Slot]:
    """A slot up to `slots`, or a model id."""
    return st.integers(1, slots) | IDS if slots else IDS


@st.composite
def pipelines(draw: st.DrawFn, *, plugins: bool = True, slots: int = 3, leaves: int = 6) -> Pipeline:
    """A root that keeps to every limit.

    Args:
        draw: given by Hypothesis.
        plugins: whether plug-ins may be in it.
        slots: the highest slot that may be in it; those it uses have no gaps.
        leaves: about how many leaves it has at most.
    """
    root = Pipeline(_named(draw(st.lists(_nodes(plugins, slots, leaves), min_size=1, max_size=3)), draw))
    assume(not limits.root_problem(root) and len(to_notation(root)) <= limits.MAX_LENGTH)
    return root


@st.composite
def strategies(draw: st.DrawFn, *, plugins: bool = True, slots: int = 3, leaves: int = 6) -> Strategy:
    """A strategy around one of `pipelines`."""
    root = draw(pipelines(plugins=plugins, slots=slots, leaves=leaves))
    return Strategy("arbitrary", "Arbitrary", "Stands for any strategy.", root, to_notation(root))


def _nodes(plugins: bool, slots: int, leaves: int) -> st.SearchStrategy[Node]:
    model = models(slots)
    ensembles = st.lists(model, min_size=2, max_size=3, unique=True).map(tuple)
    checks = st.builds(Check, KINDS, st.none() | model)
    leaf: st.SearchStrategy[Node] = st.one_of(
        checks, st.builds(Reflect, checks, COUNTS, RULES), st.builds(Debate, KINDS, ensembles, RULES)
    )
    if plugins:
        leaf |= st.builds(Plugin, NAMES)

    def around(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
        several = _several(inner)
        return st.one_of(
            st.builds(Sample, inner, COUNTS, RULES),
            st.builds(Ensemble, inner, ensembles, RULES),
            st.builds(Vote, several, RULES),
            st.builds(Pipeline, several),
        ).filter(lambda node: not limits.problem(node))

    return st.recursive(leaf, around, max_leaves=leaves)


@st.composite
def _several(draw: st.DrawFn, inner: st.SearchStrategy[Node]) -> tuple[Stage, ...]:
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
