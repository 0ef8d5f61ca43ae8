"""A reviewer at the keyboard of the whole app: presses keys, counts them, and knows what should be before them."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path

import pytest
from textual.pilot import Pilot

from store import queues, verdicts
from store.rows import Verdict
from store.workspace import Workspace
from tests.fakes.scripted_engine import ScriptedEngine
from tests.screens.waiting import screen_text, shown, wait_until
from tests.state.reviewing.laid_out import Clock
from uq_tui.app import UqApp
from uq_tui.engine.requests import ModelChoice
from uq_tui.screens.reviewing import review
from uq_tui.state.desk import Desk
from uq_tui.widgets.reviewing.review_text import ReviewText
from uq_tui.words import Label, NotJudged

VERDICTS: dict[str, Label | NotJudged] = {
    "x": Label.INCORRECT,
    "c": Label.CORRECT,
    "v": Label.UNSURE,
    "b": Label.CORRECT_BORDERLINE,
    "d": NotJudged.OUT_OF_DEPTH,
    "t": NotJudged.TOO_TEDIOUS,
    "f": NotJudged.FAULTY_QUESTION,
}
"""What a key should record."""


class AtTheKeyboard:
    """Every key goes through here. The clock of the guard stands still, but `press` lets enough time pass first."""

    def __init__(self, pilot: Pilot[None], desk: Desk, queue_id: str, clock: Clock) -> None:
        self.pilot = pilot
        self.desk = desk
        self.queue_id = queue_id
        self.clock = clock
        items = queues.items(desk.workspace, queue_id, desk.reviewer.id)
        self.left = [item.candidate_id for item in items]
        """Candidates that are still to come, in their order, the one before the reviewer first."""
        self.pressed = 0
        """Keys so far; typed text isn't counted."""

    @property
    def text(self) -> ReviewText:
        return self.pilot.app.screen.query_one(ReviewText)

    async def press(self, *keys: str) -> None:
        """Press keys, each late enough to count."""
        for key in keys:
            self.clock.wait()
            await self.press_at_once(key)

    async def press_at_once(self, *keys: str) -> None:
        """Press keys while no time passes."""
        self.pressed += len(keys)
        await self.pilot.press(*keys)

    async def type(self, words: str) -> None:
        """Type text, which isn't counted."""
        await self.pilot.press(*("space" if letter == " " else letter for letter in words))

    async def reads(self, candidate_id: str) -> None:
        """Wait until this candidate is before the reviewer, and keys go to its text."""
        text = self.text
        await wait_until(
            self.pilot,
            lambda: text.readable.key == candidate_id and not text.busy and self.pilot.app.screen.focused is text,
        )

    async def gives(self, *keys: str) -> int:
        """Decide the answer by keys, the last of which says what; how many it took until the next one was there."""
        candidate_id, before = self.left[0], self.pressed
        await self.press(*keys)
        await self.goes_on()
        recorded = self.recorded(candidate_id)
        assert (recorded.label or recorded.not_judged) is VERDICTS[keys[-1]]
        return self.pressed - before

    async def goes_on(self) -> None:
        """Wait until what comes next is before the reviewer."""
        self.left.pop(0)
        if self.left:
            await self.reads(self.left[0])
        else:
            await shown(self.pilot, "Nothing is left to decide")

    def recorded(self, candidate_id: str) -> Verdict:
        """The reviewer's verdict as it is on disk."""
        found = verdicts.latest(self.desk.workspace, self.desk.reviewer.id, candidate_id)
        assert found is not None
        return found

    async def settled(self) -> str:
        """What is on the screen when there is nothing more to be done."""
        await self.pilot.app.workers.wait_for_complete()
        await self.pilot.pause()
        return screen_text(self.pilot)


@asynccontextmanager
async def in_a_queue(
    path: Path, queue_id: str, monkeypatch: pytest.MonkeyPatch, *, size: tuple[int, int] = (120, 40)
) -> AsyncIterator[AtTheKeyboard]:
    """The app on a workspace that has one queue, gone to by keys."""
    clock = Clock()
    monkeypatch.setattr("uq_tui.engine.client.EngineClient", lambda workspace, log: ScriptedEngine(workspace))
    monkeypatch.setattr(review, "ReviewScreen", partial(review.ReviewScreen, clock=clock))
    app = UqApp(path, ModelChoice("replay/none"))
    async with app.run_test(size=size, notifications=True) as pilot:
        await wait_until(pilot, lambda: len(app.screen_stack) > 1, seconds=60)
        await pilot.press("V")
        await shown(pilot, " 0 of ")
        await pilot.press("enter")
        await wait_until(pilot, lambda: bool(app.screen.query(ReviewText)))
        assert app.desk is not None
        at = AtTheKeyboard(pilot, app.desk, queue_id, clock)
        await at.reads(at.left[0])
        yield at


@contextmanager
def laid_out(path: Path) -> Iterator[Workspace]:
    """A workspace to lay something out in, before the app opens it."""
    ws = Workspace.open(path)
    try:
        yield ws
    finally:
        ws.close()
