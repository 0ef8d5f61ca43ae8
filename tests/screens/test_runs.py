"""The Runs screen when there is no engine to obey."""

from functools import partial

import pytest

from store import runs
from tests.screens.conftest import Host, engine_of
from tests.screens.waiting import screen_text, wait_until
from uq_tui.engine.client import EngineClient
from uq_tui.errors import EngineLostError
from uq_tui.screens.runs import RunsScreen
from uq_tui.state.desk import Desk
from uq_tui.words import RunKind, RunState


async def test_resuming_without_an_engine_is_reported(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    run = runs.create(desk.workspace, RunKind.VALIDATE, "3-iter", {}, 1)
    runs.set_state(desk.workspace, run.id, RunState.FAILED, "It failed.")
    engine = engine_of(desk)
    monkeypatch.setattr(engine, "resume", partial(EngineClient.resume, engine))
    host = Host(RunsScreen(desk))
    async with host.run_test(size=(120, 30)) as pilot:
        await wait_until(pilot, lambda: "r resumes it" in screen_text(pilot))
        await pilot.press("r")
        await wait_until(pilot, lambda: len(host.errors) == 1)
        assert isinstance(host.errors[0], EngineLostError)
