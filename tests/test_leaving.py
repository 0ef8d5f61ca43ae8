"""Nothing that was typed is lost by leaving a screen, or the app; and `W` goes to what is read."""

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import TextArea

from store import drafts
from tests.screens.waiting import screen_text, shown, wait_until
from tests.state.reviewing.laid_out import add_problem, make_queue
from tests.test_app import _home as _home
from tests.test_app import read_an_answer, running
from uq_tui.app import UqApp
from uq_tui.errors import StoreError
from uq_tui.screens.insights import InsightsScreen
from uq_tui.screens.reviewing.review import ReviewScreen
from uq_tui.screens.runs import RunsScreen
from uq_tui.screens.workbench import WorkbenchScreen


def refusing(*_: object, **__: object) -> None:
    raise StoreError("The disk is full.")


async def write(app: UqApp, pilot: Pilot[None], words: str) -> str:
    """Write a rationale on the answer that is read; the candidate's id."""
    text = await read_an_answer(app, pilot)
    await pilot.press("enter")
    await wait_until(pilot, lambda: app.screen.has_class("-judging"))
    app.screen.query_one("#rationale", TextArea).focus()
    await pilot.press(*words)
    return text.readable.key


async def test_a_place_is_left_once_what_was_typed_there_is_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path) as (app, pilot):
        desk = app.desk
        assert desk is not None
        candidate_id = await write(app, pilot, "why")
        app.action_runs()  # within the pause after which a draft is kept
        await wait_until(pilot, lambda: isinstance(app.screen, RunsScreen))
        kept = drafts.get(desk.workspace, desk.reviewer.id, candidate_id)
        assert kept is not None
        assert kept.form.rationale == "why"

        app.action_workbench()
        await wait_until(pilot, lambda: isinstance(app.screen, WorkbenchScreen))
        await write(app, pilot, "so")
        with monkeypatch.context() as patch:
            patch.setattr(drafts, "save", refusing)
            app.action_runs()
            await shown(pilot, "only in this window", "The disk is full")
            await app.action_quit()
            await wait_until(pilot, lambda: not app.is_running)
        assert not isinstance(app.screen_stack[-1], RunsScreen)


async def test_words_that_cannot_be_kept_hold_a_place_until_it_is_left_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path) as (app, pilot):
        await write(app, pilot, "why")
        monkeypatch.setattr(drafts, "save", refusing)
        app.action_runs()
        await shown(pilot, "only in this window", "The disk is full")
        assert isinstance(app.screen, WorkbenchScreen)
        assert app.screen.query_one("#rationale", TextArea).text == "why"
        app.action_runs()
        await wait_until(pilot, lambda: isinstance(app.screen, RunsScreen))
        await shown(pilot, "Your last words on this verdict")


async def test_the_workbench_opens_the_question_that_is_reviewed(tmp_path: Path) -> None:
    async with running(tmp_path, model="replay/none") as (app, pilot):
        desk = app.desk
        assert desk is not None
        queue = make_queue(desk.workspace, desk, add_problem(desk.workspace, "count:7", "It is seven."))
        app._go_to_queue(queue.id)
        await wait_until(pilot, lambda: isinstance(app.screen, ReviewScreen) and "It is seven" in screen_text(pilot))
        await pilot.press("I")
        await wait_until(pilot, lambda: isinstance(app.screen, InsightsScreen))
        await pilot.press("W")
        await shown(pilot, "count:7", "It is seven")
