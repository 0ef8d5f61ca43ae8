"""Two strategies on the same candidate, side by side."""

from collections.abc import Callable, Sequence

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from store.rows import Candidate
from uq_tui.engine.protocol import Event
from uq_tui.key_map import key_shown
from uq_tui.screens.strategy import choose_strategy
from uq_tui.state.desk import Desk
from uq_tui.state.ladder.judged import Judged
from uq_tui.state.ladder.ladders import LaddersState, Side, told
from uq_tui.text import clean_line
from uq_tui.widgets import marks
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.key_footer import PANE_KEYS, KeyFooter
from uq_tui.widgets.ladder_view import LadderView
from uq_tui.widgets.reply_view import ReplyView, reading_keys
from uq_tui.widgets.title_bar import TitleBar

REDRAW_S = 0.1
"""Seconds between redraws of what events have changed."""
PANES = ("left", "right", "reply")
SIDES = {Side.LEFT: "left", Side.RIGHT: "right"}


class LaddersScreen(TellsFailures, Screen[None]):
    """Draws from `LaddersState` alone. The reply below is that of the ladder which had the focus last."""

    CSS_PATH = "ladders.tcss"
    AUTO_FOCUS = "#left"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-medium")]
    BINDINGS = [
        Binding("1,a", "pick(0)", "Left", id="ladders.left", tooltip="Choose the run on the left"),
        Binding("2,b", "pick(1)", "Right", id="ladders.right", tooltip="Choose the run on the right"),
        Binding("v", "validate", "Validate", id="ladders.validate", tooltip="Choose a strategy and judge by it"),
        *reading_keys("ladders"),
        Binding("left", "pane(-1)", "Panes", id="ladders.previous", group=PANE_KEYS, tooltip="Previous pane"),
        Binding("right", "pane(1)", "Panes", id="ladders.next", group=PANE_KEYS, tooltip="Next pane"),
        Binding("escape,l", "leave", "Back", id="ladders.leave", tooltip="Back to the workbench"),
    ]

    def __init__(self, desk: Desk, candidate: Candidate, header: TitleBar) -> None:
        """`header` is that of the screen before; this one goes on with what it tells."""
        super().__init__()
        self._header = header
        self._desk = desk
        self._state = LaddersState(desk, candidate)
        self._reading = Side.LEFT
        self._dirty = False
        self._unsubscribe: Callable[[], None] = lambda: None

    def compose(self) -> ComposeResult:
        yield TitleBar()
        yield Static(id="tabs", markup=False)
        with Horizontal(id="ladders"):
            yield LadderView(id="left")
            yield LadderView(id="right")
        yield ReplyView(self._desk.workspace, self._desk.engine, id="reply")
        yield KeyFooter()

    def on_mount(self) -> None:
        bar = self.query_one(TitleBar)
        bar.place, bar.status, bar.busy = "Compare", self._header.status, self._header.busy
        bar.subject = f"{self._state.candidate.called}, two strategies side by side"
        self._unsubscribe = self._desk.subscribe(self._receive)
        self.set_interval(REDRAW_S, self._tick)
        self._show_side()
        self._load()

    def on_unmount(self) -> None:
        self._unsubscribe()

    def _receive(self, event: Event) -> None:
        self._dirty = self._state.apply(event) or self._dirty
        self.query_one(ReplyView).receive(event)

    def _tick(self) -> None:
        if not self.is_current:
            return  # what changes behind another screen repaints all of that one
        if self._state.stale:
            self._load()
        elif self._dirty:
            self._redraw()
            self._note_exposures()

    @work(group="load", exclusive=True, exit_on_error=False)
    async def _load(self) -> None:
        await self._state.load()
        self._redraw()
        self._note_exposures()

    @work(group="exposures", exit_on_error=False)
    async def _note_exposures(self) -> None:
        await self._state.note_exposures()

    # Drawing

    def _redraw(self) -> None:
        self._dirty = False
        differing = self._state.differing()
        validate = key_shown(self, "ladders.validate")
        for side, name in SIDES.items():
            self.query_one(f"#{name}", LadderView).show(
                self._state.ladder(side),
                title=f"{side + 1} {SIDES[side].capitalize()}",
                note=self._when(side),
                empty=f"No other run has judged this candidate. {validate} chooses a strategy and judges by it.",
                differing=differing,
            )
        self._read()

    def _when(self, side: Side) -> str:
        run = self._state.run(side)
        return f"{run.created_at[:16].replace('T', ' ')}, {run.state}" if run is not None else ""

    def _read(self) -> None:
        """Have the reply follow the rung stood on in the ladder that is read."""
        view, reply = self.query_one(f"#{SIDES[self._reading]}", LadderView), self.query_one(ReplyView)
        reply.turn_to(view.path or "")
        reply.read_ladder(self._state.ladder(self._reading), whose=f"{SIDES[self._reading].capitalize()}: ")

    # Choosing and moving

    @on(LadderView.Chosen)
    def _rung_chosen(self, event: LadderView.Chosen) -> None:
        if event.view.id == SIDES[self._reading]:
            self._read()

    @on(OptionList.OptionSelected)
    def _rung_selected(self) -> None:
        self.query_one("#reply", Widget).focus()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """The ladder that gets the focus is the one that is read."""
        for side, name in SIDES.items():
            if event.widget.id == name and side is not self._reading:
                self._reading = side
                self._show_side()
                self._read()

    def _show_side(self) -> None:
        """On a narrow terminal one ladder is seen at a time, under a line that names both."""
        for side, name in SIDES.items():
            self.set_class(side is self._reading, f"-{name}")
        names = [
            f"[{name.capitalize()}]" if s is self._reading else f" {name.capitalize()} " for s, name in SIDES.items()
        ]
        self.query_one("#tabs", Static).update("  ".join(names))

    def action_pane(self, by: int) -> None:
        focused = self.focused.id if self.focused is not None else None
        at = PANES.index(focused) if focused in PANES else self._reading
        name = PANES[(at + by) % len(PANES)]
        if name != "reply":
            self._reading = next(side for side in Side if SIDES[side] == name)
            self._show_side()  # what is hidden can't take the focus
            self._read()
        self.query_one(f"#{name}", Widget).focus()

    def action_call(self, by: int) -> None:
        self.query_one(ReplyView).step(by)

    def action_prompt(self) -> None:
        self.query_one(ReplyView).toggle_prompt()

    def action_leave(self) -> None:
        self.app.pop_screen()

    # Runs

    @work(group="pick", exclusive=True, exit_on_error=False)
    async def action_pick(self, side: int) -> None:
        picked = await self.app.push_screen_wait(RunPickerModal(Side(side), self._state.choices))
        if picked is not None:
            self._state.put(Side(side), picked)
            self._redraw()
            self._note_exposures()

    @work(group="start", exclusive=True, exit_on_error=False)
    async def action_validate(self) -> None:
        if await choose_strategy(self.app, self._desk):
            self._state.start()


class RunPickerModal(ModalScreen[str | None]):
    """Returns the id of a run that judged the candidate, or None."""

    CSS_PATH = "modal.tcss"
    BINDINGS = [
        Binding(
            "escape", "dismiss(None)", "Keep the present one", id="run_picker.cancel", tooltip="Leave the run as it is"
        )
    ]

    def __init__(self, side: Side, choices: Sequence[Judged]) -> None:
        super().__init__()
        self._side = side
        self._choices = tuple(choices)

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = Content(f"Run on the {SIDES[self._side]}")
            yield OptionList(*map(_option, self._choices), id="runs", markup=False)
        yield KeyFooter()

    @on(OptionList.OptionSelected)
    def _picked(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option.id)


def _option(judged: Judged) -> Option:
    outcome = judged.ladder.whole.outcome
    came_out = marks.outcome(outcome) if outcome is not None else Content("not decided")
    return Option(Content.assemble(came_out, f"  {clean_line(told(judged))}"), id=judged.run.id)
