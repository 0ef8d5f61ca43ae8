"""What validators reasoned on a candidate, judgement by judgement, to be called sound or not."""

from collections.abc import Iterator
from dataclasses import dataclass

from store.workspace import Workspace
from uq_tui.state.ladder.judged import Judged, runs_that_judged
from uq_tui.state.ladder.ladder import Ladder, Rung
from uq_tui.state.quoting import one_line
from uq_tui.words import GLYPHS, Outcome, RunState

_JUDGED = (Outcome.ACCEPT, Outcome.REJECT, Outcome.UNPARSED)
"""Outcomes behind which there is a reply to read."""


@dataclass(frozen=True, slots=True)
class StageItem:
    """One judgement of a finished validator run, with the call whose reply holds its reasoning."""

    run_id: str
    strategy: str
    """The title of the strategy."""
    path: str
    """Of the judgement in it, such as `fact_logic/2`."""
    title: str
    """What a list shows: `fact logic, turn 2`."""
    model: str
    outcome: Outcome
    reason: str
    call_key: str

    @property
    def key(self) -> str:
        """What it goes by in a list."""
        return stage_key(self.run_id, self.path)

    @property
    def source(self) -> str:
        """`3-Iter by MODEL`."""
        return f"{self.strategy} by {self.model}"

    @property
    def about(self) -> str:
        """Markdown: what came of it. Foreign words stay on their lines."""
        lines = [
            f"**{one_line(self.title)}**, {one_line(self.source)}",
            f"{GLYPHS[self.outcome]} {self.outcome}",
            "Is the reasoning sound, whatever its outcome? The text is the judge's whole reply.",
        ]
        if self.reason:
            lines.insert(2, one_line(self.reason))
        return "\n\n".join(lines)


def stage_key(run_id: str, path: str) -> str:
    """What the judgement at a place of a run's strategy goes by."""
    return f"stage {run_id} {path}"


def stages_of(ws: Workspace, candidate_id: str) -> tuple[StageItem, ...]:
    """The judgements of all finished validator runs on a candidate that brought a reply, the oldest run first.

    What one run remembered of another stands once.
    """
    told: dict[str, StageItem] = {}
    for judged in runs_that_judged(ws, candidate_id):
        if judged.run.state is RunState.DONE:
            for item in _of_run(judged):
                told.setdefault(item.call_key, item)
    return tuple(told.values())


def _of_run(judged: Judged) -> Iterator[StageItem]:
    ladder = judged.ladder
    rungs = [ladder.whole, *_beneath(ladder, "")]
    labels = {rung.path: rung.label for rung in rungs}
    for rung in rungs:
        if rung.call_keys and rung.outcome in _JUDGED:
            above = [path for path in _ways_down(rung.path) if path]
            yield StageItem(
                run_id=judged.run.id,
                strategy=ladder.shape.title or judged.run.title,
                path=rung.path,
                title=", ".join(labels[path] for path in above) or rung.label,
                model=ladder.call(rung.call_keys[-1]).model,
                outcome=rung.outcome,
                reason=rung.reason,
                call_key=rung.call_keys[-1],
            )


def _beneath(ladder: Ladder, path: str) -> Iterator[Rung]:
    for rung in ladder.parts(path):
        yield rung
        yield from _beneath(ladder, rung.path)


def _ways_down(path: str) -> list[str]:
    """`a`, `a/b`, `a/b/c` for `a/b/c`."""
    parts = path.split("/")
    return ["/".join(parts[: depth + 1]) for depth in range(len(parts))]
