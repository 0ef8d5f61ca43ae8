"""The stages of a strategy as they run for one candidate, as rungs in reading order."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from store.rows import StageOutcome
from uq_tui.engine.protocol import CallStarted, OutcomeDecided, StageStarted
from uq_tui.words import Outcome


@dataclass(frozen=True, slots=True)
class Rung:
    """One node of the strategy. `path` is "" for the whole strategy; `depth` counts from the stages at 0."""

    path: str
    outcome: Outcome | None = None
    running: bool = False
    reason: str = ""
    call_key: str = ""

    @property
    def depth(self) -> int:
        return self.path.count("/")

    @property
    def name(self) -> str:
        """`cycle consistency` for a stage, `turn 2` or `sample 2` would be its parts: here just the last part."""
        last = self.path.rpartition("/")[2]
        return f"turn {last}" if last.isdigit() else last.replace("_", " ")


class Ladder:
    """Rungs of one run on one candidate, kept in order of first appearance, parts under their stage."""

    def __init__(self, run_id: str, stages: Iterable[str] = ()) -> None:
        """`stages` are the names of the strategy's stages in order; others follow as they come."""
        self.run_id = run_id
        self._stages = tuple(stages)
        self._rungs: dict[str, Rung] = {}

    @classmethod
    def from_store(cls, run_id: str, stages: Iterable[str], outcomes: Iterable[StageOutcome]) -> "Ladder":
        """The ladder of a run that was (partly) kept."""
        ladder = cls(run_id, stages)
        for outcome in outcomes:
            ladder._set(
                Rung(outcome.path, outcome.outcome, reason=outcome.reason, call_key=outcome.call_key),
            )
        return ladder

    def apply(self, event: StageStarted | CallStarted | OutcomeDecided) -> None:
        """Take one event of this run and candidate."""
        rung = self._rungs.get(event.path, Rung(event.path))
        match event:
            case StageStarted():
                self._set(replace(rung, running=True))
            case CallStarted():
                self._set(replace(rung, running=True, call_key=event.call_key))
            case OutcomeDecided():
                key = event.call_key or rung.call_key
                self._set(replace(rung, running=False, outcome=event.outcome, reason=event.reason, call_key=key))

    def stop(self) -> None:
        """Nothing runs any more: the run ended or the worker died."""
        for rung in tuple(self._rungs.values()):
            self._set(replace(rung, running=False))

    def _set(self, rung: Rung) -> None:
        parts = rung.path.split("/")
        for end in range(1, len(parts)):
            above = "/".join(parts[:end])
            self._rungs.setdefault(above, Rung(above))
        self._rungs[rung.path] = rung

    @property
    def whole(self) -> Rung:
        """The strategy as a whole."""
        return self._rungs.get("", Rung(""))

    @property
    def running(self) -> bool:
        return any(rung.running for rung in self._rungs.values())

    def rungs(self) -> tuple[Rung, ...]:
        """Every node but the whole, each stage followed by its parts in numerical order.

        A stage that was skipped stands for its parts, which were all skipped with it.
        """
        order: list[Rung] = []
        for top in self._tops():
            order.append(self._rungs[top])
            if self._rungs[top].outcome is Outcome.SKIPPED:
                continue
            parts = [path for path in self._rungs if path.startswith(f"{top}/")]
            order.extend(self._rungs[path] for path in sorted(parts, key=_part_key))
        return tuple(order)

    def _tops(self) -> list[str]:
        seen = [path for path in self._rungs if path and "/" not in path]
        return sorted(seen, key=lambda path: self._stages.index(path) if path in self._stages else len(self._stages))

    def tally(self) -> tuple[int, int]:
        """(stages that accepted, stages seen)."""
        stages = [self._rungs[path] for path in self._tops()]
        return sum(rung.outcome is Outcome.ACCEPT for rung in stages), len(stages)


def _part_key(path: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdigit() else (0, part) for part in path.split("/")]
