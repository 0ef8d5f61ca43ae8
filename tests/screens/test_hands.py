"""Keys that the user has changed, the list of commands, and the sheet of keys wherever one is."""

import tomllib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from tests.fakes.scripted_engine import ScriptedEngine
from tests.screens.waiting import screen_text, shown, wait_until
from uq_tui.app import UqApp
from uq_tui.engine.requests import ModelChoice
from uq_tui.errors import ConfigError
from uq_tui.screens.commands import CommandsModal, commands_of
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.title_bar import TitleBar


@pytest.fixture
def config(home: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The settings' file, which there isn't yet."""
    monkeypatch.setattr("uq_tui.engine.client.EngineClient", lambda workspace, log: ScriptedEngine(workspace))
    folder = tmp_path / "home" / "config"
    folder.mkdir(parents=True)
    return folder / "config.toml"


@asynccontextmanager
async def workbench(tmp_path: Path) -> AsyncIterator[tuple[UqApp, Pilot[None]]]:
    """The app on the tour's question."""
    app = UqApp(tmp_path / "w.uq.sqlite")
    async with app.run_test(size=(140, 56), notifications=True) as pilot:
        await wait_until(pilot, lambda: "Tour 1 of" in screen_text(pilot), seconds=60)
        yield app, pilot


def footer(pilot: Pilot[None]) -> dict[str, str]:
    return {key.name: key.shown for key in pilot.app.screen.query_one(KeyFooter).keys}


def sheet(pilot: Pilot[None]) -> str:
    return " ".join(screen_text(pilot).split())


async def test_changed_keys_work_and_are_the_ones_that_are_shown(config: Path, tmp_path: Path) -> None:
    config.write_text(
        "[keys]\n'workbench.validate' = 'f5'\nworkbench.widen = 'f6'\n'app.keys' = 'f2'\n'kind.person' = 'f7'\n"
        "'app.runs' = 's'\n"
    )
    async with workbench(tmp_path) as (app, pilot):
        await shown(pilot, "s: document.source comes before app.runs")
        assert app.desk is not None
        assert isinstance(app.desk.engine, ScriptedEngine)
        await wait_until(pilot, lambda: footer(pilot).get("Validate") == "f5")
        assert [footer(pilot)[name] for name in ("Keys", "Full width", "Runs", "Commands")] == ["f2", "f6", "s", "^p"]
        await shown(pilot, "Press f5: three stages", "T ends the tour")
        await pilot.press("v", "f5")
        assert len(app.desk.engine.requests) == 1
        await pilot.press("f6")
        await wait_until(pilot, lambda: footer(pilot).get("All columns") == "w")  # shares a key with what was changed
        await pilot.press("w", "f2")
        await shown(pilot, "Keys in Workbench", "Reading")
        await pilot.press("end")
        await wait_until(pilot, lambda: "f5 Validate Judge this candidate" in sheet(pilot))
        assert "v Validate" not in sheet(pilot)
        await pilot.press("escape", "a")
        await shown(pilot, "f7 a person")
        row = pilot.app.screen.query_one("#kind")
        row.focus()
        await pilot.press("p", "f7")
        await shown(pilot, "●f7 a person")
        await pilot.press("escape")
        await wait_until(pilot, lambda: not app.screen.is_modal)
        app.screen.query_one("#candidates").focus()
        await pilot.press("s")
        await wait_until(pilot, lambda: app.screen.query_one(TitleBar).place == "Runs")


async def test_keys_that_there_are_not_end_the_app_before_it_opens(config: Path, tmp_path: Path) -> None:
    config.write_text("[keys]\n'workbench.valdate' = 'f5'\n")
    app = UqApp(tmp_path / "w.uq.sqlite", ModelChoice("replay/tour"))
    async with app.run_test() as pilot:
        await wait_until(pilot, lambda: app.failure is not None, seconds=60)
    assert isinstance(app.failure, ConfigError)
    assert str(config) in app.failure.message
    assert "workbench.validate" in app.failure.hint


async def test_all_that_works_is_found_by_its_words_and_done(config: Path, tmp_path: Path) -> None:
    config.write_text("# mine\n[keys]\n'app.tour' = 'f9'\n")
    async with workbench(tmp_path) as (app, pilot):
        names = {one.name for one in commands_of(app.screen)}
        assert {"Validate", "Verdict", "Questions", "Insights", "Tour", "Quit", "Theme: high-contrast"} <= names
        assert not {"Cancel runs", "Restart engine", "All columns"} & names  # can't be done now
        assert not {"Find", "Page down"} & names  # no text has the focus

        await pilot.click(KeyFooter, offset=(1, 0))
        await shown(pilot, "Keys in Workbench")
        await pilot.press("escape", "ctrl+p")
        await shown(pilot, "Commands", "type to make the list shorter")
        typed = app.screen.query_one(Input)
        typed.value = "\x1b]0;hostile\x07[bold]runs"
        await wait_until(pilot, lambda: "[bold]runs" in screen_text(pilot) and "0 of" in screen_text(pilot))
        assert not {"\x1b", "\x07"} & set(screen_text(pilot))
        typed.value = ""
        await pilot.press(*"under way", "enter")
        await wait_until(pilot, lambda: app.screen.query_one(TitleBar).place == "Runs")

        await pilot.press("ctrl+p", *"high-con", "enter")
        await wait_until(pilot, lambda: app.theme == "high-contrast")
        await wait_until(pilot, lambda: "theme" in config.read_text())
        assert tomllib.loads(config.read_text()) == {"theme": "high-contrast", "keys": {"app.tour": "f9"}}
        assert "# mine" in config.read_text()

        await pilot.press("m")
        await shown(pilot, "Keep the present one")
        assert "Questions" not in {one.name for one in commands_of(app.screen)}
        assert footer(pilot)["Keys"] == "?"
        await pilot.press("question_mark")
        await shown(pilot, "Keys in model", "This dialog", "Everywhere", "Leave; runs go on")
        await pilot.press("question_mark", "ctrl+p")
        await wait_until(pilot, lambda: isinstance(app.screen, CommandsModal))
        assert footer(pilot)["Keys"] == "f1"  # a question mark is typed here
        await pilot.press("question_mark", "ctrl+p")  # which here goes up in the list
        assert app.screen.query_one(Input).value == "?"
        await pilot.press("f1")
        await shown(pilot, "Keys in commands", "The next entry")
