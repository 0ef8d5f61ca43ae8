"""The app on a workspace of its own, and how its keys are pressed and its screens waited for."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import NamedTuple

from textual.pilot import Pilot

from store import candidates, ledger, questions, reviewers
from store.reading_rows import LedgerMark
from store.rows import NewCandidate, Origin, QuestionFilter
from uq_tui import paths
from uq_tui.app import UqApp
from uq_tui.document.markup.scan import all_units
from uq_tui.engine.requests import ModelChoice
from uq_tui.startup import open_workspace
from uq_tui.words import AuthorKind, LedgerState, TextFormat

OUT = Path(__file__).parents[1] / "pictures"
ANSWERS = OUT / "answers"
QUESTION = "Noncrossing chord diagrams up to rotation"
MARKS = (LedgerState.CHECKED, LedgerState.CHECKED, LedgerState.DOUBTFUL, LedgerState.CHECKED, LedgerState.WRONG)
"""What the reader has made of the first units of the first answer."""
FULL_WIDTH = (120, 40)
"""Where an answer is read alone: on a smaller terminal it is anyway, on a larger one the columns have room."""
PATIENCE_S = 120.0
QUIET_S = 0.15
"""A screen that has not changed for three of these will not."""


class Look(NamedTuple):
    """How a user may have the app look."""

    name: str
    theme: str = "dark"
    no_color: bool = False


LOOKS = (Look("dark"), Look("light", theme="light"), Look("nocolor", no_color=True))


@contextmanager
def environment(home: Path, look: Look) -> Iterator[None]:
    """What the app learns from outside: where it keeps things, which colours it may use."""
    before = dict(os.environ)
    os.environ[paths.HOME_VARIABLE] = str(home)
    os.environ.pop("NO_COLOR", None)
    try:
        config = paths.config_dir() / "config.toml"
        config.parent.mkdir(parents=True, exist_ok=True)
        config.write_text(f'theme = "{look.theme}"\n', encoding="utf-8")
        if look.no_color:
            os.environ["NO_COLOR"] = "1"
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def make_workspace(file: Path) -> str:
    """Make the workspace that is shown; returns the id of the question."""
    workspace = open_workspace(file)
    try:
        question = questions.page(workspace, QuestionFilter(text=QUESTION)).rows[0].id
        first, second = ((ANSWERS / f"{name}.md").read_text(encoding="utf-8") for name in ("first", "second"))
        candidates.add(
            workspace,
            [
                NewCandidate(question, text, TextFormat.MARKDOWN, Origin(AuthorKind.SYSTEM, system=f"uq-tui {name}"))
                for text, name in ((first, "sample D"), (second, "sample E"))
            ],
        )
        marked = zip(all_units(first), MARKS, strict=False)
        ledger.put(
            workspace,
            reviewers.current(workspace).id,
            first,
            [LedgerMark(unit.start, unit.end, state, "") for unit, state in marked],
        )
        return question
    finally:
        workspace.close()


@asynccontextmanager
async def running(file: Path, size: tuple[int, int]) -> AsyncIterator[tuple[UqApp, Pilot[None]]]:
    app = UqApp(file, ModelChoice("local/smollm2-135m"))
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: app.desk is not None and not app.desk.engine.starting)
        yield app, pilot


async def until(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not holds():
            await pilot.pause(0.05)


async def shown(app: UqApp, pilot: Pilot[None], *texts: str) -> None:
    await until(pilot, lambda: all(text in words(app) for text in texts))


async def quiet(app: UqApp, pilot: Pilot[None]) -> None:
    """Wait until nothing on the screen changes any more."""
    shown: list[str] = []
    async with asyncio.timeout(PATIENCE_S):
        while len(shown) < 4 or len(set(shown[-4:])) > 1:
            await pilot.pause(QUIET_S)
            shown.append(app.export_screenshot())


def words(app: UqApp) -> str:
    return "\n".join(strip.text for strip in app.screen._compositor.render_strips())
