"""A walk through the app on which all that it shows, tells, copies and writes is read after each step."""

import importlib
import inspect
import pkgutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from textual._compositor import Compositor  # which has no public name
from textual.pilot import Pilot
from textual.screen import Screen

import uq_tui.screens
from tests.fakes.scripted_engine import ScriptedEngine
from tests.screens.waiting import screen_text, wait_until
from tests.state.reviewing.laid_out import Clock
from uq_tui.app import UqApp
from uq_tui.engine.requests import ModelChoice
from uq_tui.screens.curating import funnel
from uq_tui.screens.curating.review import QuestionReviewScreen
from uq_tui.screens.reading import tools
from uq_tui.screens.reviewing import review
from uq_tui.widgets.key_footer import KeyFooter

SIZE = (190, 60)
"""A terminal that shows all lines of every list."""


class Step(NamedTuple):
    """Keys, and what stands on the screen or in a notice after them and not before."""

    keys: tuple[str, ...]
    seen: str


class Walked(UqApp):
    """The app, with all it has told. What it tells is kept here only: a notice makes every screen be laid out anew."""

    def __init__(self, workspace: Path) -> None:
        super().__init__(workspace, ModelChoice("replay/none"))
        self.told: list[str] = []

    def notify(self, message: str, **how: Any) -> None:
        self.told.append(f"{how.get('title', '')}: {message}")


class Walk:
    """One sitting in the app. `visited`: the screens and dialogs on which something was read."""

    def __init__(self, app: Walked, pilot: Pilot[None], clock: Clock) -> None:
        self.app = app
        self.pilot = pilot
        self.visited: set[type[Screen[Any]]] = set()
        self._clock = clock

    async def go(self, steps: tuple[Step, ...]) -> AsyncIterator[tuple[Step, str]]:
        """Each step with all that could be read after it."""
        for step in steps:
            self.app.told.clear()
            self._clock.wait()
            await self.pilot.press(*step.keys)
            await wait_until(self.pilot, partial(self._is_seen, step.seen))
            yield step, self.read()

    async def until(self, text: str) -> None:
        """Wait until this stands on the screen."""
        await wait_until(self.pilot, partial(self._is_seen, text))

    async def until_told(self, *texts: str) -> None:
        """Wait until all of these were told."""
        await wait_until(self.pilot, lambda: all(any(text in told for told in self.app.told) for text in texts))

    def _is_seen(self, text: str) -> bool:
        return any(text in told for told in self.app.told) or text in screen_text(self.pilot)

    def read(self) -> str:
        """All that there is to read now."""
        app = self.app
        self.visited.add(type(app.screen))
        return "\n".join([screen_text(self.pilot), *self._keys(), app.title, app.sub_title, app.clipboard, *app.told])

    def _keys(self) -> Iterator[str]:
        """What the footer is made of, which isn't drawn here, and what pops up over it."""
        for binding in self.app.screen.active_bindings.values():
            yield f"{binding.binding.description} {binding.binding.tooltip} {binding.tooltip}"


@asynccontextmanager
async def walking(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Walk]:
    """The app, opened without an engine, on a clock on which no key comes too soon. Other programs aren't started."""
    clock = Clock()
    monkeypatch.setattr("uq_tui.engine.client.EngineClient", lambda path, log: ScriptedEngine(path))
    monkeypatch.setattr(review, "ReviewScreen", partial(review.ReviewScreen, clock=clock))
    monkeypatch.setattr(funnel, "QuestionReviewScreen", partial(QuestionReviewScreen, clock=clock))
    monkeypatch.setattr(tools, "open_in_browser", lambda address: None)
    monkeypatch.setattr(Compositor, "render_update", _drawn_for_nobody)
    monkeypatch.setattr(KeyFooter, "look_again", lambda self: None)
    app = Walked(workspace)
    async with app.run_test(size=SIZE) as pilot:
        await wait_until(pilot, lambda: "2 questions" in screen_text(pilot), seconds=60)
        yield Walk(app, pilot, clock)


def _drawn_for_nobody(compositor: Compositor, **_how: object) -> None:
    """What is drawn for a terminal: there is none, and what is read is drawn when it is read."""
    compositor._dirty_regions.clear()


def screens() -> set[type[Screen[Any]]]:
    """Every screen and dialog that the app has."""
    names = [found.name for found in pkgutil.walk_packages(uq_tui.screens.__path__, "uq_tui.screens.")]
    every = {
        member
        for name in names
        for _, member in inspect.getmembers(importlib.import_module(name), inspect.isclass)
        if issubclass(member, Screen) and member.__module__.startswith("uq_tui.screens.")
    }
    return {one for one in every if not any(one in other.__bases__ for other in every)}
