"""The app as a whole, with a real store; only the worker process is left out."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partialmethod
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from exports.bundle_parts import read_share
from exports.bundles import write_work
from store import candidates, queues, reviewers
from store.ingest.importer import import_file
from store.rows import Reviewer
from store.workspace import Workspace
from tests.fakes.scripted_engine import ScriptedEngine
from tests.judged_runs import judged_run
from tests.new_workspace import new_workspace
from tests.screens.waiting import screen_text, wait_until
from tests.state.reviewing.laid_out import add_problem, make_queue
from uq_tui.app import UqApp, run_app
from uq_tui.engine.protocol import EngineProblem, RunFinished, RunStarted, WorkerLost, WorkerReady, WorkerSilent
from uq_tui.engine.requests import ModelChoice
from uq_tui.errors import EngineLostError, StoreError
from uq_tui.screens.neighbours import NeighboursScreen
from uq_tui.screens.questions import QuestionsScreen
from uq_tui.screens.transfer import ImportModal
from uq_tui.state.tour import MODEL
from uq_tui.widgets.document import Document
from uq_tui.widgets.title_bar import TitleBar
from uq_tui.words import Outcome, QueueMode, RunKind, RunState


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UQ_TUI_HOME", str(tmp_path))
    monkeypatch.setattr("uq_tui.engine.client.EngineClient", lambda workspace, log: ScriptedEngine(workspace))


@asynccontextmanager
async def running(tmp_path: Path, *, model: str = "", queue_id: str = "") -> AsyncIterator[tuple[UqApp, Pilot[None]]]:
    app = UqApp(tmp_path / "w.uq.sqlite", ModelChoice(model) if model else None, queue_id=queue_id)
    async with app.run_test(size=(140, 40), notifications=True) as pilot:
        await wait_until(pilot, lambda: len(app.screen_stack) > 1, seconds=60)
        yield app, pilot


def engine(app: UqApp) -> ScriptedEngine:
    assert app.desk is not None
    assert isinstance(app.desk.engine, ScriptedEngine)
    return app.desk.engine


async def test_the_first_start_opens_the_tour_on_its_question_and_moves_on_with_what_is_done(tmp_path: Path) -> None:
    async with running(tmp_path) as (app, pilot):
        await wait_until(pilot, lambda: "Tour 1 of" in screen_text(pilot) and "commuting triples" in screen_text(pilot))
        assert app.desk is not None
        assert app.desk.model == ModelChoice(MODEL)
        engine(app).tell(RunStarted("t", "r", RunKind.VALIDATE, "3-iter"))
        await wait_until(pilot, lambda: "Tour 2 of" in screen_text(pilot))
        assert "1 run" in screen_text(pilot)
        engine(app).tell(RunFinished("r", RunState.DONE, "1 candidate validated."))
        await wait_until(pilot, lambda: "Tour 3 of" in screen_text(pilot))
        await pilot.press("T")
        await wait_until(pilot, lambda: "Tour 3 of" not in screen_text(pilot))


async def test_a_run_that_was_asked_for_is_told_before_the_engine_has_it(tmp_path: Path) -> None:
    async with running(tmp_path) as (app, pilot):
        await wait_until(pilot, lambda: "no runs" in screen_text(pilot))
        await pilot.press("v")
        await wait_until(pilot, lambda: "starting" in screen_text(pilot) and "no runs" not in screen_text(pilot))
        engine(app).tell(EngineProblem("ticket-1", "Model", "There is no such model.", ""))
        await wait_until(pilot, lambda: "no runs" in screen_text(pilot))


async def test_the_colours_are_those_of_the_settings(tmp_path: Path) -> None:
    async with running(tmp_path) as (app, pilot):
        await wait_until(pilot, lambda: "no runs" in screen_text(pilot))
        assert app.current_theme.dark
    (tmp_path / "config").mkdir(exist_ok=True)
    (tmp_path / "config" / "config.toml").write_text('theme = "light"\n', encoding="utf-8")
    async with running(tmp_path) as (app, pilot):
        await wait_until(pilot, lambda: "no runs" in screen_text(pilot))
        assert not app.current_theme.dark


async def test_every_place_is_one_key_away(tmp_path: Path) -> None:
    async with running(tmp_path, model="replay/tour") as (app, pilot):
        await wait_until(pilot, lambda: "26 questions" in screen_text(pilot))
        await pilot.press("W")
        await wait_until(pilot, lambda: "Choose a question and open it first" in screen_text(pilot))
        await pilot.press("enter")
        await wait_until(pilot, lambda: "Candidates" in screen_text(pilot))
        await pilot.press("R")
        await wait_until(pilot, lambda: "No runs yet" in screen_text(pilot))
        await pilot.press("I")
        await wait_until(pilot, lambda: "No validation has finished yet" in screen_text(pilot))
        await pilot.press("W")
        await wait_until(pilot, lambda: "Candidates" in screen_text(pilot))
        await pilot.press("V")
        await wait_until(pilot, lambda: "No queues yet" in screen_text(pilot))
        assert app.desk is not None
        make_queue(app.desk.workspace, app.desk, add_problem(app.desk.workspace, "t:1", "It is 1."))
        await pilot.press("V")
        await wait_until(pilot, lambda: "0 of 1" in screen_text(pilot))
        await pilot.press("enter")
        await wait_until(pilot, lambda: "It is 1." in screen_text(pilot))
        await pilot.press("Q")
        await wait_until(pilot, lambda: "27 questions" in screen_text(pilot))
        await pilot.press("V")  # goes on with the queue that was left
        await wait_until(pilot, lambda: "It is 1." in screen_text(pilot))
        assert len(app.screen_stack) == 2


async def test_the_keys_sheet_lists_what_works_here_by_all_keys_and_what_no_footer_has(tmp_path: Path) -> None:
    async with running(tmp_path, model="replay/tour") as (_, pilot):
        await wait_until(pilot, lambda: "26 questions" in screen_text(pilot))
        await pilot.press("question_mark")
        await wait_until(pilot, lambda: "Keys in Questions" in screen_text(pilot))
        assert "Search questions, their answers, comments" in screen_text(pilot)
        await pilot.press("escape")
        await wait_until(pilot, lambda: "Keys in Questions" not in screen_text(pilot))
        await pilot.press("end", "enter")
        await wait_until(pilot, lambda: "c1" in screen_text(pilot))
        await pilot.press("f")
        await wait_until(pilot, lambda: "t Sections" in screen_text(pilot))
        await pilot.press("question_mark")
        await wait_until(pilot, lambda: "Keys in Findings" in screen_text(pilot))
        sheet = " ".join(screen_text(pilot).split())
    assert "t Sections Citations, audit" in sheet
    assert "j g Judge Have a judge" in sheet
    assert "2 Audit Claims of audits" in sheet
    assert "← Panes Previous pane" in sheet


async def test_what_is_said_is_whole_and_never_markup_and_a_warning_is_no_error(
    tmp_path: Path,
) -> None:
    async with running(tmp_path, model="replay/tour") as (app, pilot):
        engine(app).tell(EngineProblem("", "Sampling at temperature 0", "2 [samples].", "Raise it.", warning=True))
        await wait_until(pilot, lambda: "2 [samples]. Raise it." in screen_text(pilot))
        assert len(app.screen.query("Toast.-warning")) == 1
        assert len(app.screen.query("Toast.-error")) == 0
        engine(app).tell(EngineProblem("", "Model", "No [key] for \x1b[2Jit.", "Set SOME_KEY."))
        await wait_until(pilot, lambda: "No [key] for" in screen_text(pilot) and "Set SOME_KEY." in screen_text(pilot))
        assert len(app.screen.query("Toast.-error")) == 1
        app.notify("[red]\x1b[2J[/] [@click=app.quit]x", title="[b]\u202e", timeout=600)
        await wait_until(pilot, lambda: "[red]\u241b[2J[/] [@click=app.quit]x" in screen_text(pilot))
        assert "[b]‹U+202E›" in screen_text(pilot)
        assert "\x1b" not in screen_text(pilot)


async def test_a_lost_worker_is_said_and_started_again(tmp_path: Path) -> None:
    async with running(tmp_path, model="replay/tour") as (app, pilot):
        engine(app).tell(RunStarted("t", "r", RunKind.VALIDATE, "3-iter"), WorkerLost("exit code -9"))
        await wait_until(pilot, lambda: "exit code -9" in screen_text(pilot) and engine(app).restarts == 1)
        assert app.desk is not None
        assert not app.desk.active


async def test_an_engine_that_does_not_answer_or_stays_off_is_said_and_restarted_by_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path, model="replay/tour") as (app, pilot):
        await pilot.press("E")
        assert engine(app).restarts == 0
        engine(app).tell(WorkerSilent(10))
        await wait_until(pilot, lambda: "The engine has not answered for 10 s." in screen_text(pilot))
        await wait_until(pilot, lambda: "E Restart engine" in screen_text(pilot))
        assert "! engine" in screen_text(pilot)
        await pilot.press("E")
        await wait_until(pilot, lambda: engine(app).restarts_by_hand == 1)
        engine(app).tell(WorkerReady(2, 1))
        await wait_until(pilot, lambda: "E Restart engine" not in screen_text(pilot))

        with monkeypatch.context() as patch:

            async def refuse(self: ScriptedEngine, *, by_hand: bool = False) -> None:
                raise EngineLostError("The engine has ended 3 times within 120 seconds and stays off.")

            patch.setattr(ScriptedEngine, "restart", refuse)
            engine(app).tell(WorkerLost("exit code 1"))
            await wait_until(pilot, lambda: "The engine has ended 3 times" in screen_text(pilot))
        await wait_until(pilot, lambda: "E Restart engine" in screen_text(pilot))
        await pilot.press("E")
        await wait_until(pilot, lambda: engine(app).restarts_by_hand == 2)


async def test_a_workspace_that_cannot_be_opened_ends_the_app_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "w.uq.sqlite").write_bytes(b"not a database" * 100)
    app = UqApp(tmp_path / "w.uq.sqlite")
    async with app.run_test(size=(100, 30)) as pilot:
        await wait_until(pilot, lambda: app.failure is not None, seconds=30)
    assert isinstance(app.failure, StoreError)
    assert "not a SQLite database" in app.failure.message


async def test_a_place_takes_what_stood_on_top_of_the_one_before_along(tmp_path: Path) -> None:
    async with running(tmp_path) as (app, pilot):
        await wait_until(pilot, lambda: "Tour 1 of" in screen_text(pilot) and "commuting triples" in screen_text(pilot))
        assert app.desk is not None
        question = app.question_id
        chosen = candidates.of_question(app.desk.workspace, question)[0].id
        judged_run(app.desk.workspace, chosen, "correctness", {"correctness": Outcome.ACCEPT, "": Outcome.ACCEPT})
        await pilot.press("W")
        await wait_until(pilot, lambda: "✓ accept" in screen_text(pilot))
        await pilot.press("l")
        await wait_until(pilot, lambda: "side by side" in screen_text(pilot) and "replay/tour" in screen_text(pilot))
        assert app.screen.query_one(TitleBar).place == "Compare"  # also when the header was brought up to date
        await pilot.press("R")
        await wait_until(pilot, lambda: "Runs" in screen_text(pilot) and "side by side" not in screen_text(pilot))
        assert len(app.screen_stack) == 2


async def test_what_is_marked_while_reading_stays_over_a_restart(tmp_path: Path) -> None:
    for start in ("first", "second"):
        async with running(tmp_path) as (app, pilot):
            text = await read_an_answer(app, pilot)
            if start == "first":
                await pilot.press("J", "3")
            await wait_until(pilot, lambda: "1 wrong" in screen_text(pilot))
            assert "1 wrong" in str(text.border_subtitle)


async def read_an_answer(app: UqApp, pilot: Pilot[None]) -> Document:
    """The answer of the first candidate on the workbench, with the focus."""
    await wait_until(pilot, lambda: bool(app.screen.query("#text")))
    text = app.screen.query_one("#text", Document)
    await wait_until(pilot, lambda: bool(text.readable.texts) and not text.busy)
    text.focus()
    await pilot.pause()
    return text


async def test_the_app_begins_in_the_queue_of_a_bundle_and_another_bundle_has_its_reviewer_sit_down(
    tmp_path: Path,
) -> None:
    for name in ("ann", "ben"):
        _bundle_for(tmp_path, name)
    ws = Workspace.open(tmp_path / "w.uq.sqlite")
    import_file(ws, tmp_path / "ann.zip")
    (queue,) = queues.all_of(ws)
    ws.close()
    async with running(tmp_path, queue_id=queue.id) as (app, pilot):
        await wait_until(pilot, lambda: "Problem q-ann" in screen_text(pilot))
        assert app.desk is not None
        assert app.desk.reviewer.handle == "ann"
        await pilot.press("Q")
        await wait_until(pilot, lambda: isinstance(app.screen, QuestionsScreen))
        app.action_import_file()
        await wait_until(pilot, lambda: isinstance(app.screen, ImportModal))
        app.screen.query_one("#path", Input).value = str(tmp_path / "ben.zip")
        await pilot.press("enter")
        await wait_until(pilot, lambda: "You are ben here now" in screen_text(pilot))
        await pilot.press("escape")
        await wait_until(pilot, lambda: "1 of 1" in screen_text(pilot) or "0 of 1" in screen_text(pilot))
        assert app.desk.reviewer.handle == "ben"
        reviewers.use(app.desk.workspace, reviewers.by_handle(app.desk.workspace, "ann").id)
        app.post_message(NeighboursScreen.Imported())  # a bundle may come in from there as well
        await wait_until(pilot, lambda: app.desk is not None and app.desk.reviewer.handle == "ann")


def _bundle_for(folder: Path, name: str) -> None:
    """Write a bundle for somebody with a problem of theirs."""
    ws = new_workspace(folder / f"{name}.uq.sqlite")
    reviewer = reviewers.make(ws, Reviewer("", name, "", ()))
    items = add_problem(ws, f"q-{name}", "It is 1.")
    queue = queues.make(ws, name=f"of {name}", mode=QueueMode.BLIND, spec={}, guideline="", shares={reviewer.id: items})
    write_work(ws, read_share(ws, queue, reviewer), folder / f"{name}.zip")
    ws.close()


def test_an_error_that_ends_the_app_is_raised_and_not_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail(_: UqApp) -> None:
        raise ValueError("\x1b[2J")

    monkeypatch.setattr(UqApp, "on_mount", fail)
    monkeypatch.setattr("uq_tui.app.UqApp.run", partialmethod(UqApp.run, headless=True))
    with pytest.raises(ValueError, match="2J"):
        run_app(tmp_path / "w.uq.sqlite")
    assert "ValueError" not in "".join(capfd.readouterr())
