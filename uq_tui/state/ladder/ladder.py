"""The strategy tree of one run on one candidate as it runs: rungs in reading order, with what each of them took."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from store.call_uses import CallUse
from store.run_rows import StageOutcome
from uq_tui.engine.protocol import CallFinished, CallRetrying, CallStarted, OutcomeDecided, StageStarted
from uq_tui.state.ladder.shape import LadderShape
from uq_tui.state.usage import NOTHING, CallTook, Usage
from uq_tui.strategies.tree import Place
from uq_tui.words import Outcome

MANY = 8
"""A node with more parts than this is shown folded once it is decided."""

LadderEvent = StageStarted | CallStarted | CallRetrying | CallFinished | OutcomeDecided


@dataclass(frozen=True, slots=True)
class Rung:
    """One node of the strategy as it is shown. `path` is "" for the whole strategy."""

    path: str
    label: str
    depth: int
    """0 for the whole, 1 for its stages."""
    outcome: Outcome | None = None
    running: bool = False
    reason: str = ""
    call_keys: tuple[str, ...] = ()
    """The calls behind the judgement, in the order in which they were asked; empty for composed nodes."""
    model: str = ""
    """The model asked, where neither the run's own nor named by a rung above."""
    parts: int = 0
    """Parts directly beneath it."""
    folded: bool = False
    """It has parts that are not shown."""
    usage: Usage = NOTHING
    """Of all calls beneath it."""


@dataclass(slots=True)
class _Node:
    outcome: Outcome | None = None
    running: bool = False
    reason: str = ""
    calls: dict[str, None] = field(default_factory=dict)
    """Keys in order; a set with an order."""


class Ladder:
    """The nodes of one run on one candidate. Order, depth and labels are those of the run's strategy.

    Nodes that the strategy isn't known to have (its shape hasn't been read yet, or the run is of 0.1.0) are shown as
    they come: stages by the names the run pinned, parts under them by number.
    """

    def __init__(self, run_id: str, shape: LadderShape | None = None) -> None:
        self.run_id = run_id
        self.under_way = False
        """Whether the run goes on, so that what has no outcome may still get one."""
        self._shape = shape or LadderShape()
        self._drawing: _Drawing | None = None
        """What the nodes come to; `None` after each change."""
        self._nodes: dict[str, _Node] = {}
        self._calls: dict[str, CallTook] = {}

    @classmethod
    def from_store(
        cls,
        run_id: str,
        shape: LadderShape,
        outcomes: Iterable[StageOutcome],
        uses: Mapping[str, CallUse] | None = None,
    ) -> "Ladder":
        """The ladder of a run that was (partly) kept. `uses` are what its calls took, by key."""
        ladder = cls(run_id, shape)
        alone = not shape.notation
        ladder._calls = {key: replace(_took(use, run_id), alone=alone) for key, use in (uses or {}).items()}
        for kept in outcomes:
            node = ladder._node(kept.path)
            node.outcome, node.reason = kept.outcome, kept.reason
            node.calls = dict.fromkeys(keys_of(kept))
        return ladder

    @property
    def shape(self) -> LadderShape:
        """What is known of the run's strategy."""
        return self._shape

    @shape.setter
    def shape(self, shape: LadderShape) -> None:
        self._shape, self._drawing = shape, None

    def apply(self, event: LadderEvent) -> None:
        """Take one event of this run and candidate."""
        self._drawing = None
        self.under_way = True
        node = self._node(event.path)
        match event:
            case StageStarted():
                node.running = True
            case CallStarted(call_key=key):
                node.running = True
                node.calls.setdefault(key)
                self._calls[key] = replace(self._took(key), running=True, model=event.model)
            case CallRetrying(call_key=key):
                node.calls.setdefault(key)
                self._calls[key] = replace(self._took(key), retries=event.attempts)
            case CallFinished(call_key=key):
                node.calls.setdefault(key)
                self._calls[key] = self._finished(event)
            case OutcomeDecided():
                node.running, node.outcome, node.reason = False, event.outcome, event.reason
                if event.call_key:
                    node.calls.setdefault(event.call_key)

    def _finished(self, event: CallFinished) -> CallTook:
        return replace(
            self._took(event.call_key),
            running=False,
            tokens=_both(event.tokens_in, event.tokens_out),
            cost_usd=event.cost_usd,
            remembered=event.remembered,
        )

    def stop(self) -> None:
        """Nothing runs any more: the run ended or the worker died."""
        self._drawing = None
        self.under_way = False
        for node in self._nodes.values():
            node.running = False
        self._calls = {key: replace(call, running=False) for key, call in self._calls.items()}

    def _took(self, key: str) -> CallTook:
        return self._calls.get(key, CallTook())

    def _node(self, path: str) -> _Node:
        """The node at a path; those above it are there as well from then on."""
        above = path
        while above := above.rpartition("/")[0]:
            self._nodes.setdefault(above, _Node())
        return self._nodes.setdefault(path, _Node())

    # What is shown

    @property
    def model(self) -> str:
        """The model in the run's slot 1; while that is not known, the first one that was asked."""
        return self.shape.model or next((call.model for call in self._calls.values() if call.model), "")

    @property
    def running(self) -> bool:
        """Whether the outcome of the whole is still being worked on."""
        return self.under_way and self.whole.outcome is None

    @property
    def decided(self) -> bool:
        """Whether any node has an outcome."""
        return any(node.outcome is not None for node in self._nodes.values())

    @property
    def asked(self) -> bool:
        """Whether there is a call behind any node."""
        return any(node.calls for node in self._nodes.values())

    @property
    def whole(self) -> Rung:
        """The strategy as a whole."""
        return self._drawn().rung("")

    def rungs(self, folds: Mapping[str, bool] | None = None) -> tuple[Rung, ...]:
        """Every node that is shown, the whole strategy first, each followed by its parts.

        A stage is shown as soon as the shape is known, a part once what it is part of has begun, of many parts each
        once it has begun itself. A skipped node stands for its parts, which were all skipped with it.

        Args:
            folds: paths that the reader has folded (`True`) or opened; the others fold when they are long and decided.
        """
        return tuple(self._drawn().beneath("", folds or {}))

    def rung(self, path: str) -> Rung | None:
        """One node, shown or not; `None` when nothing is known of it."""
        drawing = self._drawn()
        return drawing.rung(path) if path in drawing.places or path == "" else None

    def call(self, key: str) -> CallTook:
        """What is known of a call behind this ladder."""
        return self._took(key)

    def parts(self, path: str) -> tuple[Rung, ...]:
        """The nodes directly beneath one, whether they are shown or not."""
        drawing = self._drawn()
        return tuple(drawing.rung(part) for part in drawing.parts.get(path, ()))

    def _drawn(self) -> "_Drawing":
        if self._drawing is None:
            self._drawing = _Drawing(self)
        return self._drawing

    def tally(self) -> tuple[int, int]:
        """(stages that accepted, stages planned; while the strategy's shape is not known, stages seen)."""
        known = {place.path for place in self.shape.places if place.depth == 1}
        stages = known or {path for path in self._nodes if path and "/" not in path}
        accepted = (self._nodes[path].outcome is Outcome.ACCEPT for path in stages if path in self._nodes)
        return sum(accepted), len(stages)


class _Drawing:
    """One look at a ladder: its places in order, and the calls beneath each."""

    def __init__(self, ladder: Ladder) -> None:
        self._shape, self._nodes, self._model = ladder.shape, ladder._nodes, ladder.model
        self.places = {place.path: place for place in self._shape.places}
        for path in sorted(self._nodes.keys() - self.places.keys() - {""}, key=self._unplanned_order):
            self.places[path] = _unplanned(path)
        self.parts: dict[str, list[str]] = {}
        for path in self.places:
            if path:
                self.parts.setdefault(path.rpartition("/")[0], []).append(path)
        self._rungs: dict[str, Rung] = {}
        self._calls: dict[str, list[CallTook]] = {}
        for path, node in self._nodes.items():
            took = [ladder._took(key) for key in node.calls]
            for above in _with_those_above(path):
                self._calls.setdefault(above, []).extend(took)

    def _unplanned_order(self, path: str) -> list[tuple[int, str]]:
        """Stages in the order that was pinned, parts by number."""
        top, *rest = path.split("/")
        stages = self._shape.stages
        at = stages.index(top) if top in stages else len(stages)
        return [(at, top), *((int(part), "") if part.isdigit() else (0, part) for part in rest)]

    def beneath(self, path: str, folds: Mapping[str, bool]) -> Iterator[Rung]:
        """The node and what is shown of its parts."""
        rung = self.rung(path)
        shown = self._shown_parts(rung)
        folded = bool(shown) and folds.get(path, self._is_long(rung))
        yield replace(rung, folded=True) if folded else rung
        if not folded:
            for part in shown:
                yield from self.beneath(part, folds)

    def rung(self, path: str) -> Rung:
        """What is known of the node."""
        if path not in self._rungs:
            self._rungs[path] = self._rung(path)
        return self._rungs[path]

    def _rung(self, path: str) -> Rung:
        node = self._nodes.get(path, _Node())
        place = self.places.get(path) or Place("", self._shape.title, 0, composed=True)
        calls = self._calls.get(path, ())
        return Rung(
            path=path,
            label=place.label,
            depth=place.depth,
            outcome=node.outcome,
            running=node.running,
            reason=node.reason,
            call_keys=tuple(node.calls),
            model=self._other_model(path, calls) if node.calls else "",
            parts=len(self.parts.get(path, ())),
            usage=Usage.of(calls),
        )

    def _other_model(self, path: str, calls: Iterable[CallTook]) -> str:
        asked = next((call.model for call in calls if call.model), "")
        named = {self.places[above].label for above in _with_those_above(path) if above in self.places}
        return "" if asked == self._model or asked in named else asked

    def _shown_parts(self, rung: Rung) -> list[str]:
        parts = self.parts.get(rung.path, [])
        if not rung.path:
            return parts
        if rung.path not in self._nodes or rung.outcome is Outcome.SKIPPED:
            return []
        return parts if len(parts) <= MANY else [part for part in parts if part in self._nodes]

    def _is_long(self, rung: Rung) -> bool:
        """Whether a decided node has so much beneath it that it folds by itself. The stages themselves always show."""
        if not rung.path or rung.outcome is None or rung.running:
            return False
        if rung.depth == 1:
            return rung.parts > MANY
        return sum(place.startswith(f"{rung.path}/") for place in self.places) > MANY


def keys_of(kept: StageOutcome) -> tuple[str, ...]:
    """The calls behind an outcome. Runs of 0.1.0 kept only the one that was read."""
    return kept.call_keys or ((kept.call_key,) if kept.call_key else ())


def _took(use: CallUse, run_id: str) -> CallTook:
    return CallTook(
        tokens=_both(use.tokens_in, use.tokens_out),
        cost_usd=use.cost_usd,
        retries=max(0, use.attempts - 1),
        remembered=use.run_id != run_id,
        model=use.model,
        template=use.template,
    )


def _both(tokens_in: int | None, tokens_out: int | None) -> int | None:
    return None if tokens_in is None or tokens_out is None else tokens_in + tokens_out


def _with_those_above(path: str) -> Iterator[str]:
    yield path
    while path:
        path = path.rpartition("/")[0]
        yield path


def _unplanned(path: str) -> Place:
    last = path.rpartition("/")[2]
    label = f"turn {last}" if last.isdigit() else last.replace("_", " ")
    return Place(path, label, path.count("/") + 1 if path else 0, composed=False)
