"""The questions that one line of the funnel counts, each with where it stands or why it fell."""

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from store.curation_rows import Placed
from uq_tui.document.maths.readable import readable_line
from uq_tui.screens.curating.head import begin_head, head
from uq_tui.screens.questions import QuestionsScreen
from uq_tui.state.curating.place_words import place_words
from uq_tui.state.curating.standing import Standing
from uq_tui.state.desk import Desk
from uq_tui.state.questions import QuestionsState
from uq_tui.state.reading.readable import readable_question
from uq_tui.text import clean_line, counted
from uq_tui.widgets.document import Document
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.title_bar import TitleBar

PAUSE_S = 0.15
"""Seconds without a key before the preview follows the highlight."""
NEAR_END = 20
"""Rows before the end at which the next page is fetched."""


class StandingList(OptionList):
    """Enter opens a question."""

    BINDINGS = [Binding("enter", "select", "Open", id="standing.open", tooltip="Open it on the workbench")]


class StandingScreen(TellsFailures, Screen[None]):
    """A list and a preview. Opens a question on the workbench, as the list of questions does."""

    CSS_PATH = "curating.tcss"
    AUTO_FOCUS = "#standing"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-medium")]
    BINDINGS = [Binding("escape", "dismiss", "Back", id="standing.leave", tooltip="Back to the funnel")]

    def __init__(self, desk: Desk, standing: Standing) -> None:
        super().__init__()
        self._questions = QuestionsState(desk.workspace)
        self._standing = standing
        self._pause: Timer | None = None

    def compose(self) -> ComposeResult:
        yield TitleBar()
        with Horizontal(id="columns"):
            yield StandingList(id="standing", markup=False)
            yield Document(id="preview")
        yield KeyFooter()

    def on_mount(self) -> None:
        begin_head(self)
        head(self, self._standing.line.label)
        self._load()

    @work(group="list", exclusive=True, exit_on_error=False)
    async def _load(self) -> None:
        rows = await self._standing.more()
        listing = self.query_one("#standing", OptionList)
        listing.add_options([_option(row) for row in rows])
        if listing.highlighted is None and rows:
            listing.highlighted = 0
        if not self._standing.rows:
            listing.add_option(Option(Content.styled("No question is listed here.", "dim"), disabled=True))
        listing.border_title = Content(self._told())

    def _told(self) -> str:
        standing = self._standing
        n = len(standing.rows)
        shown = counted(standing.line.n, "question") if standing.complete else f"{n:,} of {standing.line.n:,} questions"
        hidden = f", {standing.left_out:,} left out that you judge blind" if standing.left_out else ""
        return f"{clean_line(standing.line.label)}: {shown}{hidden}"

    @on(OptionList.OptionHighlighted, "#standing")
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        if self._pause is not None:
            self._pause.stop()
        if event.option.id is None:
            return
        question_id = event.option.id
        self._pause = self.set_timer(PAUSE_S, lambda: self._preview(question_id))
        if event.option_index >= len(self._standing.rows) - NEAR_END and not self._standing.complete:
            self._load()

    @work(group="preview", exclusive=True, exit_on_error=False)
    async def _preview(self, question_id: str) -> None:
        question = await self._questions.preview(question_id)
        self.query_one("#preview", Document).read(readable_question(question, question_id))

    @on(OptionList.OptionSelected, "#standing")
    def _selected(self, event: OptionList.OptionSelected) -> None:
        if event.option.id is not None:
            self.post_message(QuestionsScreen.Opened(event.option.id))


def _option(row: Placed) -> Option:
    title = readable_line(clean_line(row.title)) or clean_line(row.question_id)
    under = " · ".join(part for part in (place_words(row.place), clean_line(row.site)) if part)
    return Option(Content.assemble(title, (f"\n  {under}", "dim")), id=row.question_id)
