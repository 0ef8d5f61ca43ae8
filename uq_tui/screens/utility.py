"""Utility of a question's candidates: ranked on a common axis, and every rollout beside what it came from."""

from collections.abc import Sequence

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import OptionList, Static

from store.rows import Candidate, Neighbour, Question
from store.run_rows import Rollout
from uq_tui.analysis import independence
from uq_tui.engine.protocol import Event
from uq_tui.screens.following import FollowingScreen
from uq_tui.state.desk import Desk
from uq_tui.state.reading.readable import own_words, readable_text, readable_words
from uq_tui.state.utility.measured import caution, decided_text, interval_text, neighbours_text
from uq_tui.state.utility.rollouts import Filter, kind_of
from uq_tui.state.utility.screen import CONTROL, PLACEBO, Beside, UtilityState
from uq_tui.text import clean_line
from uq_tui.widgets import marks, ranking_lines, rollout_lines
from uq_tui.widgets.finding_list import FindingList
from uq_tui.widgets.key_footer import PANE_KEYS, KeyFooter
from uq_tui.widgets.rollout_text import RolloutText
from uq_tui.widgets.title_bar import TitleBar
from uq_tui.widgets.utility_panel import TOO_NARROW

REDRAW_S = 0.5
"""Seconds between looks at whether the store has something new."""
PANES = ("ranking", "rollouts", "rollout", "beside")
TEXTS = ("rollout", "beside")
"""Panes that a narrow terminal shows one at a time, in place of the lists."""


class UtilityScreen(FollowingScreen):
    """Draws from `UtilityState` alone; texts follow what is stood on in the lists."""

    CSS_PATH = "utility.tcss"
    AUTO_FOCUS = "#ranking"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-medium")]
    BINDINGS = [
        Binding("c", "beside", "Beside", id="utility.beside", tooltip="Answer, control, placebo, neighbour beside it"),
        Binding("o,f", "sift", "Only", id="utility.sift", tooltip="All rollouts, only unsolved, only undecided ones"),
        Binding("left", "pane(-1)", "Panes", id="utility.previous", group=PANE_KEYS, tooltip="Previous pane"),
        Binding("right", "pane(1)", "Panes", id="utility.next", group=PANE_KEYS, tooltip="Next pane"),
        Binding("escape,U", "leave", "Back", id="utility.leave", tooltip="Back to the workbench"),
    ]

    def __init__(
        self, desk: Desk, question: Question, candidates: Sequence[Candidate], chosen: str, header: TitleBar
    ) -> None:
        """`chosen` is the candidate to begin with; `header` is that of the screen before."""
        self._state = UtilityState(desk, question, candidates, chosen)
        super().__init__(desk, self._state, header)

    def compose(self) -> ComposeResult:
        yield TitleBar()
        yield Static(id="note", markup=False)
        yield FindingList(id="ranking")
        yield Static(id="figures", markup=False)
        with Horizontal(id="below"):
            yield FindingList(id="rollouts")
            with Vertical(id="reading"):
                yield Static(id="about", markup=False)
                with Horizontal(id="texts"):
                    yield RolloutText(self._desk.workspace, self._desk.engine, id="rollout")
                    yield RolloutText(self._desk.workspace, self._desk.engine, id="beside")
        yield KeyFooter()

    def on_mount(self) -> None:
        self._begin("Utility", self._header.subject, REDRAW_S)
        self._show_text("rollout")

    def _receive(self, event: Event) -> None:
        self._state.apply(event)

    @work(group="choose", exclusive=True, exit_on_error=False)
    async def _choose(self, key: str) -> None:
        await self._state.choose(key)
        self._draw()

    # Drawing

    def _draw(self) -> None:
        state, listing = self._state, self.query_one("#ranking", FindingList)
        self.query_one("#note", Static).update(self._note())
        room = listing.scrollable_content_region.width - 2
        entries = ranking_lines.entries(
            state.ranking, state.newest, state.others, room, control=CONTROL, placebo=PLACEBO
        )
        listing.border_title = "Candidates by utility"
        listing.show(entries, empty="This question has no candidates.", stand_on=[state.chosen])
        self.query_one("#figures", Static).update(self._figures())
        self._show_rollouts()

    def _note(self) -> Content:
        ranking = self._state.ranking
        going = f"  {marks.RUNNING} measuring" if self._state.under_way else ""
        apart = "  Apart: by another solver, on other neighbours, or by other prompts." if ranking.incomparable else ""
        return Content.assemble(ranking.text, (going, "$text-accent"), (apart, "dim"))

    def _figures(self) -> Content:
        """What stands behind the utility of the chosen candidate, and what others gave to it."""
        state, lines = self._state, []
        measured = state.measured.get(state.chosen)
        if measured is not None:
            parts = [
                f"solver {clean_line(measured.solver)}",
                interval_text(measured),
                neighbours_text(len(measured.utility.neighbours)),
                clean_line(decided_text(measured)),
            ]
            lines.append(Content.styled("; ".join(part for part in parts if part), "dim"))
            if mark := independence.mark(measured.utility.neighbours):
                lines.append(Content.styled(f"{independence.REPEATED} {mark}: {TOO_NARROW}", "$text-warning"))
        if given := [f"{one.name} {one.texts[state.chosen]}" for one in state.others if state.chosen in one.texts]:
            lines.append(Content("; ".join(given)))
        if measured is not None:
            said = (caution(measured.utility), measured.advice)
            lines += [Content.styled(one, "$text-warning") for one in said if one]
        return Content("\n").join(lines)

    def _show_rollouts(self) -> None:
        state, listing = self._state, self.query_one("#rollouts", FindingList)
        candidate = state.candidate
        whose = f"c{candidate.number}" if candidate is not None else state.chosen
        listing.border_title = Content(f"Rollouts  {whose}  {state.filter}")
        listing.show(rollout_lines.entries(state.groups), empty=self._no_rollouts())
        self._show_texts()

    def _no_rollouts(self) -> str:
        state = self._state
        if not state.loaded:
            return "Reading…"
        if state.candidate is not None and state.chosen not in state.measured:
            return "Not measured. u on the workbench measures candidates."
        return "No rollout yet." if state.filter is Filter.ALL else "None of this kind; f shows the others."

    def _show_texts(self) -> None:
        state, key = self._state, self.query_one("#rollouts", FindingList).key
        own, about = self.query_one("#rollout", RolloutText), self.query_one("#about", Static)
        rollout = state.rollout(key)
        if rollout is None:
            about.update("")
            own.show_text(own_words("*No rollout is chosen.*", "none"), "Rollout")
            self._show_answer()
            return
        neighbour = next(one for one in state.neighbours if one.id == rollout.neighbour_id)
        about.update(rollout_lines.about(rollout, neighbour))
        candidate = state.candidate
        arm = f"with c{candidate.number}" if candidate is not None else state.chosen
        own.show_reply(rollout.call_key, f"N{neighbour.number} rollout {rollout.sample + 1}, {arm}")
        self._show_beside(rollout, neighbour)

    def _show_beside(self, rollout: Rollout, neighbour: Neighbour) -> None:
        state, text = self._state, self.query_one("#beside", RolloutText)
        match state.beside if state.beside in state.choices else state.choices[0]:
            case Beside.ANSWER:
                self._show_answer()
            case Beside.NEIGHBOUR:
                statement = readable_words(neighbour.statement, neighbour.id, name=f"n{neighbour.number}")
                text.show_text(statement, f"Neighbour N{neighbour.number}")
            case arm:
                title = f"N{neighbour.number} rollout {rollout.sample + 1}, {arm}"
                other = state.counterpart(rollout, arm)
                if other is None:
                    text.show_text(own_words(f"*The {arm} arm has no rollout of this number.*", f"no {arm}"), title)
                else:
                    text.show_reply(other.call_key, f"{title}: {rollout_lines.kind_text(kind_of(other)).plain}")

    def _show_answer(self) -> None:
        candidate, text = self._state.candidate, self.query_one("#beside", RolloutText)
        if candidate is None:
            text.show_text(own_words(""), "Answer")
        else:
            mark = f"  {marks.REFERENCE}" if candidate.reference else ""
            answer = readable_text(candidate.answer, candidate.id, name=f"c{candidate.number}-answer")
            if not answer.source:
                missing = "*The text of this answer is not here: only verdicts on it were imported.*"
                answer = own_words(missing, candidate.id)
            text.show_text(answer, f"Answer  c{candidate.number}{mark}")

    # Choosing and moving

    @on(FindingList.Stood, "#ranking")
    def _stand(self) -> None:
        """The message may be older than the last drawing, so what counts is what is stood on now."""
        key = self.query_one("#ranking", FindingList).key
        if key and key != self._state.chosen:
            self._state.chosen = key  # at once, or a drawing meanwhile would turn back
            self._choose(key)

    @on(FindingList.Stood, "#rollouts")
    def _stand_on_rollout(self) -> None:
        self._show_texts()

    @on(OptionList.OptionSelected, "#ranking")
    def _candidate_selected(self) -> None:
        self._turn_to("rollouts")

    @on(OptionList.OptionSelected, "#rollouts")
    def _rollout_selected(self) -> None:
        self._turn_to("rollout")

    def action_beside(self) -> None:
        self._state.turn()
        self._show_texts()
        if self.has_class("-reading"):
            self._turn_to("beside")

    def action_sift(self) -> None:
        self._state.sift()
        self._show_rollouts()

    def action_pane(self, by: int) -> None:
        focused = self.focused.id if self.focused is not None else None
        at = PANES.index(focused) if focused in PANES else 0
        self._turn_to(PANES[(at + by) % len(PANES)])

    def _turn_to(self, pane: str) -> None:
        self.set_class(pane in TEXTS, "-reading")  # what is hidden can't take the focus
        if pane in TEXTS:
            self._show_text(pane)
        self.query_one(f"#{pane}", Widget).focus()

    def _show_text(self, pane: str) -> None:
        for name in TEXTS:
            self.set_class(name == pane, f"-{name}")

    def on_resize(self, event: events.Resize) -> None:
        """Strips are as long as there is room."""
        if self._state.loaded:
            self.call_after_refresh(self._draw)

    def action_leave(self) -> None:
        if self.has_class("-narrow") and self.has_class("-reading"):
            self._turn_to("rollouts")
        else:
            self.app.pop_screen()
