"""What is masked for a blind reviewer stands in no cell, notice, copy or file of the app; once revealed, it does."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from textual.pilot import Pilot

from store import exposures, reviewers
from store.workspace import Workspace
from tests.fakes.scripted_engine import ScriptedEngine
from tests.masked import MASKED, Masked, fill, leaks
from tests.screens.waiting import screen_text, wait_until
from uq_tui.app import UqApp
from uq_tui.engine.protocol import CallStarted, OutcomeDecided, RunFinished, RunStarted, UtilityUpdated
from uq_tui.engine.requests import ModelChoice
from uq_tui.words import Exposure, Outcome, RunKind, RunState

SIZE = (190, 60)
"""A terminal that shows all lines of every list."""
REFUSED = "You judge the problem masked.example:1 blind"


class Step(NamedTuple):
    """Keys, and what stands on the screen or in a notice after them and not before."""

    keys: tuple[str, ...]
    seen: str


WALK = (
    Step((), "Answer  A"),
    Step((), "Stages are hidden"),
    Step((), "Utilities are hidden"),
    Step(("down",), "Answer  B"),
    Step(("down",), "Answer  C"),
    Step(("down", "enter"), "Ref is the reference"),
    Step(("up", "up", "up", "v", "u", "U", "l", "g", "S"), REFUSED),
    Step(("n",), "What is 1 + 1?"),
    Step(("escape", "f"), "Citations"),
    Step(("t",), "Claims are hidden"),
    Step(("e", "t"), "Scores are hidden"),
    Step(("j",), REFUSED),
    Step(("escape", "c"), "Side by side"),
    Step(("p",), "What to read here"),
    Step(("escape", "escape", "enter"), "Your verdict on"),
    Step(("escape", "M"), "your verdict is then not blind"),
    Step(("c",), REFUSED),
    Step(("escape", "C"), "characters of the source"),
    Step(("colon",), "What others say of the answers is hidden"),
    Step(("escape", "S"), REFUSED),
    Step(("P",), "sits here"),
    Step(("escape", "x"), "Write all verdicts"),
    Step(("enter",), "Held back: 2 rows"),
    Step(("escape", "R"), "validate, hidden while you judge this problem blind"),
    Step(("down", "down", "down"), "What it found, and what it cost, is hidden"),
    Step(("I",), "Left out: 1 problem that you still judge blind"),
    Step(("u",), "Left out: 1 problem that you still judge blind"),
    Step(("Q",), "Is every masked graph small?"),
)
"""Whoever makes a screen, a dialog or a key that could tell something adds it here."""
REVEALED = (
    Step(("ctrl+r",), "Reveal this problem?"),
    Step(("y",), "qzxsystem"),
    Step(("home",), "Answer  c1"),
    Step(("colon",), "qzxcomment"),
    Step(("escape", "S"), "qzxclaimproblem"),
    Step(("escape", "f", "t"), "Claim"),
    Step(("t",), "7.39"),
    Step(("escape", "U"), "qzxrolloutanswer"),
    Step(("escape", "R"), "qzxruntitle"),
    Step(("down", "down", "down", "down", "down"), "qzxrunmessage"),
    Step(("I", "u"), "qzxscorer"),
)


class Walked(UqApp):
    """The app, with all it has told."""

    def __init__(self, workspace: Path) -> None:
        super().__init__(workspace, ModelChoice("replay/none"))
        self.told: list[str] = []

    def notify(self, message: str, **how: Any) -> None:
        self.told.append(f"{how.get('title', '')}: {message}")
        super().notify(message, **how)


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Masked:
    monkeypatch.setenv("UQ_TUI_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    (tmp_path / "user").mkdir()
    monkeypatch.setattr("uq_tui.engine.client.EngineClient", lambda workspace, log: ScriptedEngine(workspace))
    return fill(tmp_path / "masked.uq.sqlite")


def _is_seen(app: Walked, pilot: Pilot[None], step: Step) -> bool:
    return any(step.seen in told for told in app.told) or step.seen in screen_text(pilot)


@asynccontextmanager
async def _running(made: Masked) -> AsyncIterator[tuple[Walked, Pilot[None]]]:
    app = Walked(made.path)
    async with app.run_test(size=SIZE) as pilot:
        await wait_until(pilot, lambda: "2 questions" in screen_text(pilot), seconds=60)
        yield app, pilot


async def _go(app: Walked, pilot: Pilot[None], steps: tuple[Step, ...]) -> AsyncIterator[tuple[Step, str]]:
    """Each step with all that could be read after it."""
    for step in steps:
        app.told.clear()
        await pilot.press(*step.keys)
        await wait_until(pilot, partial(_is_seen, app, pilot, step))
        yield step, "\n".join([screen_text(pilot), app.title, app.sub_title, app.clipboard, *app.told])


def _live(made: Masked) -> Iterator[Any]:
    """What arrives while a run on the masked problem is under way."""
    first, run = made.answers[0], made.runs[0]
    yield RunStarted("ticket", run, RunKind.VALIDATE, "qzxlive title")
    yield CallStarted(run, "qzxlivekey", first, "cycle_consistency/1", "openai/qzxlive")
    yield OutcomeDecided(run, first, "cycle_consistency", Outcome.REJECT, "qzxlive reason", "")
    yield UtilityUpdated(made.runs[4], first, 0.7391, True)
    yield RunFinished(run, RunState.FAILED, "qzxlive message")


async def test_no_screen_shows_what_is_masked(made: Masked, tmp_path: Path) -> None:
    async with _running(made) as (app, pilot):
        app.question_id = MASKED
        app.action_workbench()
        await wait_until(pilot, lambda: "Answer  A" in screen_text(pilot))
        assert app.desk is not None
        assert isinstance(app.desk.engine, ScriptedEngine)
        app.desk.engine.tell(*_live(made))
        await wait_until(pilot, lambda: "What it reports is hidden" in "\n".join(app.told))
        assert leaks("\n".join([screen_text(pilot), *app.told])) == []

        found = {step: there async for step, text in _go(app, pilot, WALK) if (there := leaks(text))}
        assert found == {}
        assert leaks("\n".join(_files(tmp_path))) == []
        assert not app.desk.engine.requests
        assert _exposed(made) == set()

        app.action_workbench()
        await wait_until(pilot, lambda: "Answer  A" in screen_text(pilot))
        seen = {word async for _, text in _go(app, pilot, REVEALED) for word in leaks(text)}
        assert {"qzxmodel", "qzxsystem", "qzxperson", "c3", "7.39", "0.7391"} <= seen
    assert {Exposure.MODEL, Exposure.CLAIMS, Exposure.SCORES, Exposure.UTILITY} <= _exposed(made)


def _files(folder: Path) -> Iterator[str]:
    """Names and contents of what the app has written, the workspace itself left out."""
    for path in folder.rglob("*"):
        if path.is_file() and ".sqlite" not in path.name and path.parent != folder:
            yield f"{path.name}\n{path.read_text(encoding='utf-8', errors='replace')}"


def _exposed(made: Masked) -> set[Exposure]:
    ws = Workspace.open(made.path)
    try:
        reviewer = reviewers.current(ws).id
        return {row.what for key in made.answers for row in exposures.of_candidate(ws, reviewer, key)}
    finally:
        ws.close()
