"""Runs: active and past, what they did, what failed and what to do about it."""

from collections.abc import Callable

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.content import Content
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from store.run_rows import Run
from uq_tui.engine.protocol import Event
from uq_tui.key_map import key_shown, with_keys
from uq_tui.screens.budget import BudgetModal
from uq_tui.state.desk import Desk
from uq_tui.state.reviewing.blind import HIDDEN
from uq_tui.state.runs import RunsState
from uq_tui.text import clean, clean_line
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.title_bar import TitleBar
from uq_tui.widgets.tour_bar import TourBar

REFRESH_S = 0.25
"""Seconds between redraws of progress."""
NO_RUNS = (
    "No runs yet: {workbench.validate:v}, {workbench.utility:u} or {workbench.generate:g} on the workbench starts one."
)


class RunsScreen(TellsFailures, Screen[None]):
    """The newest runs first."""

    CSS_PATH = "runs.tcss"
    AUTO_FOCUS = "#runs"
    BINDINGS = [
        Binding("k", "cancel", "Cancel", id="runs.cancel", tooltip="Stop this run; finished calls are kept"),
        Binding("r", "resume", "Resume", id="runs.resume", tooltip="Run it again; finished calls aren't asked again"),
        Binding("b", "budget", "Budget", id="runs.budget", tooltip="Run it again with a budget of money or tokens"),
    ]

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._state = RunsState(desk)
        self._unsubscribe: Callable[[], None] = lambda: None
        self._moved = False
        self._trouble = desk.trouble

    def compose(self) -> ComposeResult:
        yield TitleBar()
        yield TourBar()
        yield Static(id="engine", markup=False)
        runs = OptionList(id="runs", markup=False)
        runs.border_title = "Runs"
        yield runs
        yield Static(id="detail", markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        self._unsubscribe = self._desk.subscribe(self._receive)
        self.set_interval(REFRESH_S, self._tick)
        self.reload()

    def on_unmount(self) -> None:
        self._unsubscribe()

    def _receive(self, event: Event) -> None:
        if self._state.apply(event):
            self.reload()
        self._moved = True

    def _tick(self) -> None:
        if self._moved or self._trouble != self._desk.trouble:
            self._moved, self._trouble = False, self._desk.trouble
            self._show()

    @work(group="runs", exclusive=True, exit_on_error=False)
    async def reload(self) -> None:
        """Read the list again."""
        await self._state.load()
        self._show()

    def _show(self) -> None:
        engine, trouble = self.query_one("#engine", Static), self._desk.trouble
        engine.display = bool(trouble)
        restarts = with_keys(self.app, "{app.engine:E} restarts it; what was answered is kept.")
        engine.update(clean_line(f"! {trouble} {restarts}"))
        listing = self.query_one("#runs", OptionList)
        ids = [run.id for run in self._state.runs]
        if not ids or [option.id for option in listing.options] != ids:
            chosen = self._chosen()
            listing.clear_options()
            listing.add_options([Option(self._prompt(run), id=run.id) for run in self._state.runs])
            if not ids:
                listing.add_option(Option(with_keys(self.app, NO_RUNS), disabled=True))
            elif chosen is not None and chosen.id in ids:
                listing.highlighted = ids.index(chosen.id)
            else:
                listing.highlighted = 0
        else:
            for index, run in enumerate(self._state.runs):
                listing.replace_option_prompt_at_index(index, self._prompt(run))
        self._show_detail()

    def _prompt(self, run: Run) -> Content:
        when = run.created_at[:16].replace("T", " ")
        state = f"{run.state.value:<12}"
        return Content.assemble(
            (state, "bold"), f"{when}  {clean_line(run.title)}", (f"\n{'':12}{self._state.counts(run)}", "dim")
        )

    def _chosen(self) -> Run | None:
        option = self.query_one("#runs", OptionList).highlighted_option
        return self._state.find(option.id) if option is not None and option.id is not None else None

    @on(OptionList.OptionHighlighted)
    def _show_detail(self) -> None:
        run = self._chosen()
        if run is None:
            self.query_one("#detail", Static).update("")
            return
        ways = []
        if self._state.can_cancel(run):
            ways.append(f"{key_shown(self, 'runs.cancel')} cancels it")
        if self._state.can_resume(run):
            ways.append("r resumes it, b with a budget: finished calls are not asked again")
        text = clean(run.message) or "Nothing to report."
        if run.id in self._state.hidden:
            text = f"What it found, and what it cost, is {HIDDEN}. It can be resumed after that."
        self.query_one("#detail", Static).update("\n".join([text, *ways]))

    @work(group="command", exit_on_error=False)
    async def action_cancel(self) -> None:
        run = self._chosen()
        if run is not None and self._state.can_cancel(run):
            self._desk.engine.cancel(run.id)

    @work(group="command", exit_on_error=False)
    async def action_resume(self) -> None:
        run = self._chosen()
        if run is not None and self._state.can_resume(run):
            self._desk.engine.resume(run.id)

    @work(group="command", exit_on_error=False)
    async def action_budget(self) -> None:
        run = self._chosen()
        if run is None or not self._state.can_resume(run):
            return
        allowed = await self.app.push_screen_wait(BudgetModal(run.title, self._state.used(run)))
        if allowed is not None:
            self._desk.engine.resume(run.id, budget_usd=allowed.usd, budget_tokens=allowed.tokens)
