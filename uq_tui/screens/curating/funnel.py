"""The curation funnel: how many questions stand and fell where, beside the paper's."""

from collections.abc import Callable

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.content import Content
from textual.screen import Screen
from textual.widgets import OptionList, Static

from store.curation_rows import Curation
from uq_tui.engine.protocol import Event, EventsLost, RunFinished, RunProgress, RunStarted
from uq_tui.errors import UqError
from uq_tui.key_map import key_shown, with_keys
from uq_tui.screens.curating.begin import BeginCurationModal
from uq_tui.screens.curating.choose import ChooseCurationModal
from uq_tui.screens.curating.head import PLACE, begin_head, head
from uq_tui.screens.curating.model_filter import ModelFilterModal
from uq_tui.screens.curating.review import QuestionReviewScreen
from uq_tui.screens.curating.standing import StandingScreen
from uq_tui.screens.curating.version import MakeVersionModal
from uq_tui.state.curating.asking import AskingEditor
from uq_tui.state.curating.funnel import FunnelState
from uq_tui.state.curating.pinning import made_words
from uq_tui.state.desk import Desk
from uq_tui.text import clean_line, counted
from uq_tui.widgets import marks
from uq_tui.widgets.curating.funnel_table import FunnelTable, heads
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.title_bar import TitleBar
from uq_tui.words import RunKind

REFRESH_S = 1.0
"""Seconds between looks at whether models have said anything new."""


class FunnelScreen(TellsFailures, Screen[None]):
    """One curation at a time. Rules are applied in a thread; models are asked by a run like any other."""

    CSS_PATH = "curating.tcss"
    AUTO_FOCUS = "#funnel"
    BINDINGS = [
        Binding("n", "new", "New", id="curation.new", tooltip="Begin a pass, by the paper's rules or your own"),
        Binding("c", "choose", "Choose", id="curation.choose", tooltip="Look at another pass"),
        Binding("a", "apply", "Apply rules", id="curation.apply", tooltip="Apply the rules to all questions here"),
        Binding("g", "ask", "Ask models", id="curation.ask", tooltip="Have models answer and rate what passed"),
        Binding("v", "review", "Review", id="curation.review", tooltip="Decide on questions that wait for a person"),
        Binding(
            "d", "version", "Version", id="curation.version", tooltip="Make a version of a dataset of what was kept"
        ),
        Binding("r", "reload", "Read again", id="curation.reload", tooltip="Read again what there is by now"),
        Binding("escape", "leave", "Back", id="curation.leave", tooltip="Stop applying rules, or go back"),
    ]

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._state = FunnelState(desk)
        self._unsubscribe: Callable[[], None] = lambda: None
        self._moved = False
        """Models have said something since the screen was drawn."""
        self._asked = False
        """A run that asks models was started from here, and has not ended."""

    def compose(self) -> ComposeResult:
        yield TitleBar()
        yield Static(id="about", markup=False)
        yield Static(id="heads", markup=False)
        yield FunnelTable(id="funnel")
        yield Static(id="note", markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        begin_head(self)
        self._unsubscribe = self._desk.subscribe(self._receive)
        self.set_interval(REFRESH_S, self._tick)
        self.action_reload()

    def on_unmount(self) -> None:
        self._unsubscribe()
        self._state.stop()

    def on_screen_resume(self) -> None:
        """What stood on top may have decided something."""
        if self._state.curations:
            self.action_reload()

    def on_resize(self) -> None:
        self.query_one("#heads", Static).update(heads(self.size.width))

    # Drawing

    @work(group="funnel", exclusive=True, exit_on_error=False)
    async def action_reload(self) -> None:
        await self._state.load()
        self._draw()

    def _draw(self) -> None:
        curation = self._state.curation
        head(self, curation.name if curation is not None else "")
        self.query_one("#about", Static).update(Content(self._about(curation)))
        self.query_one("#heads").display = bool(self._state.sections)
        self.query_one(FunnelTable).show(self._state.sections, empty=self._empty(curation))
        asking = self._asked or bool(self._desk.running(RunKind.CURATE))
        self._say(with_keys(self.app, "Models are asked; {app.runs:R} shows the run.") if asking else "")
        self.refresh_bindings()

    def _about(self, curation: Curation | None) -> str:
        if curation is None:
            return "A pass takes questions through rules, models' ratings and people's decisions."
        only = f", only {clean_line(', '.join(curation.sites))}" if curation.sites else ""
        begun = f"Begun {curation.created_at[:10]}{only}"
        if curation.up_to is None:
            return begun
        if curation.ruled:
            return f"{begun}, rules applied"
        return f"{begun}, rules applied in part: {key_shown(self, 'curation.apply')} goes on"

    def _empty(self, curation: Curation | None) -> str:
        if curation is None:
            return f"No pass yet: {key_shown(self, 'curation.new')} begins one, and so does uq-tui curate."
        return f"Nothing was looked at yet: {key_shown(self, 'curation.apply')} applies the rules."

    def _say(self, text: str) -> None:
        note = self.query_one("#note", Static)
        note.update(Content(text))
        note.display = bool(text)

    # Curations

    @work(group="curation", exclusive=True, exit_on_error=False)
    async def action_new(self) -> None:
        if await self.app.push_screen_wait(BeginCurationModal(self._state)):
            self._draw()

    @work(group="curation", exclusive=True, exit_on_error=False)
    async def action_choose(self) -> None:
        chosen = await self.app.push_screen_wait(ChooseCurationModal(self._state.curations, self._state.curation))
        if chosen is not None:
            await self._state.choose(chosen.id)
            self._draw()

    @work(group="apply", exit_on_error=False)
    async def action_apply(self) -> None:
        if self._state.curation is None or self._state.applying:
            return
        self._say("Applying the rules ...")
        self.refresh_bindings()
        try:
            done = await self._state.apply(self._heard)
        finally:
            if self.is_mounted:
                self._draw()
        if not done and self.is_mounted:
            again = key_shown(self, "curation.apply")
            self._say(f"Stopped. What was looked at stays; {again} goes on from there.")

    def _heard(self, done: int, of: int) -> None:
        """From the thread that applies rules."""
        self.app.call_later(self._progress, done, of)

    def _progress(self, done: int, of: int) -> None:
        if self._state.applying and self.is_mounted:
            stop = key_shown(self, "curation.leave")
            bar = marks.bar(done / of) if of else ""
            self._say(f"{bar}  {counted(done, 'question')} of {of:,} looked at; {stop} stops")

    def action_leave(self) -> None:
        if self._state.applying:
            self._state.stop()
        else:
            self.dismiss()

    # Models

    @work(group="ask", exclusive=True, exit_on_error=False)
    async def action_ask(self) -> None:
        curation = self._state.curation
        if curation is None:
            return
        editor = AskingEditor(curation, self._desk.model, waiting=self._state.waiting)
        asked = await self.app.push_screen_wait(ModelFilterModal(editor))
        if asked is not None and await self._state.ask(asked):
            self._asked = True
            self._draw()

    def _receive(self, event: Event) -> None:
        if isinstance(event, EventsLost):
            self._moved = True
        if isinstance(event, RunStarted | RunProgress | RunFinished):
            self._moved |= self._desk.kinds.get(event.run_id) is RunKind.CURATE
            if isinstance(event, RunFinished) and self._desk.kinds.get(event.run_id) is RunKind.CURATE:
                self._asked = False

    def _tick(self) -> None:
        if self._moved and self.is_current and not self._state.applying:
            self._moved = False
            self.action_reload()

    # Questions

    @on(OptionList.OptionSelected, "#funnel")
    def _selected(self, event: OptionList.OptionSelected) -> None:
        line = self._state.line(event.option.id or "")
        standing = self._state.standing(line) if line is not None else None
        if line is None or standing is None:
            self.notify("No question is there.", title=line.label if line is not None else PLACE)
        else:
            self.app.push_screen(StandingScreen(self._desk, standing))

    @work(group="review", exclusive=True, exit_on_error=False)
    async def action_review(self) -> None:
        curation = self._state.curation
        if curation is None:
            raise UqError("There is no pass yet.", hint=f"{key_shown(self, 'curation.new')} begins one.")
        self.app.push_screen(QuestionReviewScreen(self._desk, curation))

    # Versions

    @work(group="version", exclusive=True, exit_on_error=False)
    async def action_version(self) -> None:
        if (curation := self._state.curation) is None:
            return
        version = await self.app.push_screen_wait(MakeVersionModal(self._desk.workspace, curation))
        if version is not None:
            self.notify(made_words(version), title="Version made")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what there is something for, and nothing but stopping while rules are applied."""
        state = self._state
        if action in ("new", "choose", "apply", "ask", "review", "version", "reload") and state.applying:
            return False
        if action == "choose":
            return len(state.curations) > 1
        if action in ("apply", "ask", "review"):
            return state.curation is not None
        if action == "version":
            return bool(state.kept)
        return True
