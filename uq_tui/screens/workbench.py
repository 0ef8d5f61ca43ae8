"""Workbench: one question, where generating, judging, reading and the verdict happen."""

from collections.abc import Callable

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import OptionList, Static

from store.rows import NewCandidate
from uq_tui.document.maths.readable import readable_line
from uq_tui.engine.protocol import CallStarted, Event, EventsLost, RunFinished, RunStarted
from uq_tui.key_map import key_shown
from uq_tui.screens.new_candidate import NewCandidateModal
from uq_tui.screens.reviewing.reveal import RevealModal
from uq_tui.screens.strategy import choose_strategy
from uq_tui.screens.workbench_doors import OpensMore
from uq_tui.screens.workbench_keys import KEYS
from uq_tui.state.desk import Desk
from uq_tui.state.reading.readable import readable_question
from uq_tui.state.reviewing import blind
from uq_tui.state.verdict.editor import VerdictEditor
from uq_tui.state.workbench import Change
from uq_tui.widgets.candidate_list import CandidateLine, CandidateList
from uq_tui.widgets.candidate_text import CandidateText, Shown
from uq_tui.widgets.document import Document
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.ladder_view import LadderView
from uq_tui.widgets.reply_view import ReplyView
from uq_tui.widgets.title_bar import TitleBar
from uq_tui.widgets.tour_bar import TourBar
from uq_tui.widgets.utility_panel import UtilityPanel
from uq_tui.widgets.verdict_dock import VerdictDock

REDRAW_S = 0.1
"""Seconds between redraws of what events have changed, so that a burst of them costs one."""
REFERENCE = "It is the expert's own solution: scored like the others, and right by definition. Nobody labels it."
PANES = {"candidates": "left", "text": "middle", "ladder": "right", "reply": "right"}
"""Panes in the order of the arrow keys, and the column each lies in."""
READ = ("text", "reply")
"""Panes that are read at full width."""
COLUMNS = {"left": "Candidates", "middle": "Text", "right": "Stages"}
"""On a narrow terminal one column is seen at a time, under a line that names all."""


class WorkbenchScreen(OpensMore):
    """Panels are drawn from `WorkbenchState` alone: events change the state, a tick redraws what changed."""

    CSS_PATH = "workbench.tcss"
    AUTO_FOCUS = "#candidates"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-medium"), (170, "-wide")]
    BINDINGS = KEYS

    def __init__(self, desk: Desk, question_id: str) -> None:
        super().__init__(desk)
        self._question_id = question_id
        self._dirty = Change.NOTHING
        self._reloading = False
        self._offered = False, False
        """Whether the footer offers to reveal the problem, and to ask again for answers that failed."""
        self._unsubscribe: Callable[[], None] = lambda: None

    def compose(self) -> ComposeResult:
        yield TitleBar()
        yield TourBar()
        yield Static(id="tabs", markup=False)
        with Horizontal(id="columns"):
            with Vertical(id="left"):
                yield CandidateList(id="candidates")
                yield UtilityPanel(id="utility")
            yield Document(id="question")
            with Vertical(id="middle"):
                yield CandidateText(self._desk.workspace, self._desk.engine, id="text")
                yield VerdictDock(VerdictEditor(self._desk), id="verdict")
            with Vertical(id="right"):
                yield LadderView(id="ladder")
                yield ReplyView(self._desk.workspace, self._desk.engine, id="reply")
        yield KeyFooter()

    def on_mount(self) -> None:
        self._unsubscribe = self._desk.subscribe(self._receive)
        self.set_interval(REDRAW_S, self._tick)
        self.watch(self.app, "app_focus", self._look_at_mask, init=False)
        self._show_column("candidates")
        self.query_one("#question", Document).border_title = "Question"
        self._open()

    def on_unmount(self) -> None:
        self._unsubscribe()

    def on_screen_resume(self) -> None:
        """Show what has happened while another screen stood in front."""
        self.query_one(ReplyView).catch_up()
        self.query_one(CandidateText).catch_up()
        self._look_at_mask()

    def _look_at_mask(self) -> None:
        self._catch_up_with_mask()

    @work(group="mask", exclusive=True, exit_on_error=False)
    async def _catch_up_with_mask(self) -> None:
        """Hide what may not be seen any more, because a verdict was taken back in another window."""
        if await self._state.mask_has_moved():
            self._stale = True

    @work(group="load", exclusive=True, exit_on_error=False)
    async def _open(self) -> None:
        await self._state.load(self._question_id)
        self.query_one(CandidateText).shown = Shown.ANSWER if self._state.candidates else Shown.QUESTION
        self._tell_question()
        await self._candidate_changed()

    def _tell_question(self) -> None:
        question, resolution = self._state.question, self._state.resolution
        if question is not None:
            stands = f"  ({resolution})" if resolution else ""
            self.query_one(TitleBar).subject = f"{question.row.id}{stands}  {readable_line(question.row.title)}"
            self.query_one("#question", Document).read(readable_question(question, resolution=resolution))

    # Events from the engine

    def _receive(self, event: Event) -> None:
        self._dirty |= self._state.apply(event)
        if isinstance(event, RunStarted | RunFinished | EventsLost):
            self.refresh_bindings()
        if isinstance(event, CallStarted) and event.call_key in self._state.pending.values():
            self._watch_writing(event.call_key)
        self._stale = self._stale or self._state.needs_reload(event)
        self.query_one(ReplyView).receive(event)
        self.query_one(CandidateText).receive(event)

    def _watch_writing(self, call_key: str) -> None:
        """Turn to a candidate that is being written, unless the reader is judging or watching another."""
        if not self.has_class("-judging") and self._state.chosen not in self._state.pending.values():
            self._choose(CandidateList.Chosen(call_key))

    def _tick(self) -> None:
        if not self.is_current:
            return  # what changes behind another screen repaints all of that one
        if self._state.unshaped:
            self._learn()
        if self._stale and not self._reloading:
            self._stale, self._reloading = False, True
            self._reload()
        elif self._dirty:
            self._redraw()
            self.run_worker(self._note_exposures(), group="exposures", exit_on_error=False)

    @work(group="reload", exit_on_error=False)
    async def _reload(self) -> None:
        state = self._state
        before = state.chosen, state.mask is None, state.resolution
        try:
            await state.reload()
        finally:
            self._reloading = False
        if (state.chosen, state.mask is None, state.resolution) != before:
            self._tell_question()
            await self._candidate_changed()
        else:
            self._redraw()
        await self._note_exposures()

    @work(group="learn", exclusive=True, exit_on_error=False)
    async def _learn(self) -> None:
        await self._state.learn()
        self._redraw()

    # Drawing

    def _redraw(self) -> None:
        state = self._state
        offered = state.mask is not None, bool(state.failed)
        if self._offered != offered:
            self._offered = offered
            self.refresh_bindings()
        self._dirty = Change.NOTHING
        lines = [
            CandidateLine(
                candidate,
                state.measured.get(candidate.id),
                state.ladders.get(candidate.id),
                state.verdicts.get(candidate.id),
                candidate.id in state.measuring or ((c := state.ladders.get(candidate.id)) is not None and c.running),
                state.warning(candidate.id),
            )
            for candidate in state.candidates
        ]
        self.query_one(CandidateList).show(
            lines,
            tuple(state.pending.values()),
            state.chosen,
            failed=state.failed,
            retry=f"{key_shown(self, 'workbench.retry')} asks again",
        )
        hidden = state.mask is not None
        chosen = self._desk.strategy.title
        validate, strategy = key_shown(self, "workbench.validate"), key_shown(self, "workbench.strategy")
        self.query_one(LadderView).show(
            state.ladder,
            title="Stages",
            note="" if hidden else f"{validate}: {chosen}",
            empty=f"Stages are {blind.HIDDEN}. {key_shown(self, 'workbench.reveal')} reveals it."
            if hidden
            else f"Not judged yet. {validate} judges it by {chosen}, {strategy} chooses another strategy.",
        )
        self.query_one(ReplyView).read_ladder(state.ladder)
        self.query_one(UtilityPanel).show(
            state.measured.get(state.chosen), state.neighbours, busy=bool(state.measuring), hidden=hidden
        )

    def _show_text(self) -> None:
        state = self._state
        writing = state.chosen if state.chosen in state.pending.values() else ""
        warning = state.warning(state.chosen)
        self.query_one(CandidateText).read_candidate(
            state.question,
            state.candidate,
            writing=writing,
            warning=warning,
            resolution=state.resolution,
            posted=state.posted.get(state.chosen, ""),
        )

    async def _candidate_changed(self) -> None:
        self._redraw()
        self.query_one(ReplyView).turn_to(self.query_one(LadderView).path or "")
        self._show_text()
        if self._state.candidate is None or self._state.candidate.reference:
            self.remove_class("-judging")
        elif self.has_class("-judging"):
            self.query_one(VerdictDock).judge(self._state.candidate, focus=False)
        await self._note_exposures()

    async def _note_exposures(self) -> None:
        shown = self.query_one(CandidateText).shown
        await self._state.note_exposures(answer=shown is Shown.ANSWER, reasoning=shown is Shown.REASONING)

    # Choosing and moving

    @on(CandidateList.Chosen)
    @work(group="choose", exclusive=True, exit_on_error=False)
    async def _choose(self, event: CandidateList.Chosen) -> None:
        if event.candidate_id != self._state.chosen:
            self._state.chosen = event.candidate_id
            await self._candidate_changed()

    @on(LadderView.Chosen)
    def _rung_chosen(self, event: LadderView.Chosen) -> None:
        self.query_one(ReplyView).turn_to(event.path)

    @on(OptionList.OptionSelected, "#candidates")
    def _candidate_selected(self) -> None:
        self.action_verdict()

    @on(OptionList.OptionSelected, "#ladder")
    def _rung_selected(self) -> None:
        self._turn_to("reply")

    def action_call(self, by: int) -> None:
        self.query_one(ReplyView).step(by)

    def action_prompt(self) -> None:
        self.query_one(ReplyView).toggle_prompt()

    def action_text(self) -> None:
        self.query_one(CandidateText).turn()
        self._turn_to("text")
        self.run_worker(self._note_exposures(), group="exposures", exit_on_error=False)

    def action_pane(self, by: int) -> None:
        names = READ if self.has_class("-reading") else tuple(PANES)
        at = names.index(self.focused.id) if self.focused is not None and self.focused.id in PANES else 1
        self._turn_to(names[(at + by) % len(names)])

    def action_widen(self) -> None:
        self._widen(full=True)

    def action_narrow(self) -> None:
        self._widen(full=False)

    def _widen(self, *, full: bool) -> None:
        self.set_class(full, "-reading")
        focused = self.focused.id if self.focused is not None else None
        self._turn_to(focused if focused in READ else "text")
        self.refresh_bindings()

    def _turn_to(self, pane: str) -> None:
        self._show_column(pane)
        self.query_one(f"#{pane}", Widget).focus()

    def _show_column(self, pane: str) -> None:
        shown = f"-{PANES[pane]}"
        if not self.has_class(shown):  # styling the whole screen is slow: once is enough
            self.remove_class(*(f"-{column}" for column in COLUMNS), update=False)
            self.add_class(shown)
        names = [f"[{name}]" if PANES[pane] == column else f" {name} " for column, name in COLUMNS.items()]
        self.query_one("#tabs", Static).update("  ".join(names))

    # Runs

    @work(group="start", exit_on_error=False)
    async def action_validate(self) -> None:
        self._desk.start(self._state.validate_request())

    @work(group="strategy", exclusive=True, exit_on_error=False)
    async def action_strategy(self) -> None:
        if await choose_strategy(self.app, self._desk):
            self._redraw()

    @work(group="start", exit_on_error=False)
    async def action_generate(self) -> None:
        self._desk.start(self._state.generate_request())

    @work(group="start", exit_on_error=False)
    async def action_retry(self) -> None:
        for request in self._state.retry_requests():
            self._desk.start(request)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer cancelling only while something runs, and one way between the widths."""
        match action:
            case "cancel":
                return bool(self._desk.active) and not self._in_form
            case "validate" | "generate":
                return not self._in_form
            case "retry":
                return bool(self._state.failed) and not self._in_form
            case "widen" | "narrow":
                return self.has_class("-reading") == (action == "narrow")
            case "reveal":
                return self._state.mask is not None
        return True

    @property
    def _in_form(self) -> bool:
        """The verdict form has the focus: a letter that a row of it has no use for must not start or stop a run."""
        return self.focused is not None and any(isinstance(one, VerdictDock) for one in self.focused.ancestors)

    @work(group="start", exit_on_error=False)
    async def action_cancel(self) -> None:
        for run_id in tuple(self._desk.active):
            self._desk.engine.cancel(run_id)

    @work(group="add", exclusive=True, exit_on_error=False)
    async def action_add(self) -> None:
        if self._state.question is None:
            return
        new = await self.app.push_screen_wait(NewCandidateModal(self._state.question.row.id))
        if isinstance(new, NewCandidate):
            await self._state.add(new)
            self.query_one(CandidateText).shown = Shown.ANSWER
            await self._candidate_changed()

    # Blindness

    @work(group="reveal", exclusive=True, exit_on_error=False)
    async def action_reveal(self) -> None:
        question = self._state.question
        if question is not None and await self.app.push_screen_wait(RevealModal(readable_line(question.row.title))):
            await self._state.reveal()
            await self._candidate_changed()

    # Verdict

    def action_verdict(self) -> None:
        candidate = self._state.candidate
        if candidate is not None and candidate.reference:
            self.notify(REFERENCE, title=f"{candidate.called} is the reference", markup=False)
        elif candidate is not None:
            self.add_class("-judging")
            self._show_column("text")
            self.query_one(VerdictDock).judge(candidate)
        else:
            self.notify(self._how_to_begin(), title="Nothing to judge yet", markup=False)

    @on(VerdictDock.Recorded)
    @work(group="recorded", exclusive=True, exit_on_error=False)
    async def _recorded(self) -> None:
        if self.has_class("-judging"):
            self._close_form()
        self._stale = True

    def action_step(self, way: int) -> None:
        self.query_one(VerdictDock).step(way)

    @on(VerdictDock.Left)
    def _close_form(self) -> None:
        self.remove_class("-judging")
        self._turn_to("text")
