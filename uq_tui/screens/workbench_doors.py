"""What the workbench opens: screens and dialogs about its question and the candidate that is chosen."""

from textual import work
from textual.screen import Screen

from uq_tui.engine.requests import CbuRequest
from uq_tui.key_map import key_shown
from uq_tui.screens.findings import FindingsScreen
from uq_tui.screens.ladders import LaddersScreen
from uq_tui.screens.measure import Instead, measurement
from uq_tui.screens.neighbours import NeighboursScreen
from uq_tui.screens.posting import PostingModal
from uq_tui.screens.question_report import QuestionReportModal
from uq_tui.screens.reading.side_by_side import SideBySideScreen
from uq_tui.screens.resolution import ResolutionModal
from uq_tui.screens.reviewing.comments import CommentsModal
from uq_tui.screens.reviewing.history import HistoryModal
from uq_tui.screens.reviewing.second_pass import SecondPassScreen
from uq_tui.screens.utility import UtilityScreen
from uq_tui.state.desk import Desk
from uq_tui.state.reviewing import blind
from uq_tui.state.workbench import WorkbenchState
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.title_bar import TitleBar


class OpensMore(TellsFailures, Screen[None]):
    """A screen on a question. What shows nothing but machine judgements is not opened while it is judged blind."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._state = WorkbenchState(desk)
        self._stale = False
        """The store has something else than what is shown."""

    def action_ladders(self) -> None:
        candidate = self._state.candidate
        if self._is_hidden():
            return
        if candidate is None or self._state.ladder is None:
            validate = key_shown(self, "workbench.validate")
            self.notify(f"{validate} judges this candidate; two runs can then be compared.", title="Not judged yet")
        else:
            self.app.push_screen(LaddersScreen(self._desk, candidate, self.query_one(TitleBar)))

    def action_findings(self) -> None:
        candidate = self._state.candidate
        if candidate is None:
            self.notify(self._how_to_begin(), title="Nothing to read yet", markup=False)
        else:
            self.app.push_screen(FindingsScreen(self._desk, candidate, self.query_one(TitleBar)))

    def action_second_pass(self) -> None:
        candidate = self._state.candidate
        if candidate is None or self._is_hidden():
            return
        self.app.push_screen(SecondPassScreen(self._desk, candidate.id, self.query_one(TitleBar)))

    def action_comments(self) -> None:
        state = self._state
        if state.question is not None:
            answer = state.candidate.id if state.candidate else ""
            self.app.push_screen(CommentsModal(self._desk, state.question.row.id, answer))

    def action_resolve(self) -> None:
        state = self._state
        if state.question is not None and not self._is_hidden():
            dialog = ResolutionModal(self._desk, state.question.row.id, state.candidate)
            self.app.push_screen(dialog, self._is_stale)

    def action_post(self) -> None:
        candidate = self._state.candidate
        if candidate is None:
            self.notify(self._how_to_begin(), title="Nothing to post yet", markup=False)
        elif not self._is_hidden():
            self.app.push_screen(PostingModal(self._desk, candidate))

    def action_report(self) -> None:
        question = self._state.question
        if question is not None and not self._is_hidden():
            self.app.push_screen(QuestionReportModal(self._desk, question.row.id))

    def action_side_by_side(self) -> None:
        state = self._state
        if state.question is not None:
            self.app.push_screen(SideBySideScreen(self._desk, state.question, state.chosen, self.query_one(TitleBar)))

    def action_measure(self) -> None:
        state, held = self._state, [one for one in self._state.candidates if one.answer.sha256]
        if self._is_hidden():
            return
        if state.question is None or not held:
            self.notify(self._how_to_begin(), title="Nothing to measure yet", markup=False)
        else:
            question_id = state.question.row.id
            dialog = measurement(self._desk, question_id, held, state.candidate, state.neighbours)
            self.app.push_screen(dialog, self._measure)

    def _measure(self, wanted: CbuRequest | Instead | None) -> None:
        if isinstance(wanted, CbuRequest):
            self._start(wanted)
        elif wanted is Instead.NEIGHBOURS:
            self.action_neighbours()

    @work(group="start", exit_on_error=False)
    async def _start(self, wanted: CbuRequest) -> None:
        self._desk.start(wanted)

    def action_utility(self) -> None:
        state, header = self._state, self.query_one(TitleBar)
        if state.question is not None and not self._is_hidden():
            self.app.push_screen(UtilityScreen(self._desk, state.question, state.candidates, state.chosen, header))

    def action_neighbours(self) -> None:
        if self._state.question is not None:
            screen = NeighboursScreen(self._desk, self._state.question, self.query_one(TitleBar))
            self.app.push_screen(screen, self._is_stale)

    def _is_stale(self, _: None) -> None:
        self._stale = True

    def action_history(self) -> None:
        if self._state.candidate is not None:
            self.app.push_screen(HistoryModal(self._desk, self._state.candidate))

    def _how_to_begin(self) -> str:
        generate, add = key_shown(self, "workbench.generate"), key_shown(self, "workbench.add")
        return f"{generate} generates a candidate, {add} adds one by hand."

    def _is_hidden(self) -> bool:
        """Whether what was asked for is hidden, which is told then."""
        mask = self._state.mask
        if mask is not None:
            refusal = blind.refusal(mask.question_id)
            self.notify(str(refusal), title=refusal.title, markup=False)
        return mask is not None
