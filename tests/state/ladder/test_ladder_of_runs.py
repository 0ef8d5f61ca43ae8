"""The ladder of every strategy that ships, as the engine really runs it: followed by events, and read afterwards."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from store import runs
from store.run_rows import Call, Run
from store.workspace import Workspace
from tests.engine.runs.judged import following
from tests.engine.runs.scripted import (
    REJECT,
    UNREADABLE,
    Said,
    Scripted,
    add_candidates,
    add_question,
    conduct,
    start,
)
from uq_tui import paths
from uq_tui.engine.protocol import CallFinished, CallStarted, Event, OutcomeDecided, StageStarted
from uq_tui.engine.requests import ModelChoice, ValidateRequest
from uq_tui.engine.spec import Ask
from uq_tui.state.ladder import judged
from uq_tui.state.ladder.ladder import Ladder
from uq_tui.state.ladder.shape import LadderShape
from uq_tui.strategies import catalogue
from uq_tui.strategies.tree import slot_count
from uq_tui.words import RunKind

SAYS = {"rejects": REJECT, "is unreadable": UNREADABLE}
"""The first skips most, the second asks for everything twice."""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees the user's own templates and strategies."""
    monkeypatch.setenv(paths.HOME_VARIABLE, str(tmp_path / "home"))


class Telling(Scripted):
    """Tells of its calls as the caller does."""

    async def ask(self, run: Run, asks: Sequence[Ask]) -> tuple[Call, ...]:
        keys = [self.key(ask, run.spec["epoch"]) for ask in asks]
        for ask, key in zip(asks, keys, strict=True):
            self.emit(CallStarted(run.id, key, ask.candidate_id, ask.path, ask.model.id))
        answered = await super().ask(run, asks)
        for ask, call in zip(asks, answered, strict=True):
            self.emit(
                CallFinished(run.id, call.key, ask.candidate_id, ask.path, call.state, call.error_kind, "", False)
            )
        return answered


async def followed(workspace: Workspace, strategy: str, says: Said) -> tuple[Ladder, Ladder]:
    """The ladder as events made it, and as the store has it."""
    add_question(workspace)
    (candidate,) = add_candidates(workspace, "It is so.")
    count = slot_count(catalogue.find(strategy).strategy.root)
    first, *more = (ModelChoice(f"m/{number}") for number in range(1, count + 1))
    request = ValidateRequest((candidate,), first, strategy, more_models=tuple(more))
    run = start(workspace, RunKind.VALIDATE, request)
    live = Ladder(run.id, LadderShape.of(run.spec))

    def receive(event: Event) -> None:
        if isinstance(event, StageStarted | CallStarted | CallFinished | OutcomeDecided):
            live.apply(event)

    await conduct(Telling(workspace, following({}, says), on_event=receive), runs.get(workspace, run.id))
    newest = judged.newest(workspace, candidate)
    assert newest is not None
    return live, newest.ladder


@pytest.mark.parametrize("says", SAYS)
@pytest.mark.parametrize("strategy", catalogue.shape_names())
async def test_events_and_store_tell_the_same_of_places_the_strategy_has(
    workspace: Workspace, strategy: str, says: str
) -> None:
    live, stored = await followed(workspace, strategy, SAYS[says])
    opened = {place.path: False for place in live.shape.places}
    assert {rung.path for rung in live.rungs(opened)} <= opened.keys()
    assert live.rungs(opened) == stored.rungs(opened)
    assert not live.running
    assert live.whole.outcome is not None
    assert live.whole.usage.calls == live.whole.usage.finished > 0
    assert len(live.rungs()) <= 30
