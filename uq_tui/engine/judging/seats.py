"""Who is asked what in a strategy: the models that fill its slots, and the sample index of every conversation."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from uq_tui.config import normal_base
from uq_tui.engine.requests import ModelChoice
from uq_tui.errors import SlotError
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
    Vote,
    beneath,
    models_in,
    slot_count,
    walk,
)
from uq_tui.text import counted


@dataclass(frozen=True, slots=True)
class Seat:
    """One conversation with a judge, by the path of the check, reflection or debater that holds it."""

    path: str
    model: ModelChoice
    sample: int
    """Part of its calls' keys: no two conversations of a strategy that begin alike have the same."""
    samples: int
    """How many conversations differ in nothing but their sample because of the votes over samples above it."""


def fill(root: Pipeline, given: Sequence[ModelChoice]) -> dict[Slot, ModelChoice]:
    """The model of each slot, and of each model id that a strategy names; ids stand for themselves.

    Args:
        root: the strategy.
        given: the models of its slots, from slot 1 on. One is allowed to a strategy that names no slot.

    Raises:
        SlotError: too few or too many models are given, or two judges of one vote are the same model.
    """
    needed = max(slot_count(root), 1)
    if len(given) != needed:
        wanted = counted(needed, "model")
        raise SlotError(
            f"This strategy needs {wanted}, and {len(given)} {'is' if len(given) == 1 else 'are'} given.",
            hint="Name one model for each of its slots, slot 1 first.",
        )
    models: dict[Slot, ModelChoice] = dict(enumerate(given, start=1))
    models.update({slot: ModelChoice(slot) for slot in models_in(root) if isinstance(slot, str)})
    for node in walk(root):
        if isinstance(node, Ensemble | Debate):
            _refuse_same([models[slot] for slot in node.models])
    return models


def _refuse_same(models: Sequence[ModelChoice]) -> None:
    """Equal calls are made once, so that one reply of a model that judges twice would be counted twice."""
    times = Counter((model.id, normal_base(model.api_base)) for model in models)
    twice = next((model_id for (model_id, _), count in times.items() if count > 1), None)
    if twice is not None:
        raise SlotError(
            f"{twice} would judge twice in one vote, where the judges must be different models.",
            hint="Name another model, or ask one model several times with `x3 majority`.",
        )


def seats_of(root: Pipeline, models: Mapping[Slot, ModelChoice]) -> dict[str, Seat]:
    """Every conversation by the path where it begins.

    Nested samples multiply. Where a check is repeated with the same model elsewhere in the tree, the later place takes
    the samples after those of the earlier one, so that no reply is counted twice. Models of the same id at different
    addresses count as one here, since an address may be the configured one that goes without saying.
    """
    firsts: dict[str, int] = {}
    free: Counter[tuple[CheckKind, str]] = Counter()
    seats = {}
    for one in _conversations(root, _Position(1)):
        model = models[one.at.slot]
        what = one.kind, model.id
        if one.at.pattern not in firsts:
            firsts[one.at.pattern] = free[what]
            free[what] += one.at.samples
        seats[one.at.path] = Seat(one.at.path, model, firsts[one.at.pattern] + one.at.sample, one.at.samples)
    return seats


@dataclass(frozen=True, slots=True)
class _Position:
    """Where a walk stands. `pattern` is the path without the numbers of samples."""

    slot: Slot
    path: str = ""
    pattern: str = ""
    sample: int = 0
    samples: int = 1

    def part(self, name: str, slot: Slot | None = None) -> "_Position":
        """A part that is not one of several samples, with a model of its own where it has one."""
        slot = self.slot if slot is None else slot
        return _Position(slot, beneath(self.path, name), beneath(self.pattern, name), self.sample, self.samples)

    def drawn(self, number: int, n: int) -> "_Position":
        """Sample `number` of `n`, from 0."""
        path, pattern = beneath(self.path, str(number + 1)), beneath(self.pattern, "*")
        return _Position(self.slot, path, pattern, self.sample * n + number, self.samples * n)


@dataclass(frozen=True, slots=True)
class _Conversation:
    kind: CheckKind
    at: _Position


def _conversations(node: Node, at: _Position) -> Iterator[_Conversation]:
    match node:
        case Plugin():
            return
        case Check(kind=kind, model=model) | Reflect(check=Check(kind=kind, model=model)):
            slot = at.slot if model is None else model
            yield _Conversation(kind, replace(at, slot=slot))
        case Sample(node=child, n=n):
            for number in range(n):
                yield from _conversations(child, at.drawn(number, n))
        case Ensemble(node=child, models=slots):
            for number, slot in enumerate(slots, start=1):
                yield from _conversations(child, at.part(str(number), slot))
        case Debate(kind=kind, models=slots):
            for number, slot in enumerate(slots, start=1):
                yield _Conversation(kind, at.part(str(number), slot))
        case Vote(stages=stages) | Pipeline(stages=stages):
            for stage in stages:
                yield from _conversations(stage.node, at.part(stage.name))
