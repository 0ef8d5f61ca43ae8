"""The app: paints its first frame at once, then opens the workspace, the screens and the engine."""

import asyncio
import importlib
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from uq_tui import config as settings
from uq_tui import paths
from uq_tui.engine.protocol import Event, WorkerLost
from uq_tui.engine.requests import ModelChoice
from uq_tui.errors import EXIT_OK
from uq_tui.garbage import look_seldom
from uq_tui.hands import KEYS
from uq_tui.screens.curating.doors import CurationDoors
from uq_tui.telling_app import TellingApp
from uq_tui.text import clean_line, counted
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.title_bar import TitleBar
from uq_tui.widgets.tour_bar import TourBar

if TYPE_CHECKING:
    from store.rows import Reviewer
    from uq_tui.screens.questions import QuestionsScreen
    from uq_tui.screens.reviewing.queues import QueuesScreen
    from uq_tui.screens.reviewing.review import ReviewScreen
    from uq_tui.state.questions import QuestionsState
    from uq_tui.state.tour import Tour

LATER = (
    "uq_tui.startup",
    "uq_tui.state.desk",
    "uq_tui.state.tour",
    "uq_tui.screens.questions",
    "uq_tui.screens.workbench",
    "uq_tui.screens.reading.marking",
    "uq_tui.screens.reviewing.review",
    "uq_tui.screens.reviewing.queues",
    "uq_tui.screens.runs",
    "uq_tui.screens.insights",
)
"""Imported in a thread after the first frame: they bring the database toolkit."""
REVIEW = "Review"
"""The place of queues, with one open or all of them listed."""


class UqApp(TellsFailures, CurationDoors, TellingApp):
    """Owns what is open (`Desk`), and moves between places."""

    TITLE = "uq-tui"
    CSS_PATH = Path(__file__).with_name("app.tcss")
    BINDINGS = [
        Binding("E", "restart_engine", "Restart engine", id="app.engine", tooltip="End the engine, start another"),
        Binding("Q", "questions", "Questions", id="app.questions", tooltip="Browse questions"),
        Binding("W", "workbench", "Workbench", id="app.workbench", tooltip="The question opened last"),
        Binding("V", "review", "Review", id="app.review", tooltip="Judge what is in your queues"),
        Binding("R", "runs", "Runs", id="app.runs", tooltip="Runs under way and past"),
        Binding("I", "insights", "Insights", id="app.insights", tooltip="How scores compare with verdicts"),
        Binding("m", "model", "Model", id="app.model", tooltip="Choose the model that answers and judges"),
        Binding("P", "reviewer", "Reviewer", id="app.reviewer", tooltip="Who you are: see, change, add, switch"),
        Binding("T", "tour", "Tour", id="app.tour", tooltip="Start or end the recorded tour", show=False),
        Binding(
            "ctrl+q",
            "quit",
            "Quit",
            id="app.quit",
            tooltip="Leave; runs go on at the next start",
            show=False,
            priority=True,  # in dialogs too, which see no other keys of the app
        ),
        *KEYS,
    ]

    def __init__(self, workspace: Path, model: ModelChoice | None = None, *, queue_id: str = "") -> None:
        """With a `queue_id` the app begins in that queue."""
        super().__init__()
        self._first_queue = queue_id
        self._workspace_path = workspace
        self._model = model
        self._tour: Tour | None = None
        self._questions: QuestionsState | None = None
        self.question_id = ""
        self._in_trouble = False
        """The engine is in trouble, and the footer offers to restart it."""
        self._place = "Opening"

    def compose(self) -> ComposeResult:
        yield TitleBar()
        yield Static("Opening the workspace ...", id="opening")

    def on_mount(self) -> None:
        self.query_one(TitleBar).place = self._place
        self.call_after_refresh(self._open)

    @work(group="open", exclusive=True, exit_on_error=False)
    async def _open(self) -> None:
        for name in LATER:
            await asyncio.to_thread(importlib.import_module, name)
        from uq_tui.engine.client import EngineClient
        from uq_tui.startup import open_workspace
        from uq_tui.state.desk import Desk
        from uq_tui.state.tour import Tour

        workspace = await asyncio.to_thread(
            open_workspace, self._workspace_path, on_older=partial(self.call_from_thread, self._say_why_it_waits)
        )
        config = await asyncio.to_thread(settings.load)
        self.use_theme(config.theme)
        if config.keys:
            await self.use_keys(config.keys)
        engine = EngineClient(self._workspace_path, paths.log_dir() / "worker.log")
        desk = self.desk = await Desk.sit_down(workspace, engine, self._model or ModelChoice(config.default_model))
        desk.subscribe(self._receive)
        if not self.is_headless:  # as tests are, many in one process
            look_seldom()
        self.action_questions()
        if self._first_queue:
            self._go_to_queue(self._first_queue)
        elif self._model is None and await desk.is_new():
            self._tour = await Tour.begin(desk)
            self.question_id = self._tour.question_id
            self.action_workbench()
        await desk.start_engine()

    def _say_why_it_waits(self, told: str) -> None:
        self.query_one("#opening", Static).update(Content(clean_line(told)))

    async def on_unmount(self) -> None:
        if self.desk is not None:
            await self.desk.close()

    # Places

    def _go(self, screen: "Screen[None]", place: str) -> None:
        """Show a place; the one before it is dropped, once what it holds is in the store."""
        if self._holds_words:
            self._go_once_kept(screen, place)
        else:
            self._show_place(screen, place)

    @work(group="leave", exclusive=True, exit_on_error=False)
    async def _go_once_kept(self, screen: "Screen[None]", place: str) -> None:
        if await self._may_leave():
            self._show_place(screen, place)

    def _show_place(self, screen: "Screen[None]", place: str) -> None:
        self._place, self._refused = place, False
        while len(self.screen_stack) > 2:  # what stands on top of a place goes with it
            self.pop_screen()
        if len(self.screen_stack) > 1:
            self.switch_screen(screen)
        else:
            self.push_screen(screen)
        self.call_after_refresh(self.show_status)

    def action_questions(self) -> None:
        from uq_tui.screens.questions import QuestionsScreen
        from uq_tui.state.questions import QuestionsState

        if self.desk is not None:
            if self._questions is None:
                self._questions = QuestionsState(self.desk.workspace)
            self._go(QuestionsScreen(self._questions), "Questions")

    def action_workbench(self) -> None:
        from uq_tui.screens.workbench import WorkbenchScreen

        if self.desk is None:
            return
        if self.question_id:
            self._go(WorkbenchScreen(self.desk, self.question_id), "Workbench")
        else:
            self.notify("Choose a question and open it first.", title="Workbench")

    @work(group="review", exclusive=True, exit_on_error=False)
    async def action_review(self) -> None:
        """Go on with the queue left last; from there, or without one, list them all."""
        from uq_tui.state.reviewing.queue_list import to_go_on_with

        if self.desk is None:
            return
        queue_id = "" if self._place == REVIEW else await asyncio.to_thread(to_go_on_with, self.desk)
        self._go_to_queue(queue_id)

    def _go_to_queue(self, queue_id: str) -> None:
        """Show a queue, or all of them where none is named."""
        from uq_tui.screens.reviewing.queues import QueuesScreen
        from uq_tui.screens.reviewing.review import ReviewScreen

        if self.desk is not None:
            if self._questions is not None:
                self.desk.listed = self._questions.filter
            self._go(ReviewScreen(self.desk, queue_id) if queue_id else QueuesScreen(self.desk), REVIEW)

    def on_queues_screen_opened(self, message: "QueuesScreen.Opened") -> None:
        self._go_to_queue(message.queue_id)

    def on_review_screen_reads(self, message: "ReviewScreen.Reads") -> None:
        self.question_id = message.question_id

    def on_review_screen_closed(self) -> None:
        self._go_to_queue("")

    def action_runs(self) -> None:
        from uq_tui.screens.runs import RunsScreen

        if self.desk is not None:
            self._go(RunsScreen(self.desk), "Runs")

    def action_insights(self) -> None:
        from uq_tui.screens.insights import InsightsScreen

        if self.desk is not None:
            self._go(InsightsScreen(self.desk), "Insights")

    def on_questions_screen_opened(self, message: "QuestionsScreen.Opened") -> None:
        self.question_id = message.question_id
        self.action_workbench()

    def on_questions_screen_comments_wanted(self, message: "QuestionsScreen.CommentsWanted") -> None:
        from uq_tui.screens.reviewing.comments import CommentsModal

        if self.desk is not None:
            self.push_screen(CommentsModal(self.desk, message.question_id))

    # Dialogs

    @work(group="dialog", exclusive=True, exit_on_error=False)
    async def action_model(self) -> None:
        from uq_tui.engine.models import known_models
        from uq_tui.screens.model import ModelModal

        if self.desk is None:
            return
        models = await asyncio.to_thread(lambda: known_models(settings.load()))
        chosen = await self.push_screen_wait(ModelModal(models, self.desk.model))
        if chosen is not None:
            self.desk.model = chosen
            self.show_status()
            self._advance_tour("model")

    @work(group="dialog", exclusive=True, exit_on_error=False)
    async def action_reviewer(self) -> None:
        from uq_tui.screens.reviewing.reviewer import ReviewerModal

        if self.desk is None or not await self._may_leave():
            return
        reviewer = await self.push_screen_wait(ReviewerModal(self.desk.workspace, self.desk.reviewer))
        if reviewer is not None:
            self._seat(reviewer)

    def _seat(self, reviewer: "Reviewer") -> None:
        """Go on as another reviewer. The place is opened anew: what it held was for the one who sat here before."""
        assert self.desk is not None
        self.desk = self.desk.for_reviewer(reviewer)
        self.desk.subscribe(self._receive)
        self._markings = None
        again = {
            "Workbench": self.action_workbench,
            REVIEW: lambda: self._go_to_queue(""),
            "Runs": self.action_runs,
            "Insights": self.action_insights,
        }
        again.get(self._place, self.action_questions)()
        self.notify(f"You are {reviewer.handle} now.", title="Reviewer")

    @work(group="dialog", exclusive=True, exit_on_error=False)
    async def action_export(self) -> None:
        from uq_tui.screens.export import ExportModal

        if self.desk is not None and await self.push_screen_wait(ExportModal(self.desk.workspace)):
            self._advance_tour("export")

    @work(group="dialog", exclusive=True, exit_on_error=False)
    async def action_import_file(self) -> None:
        from uq_tui.screens.transfer import ImportModal

        if self.desk is None or not await self.push_screen_wait(ImportModal(self.desk.workspace)):
            return
        if not await self._follow_bundle():
            self.action_questions()

    @work(group="dialog", exclusive=True, exit_on_error=False)
    async def on_neighbours_screen_imported(self) -> None:
        await self._follow_bundle()

    async def _follow_bundle(self) -> bool:
        """A bundle has its reviewer sit down: go on as they do. Whether somebody else sits here by that."""
        from store import reviewers

        assert self.desk is not None
        sits = await asyncio.to_thread(reviewers.current, self.desk.workspace)
        if sits.id == self.desk.reviewer.id:
            return False
        self._place = REVIEW
        self._seat(sits)
        return True

    # Tour

    @work(group="tour", exclusive=True, exit_on_error=False)
    async def action_tour(self) -> None:
        from uq_tui.state.tour import Tour

        if self.desk is None:
            return
        if self._tour is not None:
            self._tour = None
        else:
            self._tour = await Tour.begin(self.desk)
            self.question_id = self._tour.question_id
            self.action_workbench()
        self.show_status()

    def on_verdict_dock_recorded(self) -> None:
        self._advance_tour("verdict")

    def _advance_tour(self, done: str) -> None:
        if self._tour is not None and self._tour.note(done):
            self.show_status()

    # The engine, and what stands above every place

    def _receive(self, event: Event) -> None:
        if self._tour is not None:
            self._tour.apply(event)
        if isinstance(event, WorkerLost):
            self._replace_engine(event.message)
        self.tell(event)
        self.show_status()

    @work(group="engine", exclusive=True, exit_on_error=False)
    async def _replace_engine(self, message: str) -> None:
        assert self.desk is not None
        self.notify(message, title="Engine restarts, its runs go on", severity="warning")
        await self.desk.restart_engine(by_hand=False)

    @work(group="engine by hand", exclusive=True, exit_on_error=False)
    async def action_restart_engine(self) -> None:
        if self.desk is not None and self.desk.trouble:
            await self.desk.restart_engine(by_hand=True)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer another engine only while this one is in trouble."""
        if action == "restart_engine":
            return self.desk is not None and bool(self.desk.trouble)
        return super().check_action(action, parameters)

    def show_status(self) -> None:
        """Bring header and tour line of the screen up to date."""
        if self.desk is None:
            return
        runs = len(self.desk.active)
        starting = self.desk.engine.starting
        under_way = counted(runs, "run") if runs else "starting" if starting else "no runs"
        if bool(self.desk.trouble) != self._in_trouble:
            self._in_trouble = not self._in_trouble
            self.refresh_bindings()
        if self._in_trouble:
            under_way = f"! engine, {under_way}"
        for depth, screen in enumerate(self.screen_stack[1:]):
            for bar in screen.query(TitleBar):
                if not depth:  # what stands on top of a place has a name of its own
                    bar.place = self._place
                bar.busy = runs > 0 or starting
                bar.status = f"{self.desk.model.id}   {self.desk.spend.text()}   {under_way}"
            for line in screen.query(TourBar):
                line.text = self._tour.text if self._tour is not None else ""


def run_app(workspace: Path, *, model: ModelChoice | None = None, queue_id: str = "") -> int:
    """Run the app until the user leaves.

    Args:
        workspace: the workspace's file.
        model: the model to start with; `None` takes the configured default, or the tour's on first start.
        queue_id: the queue to begin in; "" for the list of questions.

    Returns:
        the exit code.

    Raises:
        UqError: the workspace or the settings could not be opened.
        Exception: whatever else the app could not go on after.
    """
    app = UqApp(workspace, model, queue_id=queue_id)
    app.run()
    if app.failure is not None:
        raise app.failure
    return app.return_code or EXIT_OK
