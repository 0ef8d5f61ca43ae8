"""A desk over a small real store, and an app to host one screen."""

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest
import pytest_asyncio
from textual._compositor import Compositor
from textual.app import App
from textual.pilot import Pilot
from textual.screen import Screen

from store import candidates, neighbours, questions
from store.ingest.importer import import_file
from store.rows import Neighbour, NewCandidate, Origin, QuestionFilter
from store.workspace import Workspace
from tests.fakes.scripted_engine import ScriptedEngine
from tests.screens.waiting import screen_text, wait_until
from uq_tui import paths
from uq_tui.engine.requests import ModelChoice
from uq_tui.screens.workbench import WorkbenchScreen
from uq_tui.state.desk import Desk
from uq_tui.widgets.failures import WorkFailed
from uq_tui.words import AuthorKind, TextFormat

ROWS = """\
{"question_id": "q1", "title": "Is $\\\\sqrt{2}$ odd?", "body": "Think about **parity**.", "site": "a.example", "tags": ["parity"]}
{"question_id": "q2", "title": "Where does [bold] end?", "body": "Second body.", "site": "b.example", "tags": ["text"]}
"""  # noqa: E501 - a row is a line


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No settings and no strategies of the user's."""
    monkeypatch.setenv(paths.HOME_VARIABLE, str(tmp_path / "home"))


@pytest.fixture(autouse=True)
def nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw nothing for a terminal that isn't there: a third of a screen's life. What a test reads is drawn for it."""

    def undrawn(compositor: Compositor, **_how: object) -> None:
        compositor._dirty_regions.clear()

    monkeypatch.setattr(Compositor, "render_update", undrawn)


@pytest_asyncio.fixture
async def desk(workspace: Workspace, tmp_path: Path) -> AsyncIterator[Desk]:
    """Two questions; the first has two candidates and two neighbours."""
    file = tmp_path / "questions.jsonl"
    file.write_text(ROWS, encoding="utf-8")
    import_file(workspace, file)
    first = first_question(workspace)
    by = Origin(AuthorKind.MODEL, model="a-model", source="test")
    candidates.add(
        workspace,
        [
            NewCandidate(first, "It is **even**.", TextFormat.MARKDOWN, by, reasoning="Squares of odds are odd."),
            NewCandidate(first, "It is odd.", TextFormat.MARKDOWN, by),
        ],
    )
    neighbours.add(workspace, first, [Neighbour("", "2+2?", "4", "test"), Neighbour("", "3+3?", "6", "test")])
    yield await Desk.sit_down(workspace, ScriptedEngine(workspace.path), ModelChoice("replay/none"))


def first_question(workspace: Workspace) -> str:
    """The id of the question about parity."""
    page = questions.page(workspace, QuestionFilter(text="parity"))
    return page.rows[0].id


def engine_of(desk: Desk) -> ScriptedEngine:
    """The desk's engine, as the test steers it."""
    assert isinstance(desk.engine, ScriptedEngine)
    return desk.engine


SIZE = (140, 44)
"""A terminal that shows the workbench's three columns."""


def bench(desk: Desk) -> "Host":
    """The workbench on the question about parity."""
    return Host(WorkbenchScreen(desk, first_question(desk.workspace)))


def ids(desk: Desk) -> Sequence[str]:
    """The candidates' ids, c1 first."""
    return [candidate.id for candidate in candidates.of_question(desk.workspace, first_question(desk.workspace))]


async def opened(pilot: Pilot[None]) -> None:
    """Wait until the first candidate is read."""
    await wait_until(pilot, lambda: "It is even" in screen_text(pilot))


class Host(App[None]):
    """Shows one screen, and gathers what it posts."""

    def __init__(self, screen: Screen[None]) -> None:
        super().__init__()
        self._shown = screen
        self.exported = 0
        self.errors: list[BaseException] = []

    def on_mount(self) -> None:
        self.push_screen(self._shown)

    def on_work_failed(self, failure: WorkFailed) -> None:
        self.errors.append(failure.error)

    def action_export(self) -> None:
        self.exported += 1

    def action_import_file(self) -> None:
        pass
