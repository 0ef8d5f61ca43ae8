"""Pictures of texts that are read, and of the tour."""

from collections.abc import AsyncIterator
from pathlib import Path

from textual.pilot import Pilot

from docs.drawing.stage import FULL_WIDTH, LOOKS, Look, environment, make_workspace, quiet, running, shown, until, words
from docs.drawing.svg import picture
from uq_tui.app import UqApp
from uq_tui.screens.measure import MeasureModal
from uq_tui.screens.reading.side_by_side import SideBySideScreen
from uq_tui.screens.workbench import WorkbenchScreen
from uq_tui.widgets.document import Document

SIZES = ((80, 24), (120, 40), (200, 60))
SEARCHED = "rotations"
TOUR = ("workbench.svg", "utility.svg", "second-pass.svg")


async def reading_pictures(
    home: Path, look: Look, sizes: tuple[tuple[int, int], ...] = SIZES
) -> AsyncIterator[tuple[str, str]]:
    """Names and SVGs of the screens in one look. What the app keeps goes to `home`, which is new."""
    with environment(home, look):
        question_id = make_workspace(home / "pictures.uq.sqlite")
        for width, height in sizes:
            async with running(home / "pictures.uq.sqlite", (width, height)) as (app, pilot):
                app.question_id = question_id
                app.action_workbench()
                await _read(app, pilot, full=(width, height) == FULL_WIDTH)
                yield f"reading-{width}x{height}-{look.name}.svg", picture(app)
                await _put_side_by_side(app, pilot)
                yield f"side-by-side-{width}x{height}-{look.name}.svg", picture(app)


async def tour_pictures(home: Path) -> AsyncIterator[tuple[str, str]]:
    """Names and SVGs of the workbench, the utility screen and a second pass after the first steps of the tour.

    Dark, 120x40.
    """
    with environment(home, LOOKS[0]):
        app = UqApp(home / "tour.uq.sqlite")
        async with app.run_test(size=(120, 40)) as pilot:
            await shown(app, pilot, "Tour 1 of", "no runs")
            await pilot.press("v")
            await shown(app, pilot, "Tour 3 of")
            await pilot.press("down")
            await shown(app, pilot, "Answer  c2")
            await pilot.press("v")
            await shown(app, pilot, "Tour 4 of")
            await pilot.press("u")
            await until(pilot, lambda: isinstance(app.screen, MeasureModal))
            await pilot.press("enter")
            await shown(app, pilot, "Tour 5 of", "no runs")
            await pilot.press("right", "right", "home", *["down"] * 7)  # the turn that decides
            await shown(app, pilot, "Reply 1 of 1: looked again  turn 2, fact")
            await quiet(app, pilot)
            yield TOUR[0], picture(app)
            await pilot.press("U")
            await shown(app, pilot, "Candidates by utility", "Rollouts  c2")
            await pilot.press("up", "right")
            await shown(app, pilot, "Rollouts  c1")
            await pilot.press("c")
            await quiet(app, pilot)
            yield TOUR[1], picture(app)
            await pilot.press("escape", "escape")
            await until(pilot, lambda: isinstance(app.screen, WorkbenchScreen))
            await pilot.press("S")
            await shown(app, pilot, "0 of ")
            await pilot.press("c", "c", "x")
            await shown(app, pilot, "3 of ")
            await quiet(app, pilot)
            yield TOUR[2], picture(app)


async def _read(app: UqApp, pilot: Pilot[None], *, full: bool) -> None:
    """Read the first of our answers from its count on, with what is searched marked; alone at `full` width."""
    await until(pilot, lambda: isinstance(app.screen, WorkbenchScreen) and "c4" in words(app))
    await pilot.press("end", "up", "right")
    text = app.screen.query_one("#text", Document)
    await until(pilot, lambda: text.has_focus and "orient every chord" in text.source and not text.busy)
    if full:
        await pilot.press("w")
        await until(pilot, lambda: text.size.width > app.size.width // 2)
    text.find(SEARCHED, at=text.source.index("## Count"))
    heading = next(heading for heading in text.headings if heading.text == "Count")
    text.unit_at = next(index for index, unit in enumerate(text.units) if unit.start > heading.start)
    text.go_to(heading.start, above=0)
    await quiet(app, pilot)


async def _put_side_by_side(app: UqApp, pilot: Pilot[None]) -> None:
    """Put both of our answers side by side, and go to the second place where they differ."""
    await pilot.press("escape", "c")
    await until(pilot, lambda: isinstance(app.screen, SideBySideScreen) and "Answer  c5" in words(app))
    await pilot.press("d")
    await until(pilot, lambda: "words differ" in words(app))
    await pilot.press("right_square_bracket", "right_square_bracket")
    await until(pilot, lambda: "2 of " in words(app))
    await quiet(app, pilot)
