"""Conflicts: the answers on which verdicts disagree, those first that nobody has settled."""

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.content import Content
from textual.screen import Screen
from textual.widgets import OptionList, Static

from uq_tui.key_map import key_shown
from uq_tui.screens.adjudicating.adjudicate import AdjudicateScreen
from uq_tui.state.adjudicating.conflict_list import ConflictListState
from uq_tui.state.adjudicating.words import BY, counts
from uq_tui.state.desk import Desk
from uq_tui.widgets.adjudicating.conflict_lines import entries
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.finding_list import FindingList
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.title_bar import TitleBar


class ConflictList(FindingList):
    """Enter settles a conflict."""

    BINDINGS = [
        Binding("enter", "select", "Settle", id="conflicts.open", tooltip="Read the verdicts, and decide between them"),
    ]


class ConflictsScreen(TellsFailures, Screen[None]):
    """Enter settles one, and goes on from there. The list is read again each time it comes to the front."""

    CSS_PATH = "adjudicating.tcss"
    AUTO_FOCUS = "#conflicts"
    BINDINGS = [
        Binding("b", "turn", "Conflict by", id="conflicts.by", tooltip="What verdicts have to differ in"),
        Binding("r", "reload", "Read again", id="conflicts.reload", tooltip="Read again what there is by now"),
        Binding("escape", "leave", "Back", id="conflicts.leave", tooltip="Back to where you came from"),
    ]

    def __init__(self, desk: Desk, header: TitleBar) -> None:
        """`header` is that of the screen before."""
        super().__init__()
        self._desk = desk
        self._state = ConflictListState(desk)
        self._header = header

    def compose(self) -> ComposeResult:
        yield TitleBar()
        yield Static(id="about", markup=False)
        yield ConflictList(id="conflicts")
        yield KeyFooter()

    def on_mount(self) -> None:
        bar = self.query_one(TitleBar)
        bar.place, bar.status, bar.busy = "Conflicts", self._header.status, self._header.busy
        self.action_reload()

    def on_screen_resume(self) -> None:
        """What was settled meanwhile stands at the end."""
        if self._state.listed is not None:
            self.action_reload()

    @work(group="conflicts", exclusive=True, exit_on_error=False)
    async def action_reload(self) -> None:
        await self._state.load()
        self._draw()

    def _draw(self) -> None:
        found, listed = self._state.conflicts, self._state.listed
        if listed is None:
            return
        listing = self.query_one(ConflictList)
        listing.border_title = Content(counts(found))
        listing.show(entries(found), empty=self._empty(), stand_on=[])
        by = f"Verdicts of two people that differ: {BY[self._state.by]}."
        self.query_one("#about", Static).update("\n".join((by, *listed.left_out.lines)))

    def _empty(self) -> str:
        turn = key_shown(self, "conflicts.by")
        return f"No two people disagree here. {turn} looks for other differences."

    def action_turn(self) -> None:
        self._state.turn()
        self.action_reload()

    @on(OptionList.OptionSelected)
    def _open(self) -> None:
        key = self.query_one(ConflictList).key
        if key:
            self.app.push_screen(AdjudicateScreen(self._desk, self._state.conflicts, key, self.query_one(TitleBar)))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There is one pane."""
        return action != "pane"

    def action_leave(self) -> None:
        self.dismiss()
